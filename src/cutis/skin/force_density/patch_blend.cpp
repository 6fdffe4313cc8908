#include "cutis/skin/force_density/patch_blend.h"

#include <map>
#include <utility>

#include <tbb/enumerable_thread_specific.h>

#include "cutis/core/parallel.h"
#include "cutis/surface/geodesic/frames.h"
#include "cutis/surface/geodesic/log_map.h"
#include "cutis/surface/geodesic/trace.h"

namespace cutis {

PatchBlend::PatchBlend(std::shared_ptr<const Surface> surface,
                       const std::vector<std::unique_ptr<PatchSlide>>& patches)
    : surface_(std::move(surface)), patches_(patches) {
  std::map<VertexId, std::vector<Member>> members;
  for (std::size_t p = 0; p < patches.size(); ++p) {
    const PatchDisk& disk = patches[p]->disk();
    for (VertexId v : ids<VertexId>(disk.mesh.vertex_count()))
      if (!patches[p]->embedding().pinned()[v.index()]) members[disk.body_vertex[v]].push_back({p, v});
  }
  for (auto& [vertex, list] : members) {
    if (list.size() > 1 && metric_ == nullptr)
      metric_ = std::make_unique<GeodesicMetric>(surface_->topology(), surface_->positions());
    moving_.push_back(vertex);
    members_.push_back(std::move(list));
  }
}

SurfacePoint PatchBlend::on_body(const Member& member) const {
  const PatchSlide& patch = *patches_[member.patch];
  const SurfacePoint& point = patch.points()[member.vertex];
  return {patch.disk().body_face[point.face], point.barycentric};
}

void PatchBlend::write(SurfaceMap::Points& points) const {
  const auto alone = [&](std::size_t i) {
    if (members_[i].size() == 1) points[moving_[i]] = on_body(members_[i][0]);
  };
  parallel_for(moving_.size(), alone, 2048);
  if (metric_ == nullptr) return;
  tbb::enumerable_thread_specific<Geodesics> scratch([this] { return Geodesics(*metric_); });
  parallel_for(
      moving_.size(),
      [&](std::size_t i) {
        if (members_[i].size() == 1) return;
        const SurfacePoint home = surface_->point(moving_[i]);
        Vec2 sum = Vec2::Zero();
        double weights = 0;
        for (const Member& member : members_[i]) {
          const double weight = patches_[member.patch]->ease(member.vertex);
          weights += weight;
          const SurfacePoint to = on_body(member);
          if (surface_->position(to) == surface_->position(home)) continue;
          if (const auto way = log_point(scratch.local(), home, to)) sum += weight * *way;
        }
        const Vec3 vector = face_frame(surface_->topology(), surface_->positions(), home.face).vector(sum);
        points[moving_[i]] =
            weights > 0 && sum != Vec2::Zero()
                ? trace(surface_->topology(), surface_->positions(), home, vector / weights).end
                : home;
      },
      64);
}

}  // namespace cutis
