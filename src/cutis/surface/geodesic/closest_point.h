#pragma once

#include <limits>
#include <span>
#include <vector>

#include "cutis/surface/map/surface_point.h"
#include "cutis/surface/mesh/mesh.h"
#include "cutis/surface/mesh/topology.h"

namespace cutis {

/// A point of a surface and its squared distance to the place that was asked for.
struct ClosestPoint {
  SurfacePoint point;                                                 ///< invalid face when nothing was found
  double distance_squared = std::numeric_limits<double>::infinity();  ///< [m²]
};

/// How far along from a to b, 0 to 1, the point of the segment lies that is closest to p; 0 where it has no
/// length.
double closest_in_segment(const Vec3& p, const Vec3& a, const Vec3& b);

/// Barycentrics (none negative) of the point of a triangle that is closest to p. Triangles without area are
/// fine: they are the segments or the point that is left of them.
Vec3 closest_in_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

/// Closest points on a triangle mesh, by a tree of boxes. Exact in double precision: the same answer as
/// looking at every face, of equally near ones the face with the lowest number. Queries allocate nothing and
/// may run on many threads. The mesh's connectivity must outlive it; positions are copied.
class ClosestPointTree {
 public:
  /// Throws InputError when there is no face, a face is not a triangle or a position is not finite.
  ClosestPointTree(const Mesh& triangles, const Points& positions);
  explicit ClosestPointTree(const Mesh& triangles) : ClosestPointTree(triangles, triangles.positions) {}
  explicit ClosestPointTree(Mesh&&) = delete;
  ClosestPointTree(Mesh&&, const Points&) = delete;

  /// Moves the mesh. The tree keeps its shape and refits its boxes, several times faster than a new one;
  /// answers stay exact, searches get slower the further the mesh is from where the tree was built.
  void update(const Points& positions);

  /// The closest point within `radius` of p [m].
  ClosestPoint operator()(const Vec3& p, double radius = std::numeric_limits<double>::infinity()) const;
  /// The same, in parallel; results has the size of points.
  void operator()(std::span<const Vec3> points, std::span<ClosestPoint> results) const;

 private:
  struct Box {
    Vec3 low = Vec3::Zero(), high = Vec3::Zero();
    double distance_squared(const Vec3& p) const {
      return (low - p).cwiseMax(p - high).cwiseMax(0.0).squaredNorm();
    }
  };
  /// Children lie after their parent: `left` right behind it.
  struct Node {
    Box box;
    int right = 0;             ///< of an inner node; of a leaf, zero
    int first = 0, count = 0;  ///< faces of a leaf, in faces_
  };

  const Mesh* mesh_;
  Points positions_;
  std::vector<FaceId> faces_;
  std::vector<Node> nodes_;

  void build(std::vector<Vec3>& centres);
  void set_positions(const Points& positions);
  void refit();
  void visit_leaf(const Node& leaf, const Vec3& p, ClosestPoint& best) const;
};

struct LocalSearch {
  /// How many rings of faces around a place that none of its neighbours improves on are looked at for a
  /// better one: leads out of dents that small. At most 128 faces are looked at each time.
  int rings = 2;
};

/// Follows the closest point from where it was: walks from `start` over neighbouring faces as long as that
/// brings it closer to p. It stays on its sheet, however near another part of the surface comes (a closed
/// mouth, a hand on a hip), so it may end in a point that is closest only among its surroundings. Allocates
/// nothing; the same answer for the same arguments.
ClosestPoint closest_point_local(const Topology& triangles, const Points& positions,
                                 const SurfacePoint& start, const Vec3& p, const LocalSearch& options = {});

}  // namespace cutis
