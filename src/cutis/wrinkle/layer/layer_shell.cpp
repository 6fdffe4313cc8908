#include "cutis/wrinkle/layer/layer_shell.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "cutis/body/saved_vectors.h"
#include "cutis/core/log.h"
#include "cutis/core/parallel.h"
#include "cutis/core/phase_times.h"
#include "cutis/core/turning_frame.h"
#include "cutis/surface/geodesic/closest_point.h"
#include "cutis/surface/mesh/triangle_measures.h"
#include "cutis/surface/mesh/vertex_means.h"
#include "cutis/wrinkle/adapt/sizing_field.h"
#include "cutis/wrinkle/layer/carrier_derivatives.h"

namespace cutis {
namespace {

/// Edges of a mesh that adapts, shortest and longest [wavelengths]: with longer ones there would be hardly
/// more vertices than constraints.
constexpr double kSmallestEdge = 1.0 / 20, kLargestEdge = 0.35;
/// By how much its triangles may be longer along crests than across.
constexpr double kMaxAspect = 2;
/// How much the surface may turn along an edge [rad].
constexpr double kRefineAngle = 0.8;
/// How much faster wrinkles may grow at one end of an edge than at the other [wavelengths in a step].
constexpr double kRefineIncrement = 0.05;
/// How far a vertex may lie from the new surface when it is removed [wavelengths].
constexpr double kMaxDeviation = 0.005;

/// The place of each vertex of a mesh on that mesh.
IdVector<VertexId, SurfacePoint> own_places(const Surface& surface) {
  IdVector<VertexId, SurfacePoint> places;
  for (VertexId v : ids<VertexId>(surface.positions().size())) places.push_back(surface.point(v));
  return places;
}

/// How normals turn at a place from one carrier to another.
Quat normal_turn(const Surface& fine, const SurfacePoint& place, const Carrier& from, const Carrier& to) {
  return Quat::FromTwoVectors(from.normal(fine, place), to.normal(fine, place));
}

/// Where a point beside a place of one carrier lies beside the same place of another.
Vec3 carried_point(const Surface& fine, const SurfacePoint& place, const Carrier& from, const Carrier& to,
                   const Vec3& point) {
  return to.position(fine, place) + normal_turn(fine, place, from, to) * (point - from.position(fine, place));
}

/// Means of points of a mesh, given by their `places` on it, as means of its vertices.
std::vector<VertexStencil> stencils_on(const Mesh& mesh, const IdVector<VertexId, SurfacePoint>& places,
                                       const std::vector<VertexStencil>& means) {
  std::vector<VertexStencil> stencils;
  for (const VertexStencil& mean : means) {
    std::map<VertexId, double> weights;
    for (const VertexWeight& w : mean) {
      const SurfacePoint& place = places[w.vertex];
      const auto corners = mesh.face(place.face);
      for (std::size_t k = 0; k < 3; ++k)
        if (const double share = place.barycentric[static_cast<int>(k)]; share > 0)
          weights[corners[k]] += w.weight * share;
    }
    VertexStencil& stencil = stencils.emplace_back();
    for (const auto& [v, w] : weights) stencil.push_back({v, w});
  }
  return stencils;
}

}  // namespace

LayerShell::LayerShell(const LayerSurface& surface, const WrinkleLayer& layer, const WrinkleOptions& options,
                       Carrier rest)
    : surface_(&surface),
      layer_(&layer),
      options_(&options),
      rest_carrier_(std::move(rest)),
      carrier_(rest_carrier_) {
  material_ = {surface.fine->mesh(), own_places(*surface.fine), surface.held, surface.discontinuities};
  multipliers_.assign(surface.constraints.size(), Vec3::Zero());
  set_up_mesh();
  positions_ = rest_;
  velocities_.assign(positions_.size(), Vec3::Zero());
}

/// What depends on the mesh.
void LayerShell::set_up_mesh() {
  const PhaseTimer timer("wrinkle: sampling");
  rest_.assign(material_.mesh.vertex_count(), Vec3::Zero());
  for (VertexId v : ids<VertexId>(rest_.size())) rest_[v] = surface_->rest_position(material_.places[v]);
  std::vector<VertexStencil> samples;
  for (const ConstraintFunction& f : surface_->constraints) samples.push_back(f.samples);
  constraints_ = stencils_on(
      material_.mesh, mesh_number_ == 0 ? material_.places : places_of(surface_->fine->positions()), samples);
  carrier_means_ = stencils_on(surface_->fine->mesh(), material_.places, constraints_);
  rest_gaps_.clear();
  for (std::size_t c = 0; c < constraints_.size(); ++c)
    rest_gaps_.push_back(weighted_mean<Vec3>(constraints_[c], rest_) -
                         weighted_mean<Vec3>(carrier_means_[c], rest_carrier_.positions));
  ++mesh_number_;
}

IdVector<VertexId, SurfacePoint> LayerShell::places_of(const Points& on_body) const {
  std::vector<ClosestPoint> found(on_body.size());
  const ClosestPointTree tree(material_.mesh);
  tree(on_body.raw(), found);
  IdVector<VertexId, SurfacePoint> places;
  for (const ClosestPoint& p : found) places.push_back(p.point);
  return places;
}

Mesh LayerShell::rest_mesh() const {
  Mesh mesh = material_.mesh;
  mesh.positions = rest_;
  return mesh;
}

/// Means over the triangles of the fine mesh whose middles lie in a triangle; of the fine triangle in its own
/// middle where there are none.
ShellPart LayerShell::shell_part() const {
  const PhaseTimer timer("wrinkle: sampling");
  const Mesh &mesh = material_.mesh, &fine = surface_->fine->mesh();
  ShellPart part{rest_mesh(), {}, layer_->poisson, layer_->density, layer_->law};
  if (!remeshed()) {
    part.faces = surface_->faces;
    return part;
  }
  Points middles;
  for (FaceId f : ids<FaceId>(fine.face_count()))
    middles.push_back(interpolate(fine, fine.positions, {f, Vec3::Constant(1.0 / 3)}));
  std::vector<ShellMean> means(mesh.face_count());
  const auto areas = triangle_areas(fine.positions.raw(), index_triangles(fine));
  const IdVector<VertexId, SurfacePoint> places = places_of(middles);
  for (std::size_t f = 0; f < places.size(); ++f)
    means[places[VertexId(f)].face.index()].add(surface_->faces[f], areas[f]);
  const ClosestPointTree tree(fine);
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    ShellMean& mean = means[f.index()];
    if (mean.area() == 0) {
      const Vec3 middle = interpolate(mesh, mesh.positions, {f, Vec3::Constant(1.0 / 3)});
      mean.add(surface_->faces[tree(middle).point.face.index()], 1);
    }
    part.faces.push_back(mean.face());
  }
  return part;
}

