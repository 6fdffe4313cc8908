#pragma once

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
class SkinAdvection {
 public:
  using Vectors = IdVector<VertexId, Vec3>;

  /// The rings and the body, as it lies at the end of the step, must outlive it.
  SkinAdvection(const VertexRings& rings, Advection scheme, const RingedSurface& body)
      : rings_(rings), scheme_(scheme), body_(body) {}

  /// How far the skin at each vertex moves over the body, along it [m].
  void set_displacement(const Vectors& displacement);
  /// How far what comes to each vertex moves: the displacement upstream, along the body at the vertex [m].
  const Vectors& upstream() const { return upstream_; }
  /// Whether nothing moves.
  bool still() const { return pieces_ == 0; }

  /// A number, vector or matrix on vertices, within the values around.
  template <class T>
  IdVector<VertexId, T> operator()(IdVector<VertexId, T> values) const;
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
  const RingedSurface& body_;
  int pieces_ = 0;
  Vectors upstream_;
  std::vector<Fit> fits_;  ///< of each vertex, made when the first way is asked for
  /// Of each of rings().near(): its coordinates, as shares of the distance, and its weight in the fit.
  std::vector<Vec2> near_;
  std::vector<double> near_weights_;
  /// What is upstream by one piece of the way: the value at the vertex, and these shares of what the values
  /// of its rings().near() differ by from it. All zero where nothing moves.
  std::vector<double> weights_;

  void make_fits();
  Fit fit(VertexId v);
  void set_weights(VertexId v, const Vec2& way);
  void set_triangle_weights(VertexId v, const Vec2& way);
  SkinPoints piece(const SkinPoints& points, const IdVector<VertexId, SurfaceJet>& jets,
                   const SlideSurface& at_rest) const;
};

}  // namespace cutis
