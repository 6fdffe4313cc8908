#include "cutis/wrinkle/layer/layer_shell.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "cutis/body/saved_vectors.h"
#include "cutis/core/parallel.h"
#include "cutis/core/turning_frame.h"
#include "cutis/solve/newton.h"
#include "cutis/surface/geodesic/closest_point.h"
#include "cutis/surface/mesh/triangle_measures.h"
#include "cutis/wrinkle/adapt/sizing_field.h"
#include "cutis/wrinkle/constraint/constraint_centres.h"

namespace cutis {
namespace {

/// Of the penalties over the stiffness E h of the shell: high enough that a few updates of the multipliers
/// bring the constraints to their tolerance, low enough for the digits of the factor.
constexpr double kPenalty = 3e4;
/// How far constraints may be off in the end [wavelengths].
constexpr double kConstraintTolerance = 1e-6;
constexpr int kMaxMultiplierUpdates = 12;
/// Conjugate gradients with an old factor cost less than a new factor, up to so many.
constexpr int kLaggedIterations = 8;
/// No vertex moves farther in one step of Newton's method [wavelengths].
constexpr double kMaxMove = 0.1;
/// Pressure of contacts over Young's modulus: about what buckles a layer.
constexpr double kContactStiffness = 0.1;
/// Edges of a mesh that adapts, shortest and longest [wavelengths]: with longer ones there would be hardly
/// more vertices than constraints.
constexpr double kSmallestEdge = 1.0 / 20, kLargestEdge = 0.35;
/// By how much its triangles may be longer along crests than across.
constexpr double kMaxAspect = 3;
/// How much the surface may turn along an edge [rad].
constexpr double kRefineAngle = 0.8;
/// How far a vertex may lie from the new surface when it is removed [wavelengths].
constexpr double kMaxDeviation = 0.005;

/// The place of each vertex of a mesh on that mesh.
IdVector<VertexId, SurfacePoint> own_places(const Surface& surface) {
  IdVector<VertexId, SurfacePoint> places;
  for (VertexId v : ids<VertexId>(surface.positions().size())) places.push_back(surface.point(v));
  return places;
}

/// Meshes that adapt have a new pattern after a few factors.
Ordering ordering(const WrinkleOptions& options) {
  return options.adaptive ? Ordering::Fast : Ordering::Best;
}

}  // namespace

LayerShell::LayerShell(const LayerSurface& surface, const WrinkleLayer& layer, const WrinkleOptions& options,
                       Carrier rest)
    : surface_(&surface),
      layer_(&layer),
      options_(&options),
      rest_carrier_(std::move(rest)),
      carrier_(rest_carrier_),
      solver_(ordering(options)) {
  material_ = {surface.fine->mesh(), own_places(*surface.fine), surface.held, {}};
  multipliers_.assign(surface.constraints.size(), Vec3::Zero());
  build();
  positions_ = rest_positions();
  velocities_.assign(positions_.size(), Vec3::Zero());
}

/// What depends on the mesh.
void LayerShell::build() {
  Mesh rest = material_.mesh;
  for (VertexId v : ids<VertexId>(rest.vertex_count()))
    rest.positions[v] = surface_->rest_position(material_.places[v]);
  problem_.reset();
  shell_ = std::make_unique<Shell>(std::move(rest), face_properties(), layer_->poisson, layer_->density);
  problem_ = std::make_unique<ShellProblem>(*shell_, constraint_rows(), material_.fixed);
  problem_->set_max_move(kMaxMove * surface_->shortest_wavelength);
  if (options_->contact) {
    const double wavelength = surface_->shortest_wavelength;
    contact_ = std::make_unique<ShellContact>(shell_->rest(), options_->edge * wavelength / 2,
                                              kContactStiffness * layer_->reference.young);
    problem_->set_contact(contact_.get());
  }
  solver_ = SparseCholesky(ordering(*options_));
  rest_gaps_.clear();
  for (std::size_t c = 0; c < surface_->constraints.size(); ++c)
    rest_gaps_.push_back(weighted_mean<Vec3>(problem_->constraints()[c], rest_positions()) -
                         weighted_mean<Vec3>(surface_->constraints[c].samples, rest_carrier_.positions));
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

/// Means over the triangles of the fine mesh whose middles lie in a triangle; of the fine triangle in its own
/// middle where there are none.
std::vector<ShellFace> LayerShell::face_properties() const {
  const Mesh &mesh = material_.mesh, &fine = surface_->fine->mesh();
  if (mesh_number_ == 0) return surface_->faces;
  Points middles;
  for (FaceId f : ids<FaceId>(fine.face_count())) {
    const auto v = fine.face(f);
    middles.push_back((fine.positions[v[0]] + fine.positions[v[1]] + fine.positions[v[2]]) / 3);
  }
  std::vector<ShellMean> means(mesh.face_count());
  const auto areas = triangle_areas(fine.positions.raw(), index_triangles(fine));
  const IdVector<VertexId, SurfacePoint> places = places_of(middles);
  for (std::size_t f = 0; f < places.size(); ++f)
    means[places[VertexId(f)].face.index()].add(surface_->faces[f], areas[f]);
  std::vector<ShellFace> faces;
  const ClosestPointTree tree(fine);
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    ShellMean& mean = means[f.index()];
    if (mean.area() == 0) {
      const auto v = mesh.face(f);
      const Vec3 middle = (mesh.positions[v[0]] + mesh.positions[v[1]] + mesh.positions[v[2]]) / 3;
      mean.add(surface_->faces[tree(middle).point.face.index()], 1);
    }
    faces.push_back(mean.face());
  }
  return faces;
}

/// The samples of each constraint function, at the corners of the triangles that they lie in.
std::vector<VertexStencil> LayerShell::constraint_rows() const {
  std::vector<VertexStencil> rows;
  if (mesh_number_ == 0) {
    for (const ConstraintFunction& f : surface_->constraints) rows.push_back(f.samples);
    return rows;
  }
  const IdVector<VertexId, SurfacePoint> places = places_of(surface_->fine->positions());
  for (const ConstraintFunction& f : surface_->constraints) {
    std::map<VertexId, double> weights;
    for (const VertexWeight& w : f.samples) {
      const SurfacePoint& place = places[w.vertex];
      const auto corners = material_.mesh.face(place.face);
      for (std::size_t k = 0; k < 3; ++k)
        if (const double share = place.barycentric[static_cast<int>(k)]; share > 0)
          weights[corners[k]] += w.weight * share;
    }
    VertexStencil& row = rows.emplace_back();
    for (const auto& [v, w] : weights) row.push_back({v, w});
  }
  return rows;
}

/// Where a layer may give way (the remedy of Li 2014, section 6.2, for bare crests), its constraint is a
/// spring along the normal: its area over `give`.
void LayerShell::set_penalties(const Carrier& carrier) {
  std::vector<Mat3> penalties;
  std::vector<Vec3> multipliers = multipliers_;
  for (std::size_t c = 0; c < surface_->constraints.size(); ++c) {
    const ConstraintFunction& f = surface_->constraints[c];
    const ShellFace& face = surface_->faces[surface_->fine->point(f.centre).face.index()];
    const double stiff = kPenalty * face.young * face.thickness;
    Mat3 penalty = stiff * Mat3::Identity();
    if (options_->give > 0) {
      const Vec3& n = carrier.normals[f.centre];
      const double area =
          surface_->wavelength.area(f.centre) / (kWavelengthPerSpacing * kWavelengthPerSpacing);
      penalty += (std::min(stiff, area / options_->give) - stiff) * n * n.transpose();
      multipliers[c] -= n.dot(multipliers[c]) * n;
    }
    penalties.push_back(penalty);
  }
  problem_->set_penalties(penalties);
  problem_->set_multipliers(std::move(multipliers));
}

/// Starts from where the carrier takes it, wrinkles and all.
void LayerShell::move_with(const Carrier& carrier) {
  const Surface& fine = *surface_->fine;
  parallel_for(positions_.size(), [&](std::size_t i) {
    const VertexId v(i);
    const SurfacePoint& place = material_.places[v];
    const bool held = !material_.fixed.empty() && material_.fixed[v];
    const Carrier& from = held ? rest_carrier_ : carrier_;
    const Vec3& before = held ? rest_positions()[v] : positions_[v];
    const Quat turn = Quat::FromTwoVectors(from.normal(fine, place), carrier.normal(fine, place));
    positions_[v] = carrier.position(fine, place) + turn * (before - from.position(fine, place));
  });
}

/// Where the way of the carrier would lead it through itself it stops before.
void LayerShell::stop_at_contact(const Points& before) {
  if (!contact_) return;
  Points outside(positions_.size()), step(positions_.size());
  for (VertexId v : ids<VertexId>(positions_.size())) {
    outside[v] = carrier_.normal(*surface_->fine, material_.places[v]);
    step[v] = positions_[v] - before[v];
  }
  contact_->set_outside(std::move(outside));
  const double share = contact_->max_step_size(before, step);
  if (share < 1)
    for (VertexId v : ids<VertexId>(positions_.size())) positions_[v] = before[v] + share * step[v];
}

void LayerShell::set_lower(const LayerShell& lower) {
  if (!contact_) return;
  if (const std::pair meshes{mesh_number_, lower.mesh_number_}; meshes != lower_meshes_) {
    lower_meshes_ = meshes;
    const auto upper_surface = std::make_shared<const Surface>(shell_->rest());
    const auto lower_surface = std::make_shared<const Surface>(lower.shell_->rest());
    LayerBarrierOptions barrier;
    barrier.stiffness = kContactStiffness * layer_->reference.young;
    contact_->set_lower(std::make_unique<LayerBarrier>(upper_surface, lower_surface,
                                                       lower.places_of(material_.mesh.positions),
                                                       places_of(lower.material_.mesh.positions), barrier));
  }
  contact_->lower()->set_lower(lower.positions_);
}

/// An implicit Euler step: inertia draws a vertex to where it would fly by itself, damping to where the
/// carrier takes it (Li 2014, Eq. 5.2, as the minimum that it is the condition of).
void LayerShell::set_springs(const Points& before, double step) {
  std::vector<VertexSpring> springs;
  if (step > 0)
    for (VertexId v : ids<VertexId>(positions_.size())) {
      const double inertia = shell_->masses()[v] / (step * step);
      const double damping = options_->damping * shell_->masses()[v] / step;
      const Vec3 flown = before[v] + step * velocities_[v];
      springs.push_back({v, (inertia + damping) * Mat3::Identity(),
                         (inertia * flown + damping * positions_[v]) / (inertia + damping)});
    }
  problem_->set_springs(std::move(springs));
}

StepReport LayerShell::advance(const Carrier& carrier, double step) {
  const Points before = positions_;
  move_with(carrier);
  std::vector<Vec3> targets(surface_->constraints.size());
  parallel_for(
      targets.size(),
      [&](std::size_t c) {
        const ConstraintFunction& f = surface_->constraints[c];
        targets[c] = weighted_mean<Vec3>(f.samples, carrier.positions) +
                     turn_of(f, rest_carrier_, carrier) * rest_gaps_[c];
      },
      16);
  problem_->set_targets(std::move(targets));
  set_penalties(carrier);
  set_springs(before, step);
  carrier_ = carrier;
  stop_at_contact(before);
  problem_->start(positions_);
  const StepReport report = minimize_energy();
  positions_ = problem_->positions();
  multipliers_ = problem_->multipliers();
  for (VertexId v : ids<VertexId>(positions_.size()))
    velocities_[v] = step > 0 ? Vec3((positions_[v] - before[v]) / step) : Vec3::Zero();
  return report;
}

/// Augmented Lagrangian: Newton's method, then multipliers that take over what the penalties bear, until the
/// constraints hold.
StepReport LayerShell::minimize_energy() {
  NewtonOptions newton;
  double scale = 0;
  for (const MembraneElement& element : shell_->membrane().elements()) scale += element.volume;
  const double strain = surface_->critical_strain[VertexId(0)];
  newton.scale = std::sqrt(0.5 * layer_->reference.young * scale) * strain;
  newton.tolerance = options_->tolerance;
  newton.max_iterations = options_->max_iterations;
  newton.take_last_step = true;
  newton.lagged_iterations = kLaggedIterations;
  const double allowed = kConstraintTolerance * surface_->shortest_wavelength;
  StepReport report;
  for (int update = 0;; ++update) {
    const NewtonReport found = minimize(*problem_, solver_, newton);
    report.iterations += found.iterations;
    report.residual = found.decrement;
    report.converged = found.converged;
    report.reason = found.reason;
    if (!found.converged || options_->give > 0 || problem_->residual() <= allowed) return report;
    if (update == kMaxMultiplierUpdates) {
      report.converged = false;
      report.reason = fmt::format("constraints between layers are still {:.2g} m off", problem_->residual());
      return report;
    }
    problem_->update_multipliers();
  }
}

void LayerShell::adapt() {
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
  sizing.smallest = options_->smallest_edge > 0 ? options_->smallest_edge : kSmallestEdge * shortest;
  sizing.largest = kLargestEdge * shortest;
  SizingState state{positions_};
  state.carried = &carried;
  state.wavelength = &wavelength;
  state.critical_strain = &critical;
  const auto metric = sizing_field(shell_->rest(), state, sizing);
  AdaptiveRemeshOptions remeshing;
  remeshing.smallest_edge = sizing.smallest;
  remeshing.max_deviation = kMaxDeviation * shortest;
  remeshing.max_vertices = options_->max_vertices;
  AdaptiveRemeshResult result = adaptive_remesh(fine, material_, metric, positions_, remeshing);
  if (!result.changed()) return;
  positions_ = result.transfer(positions_);
  velocities_ = result.transfer(velocities_);
  material_ = std::move(result.embedded);
  hold_borders();
  build();
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

Carrier LayerShell::carrier_of(const LayerSurface& upper) {
  if (upper_places_.upper != &upper || upper_places_.mesh_number != mesh_number_)
    upper_places_ = {&upper, mesh_number_, places_of(upper.fine->positions())};
  return carried_by(material_.mesh, positions_, upper_places_.places, upper.thickness);
}

Vec3 LayerShell::carry(const SurfacePoint& place, const Vec3& rest) const {
  const auto v = material_.mesh.face(place.face);
  const Points& X = rest_positions();
  const Vec3 offset = rest - interpolate(material_.mesh, X, place);
  const auto frame = [&](const Points& x) { return turning_frame(x[v[1]] - x[v[0]], x[v[2]] - x[v[0]]); };
  const Mat3 turn = frame(positions_) * frame(X).transpose();
  return interpolate(material_.mesh, positions_, place) + turn * offset;
}

State LayerShell::save() const {
  State state;
  save_vectors(positions_, "positions", state);
  save_vectors(velocities_, "velocities", state);
  save_vectors(IdVector<VertexId, Vec3>(multipliers_), "multipliers", state);
  save_vectors(carrier_.positions, "carrier", state);
  save_vectors(carrier_.normals, "carrier_normals", state);
  if (mesh_number_ == 1) return state;
  std::vector<std::int32_t>& corners = state.integers["corners"];
  for (const VertexId v : material_.mesh.corners) corners.push_back(v.value);
  std::vector<std::int32_t>& faces = state.integers["places"];
  Points barycentric;
  for (const SurfacePoint& place : material_.places) {
    faces.push_back(place.face.value);
    barycentric.push_back(place.barycentric);
  }
  save_vectors(barycentric, "places", state);
  return state;
}

void LayerShell::restore(const State& state) {
  positions_ = saved_vectors<VertexId>(state, "positions");
  velocities_ = saved_vectors<VertexId>(state, "velocities");
  multipliers_ = saved_vectors<VertexId>(state, "multipliers").raw();
  carrier_.positions = saved_vectors<VertexId>(state, "carrier");
  carrier_.normals = saved_vectors<VertexId>(state, "carrier_normals");
  if (!state.integers.contains("corners")) return;
  const std::vector<std::int32_t>&corners = state.integers.at("corners"),
        &faces = state.integers.at("places");
  const Points barycentric = saved_vectors<VertexId>(state, "places");
  material_ = {};
  for (VertexId v : ids<VertexId>(faces.size())) {
    material_.places.push_back({FaceId(faces[v.index()]), barycentric[v]});
    material_.mesh.positions.push_back(surface_->fine->position(material_.places[v]));
  }
  for (std::size_t c = 0; c + 2 < corners.size(); c += 3)
    material_.mesh.add_face(
        std::array{VertexId(corners[c]), VertexId(corners[c + 1]), VertexId(corners[c + 2])});
  hold_borders();
  build();
}

}  // namespace cutis
