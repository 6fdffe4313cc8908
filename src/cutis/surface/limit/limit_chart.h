#pragma once

#include <array>
#include <vector>

#include "cutis/surface/map/surface_point.h"
#include "cutis/surface/mesh/mesh.h"
#include "cutis/surface/mesh/triangle_mesh.h"

namespace cutis {

/// A place in the parameter squares (Catmull-Clark) or triangles (Loop) that patches are indexed by, with its
/// derivatives with respect to the barycentric coordinates b1 and b2.
struct PatchCoordinates {
  int patch_face = -1;
  Vec2 uv = Vec2::Zero();
  Vec2 d1, d2;
  bool linear = true;  ///< d11, d12, d22 vanish and are not set
  Vec2 d11, d12, d22;
};

/// The map from the triangles that a mesh was cut into to the parameter faces of its limit surface.
///
/// A triangle (Loop) and a quad have one parameter face, and the map is linear on each triangle. Any other
/// polygon has one parameter square a corner. Its triangles are laid out in the regular n-gon, where the
/// squares are the kites between a corner, the centre and the middles of the two sides, and the kite is taken
/// to the square by the inverse of its bilinear map. So the map is continuous across every triangle and
/// polygon edge, runs along a polygon's side at constant speed from both faces, and is smooth inside a kite.
class LimitChart {
 public:
  LimitChart(const Mesh& mesh, const TriangleMesh& triangles, bool loop);

  PatchCoordinates at(const SurfacePoint& p) const;

  std::size_t triangle_count() const { return triangles_.size(); }
  VertexId vertex(FaceId triangle, int corner) const {
    return vertices_[3 * triangle.index() + static_cast<std::size_t>(corner)];
  }
  /// A corner of the first triangle that has the vertex; an invalid face when none has.
  SurfacePoint home(VertexId v) const;

 private:
  struct Triangle {
    int first_patch_face;
    int sides;                  ///< of its polygon; 0 where the map is linear
    std::array<int, 3> corner;  ///< in layout_
  };
  std::vector<Triangle> triangles_;
  std::vector<VertexId> vertices_;  ///< three a triangle
  /// Corners in the unit square or triangle or in the regular n-gon, once for each number of sides: so a
  /// triangle is small and evaluation waits less for memory.
  std::vector<Vec2> layout_;
  IdVector<VertexId, int> home_;  ///< 3 * triangle + corner, or -1
};

}  // namespace cutis
