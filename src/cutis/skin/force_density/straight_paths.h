#pragma once

#include <vector>

#include "cutis/surface/map/surface_point.h"
#include "cutis/surface/mesh/topology.h"

namespace cutis {

/// Straight paths that begin at the vertices of a mesh of triangles, given in the tangent planes there.
///
/// The angle around a vertex is spread evenly over the full turn of its tangent plane, and the plane is
/// turned so that the edges lie closest to where they lie in space: an end depends on the shape of the mesh,
/// not on its numbers.
class StraightPaths {
 public:
  struct End {
    SurfacePoint point;
    Mat32 frame;  ///< the axes of the tangent plane, carried along the path
  };

  /// Both must outlive it.
  StraightPaths(const Topology& topology, const Points& positions);

  /// Unit vectors in space, as columns; zero at a vertex on a border or without faces, where no path begins.
  const Mat32& tangent(VertexId v) const { return planes_[v].axes; }
  /// The end of the path by `way` [m], in the axes of tangent(v).
  End walk(VertexId v, const Vec2& way) const;

 private:
  struct Plane {
    Mat32 axes = Mat32::Zero();
    double first_angle = 0;       ///< of the first edge in the axes, [0, 2 pi)
    double scale = 1;             ///< angle on the mesh over angle in the plane
    std::size_t first_wedge = 0;  ///< in wedges_
    std::size_t wedge_count = 0;
  };
  /// A corner of a triangle at a vertex: it begins at the half-edge, and at an angle from the first edge.
  struct Wedge {
    HalfedgeId halfedge;
    double begin = 0;  ///< in the plane
  };
  const Topology& topology_;
  const Points& positions_;
  IdVector<VertexId, Vec3> normals_;
  IdVector<VertexId, Plane> planes_;
  std::vector<Wedge> wedges_;

  void add_plane(VertexId v);
  SurfacePoint corner(HalfedgeId h) const;
  Mat32 carried(const SurfacePoint& at, const Vec3& direction, const Vec2& way) const;
};

}  // namespace cutis