std::vector<Vec3> LayerShell::targets() const {
  std::vector<Vec3> targets(constraints_.size());
  parallel_for(
      targets.size(),
      [&](std::size_t c) {
        targets[c] = weighted_mean<Vec3>(carrier_means_[c], carrier_.positions) +
                     turn_of(surface_->constraints[c], rest_carrier_, carrier_) * rest_gaps_[c];
      },
      16);
  return targets;
}

Points LayerShell::carried_from_rest(const Carrier& carrier) const {
  Points carried(rest_.size());
  parallel_for(carried.size(), [&](std::size_t i) {
    const VertexId v(i);
    carried[v] = carried_point(*surface_->fine, material_.places[v], rest_carrier_, carrier, rest_[v]);
  });
  return carried;
}

void LayerShell::move_with(const Carrier& carrier) {
  parallel_for(positions_.size(), [&](std::size_t i) {
    const VertexId v(i);
    const bool held = !material_.fixed.empty() && material_.fixed[v];
    positions_[v] = carried_point(*surface_->fine, material_.places[v], held ? rest_carrier_ : carrier_,
                                  carrier, held ? rest_[v] : positions_[v]);
    if (!last_increment_.empty())
      last_increment_[v] =
          normal_turn(*surface_->fine, material_.places[v], carrier_, carrier) * last_increment_[v];
  });
  carrier_ = carrier;
}

void LayerShell::set_state(Points positions, Points velocities, std::vector<Vec3> multipliers) {
  positions_ = std::move(positions);
  velocities_ = std::move(velocities);
  multipliers_ = std::move(multipliers);
}

void LayerShell::adapt() {
  {
    const PhaseTimer timer("wrinkle: remeshing");
    if (!remesh()) return;
  }
  set_up_mesh();
}

