#pragma once

#include <limits>
#include <memory>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "cutis/picture/render/draw_mesh.h"

namespace cutis {

using Vec2f = Eigen::Vector2f;
using Vec3f = Eigen::Vector3f;

struct RayHit {
  float t = std::numeric_limits<float>::infinity();
  int shape = -1;  ///< in the order of adding; -1 when nothing was hit
  int primitive = -1;
  float u = 0, v = 0;  ///< barycentrics of a triangle's second and third vertex; u runs along a curve
  Vec3f normal = Vec3f::Zero();  ///< geometric, not unit
  bool found() const { return shape >= 0; }
};

/// Triangles and tubes that rays are shot at (Embree). Add shapes, commit once, then ask from any thread.
class RaySet {
 public:
  RaySet();
  ~RaySet();
  RaySet(const RaySet&) = delete;
  RaySet& operator=(const RaySet&) = delete;

  /// Triangles with a point that is not finite are left out.
  void add_triangles(std::span<const Vec3f> points, const std::vector<DrawMesh::Triangle>& triangles);
  /// A round tube through the points.
  void add_tube(std::span<const Vec3f> points, float radius);
  void commit();

  bool empty() const { return shapes_ == 0; }
  RayHit closest(const Vec3f& origin, const Vec3f& direction, float near, float far) const;
  bool blocked(const Vec3f& origin, const Vec3f& direction, float far) const;

 private:
  struct Handle;
  std::unique_ptr<Handle> handle_;
  int shapes_ = 0;
};

}  // namespace cutis
