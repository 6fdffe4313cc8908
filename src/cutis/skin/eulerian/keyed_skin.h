#pragma once

#include <memory>
#include <vector>

#include "cutis/energy/triangle_spring_term.h"
#include "cutis/skin/constraint/skin_constraints.h"
#include "cutis/skin/eulerian/skin_inverse.h"
#include "cutis/surface/geodesic/closest_point.h"

namespace cutis {

/// Skin that keyed paths carry over the body, as the mesh of the body sees it. Paths say where on the body
/// vertices of the skin are. What the body's vertices below the faces between them see is found in these
/// faces; at the rim of a piece, and where it has no faces, its vertices lie within triangles of the body.
class KeyedSkin {
 public:
  /// The references must outlive it.
  KeyedSkin(const SkinConstraints& constraints, const SlideSurface& at_rest, const SkinInverse& inverse,
            const SkinUnknowns& unknowns);

  bool empty() const { return pieces_.empty(); }
  double first_time() const { return first_time_; }  ///< of the earliest key [s]

  struct Moment {
    std::vector<TriangleSpring> springs;
    IdVector<VertexId, char> covered;  ///< which vertices of the body lie below a piece; empty: none
  };
  Moment at(double time) const;
  /// How far a vertex of the skin is carried between two times, at most [m].
  double longest_way(double from, double to) const;

 private:
  /// The skin of one path, by its own vertices.
  struct Piece {
    std::vector<VertexId> vertices;
    Mesh mesh;
    std::vector<FaceId> faces;                ///< of the skin
    std::vector<std::array<bool, 3>> at_rim;  ///< whether the side opposite of a corner is
    std::vector<bool> vertex_at_rim;
  };

  const SkinConstraints& constraints_;
  const SlideSurface& at_rest_;
  const SkinInverse& inverse_;
  const SkinUnknowns& unknowns_;
  std::vector<int> stencil_of_face_;  ///< -1: none of its corners is unknown
  std::vector<Piece> pieces_;
  double first_time_ = 0;

  Piece make_piece(const std::vector<VertexId>& vertices) const;
  SkinPoints placed(double time) const;
  bool outside(const Piece& piece, const SurfacePoint& p) const;
  void cover(const Piece& piece, const Points& positions, SkinPoints& seen) const;
  IdVector<VertexId, char> well_covered(const IdVector<VertexId, char>& covered) const;
  void hold(const IdVector<VertexId, char>& held, const SkinPoints& seen,
            std::vector<TriangleSpring>& out) const;
  void pin(const Piece& piece, const SkinPoints& flat, const IdVector<VertexId, char>& held,
           std::vector<TriangleSpring>& out) const;
  TriangleSpring prescribe(std::size_t stencil, const Vec3& barycentric, const SurfacePoint& skin) const;
};

}  // namespace cutis
