#include "cutis/skin/simulation_mesh_slide.h"

#include <algorithm>
#include <cmath>

#include "cutis/core/parallel.h"
#include "cutis/skin/inverted_triangles.h"
#include "cutis/skin/saved_points.h"
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
  const SkinPoints& solved_points = solved.map.value().points();
  const Points welded = body_.weld().gather(body_.source_positions(time));
  surface_.update(welded);
  const SkinPoints before = map_.points();
  const IdVector<VertexId, double> reach = reaches(solved_points, welded, time - time_);
  SkinPoints points = simulation_mesh_->to_source(SurfaceMap(surface, surface, solved_points)).points();
  solved_ = solved_points;
  offsets_ = solved.offsets.empty() ? Points() : simulation_mesh_->to_source(solved.offsets);
  const Surface& source = *simulation_mesh_->source();
  const auto limits = slide_->holds_slide_limits() ? slide_limits() : IdVector<VertexId, double>();
  const auto within_limit = [&](VertexId v, const SurfacePoint& p) {
    if (limits.empty()) return p;
    return held_within(source, v, p, limits[v],
                       [&](const SurfacePoint& at) { return at_rest_.slide(v, at).norm(); });
  };
  const auto held = [&](VertexId v, const SurfacePoint& p) {
    const SurfacePoint inside = within_limit(v, p);
    if (reach.empty()) return inside;
    const Vec3 from = surface_.position(v, before[v]);
    const SurfacePoint near =
        moved_within(source, welded, before[v], inside, reach[v],
                     [&](const SurfacePoint& at) { return (surface_.position(v, at) - from).norm(); });
    return within_limit(v, near);
  };
  parallel_for(points.size(), [&](std::size_t i) {
    const VertexId v(i);
    points[v] = held(v, points[v]);
  });
  for (VertexId v : parted_) points[v] = source.point(v);
  place(time, held, points);
  if (!offsets_.empty()) {
    for (VertexId v : parted_) offsets_[v].setZero();
    for (SourceVertexId s : ids<SourceVertexId>(positions_.size()))
      positions_[s] += offsets_[body_.weld().vertex_of[s]];
  }
  time_ = time;
  return report;
}

/// How far each vertex may go over the body in a frame: as the skin that was solved below it has, within the
/// top speed. The closest points that a slide is carried to the source by may change in a frame by far more,
/// in creases and where the body is pressed together; skin follows those at kFollowing of that speed. Empty
/// without one.
IdVector<VertexId, double> SimulationMeshSlide::reaches(const SkinPoints& solved, const Points& welded,
                                                        double dt) const {
  constexpr double kFollowing = 0.1;
  const double furthest = slide_->top_slide_speed() * dt;
  if (solved_.empty() || !std::isfinite(furthest)) return {};
  const Mesh& mesh = simulation_mesh_->surface()->mesh();
  const Points now = simulation_mesh_->simulation_positions(welded);
  IdVector<VertexId, double> steps, out;
  for (VertexId v : ids<VertexId>(solved.size()))
    steps.push_back((interpolate(mesh, now, solved[v]) - interpolate(mesh, now, solved_[v])).norm());
  for (const SurfacePoint& p : simulation_mesh_->on_simulation_mesh()) {
    const auto c = mesh.face(p.face);
    out.push_back(
        std::clamp(std::max({steps[c[0]], steps[c[1]], steps[c[2]]}), kFollowing * furthest, furthest));
  }
  return out;
}

/// At these points, but for triangles that would lie on their backs.
void SimulationMeshSlide::place(double time,
                                const std::function<SurfacePoint(VertexId, const SurfacePoint&)>& held,
                                SurfaceMap::Points& points) {
  const Surface& source = *simulation_mesh_->source();
  const SourcePoints body = body_.source_positions(time);
  const Points welded = body_.weld().gather(body);
  surface_.update(welded);
  positions_ = surface_.place(body, body_.weld(), points);
  const auto moved = [&](VertexId v, const SurfacePoint& p) {
    // What sticks stays, whoever says that it sticks.
    return source.position(points[v]) == source.positions()[v] ? points[v] : held(v, p);
  };
  const auto position = [&](VertexId v, const SurfacePoint& p) { return surface_.position(v, p); };
  if (InvertedTriangles(source, welded).turn(moved, position, points, body_.weld().gather(positions_)))
    positions_ = surface_.place(body, body_.weld(), points);
  map_ = SurfaceMap(simulation_mesh_->source(), simulation_mesh_->source(), points);
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

State SimulationMeshSlide::save() const {
  State state = slide_->save();
  if (solved_.empty()) return state;
  save_points(solved_, "solved", state);
  save_points(map_.points(), "written", state);
  state.numbers["written_time"] = {time_};
  return state;
}

void SimulationMeshSlide::restore(const State& state) {
  slide_->restore(state);
  solved_ = {};
  if (!state.numbers.contains("written_time")) return;
  solved_ = saved_points(state, "solved", simulation_mesh_->surface()->mesh());
  const auto& source = simulation_mesh_->source();
  map_ = SurfaceMap(source, source, saved_points(state, "written", source->mesh()));
  time_ = state.numbers.at("written_time").at(0);
}

IdVector<VertexId, double> SimulationMeshSlide::slide_limits() const {
  const IdVector<VertexId, double> limits = slide_->slide_limits();
  return limits.empty() ? limits : simulation_mesh_->to_source(limits);
}

}  // namespace cutis
