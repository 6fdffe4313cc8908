#pragma once

#include <memory>
#include <vector>

#include "cutis/skin/force_density/patch_slide.h"
#include "cutis/surface/geodesic/geodesic_metric.h"
#include "cutis/surface/map/surface_map.h"

namespace cutis {

/// Brings the slides of several patches together on the body. Where patches overlap, the ways that they ask
/// for are added up in the tangent plane of the body at rest, each weighted by how far inside its patch the
/// vertex lies, and the sum is walked over the surface: no way is longer than the longest of them.
class PatchBlend {
 public:
  /// The patches must outlive it.
  PatchBlend(std::shared_ptr<const Surface> surface, const std::vector<std::unique_ptr<PatchSlide>>& patches);

  /// The body's vertices that may move, lowest first: those inside of patches.
  const std::vector<VertexId>& moving() const { return moving_; }
  /// Writes where they go; other entries stay.
  void write(SurfaceMap::Points& points) const;

 private:
  /// A vertex as one patch knows it.
  struct Member {
    std::size_t patch;
    VertexId vertex;
  };
  std::shared_ptr<const Surface> surface_;
  const std::vector<std::unique_ptr<PatchSlide>>& patches_;
  std::unique_ptr<GeodesicMetric> metric_;  ///< only where patches overlap
  std::vector<VertexId> moving_;
  std::vector<std::vector<Member>> members_;  ///< one list a moving vertex

  SurfacePoint on_body(const Member& member) const;
};

}  // namespace cutis
