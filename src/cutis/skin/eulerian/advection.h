#pragma once

#include <functional>

#include <Eigen/Cholesky>

#include "cutis/skin/eulerian/eulerian_options.h"
#include "cutis/skin/eulerian/vertex_rings.h"
#include "cutis/skin/problem/skin_configuration.h"

namespace cutis {

/// Carries what belongs to the skin along while the mesh stays on the body (Thin Skin Elastodynamics, Eqs. 8
/// and 9): after skin has moved over the body by a displacement, each vertex has what was one displacement
/// upstream.
///
/// What is upstream is read off a quadratic polynomial in the tangent plane of the vertex, which goes through
/// its own value and comes closest to those within two rings. Schemes that correct an interpolation by going
/// there and back (MacCormack, BFECC) are not stable where the two ways lead through triangles of different
/// shape: waves that go around a torus grow without bound. Upstream is looked for in the triangles around a
/// vertex; longer ways are gone in pieces.
///
/// Vectors are transported from the normal where the skin was, at the start of the step, to that where it
/// comes to: projected, skin would lose a share of its speed with every step on a curved body.
class SkinAdvection {
 public:
  using Vectors = IdVector<VertexId, Vec3>;
  /// The displacement over the body that comes closest to a given one and that skin may take to a vertex.
  using Admissible = std::function<Vec3(VertexId, const Vec3&)>;
  /// What a displacement over the body is made of: upstream, a part that belongs to the skin and is
  /// transported with it; and a part that belongs to the vertex it comes to [m].
  struct Displacement {
    Vectors of_skin;             ///< vectors in space, their part along the body counts
    Vec3 common = Vec3::Zero();  ///< that all of `of_skin` share, not transported (vectors())
    Vectors of_vertex;           ///< along the body; empty: none
    Admissible admissible = {};  ///< empty: any
  };

  /// The rings and the body, as it lies at the start and at the end of the step, must outlive it.
  SkinAdvection(const VertexRings& rings, Advection scheme, const RingedSurface& start,
                const RingedSurface& body)
      : rings_(rings), scheme_(scheme), start_(start), body_(body) {}

  void set_displacement(const Displacement& displacement);
  /// How far what has come to each vertex has moved, along the body at the vertex [m].
  const Vectors& upstream() const { return upstream_; }
  /// Whether nothing moves.
  bool still() const { return pieces_ == 0; }

  /// A number or matrix on vertices, within the values around.
  template <class T>
  IdVector<VertexId, T> operator()(IdVector<VertexId, T> values) const;
  /// Vectors in space: the part of each along the body, less what all have in `common`, is turned with the
  /// normal of the skin that it belongs to, by the shortest turn, and keeps its length; the rest stays as it
  /// is in space. With a common velocity of the body, skin moves alike on bodies that move past at any speed.
  Vectors vectors(Vectors values, const Vec3& common) const;
  /// The points of the skin that are at the vertices, `at` before. `at_rest` is the surface of the skin.
  SkinPoints operator()(const SkinConfiguration& at, const SlideSurface& at_rest) const;

 private:
  /// The fits of a quadratic polynomial to values around a vertex, which all ways share: the monomials are
  /// those of tangent coordinates as shares of `distance`.
  struct Fit {
    double distance = 0;                              ///< mean one of rings().near() [m]; 0: there is no fit
    Eigen::LLT<Eigen::Matrix<double, 5, 5>> through;  ///< of polynomials through the vertex's own value
    Eigen::Matrix<double, 6, 1> beside;  ///< the polynomial that the own value, as one of many, adds to it
  };

  const VertexRings& rings_;
  Advection scheme_;
  const RingedSurface& start_;
  const RingedSurface& body_;
  int pieces_ = 0;
  Vectors upstream_;
  std::vector<Vectors> normals_;  ///< at the start of each piece and at the end
  std::vector<Vectors> ways_;     ///< upstream by each piece
  std::vector<Fit> fits_;         ///< of each vertex, made when the first way is asked for
  /// Of each of rings().near(): its coordinates, as shares of the distance, and its weight in the fit.
  std::vector<Vec2> near_;
  std::vector<double> near_weights_;
  /// What is upstream by each piece of the way: the value at the vertex, and these shares of what the values
  /// of its rings().near() differ by from it. All zero where nothing moves.
  std::vector<std::vector<double>> weights_;

  void make_fits();
  Fit fit(VertexId v);
  void set_pieces(const Displacement& displacement);
  Vec3 way_to(VertexId v, const Displacement& displacement, const Vec3& of_skin) const;
  Vec3 upstream_of(VertexId v, const Displacement& displacement, const Vectors& of_skin, int piece);
  void set_weights(double* weights, VertexId v, const Vec2& way) const;
  void set_triangle_weights(double* weights, VertexId v, const Vec2& way) const;
  Vectors carried(const Vectors& values, const Vec3& common, int piece) const;
  SkinPoints piece(int piece, const SkinPoints& points, const IdVector<VertexId, SurfaceJet>& jets,
                   const SlideSurface& at_rest) const;
};

}  // namespace cutis