/// Whether anything changed.
bool LayerShell::remesh() {
  const Surface& fine = *surface_->fine;
  IdVector<VertexId, double> wavelength, critical;
  Points carried;
  for (VertexId v : ids<VertexId>(positions_.size())) {
    const SurfacePoint& place = material_.places[v];
    wavelength.push_back(interpolate(fine.mesh(), surface_->wavelength.across, place));
    critical.push_back(interpolate(fine.mesh(), surface_->critical_strain, place));
    carried.push_back(carrier_.position(fine, place));
  }
  SizingOptions sizing;
  sizing.edge = options_->edge;
  sizing.refine_angle = kRefineAngle;
  sizing.max_aspect = kMaxAspect;
  const double shortest = surface_->shortest_wavelength;
  sizing.smallest = options_->smallest_edge > 0 ? options_->smallest_edge
                                                : std::min(kSmallestEdge, options_->edge / 2) * shortest;
  sizing.largest_in_waves = std::max(kLargestEdge, options_->edge);
  sizing.largest = sizing.largest_in_waves * *std::max_element(wavelength.begin(), wavelength.end());
  SizingState state{positions_};
  state.carried = &carried;
  state.wavelength = &wavelength;
  state.critical_strain = &critical;
  // Velocities in metres per step, against the carrier: those of a body that turns differ, too, but wrinkle
  // nothing.
  if (options_->solver == WrinkleSolver::Dynamic && last_increment_.size() == positions_.size()) {
    state.velocities = &last_increment_;
    sizing.refine_velocity = kRefineIncrement * shortest;
  }
  const auto metric = sizing_field(rest_mesh(), state, sizing);
  AdaptiveRemeshOptions remeshing;
  remeshing.smallest_edge = sizing.smallest;
  remeshing.max_deviation = kMaxDeviation * shortest;
  remeshing.max_vertices = options_->max_vertices;
  AdaptiveRemeshResult result = adaptive_remesh(fine, material_, metric, positions_, remeshing);
  if (!result.settled && std::ssize(result.embedded.mesh.positions) >= remeshing.max_vertices &&
      !std::exchange(told_of_max_vertices_, true))
    log().warn(
        "wrinkles: the mesh of a layer has {} vertices and is not as fine as it should be: "
        "raise wrinkle.max_vertices or take a longer wrinkle.edge",
        remeshing.max_vertices);
  if (!result.changed()) return false;
  positions_ = transferred_positions(result);
  velocities_ = result.transfer(velocities_);
  if (!last_increment_.empty()) last_increment_ = result.transfer(last_increment_);
  material_ = std::move(result.embedded);
  hold_borders();
  return true;
}

/// New vertices lie as far from where they are carried as old ones do in their means: on the carrier's curved
/// surface, not on its chords, at rest where the layer is, and with the same means of the layer over its
/// constraints.
Points LayerShell::transferred_positions(const AdaptiveRemeshResult& result) const {
  const Surface& fine = *surface_->fine;
  const Points carried = carried_from_rest();
  Points moved = result.transfer(positions_);
  for (VertexId v : ids<VertexId>(moved.size())) {
    if (result.transfer.old_vertex(v).valid()) continue;
    const SurfacePoint& place = result.embedded.places[v];
    const Vec3 normal = carrier_.normal(fine, place);
    moved[v] = carried_point(fine, place, rest_carrier_, carrier_, surface_->rest_position(place));
    for (const VertexWeight& w : result.transfer[v]) {
      const SurfacePoint& old = material_.places[w.vertex];
      const Quat turn = Quat::FromTwoVectors(carrier_.normal(fine, old), normal);
      moved[v] += w.weight * (turn * (positions_[w.vertex] - carried[w.vertex]));
    }
  }
  return moved;
}

/// New vertices between held ones are held.
void LayerShell::hold_borders() {
  const Mesh& fine = surface_->fine->mesh();
  material_.fixed.assign(material_.mesh.vertex_count(), 0);
  for (VertexId v : ids<VertexId>(material_.mesh.vertex_count())) {
    const SurfacePoint& place = material_.places[v];
    const auto corners = fine.face(place.face);
    bool held = true;
    for (std::size_t k = 0; k < 3; ++k)
      if (place.barycentric[static_cast<int>(k)] > 1e-9 && !surface_->held[corners[k]]) held = false;
    material_.fixed[v] = held;
  }
}

const IdVector<VertexId, SurfacePoint>& LayerShell::places_of(const LayerSurface& upper) {
  if (upper_places_.upper != &upper || upper_places_.mesh_number != mesh_number_)
    upper_places_ = {&upper, mesh_number_, places_of(upper.fine->positions())};
  return upper_places_.places;
}

Carrier LayerShell::raised(const LayerSurface& upper, const Points& positions) {
  return carried_by(material_.mesh, positions, places_of(upper), upper.thickness);
}

