#include "cutis/skin/simulation_mesh_slide.h"

namespace cutis {

SimulationMeshSlide::SimulationMeshSlide(const Body& body, std::shared_ptr<const SimulationMesh> proxy,
                                         SlidesOn on,
                                         const std::function<std::unique_ptr<Slide>(const Body&)>& make)
    : body_(body),
      proxy_(std::move(proxy)),
      proxy_body_(body, proxy_),
      slide_(make(proxy_body_)),
      placement_(body, on),
      parted_(body.weld().split_vertices()),
      map_(SurfaceMap::identity(proxy_->source())),
      positions_(body.source().positions) {}

StepReport SimulationMeshSlide::advance(double time) {
  const StepReport report = slide_->advance(time);
  if (!report.converged) return report;
  map_ = proxy_->to_source(*slide_->map());
  if (!parted_.empty()) {
    SurfaceMap::Points points = map_.points();
    for (VertexId v : parted_) points[v] = proxy_->source()->point(v);
    map_ = SurfaceMap(proxy_->source(), proxy_->source(), std::move(points));
  }
  positions_ = placement_(body_.source_positions(time), map_.points());
  return report;
}

IdVector<VertexId, double> SimulationMeshSlide::slide_limits() const {
  const IdVector<VertexId, double> limits = slide_->slide_limits();
  return limits.empty() ? limits : proxy_->to_source(limits);
}

}  // namespace cutis
