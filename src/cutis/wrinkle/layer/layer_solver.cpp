#include "cutis/wrinkle/layer/layer_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/SVD>

#include "cutis/solve/newton.h"
#include "cutis/wrinkle/constraint/constraint_centres.h"

namespace cutis {
namespace {

/// Of the penalties over the stiffness E h of the shell: high enough that a few updates of the multipliers
/// bring the constraints to their tolerance, low enough for the digits of the factor.
constexpr double kPenalty = 3e4;
/// How far constraints may be off in the end [wavelengths].
constexpr double kConstraintTolerance = 1e-6;
constexpr int kMaxMultiplierUpdates = 12;
/// How often equilibrium is sought again where layers have come through each other.
constexpr int kMaxRepetitions = 3;
/// Of Newton's method in load steps that lead to the last one of a frame, and of its conjugate gradients:
/// what is left there is found in the next one. In examples wrinkles are the same from 0.001 to 0.03.
constexpr double kToleranceOnTheWay = 0.02, kLaggedToleranceOnTheWay = 0.2;
/// Conjugate gradients with an old factor cost less than a new factor, up to so many.
constexpr int kLaggedIterations = 8;
/// No vertex moves farther in one step of Newton's method [wavelengths].
constexpr double kMaxMove = 0.1;
/// Pressure of contacts over Young's modulus: about what buckles a layer.
constexpr double kContactStiffness = 0.1;
/// Folds that meet are not farther from each other at rest [wavelengths].
constexpr double kContactReach = 2;

/// Meshes that adapt have a new pattern after a few factors.
Ordering ordering(const WrinkleOptions& options) {
  return options.adaptive ? Ordering::Fast : Ordering::Best;
}

/// Points as a rigid body, as near to others as that can be: as a whole, layers move any way without touching
/// themselves.
Points moved_rigidly(const Points& points, const Points& to) {
  const auto columns = [](const Points& p) {
    return Eigen::Map<const Eigen::Matrix3Xd>(p.raw().front().data(), 3, static_cast<Eigen::Index>(p.size()));
  };
  const Eigen::Matrix4d motion = Eigen::umeyama(columns(points), columns(to), false);
  Points moved = points;
  for (Vec3& p : moved) p = motion.topLeftCorner<3, 3>() * p + motion.topRightCorner<3, 1>();
  return moved;
}

Points difference(const Points& to, const Points& from) {
  Points way(to.size());
  for (VertexId v : ids<VertexId>(to.size())) way[v] = to[v] - from[v];
  return way;
}

StepReport failed(StepReport report, std::string reason) {
  report.converged = false;
  report.reason = std::move(reason);
  return report;
}

void append(const ConstraintRow& blocks, double factor, std::size_t first, ConstraintRow& row) {
  for (const VertexBlock& b : blocks) row.push_back({VertexId(first + b.vertex.index()), factor * b.weight});
}

}  // namespace

LayerSolver::LayerSolver(std::vector<LayerShell*> layers, const WrinkleOptions& options)
    : layers_(std::move(layers)),
      options_(&options),
      solver_(ordering(options)),
      energy_scale_(0),
      softest_(std::numeric_limits<double>::infinity()) {
  for (const LayerShell* layer : layers_) {
    energy_scale_ += buckling_energy(layer->surface());
    for (const ShellFace& face : layer->surface().faces) softest_ = std::min(softest_, face.young);
  }
  energy_scale_ = std::sqrt(energy_scale_);
}

double LayerSolver::shortest_wavelength() const {
  double shortest = std::numeric_limits<double>::infinity();
  for (const LayerShell* layer : layers_) shortest = std::min(shortest, layer->surface().shortest_wavelength);
  return shortest;
}

/// What depends on the meshes, where these are new.
void LayerSolver::set_up() {
  std::vector<int> numbers;
  for (const LayerShell* layer : layers_) numbers.push_back(layer->mesh_number());
  if (numbers == mesh_numbers_) return;
  mesh_numbers_ = std::move(numbers);
  first_ = {0};
  std::vector<ShellPart> parts;
  IdVector<VertexId, char> held;
  for (const LayerShell* layer : layers_) {
    parts.push_back(layer->shell_part());
    first_.push_back(first_.back() + layer->positions().size());
    for (VertexId v : ids<VertexId>(layer->positions().size()))
      held.push_back(!layer->material().fixed.empty() && layer->material().fixed[v]);
  }
  problem_.reset();
  shell_ = std::make_unique<Shell>(parts);
  problem_ = std::make_unique<ShellProblem>(*shell_, constraint_rows(), held);
  problem_->set_max_move(kMaxMove * shortest_wavelength());
  set_up_contact();
  solver_ = GrowingCholesky(ordering(*options_));
  solver_.analyze(problem_->pattern_without_contact());
}

void LayerSolver::set_up_contact() {
  if (!options_->contact) return;
  contact_ = std::make_unique<ShellContact>(shell_->rest(), options_->edge * shortest_wavelength() / 2,
                                            kContactStiffness * softest_);
  problem_->set_contact(contact_.get());
  lower_meshes_ = {-1, -1};
}

/// The mean of a layer; less that of its carrier, linear about where that is now, where the layer below is
/// solved for, too.
std::vector<ConstraintRow> LayerSolver::constraint_rows() const {
  std::vector<ConstraintRow> rows;
  for (std::size_t k = 0; k < layers_.size(); ++k) {
    std::vector<ConstraintRow> below;
    if (k > 0) below = layers_[k - 1]->carrier_derivatives(*layers_[k]);
    for (std::size_t c = 0; c < layers_[k]->constraints().size(); ++c) {
      ConstraintRow& row = rows.emplace_back();
      if (k > 0) append(below[c], -1, first_[k - 1], row);
      for (const VertexWeight& w : layers_[k]->constraints()[c])
        row.push_back({VertexId(first_[k] + w.vertex.index()), w.weight * Mat3::Identity()});
    }
  }
  return rows;
}

Points LayerSolver::positions() const {
  Points all;
  for (const LayerShell* layer : layers_)
    for (const Vec3& x : layer->positions()) all.push_back(x);
  return all;
}

std::vector<Vec3> LayerSolver::targets(const std::vector<ConstraintRow>& rows) const {
  std::vector<Vec3> all;
  for (const LayerShell* layer : layers_)
    for (const Vec3& target : layer->targets()) all.push_back(target);
  const Points now = positions();
  for (std::size_t c = layers_.front()->constraints().size(), k = 1; k < layers_.size(); ++k)
    for (std::size_t i = 0; i < layers_[k]->constraints().size(); ++i, ++c)
      for (const VertexBlock& b : rows[c])
        if (b.vertex.index() < first_[k]) all[c] += b.weight * now[b.vertex];
  return all;
}

/// Where a layer may give way (the remedy of Li 2014, section 6.2, for bare crests), its constraint is a
/// spring along the normal, its area over `give`, and has no multipliers.
void LayerSolver::set_penalties() {
  std::vector<Mat3> penalties;
  std::vector<Vec3> multipliers;
  for (const LayerShell* layer : layers_) {
    const LayerSurface& surface = layer->surface();
    for (std::size_t c = 0; c < surface.constraints.size(); ++c) {
      const VertexId centre = surface.constraints[c].centre;
      const ShellFace& face = surface.faces[surface.fine->point(centre).face.index()];
      const double stiff = kPenalty * face.young * face.thickness;
      Mat3 penalty = stiff * Mat3::Identity();
      if (options_->give > 0) {
        const Vec3& n = layer->carrier().normals[centre];
        const double area = surface.wavelength.area(centre) / (kWavelengthPerSpacing * kWavelengthPerSpacing);
        penalty += (std::min(stiff, area / options_->give) - stiff) * n * n.transpose();
      }
      penalties.push_back(penalty);
      multipliers.push_back(layer->multipliers()[c]);
    }
  }
  problem_->set_penalties(penalties);
  problem_->set_multipliers(std::move(multipliers));
}

void LayerSolver::set_lower(const LayerShell& lower) {
  set_up();
  if (!contact_) return;
  const LayerShell& lowest = *layers_.front();
  if (const std::pair meshes{lowest.mesh_number(), lower.mesh_number()}; meshes != lower_meshes_) {
    lower_meshes_ = meshes;
    LayerBarrierOptions barrier;
    barrier.stiffness = kContactStiffness * softest_;
    contact_->set_lower(std::make_unique<LayerBarrier>(
        std::make_shared<const Surface>(shell_->rest()), std::make_shared<const Surface>(lower.rest_mesh()),
        lower.places_of(lowest.material().mesh.positions), lowest.places_of(lower.material().mesh.positions),
        barrier));
  }
  contact_->lower()->set_lower(lower.positions());
}

/// Tells the shell and its contact where the layers are carried if none of them wrinkles, and which way is
/// out there.
void LayerSolver::set_carried(double load) {
  Points carried, outside;
  double longest = 0;
  Carrier carrier = layers_.front()->carrier();
  for (std::size_t k = 0; k < layers_.size(); ++k) {
    const LayerSurface& surface = layers_[k]->surface();
    const Points own = layers_[k]->carried_from_rest(carrier);
    for (const Vec3& x : own) carried.push_back(x);
    for (const SurfacePoint& place : layers_[k]->material().places)
      outside.push_back(carrier.normal(*surface.fine, place));
    longest = std::max(longest, surface.longest_wavelength);
    if (k + 1 < layers_.size()) carrier = layers_[k]->carrier_of(*layers_[k + 1], own);
  }
  shell_->set_carried(carried, load);
  carried_ = carried;
  if (!contact_) return;
  contact_->set_carried(std::move(carried));
  contact_->set_outside(std::move(outside), kContactReach * longest, layers_.size() == 1);
}

/// Where the carrier has taken the layers, wrinkles and all. Where they may have come through themselves on
/// that way, wrinkles that do not grow straight from where the layers are carried without any begin again
/// from there: no vertex is stuck behind another one.
Points LayerSolver::intersection_free_start(const Points& before) const {
  constexpr int kMaxRounds = 10;
  Points now = positions();
  if (!contact_ || contact_->is_free_way(before, difference(now, before))) return now;
  Points way = difference(now, carried_);
  for (int round = 0;; ++round) {
    const std::vector<VertexId> meeting = contact_->meeting(carried_, way);
    if (meeting.empty()) break;
    if (round == kMaxRounds) return carried_;
    IdVector<VertexId, char> flat(now.size(), 0);
    for (const VertexId v : meeting) flat[v] = 1;
    for (FaceId f : ids<FaceId>(shell_->face_count())) {
      const auto corners = shell_->rest().face(f);
      if (std::any_of(corners.begin(), corners.end(), [&](VertexId v) { return flat[v]; }))
        for (const VertexId v : corners) way[v].setZero();
    }
  }
  for (VertexId v : ids<VertexId>(now.size())) now[v] = carried_[v] + way[v];
  return now;
}

/// Where triangles have no energy, as a carrier that folds them over or remeshing beside its folds may leave
/// them, they begin from where they are carried, and their neighbours with them until all have one.
void LayerSolver::start_unfolded(Points start) {
  constexpr int kMaxRings = 10;
  problem_->start(start);
  for (int ring = 0; ring < kMaxRings && !std::isfinite(problem_->energy()); ++ring) {
    const Points before = start;
    for (std::size_t f = 0; f < shell_->face_count(); ++f)
      if (!std::isfinite(shell_->energy(f, before)))
        for (const VertexId v : shell_->bending(f).vertices)
          if (v.valid()) start[v] = carried_[v];
    problem_->start(start);
  }
}

/// Goes on from there as in the load step before, where that needs less energy and touches nothing: wrinkles
/// mostly grow by about as much in each load step.
void LayerSolver::start_predicted() {
  Points increment;
  for (const LayerShell* layer : layers_)
    for (const Vec3& i : layer->last_increment()) increment.push_back(i);
  const Points start = problem_->positions();
  if (increment.size() != start.size()) return;
  const double energy = problem_->energy();
  if (contact_ && contact_->max_step_size(start, increment) < 1) {
    problem_->start(start);
    return;
  }
  Points predicted = start;
  for (VertexId v : ids<VertexId>(predicted.size())) predicted[v] += increment[v];
  problem_->start(std::move(predicted));
  if (!(problem_->energy() < energy)) problem_->start(start);
}

/// An implicit Euler step: inertia draws a vertex to where it would fly by itself, damping to where the
/// carrier takes it (Li 2014, Eq. 5.2, as the minimum that it is the condition of).
void LayerSolver::set_springs(const Points& before, double step) {
  std::vector<VertexSpring> springs;
  for (std::size_t k = 0; step > 0 && k < layers_.size(); ++k)
    for (VertexId v : ids<VertexId>(layers_[k]->positions().size())) {
      const VertexId all(first_[k] + v.index());
      const double inertia = shell_->masses()[all] / (step * step);
      const double damping = options_->damping * shell_->masses()[all] / step;
      const Vec3 flown = before[all] + step * layers_[k]->velocities()[v];
      springs.push_back({all, (inertia + damping) * Mat3::Identity(),
                         (inertia * flown + damping * layers_[k]->positions()[v]) / (inertia + damping)});
    }
  problem_->set_springs(std::move(springs));
}

void LayerSolver::move_with(const Carrier& carrier) {
  layers_.front()->move_with(carrier);
  for (std::size_t k = 1; k < layers_.size(); ++k)
    layers_[k]->move_with(layers_[k - 1]->carrier_of(*layers_[k]));
}

void LayerSolver::place_on(const Carrier& carrier) {
  move_with(carrier);
  if (options_->adaptive) adapt();
}

StepReport LayerSolver::advance(const Carrier& carrier, const LoadStep& step) {
  set_up();
  const Points before = positions();
  move_with(carrier);
  const Points beside = moved_rigidly(before, positions());
  set_carried(step.load);
  linearize_constraints();
  set_springs(before, step.duration);
  start_unfolded(intersection_free_start(beside));
  const Points start = problem_->positions();
  start_predicted();
  const StepReport report = minimize_energy(step);
  store_solution(before, step.duration);
  store_increment(start);
  return step.last && report.converged ? checked(report) : report;
}

void LayerSolver::adapt() {
  for (LayerShell* layer : layers_) layer->adapt();
}

/// Gives the layers what was found. A step of nothing leaves no velocity.
void LayerSolver::store_solution(const Points& before, double step) {
  std::size_t constraint = 0;
  for (std::size_t k = 0; k < layers_.size(); ++k) {
    Points positions, velocities;
    for (std::size_t i = first_[k]; i < first_[k + 1]; ++i) {
      const VertexId v(i);
      const Vec3& x = problem_->positions()[v];
      positions.push_back(x);
      velocities.push_back(step > 0 ? Vec3((x - before[v]) / step) : Vec3(Vec3::Zero()));
    }
    const auto first = problem_->multipliers().begin() + static_cast<std::ptrdiff_t>(constraint);
    constraint += layers_[k]->constraints().size();
    layers_[k]->set_state(std::move(positions), std::move(velocities),
                          {first, first + static_cast<std::ptrdiff_t>(layers_[k]->constraints().size())});
    if (k > 0) layers_[k]->set_carrier(layers_[k - 1]->carrier_of(*layers_[k]));
  }
}

void LayerSolver::store_increment(const Points& start) {
  for (std::size_t k = 0; k < layers_.size(); ++k) {
    Points increment;
    for (std::size_t i = first_[k]; i < first_[k + 1]; ++i)
      increment.push_back(problem_->positions()[VertexId(i)] - start[VertexId(i)]);
    layers_[k]->set_last_increment(std::move(increment));
  }
}

/// About where the layers are now.
void LayerSolver::linearize_constraints() {
  if (layers_.size() > 1) problem_->set_constraints(constraint_rows());
  problem_->set_targets(targets(problem_->constraints()));
  set_penalties();
}

/// Whether the way to equilibrium has led beyond the triangles that heights over the layer below were taken
/// on.
bool LayerSolver::is_through_lower() const {
  return contact_ && contact_->lower() && contact_->lower()->lowest(problem_->positions()) < 0;
}

/// Not where the layer below does not tell how high this one is: it could pass through there.
StepReport LayerSolver::checked(const StepReport& report) const {
  const int places =
      contact_ && contact_->lower() ? contact_->lower()->unknown_heights(problem_->positions()) : 0;
  if (places == 0) return report;
  return failed(report,
                fmt::format("the layer below is folded so sharply that nothing keeps it off there, at {} "
                            "places",
                            places));
}

/// Augmented Lagrangian: Newton's method, then multipliers that take over what the penalties bear, until the
/// constraints hold, with the normals that lower layers then have. On the way to the last load step of a
/// frame they hold but for what the penalties bear.
StepReport LayerSolver::minimize_energy(const LoadStep& step) {
  NewtonOptions newton;
  newton.scale = energy_scale_;
  newton.tolerance = options_->tolerance;
  newton.max_iterations = options_->max_iterations;
  newton.max_short_steps = options_->max_iterations;  // there is nowhere nearer to start from
  newton.take_last_step = true;
  newton.lagged_iterations = kLaggedIterations;
  newton.lagged_from_before = !step.first;
  newton.first_level = step.first ? 0 : first_level_;
  const bool on_the_way = !step.last && step.duration == 0;
  if (on_the_way) {
    newton.tolerance = std::max(newton.tolerance, kToleranceOnTheWay);
    newton.lagged_tolerance = kLaggedToleranceOnTheWay;
    newton.leave_saddle_points = false;
  }
  const double allowed = kConstraintTolerance * shortest_wavelength();
  const bool together = layers_.size() > 1;
  StepReport report;
  int repetitions = 0;
  for (int update = 0;; ++update) {
    const NewtonReport found = minimize(*problem_, solver_, newton);
    // As much negative curvature as in the load step before is likely, or less.
    if (update == 0) first_level_ = std::max(found.first_level - 1, 0);
    newton.first_level = 0;
    report.iterations += found.iterations;
    report.residual = found.decrement;
    report.converged = found.converged;
    report.reason = found.reason;
    if (!found.converged) return report;
    if (together) {
      store_solution(problem_->positions(), 0);
      linearize_constraints();
    }
    const double off = problem_->residual();
    // Where layers may give way no multiplier takes over.
    const bool holds = options_->give > 0 || off <= allowed;
    if (on_the_way || holds) {
      // Old factors cannot tell a saddle point.
      if (!on_the_way && !found.definite && std::exchange(newton.lagged_iterations, 0) > 0) continue;
      if (!is_through_lower()) return report;
      if (++repetitions > kMaxRepetitions) return failed(report, "it passes through the layer below it");
      problem_->start(problem_->positions());
      continue;
    }
    if (update == kMaxMultiplierUpdates)
      return failed(report, fmt::format("constraints between layers are still {:.2g} m off", off));
    problem_->update_multipliers();
  }
}

}  // namespace cutis