/// Where the mesh has other chords at rest than the first one had, those are no part of what it does now.
Carrier LayerShell::carrier_of(const LayerShell& upper, const Points& positions) {
  Carrier carrier = raised(*upper.surface_, positions);
  if (!remeshed()) return carrier;
  const Carrier rest = raised(*upper.surface_, rest_);
  const Carrier& first = upper.rest_carrier_;
  parallel_for(carrier.positions.size(), [&](std::size_t i) {
    const VertexId v(i);
    const Quat turn = Quat::FromTwoVectors(rest.normals[v], carrier.normals[v]);
    carrier.positions[v] += turn * (first.positions[v] - rest.positions[v]);
    carrier.normals[v] = turn * first.normals[v];
  });
  return carrier;
}

std::vector<ConstraintRow> LayerShell::carrier_derivatives(const LayerShell& upper) {
  return cutis::carrier_derivatives(material_.mesh, positions_, places_of(upper.surface()),
                                    upper.surface().thickness, upper.carrier_means());
}

/// Their small distances turn as the triangles around do in the mean: not in jumps from one to the next.
Points LayerShell::carry(const IdVector<VertexId, SurfacePoint>& places, const Points& rest) const {
  const Mesh& mesh = material_.mesh;
  const auto turn_of_triangle = [&](FaceId f) -> Mat3 {
    const auto v = mesh.face(f);
    const auto frame = [&](const Points& x) { return turning_frame(x[v[1]] - x[v[0]], x[v[2]] - x[v[0]]); };
    return frame(positions_) * frame(rest_).transpose();
  };
  const IdVector<VertexId, Mat3> turns =
      vertex_means(mesh, Mat3(Mat3::Zero()), turn_of_triangle, [](FaceId) { return 1; });
  Points carried(places.size());
  parallel_for(places.size(), [&](std::size_t i) {
    const SurfacePoint& place = places[VertexId(i)];
    const Vec3 offset = rest[VertexId(i)] - interpolate(mesh, rest_, place);
    carried[VertexId(i)] = interpolate(mesh, positions_, place) + interpolate(mesh, turns, place) * offset;
  });
  return carried;
}

State LayerShell::save() const {
  State state;
  save_vectors(positions_, "positions", state);
  save_vectors(velocities_, "velocities", state);
  save_vectors(last_increment_, "increment", state);
  save_vectors(IdVector<VertexId, Vec3>(multipliers_), "multipliers", state);
  save_vectors(carrier_.positions, "carrier", state);
  save_vectors(carrier_.normals, "carrier_normals", state);
  if (!remeshed()) return state;
  std::vector<std::int32_t>& corners = state.integers["corners"];
  for (const VertexId v : material_.mesh.corners) corners.push_back(v.value);
  std::vector<std::int32_t>& faces = state.integers["faces"];
  Points barycentric;
  for (const SurfacePoint& place : material_.places) {
    faces.push_back(place.face.value);
    barycentric.push_back(place.barycentric);
  }
  save_vectors(barycentric, "barycentric", state);
  std::vector<std::int32_t>& kept = state.integers["kept_edges"];
  for (const auto& [a, b] : material_.kept_edges) kept.insert(kept.end(), {a.value, b.value});
  return state;
}

void LayerShell::restore(const State& state) {
  positions_ = saved_vectors<VertexId>(state, "positions");
  velocities_ = saved_vectors<VertexId>(state, "velocities");
  last_increment_ = saved_vectors<VertexId>(state, "increment");
  multipliers_ = saved_vectors<VertexId>(state, "multipliers").raw();
  carrier_.positions = saved_vectors<VertexId>(state, "carrier");
  carrier_.normals = saved_vectors<VertexId>(state, "carrier_normals");
  if (!state.integers.contains("corners")) return;
  const std::vector<std::int32_t>&corners = state.integers.at("corners"), &faces = state.integers.at("faces");
  const Points barycentric = saved_vectors<VertexId>(state, "barycentric");
  material_ = {};
  for (VertexId v : ids<VertexId>(faces.size())) {
    material_.places.push_back({FaceId(faces[v.index()]), barycentric[v]});
    material_.mesh.positions.push_back(surface_->fine->position(material_.places[v]));
  }
  for (std::size_t c = 0; c + 2 < corners.size(); c += 3)
    material_.mesh.add_face(
        std::array{VertexId(corners[c]), VertexId(corners[c + 1]), VertexId(corners[c + 2])});
  const std::vector<std::int32_t>& kept = state.integers.at("kept_edges");
  for (std::size_t i = 0; i + 1 < kept.size(); i += 2)
    material_.kept_edges.emplace_back(VertexId(kept[i]), VertexId(kept[i + 1]));
  hold_borders();
  set_up_mesh();
}

}  // namespace cutis
