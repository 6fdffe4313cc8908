#pragma once

#include <array>
#include <vector>

#include "cutis/skin/slide_surface.h"
#include "cutis/surface/geodesic/log_map.h"
#include "cutis/surface/map/surface_map.h"

namespace cutis::test {

/// Finds triangles of the skin that are turned over on the body at rest: the shortest ways from most of their
/// corners to the other two lie the wrong way round. Nothing else tells in a cleft, where normals point
/// anywhere. Only those are looked at that stand steep on the smooth surface, by the mean of its normals at
/// their corners.
class InvertedTriangles {
 public:
  /// The body must outlive it.
  explicit InvertedTriangles(const Body& body)
      : surface_(body, SlidesOn::Cage),
        metric_(body.surface()->topology(), body.surface()->positions()),
        geodesics_(metric_) {}

  std::vector<FaceId> operator()(const SurfaceMap& map) {
    const Mesh& mesh = map.from()->mesh();
    std::vector<FaceId> found;
    for (FaceId f : ids<FaceId>(mesh.face_count())) {
      const std::array<SurfacePoint, 3> corners = {map[mesh.face(f)[0]], map[mesh.face(f)[1]],
                                                   map[mesh.face(f)[2]]};
      if (steep(corners) && turned(corners, 0) + turned(corners, 1) + turned(corners, 2) >= 2)
        found.push_back(f);
    }
    return found;
  }

 private:
  SlideSurface surface_;
  GeodesicMetric metric_;
  Geodesics geodesics_;

  bool steep(const std::array<SurfacePoint, 3>& corners) const {
    Vec3 normal = Vec3::Zero();
    std::array<Vec3, 3> x;
    for (std::size_t k = 0; k < 3; ++k) {
      const SurfaceJet jet = surface_.evaluate(corners[k]);
      x[k] = jet.position;
      normal += jet.normal / 3;
    }
    const Vec3 area = (x[1] - x[0]).cross(x[2] - x[0]);
    return area.dot(normal) < 0.3 * area.norm();
  }

  bool turned(const std::array<SurfacePoint, 3>& corners, std::size_t from) {
    const auto left = log_point(geodesics_, corners[from], corners[(from + 1) % 3]),
               right = log_point(geodesics_, corners[from], corners[(from + 2) % 3]);
    return left && right && left->x() * right->y() - left->y() * right->x() < 0;
  }
};

}  // namespace cutis::test
