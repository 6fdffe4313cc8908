#include "cutis/skin/simulation_mesh_slide.h"

#include <cmath>

#include "cutis/core/parallel.h"
#include "cutis/skin/slide_limit.h"

namespace cutis {

SimulationMeshSlide::SimulationMeshSlide(const Body& body,
                                         std::shared_ptr<const SimulationMesh> simulation_mesh, SlidesOn on,
                                         const std::function<std::unique_ptr<Slide>(const Body&)>& make)
    : body_(body),
      simulation_mesh_(std::move(simulation_mesh)),
      simulation_body_(body, simulation_mesh_),
      slide_(make(simulation_body_)),
      surface_(body, on),
      at_rest_(surface_),
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
  const SkinState solved = slide_->skin();
  map_ = simulation_mesh_->to_source(SurfaceMap(surface, surface, solved.map.value().points()));
  offsets_ = solved.offsets.empty() ? Points() : simulation_mesh_->to_source(solved.offsets);
  SurfaceMap::Points points = map_.points();
  const Surface& source = *simulation_mesh_->source();
  if (const auto limits = slide_limits(); slide_->holds_slide_limits() && !limits.empty())
    parallel_for(points.size(), [&](std::size_t i) {
      const VertexId v(i);
      points[v] = held_within(source, v, points[v], limits[v],
                              [&](const SurfacePoint& p) { return at_rest_.slide(v, p).norm(); });
    });
  for (VertexId v : parted_) points[v] = source.point(v);
  map_ = SurfaceMap(simulation_mesh_->source(), simulation_mesh_->source(), std::move(points));
  const SourcePoints body = body_.source_positions(time);
  surface_.update(body_.weld().gather(body));
  positions_ = surface_.place(body, body_.weld(), map_.points());
  if (!offsets_.empty()) {
    for (VertexId v : parted_) offsets_[v].setZero();
    for (SourceVertexId s : ids<SourceVertexId>(positions_.size()))
      positions_[s] += offsets_[body_.weld().vertex_of[s]];
  }
  time_ = time;
  return report;
}

/// The source's own, and how much faster the skin of the simulation mesh is than its body.
SourcePoints SimulationMeshSlide::velocities() const {
  const SourcePoints of_skin = slide_->velocities();
  if (of_skin.empty()) return {};
  Points faster = simulation_body_.weld().gather(of_skin);
  const Points of_body = simulation_body_.weld().gather(simulation_body_.source_velocities(time_));
  for (VertexId v : ids<VertexId>(faster.size())) faster[v] -= of_body[v];
  const Points at_source = simulation_mesh_->to_source(faster);
  SourcePoints out = body_.source_velocities(time_);
  for (SourceVertexId s : ids<SourceVertexId>(out.size())) out[s] += at_source[body_.weld().vertex_of[s]];
  return out;
}

SkinState SimulationMeshSlide::skin() const {
  SkinState state;
  state.map = map_;
  state.offsets = offsets_;
  if (const SkinTissue* tissue = slide_->tissue())
    tissue->on_source(*simulation_mesh_)
        .strain(simulation_mesh_->source()->mesh(), body_.weld().gather(positions_), state);
  return state;
}

IdVector<VertexId, double> SimulationMeshSlide::slide_limits() const {
  const IdVector<VertexId, double> limits = slide_->slide_limits();
  return limits.empty() ? limits : simulation_mesh_->to_source(limits);
}

}  // namespace cutis
