#include "cutis/skin/simulation_mesh_slide.h"

namespace cutis {

SimulationMeshSlide::SimulationMeshSlide(const Body& body, std::shared_ptr<const SimulationMesh> proxy,
                                         SlidesOn on,
                                         const std::function<std::unique_ptr<Slide>(const Body&)>& make)
    : body_(body),
      proxy_(std::move(proxy)),
      proxy_body_(body, proxy_),
      slide_(make(proxy_body_)),
      surface_(body, on),
      parted_(body.weld().split_vertices()),
      map_(SurfaceMap::identity(proxy_->source())),
      positions_(body.source().positions) {
  if (const SkinTissue* tissue = slide_->tissue()) tissue_ = tissue->on_source(*proxy_);
}

StepReport SimulationMeshSlide::advance(double time) {
  const StepReport report = slide_->advance(time);
  if (!report.converged) return report;
  map_ = proxy_->to_source(slide_->skin().map.value());
  if (!parted_.empty()) {
    SurfaceMap::Points points = map_.points();
    for (VertexId v : parted_) points[v] = proxy_->source()->point(v);
    map_ = SurfaceMap(proxy_->source(), proxy_->source(), std::move(points));
  }
  const SourcePoints body = body_.source_positions(time);
  surface_.update(body_.weld().gather(body));
  positions_ = surface_.place(body, body_.weld(), map_.points());
  return report;
}

SkinState SimulationMeshSlide::skin() const {
  SkinState state;
  state.map = map_;
  if (tissue_) tissue_->strain(proxy_->source()->mesh(), body_.weld().gather(positions_), state);
  return state;
}

IdVector<VertexId, double> SimulationMeshSlide::slide_limits() const {
  const IdVector<VertexId, double> limits = slide_->slide_limits();
  return limits.empty() ? limits : proxy_->to_source(limits);
}

}  // namespace cutis
