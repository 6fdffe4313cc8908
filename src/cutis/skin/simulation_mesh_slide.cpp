#include "cutis/skin/simulation_mesh_slide.h"

#include <cmath>

namespace cutis {

SimulationMeshSlide::SimulationMeshSlide(const Body& body,
                                         std::shared_ptr<const SimulationMesh> simulation_mesh, SlidesOn on,
                                         const std::function<std::unique_ptr<Slide>(const Body&)>& make)
    : body_(body),
      simulation_mesh_(std::move(simulation_mesh)),
      simulation_body_(body, simulation_mesh_),
      slide_(make(simulation_body_)),
      surface_(body, on),
      parted_(body.weld().split_vertices()),
      map_(SurfaceMap::identity(simulation_mesh_->source())),
      positions_(body.source().positions) {
  if (const SkinTissue* tissue = slide_->tissue()) tissue_ = tissue->on_source(*simulation_mesh_);
}

StepReport SimulationMeshSlide::advance(double time) {
  const StepReport report = slide_->advance(time);
  if (!std::isfinite(report.residual)) return report;
  // The simulation body made a surface of its own, of the same vertices and triangles.
  const std::shared_ptr<const Surface>& surface = simulation_mesh_->surface();
  map_ = simulation_mesh_->to_source(SurfaceMap(surface, surface, slide_->skin().map.value().points()));
  if (!parted_.empty()) {
    SurfaceMap::Points points = map_.points();
    for (VertexId v : parted_) points[v] = simulation_mesh_->source()->point(v);
    map_ = SurfaceMap(simulation_mesh_->source(), simulation_mesh_->source(), std::move(points));
  }
  const SourcePoints body = body_.source_positions(time);
  surface_.update(body_.weld().gather(body));
  positions_ = surface_.place(body, body_.weld(), map_.points());
  return report;
}

SkinState SimulationMeshSlide::skin() const {
  SkinState state;
  state.map = map_;
  if (tissue_) tissue_->strain(simulation_mesh_->source()->mesh(), body_.weld().gather(positions_), state);
  return state;
}

IdVector<VertexId, double> SimulationMeshSlide::slide_limits() const {
  const IdVector<VertexId, double> limits = slide_->slide_limits();
  return limits.empty() ? limits : simulation_mesh_->to_source(limits);
}

}  // namespace cutis
