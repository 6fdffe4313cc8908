#include "cutis/skin/tracked/tracked_dynamics.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "cutis/body/saved_vectors.h"
#include "cutis/core/error.h"
#include "cutis/core/log.h"
#include "cutis/core/parallel.h"
#include "cutis/skin/inverted_triangles.h"
#include "cutis/skin/saved_points.h"

namespace cutis {
namespace {

/// Of the longest stable step: a margin of a quarter in stiffness for what stiffens during the step, beside
/// that of the bound on each element.
constexpr double kStableShare = 0.9;
/// A step is at most so much of the targeting spring's time: its exact motion and the kicks of the material
/// are stable together.
constexpr double kTargetingAngle = 1;  ///< [rad]
/// A frame has no more steps than this because of how fast triangles deform: a body that collapses in a
/// moment is not resolved.
constexpr double kMaxSubsteps = 1024;
/// How many triangles times steps a frame may have at rest: about 15 s of two cores.
constexpr double kMostWork = 5e7;
/// So often in a frame rest shapes are brought up to date: they change far more slowly than a triangle
/// swings.
constexpr double kRetargetings = 8;
IdVector<VertexId, SkinRole> roles(const Surface& rest, const SkinConstraints& constraints,
                                   const TrackedOptions& options, const IdVector<VertexId, double>& masses) {
  IdVector<VertexId, SkinRole> out(masses.size());
  for (VertexId v : ids<VertexId>(out.size())) {
    out[v] = constraints.role(v);
    const bool held =
        !options.free_border && rest.topology().halfedge(v).valid() && rest.topology().is_border(v);
    if (out[v] == SkinRole::Free && (held || !(masses[v] > 0))) out[v] = SkinRole::Fixed;
  }
  return out;
}

IdVector<VertexId, double> bending_stiffness(const TrackedMembrane& membrane, const TrackedOptions& options) {
  if (!(options.bending > 0)) return {};
  IdVector<VertexId, double> out = membrane.plate_stiffness();
  for (double& stiffness : out) stiffness *= options.bending;
  return out;
}

Vec3 mean_velocity(const TargetPose& from, const TargetPose& to, VertexId v) {
  return (to.positions[v] - from.positions[v]) / (to.time - from.time);
}

}  // namespace

TrackedDynamics::TrackedDynamics(const Body& body, const TrackedOptions& options)
    : rest_(*body.surface()),
      options_(options),
      constraints_(SlideSurface(body, SlidesOn::Polygon), options),
      tracking_(rest_, options_),
      membrane_(rest_, options_),
      outer_forces_(rest_, options.gravity, options.forces, membrane_.skin_masses()),
      bending_(rest_, bending_stiffness(membrane_, options_), membrane_.masses()),
      shapes_(rest_.mesh(), membrane_.tissue(), options_),
      roles_(roles(rest_, constraints_, options_, membrane_.masses())) {
  IdVector<VertexId, char> fixed(roles_.size());
  for (VertexId v : ids<VertexId>(fixed.size())) fixed[v] = !moves(v);
  membrane_.set_fixed(std::move(fixed));
  check_steps();
  if (membrane_.mass_gain() > 1)
    log().debug("small triangles were given mass: the skin has {:.3g} times its own", membrane_.mass_gain());
}

/// Throws InputError where skin at rest vibrates so fast that a frame would not end.
void TrackedDynamics::check_steps() {
  if (!has_material()) return;
  membrane_.evaluate(rest_.positions(), rest_.normals());
  if (!bending_.empty()) bending_.evaluate(rest_.positions(), rest_.positions());
  const double step = longest_step(options_.frame),
               triangles = static_cast<double>(rest_.mesh().face_count());
  if (options_.frame / step * triangles <= kMostWork) return;
  const bool bends = bending_.highest_frequency() > membrane_.highest_frequency();
  throw InputError(fmt::format(
      "{}: skin this stiff moves in steps of {:.2g} s, {:.3g} in a frame of {:.3g} s, on {} triangles; "
      "make it softer, its triangles larger with skin.resolution, or frames shorter with time.fps",
      bends ? "skin.tracked.bending" : "skin.material.young", step, options_.frame / step, options_.frame,
      triangles));
}

void TrackedDynamics::start(const TargetPose& pose) {
  state_ = {};
  state_.time = pose.time;
  state_.positions = pose.positions;
  state_.velocities = pose.velocities;
  for (VertexId v : ids<VertexId>(pose.positions.size()))
    state_.bindings.push_back(rest_.topology().halfedge(v).valid() ? rest_.point(v) : SurfacePoint());
  constraints_.place(pose.time, state_.bindings);
  for (VertexId v : ids<VertexId>(roles_.size()))
    if (roles_[v] == SkinRole::Prescribed)
      state_.positions[v] = interpolate(rest_.mesh(), pose.positions, state_.bindings[v]);
  shapes_.start(pose.positions);
  membrane_.set_rest_shapes(shapes_);
}

int TrackedDynamics::advance(const MovingTarget& target) {
  rejected_ = 0;
  int substeps = 1;
  if (has_material()) {
    membrane_.set_folded_target(target.end().positions, target.end().normals);
    if (options_.targeting_step == TargetingStep::Frame) pull_ahead(target);
    substeps = go_through_substeps(target);
  } else {
    step(target.begin(), target.end());
    std::swap(state_, next_);
  }
  end_frame(target);
  if (has_material()) turn_inverted(target.end());
  return substeps;
}

/// The targeting force of a whole frame, fully implicitly: what it would change of a free flight through the
/// frame. Before the flight, so that nodes go there step by step and stress between them has a say.
void TrackedDynamics::pull_ahead(const MovingTarget& target) {
  const TargetPose &begin = target.begin(), &end = target.end();
  const double dt = end.time - begin.time;
  for_nodes(begin, state_, [&](VertexId v, TrackedNode& node) {
    TrackedNode free = node;
    free.position += dt * free.velocity;
    tracking_.pull_to_target(v, end, mean_velocity(begin, end, v), dt, free);
    node.velocity = free.velocity;
  });
}

int TrackedDynamics::go_through_substeps(const MovingTarget& target) {
  const double end = target.end().time, whole = end - target.begin().time;
  TargetPose here = target.begin(), next;
  double retargeted = here.time;
  int substeps = 0;
  while (state_.time < end) {
    membrane_.evaluate(state_.positions, normals(here));
    if (!bending_.empty()) bending_.evaluate(state_.positions, here.positions);
    const double stable = longest_step(whole);
    for (double allowed = std::min(state_.step, whole);;) {
      const double left = end - state_.time;
      const double count = std::ceil(left / std::min(stable, allowed) * (1 - 1e-9));
      target.at(count <= 1 ? end : state_.time + left / count, next);
      step(here, next);
      const double change = membrane_.deformation(next_.positions);
      const double dt = next.time - here.time;
      if (!(change <= options_.deformation_limit) && dt > whole / kMaxSubsteps) {
        allowed = dt / 2;
        ++rejected_;
        continue;
      }
      next_.step = change < options_.deformation_aim ? 2 * allowed : allowed;
      break;
    }
    std::swap(state_, next_);
    std::swap(here, next);
    ++substeps;
    if (shapes_.change() && (here.time == end || here.time - retargeted >= whole / kRetargetings)) {
      shapes_.advance(
          here.positions, [&](std::size_t i) { return membrane_.stretches(i, state_.positions); },
          here.time - retargeted);
      membrane_.set_rest_shapes(shapes_);
      retargeted = here.time;
    }
  }
  return substeps;
}

/// The longest that is stable, whatever deforms how fast; at most the frame.
double TrackedDynamics::longest_step(double frame) const {
  double longest = frame;
  const auto bound = [&](double step) { longest = std::min(longest, step); };
  const double highest = std::hypot(membrane_.highest_frequency(), bending_.highest_frequency());
  if (highest > 0) bound(kStableShare * 2 / highest);
  if (options_.material_step == MaterialStep::Explicit && membrane_.highest_damping() > 0)
    bound(kStableShare / membrane_.highest_damping());
  if (options_.targeting_step == TargetingStep::Substep && tracking_.highest_targeting() > 0)
    bound(kTargetingAngle / tracking_.highest_targeting());
  if (options_.sliding_step == SlidingStep::Explicit) {
    // Damped vibrations are stable below 2 / w (sqrt(1 + z²) - z).
    const double w = options_.sliding.angular_frequency(), z = options_.sliding.damping / (2 * w);
    bound(kStableShare * 2 / w * (std::sqrt(1 + z * z) - z));
  }
  return longest;
}

template <class F>
void TrackedDynamics::for_nodes(const TargetPose& target, TrackedState& state, const F& f) const {
  parallel_for(state.positions.size(), [&](std::size_t i) {
    const VertexId v(i);
    if (!moves(v)) return;
    TrackedNode node{state.positions[v], state.velocities[v], state.bindings[v]};
    f(v, node);
    if (roles_[v] == SkinRole::OnCurve) keep_on_curve(v, target, node);
    state.positions[v] = node.position;
    state.velocities[v] = node.velocity;
    state.bindings[v] = node.binding;
  });
}

/// From `state_` to `next_`: forces of the material (the last evaluate()), then each node by itself.
void TrackedDynamics::step(const TargetPose& from, const TargetPose& to) {
  next_ = state_;
  next_.time = to.time;
  if (has_material()) kick(to.time - from.time, next_.velocities);
  for_nodes(to, next_, [&](VertexId v, TrackedNode& node) { step_node(v, from, to, node); });
  for (VertexId v : ids<VertexId>(roles_.size()))
    if (roles_[v] == SkinRole::Fixed) {
      next_.positions[v] = to.positions[v];
      next_.velocities[v] = to.velocities[v];
    }
  place_prescribed(from, to);
}

/// The targeting force with the node's flight, the binding, and the sliding force.
void TrackedDynamics::step_node(VertexId v, const TargetPose& from, const TargetPose& to,
                                TrackedNode& node) const {
  const double dt = to.time - from.time;
  const Vec3 outer = outer_forces_.acceleration(v, (from.time + to.time) / 2);
  if (!has_material()) {
    tracking_.fly(v, from, to, outer, node);
    return;
  }
  if (options_.sliding_step == SlidingStep::Explicit) tracking_.push_onto_target(v, from, dt, node);
  if (options_.sliding_step == SlidingStep::Substep) tracking_.keep_down(v, from, dt, node);
  tracking_.slow_down(from, node);
  if (options_.targeting_step == TargetingStep::Substep)
    tracking_.fly_to_target(v, from, to, outer, node);
  else
    tracking_.fly(v, from, to, outer, node);
  if (options_.sliding_step == SlidingStep::Frame) {
    tracking_.keep_in_plane(to, node);
    tracking_.slow_down(to, node);
    return;
  }
  const SurfacePoint before = node.binding;
  tracking_.bind(to, node);
  tracking_.keep_within_reach(to, before, dt, node);
  tracking_.hold_back(v, to, node);
  if (options_.sliding_step == SlidingStep::Substep) tracking_.press_onto_target(v, to, dt, node);
  tracking_.slow_down(to, node);
}

/// What the material changes velocities by during a step, before anything moves.
void TrackedDynamics::kick(double dt, Points& velocities) const {
  parallel_for(velocities.size(), [&](std::size_t i) {
    const VertexId v(i);
    if (moves(v))
      velocities[v] += dt / membrane_.masses()[v] * (membrane_.forces()[v] + bending_.forces()[v]);
  });
  if (options_.material_step == MaterialStep::SemiImplicit)
    membrane_.damp_implicitly(state_.positions, dt, velocities);
  if (options_.material_step == MaterialStep::Explicit)
    membrane_.damp_explicitly(state_.positions, dt, velocities);
}

/// Skin that a path carries is where the path has it, on the target as it moves.
void TrackedDynamics::place_prescribed(const TargetPose& from, const TargetPose& to) {
  if (constraints_.transports().empty()) return;
  constraints_.place(to.time, next_.bindings);
  for (VertexId v : ids<VertexId>(roles_.size())) {
    if (roles_[v] != SkinRole::Prescribed) continue;
    next_.positions[v] = interpolate(rest_.mesh(), to.positions, next_.bindings[v]);
    next_.velocities[v] = (next_.positions[v] - state_.positions[v]) / (to.time - from.time);
  }
}

/// Beside the curve, and no faster than the target but along it.
void TrackedDynamics::keep_on_curve(VertexId v, const TargetPose& target, TrackedNode& node) const {
  const CurveConstraint::Place place = constraints_.on_curve(v, node.binding);
  node.binding = place.point;
  node.position = interpolate(rest_.mesh(), target.positions, place.point);
  const auto corners = rest_.mesh().face(place.point.face);
  const Vec3& first = target.positions[corners[0]];
  const Vec3 along = (place.rates[0] * (target.positions[corners[1]] - first) +
                      place.rates[1] * (target.positions[corners[2]] - first))
                         .stableNormalized();
  const Vec3 of_target = interpolate(rest_.mesh(), target.velocities, place.point);
  double speed = (node.velocity - of_target).dot(along);
  if (place.begins) speed = std::max(0.0, speed);
  if (place.ends) speed = std::min(0.0, speed);
  node.velocity = of_target + speed * along;
}

/// The forces that act at the end of a frame. What the sliding force has moved stays bound where it was: it
/// has moved along the normal there.
void TrackedDynamics::end_frame(const MovingTarget& target) {
  if (has_material() && options_.sliding_step != SlidingStep::Frame) return;
  const TargetPose &begin = target.begin(), &end = target.end();
  const double dt = end.time - begin.time;
  for_nodes(end, state_, [&](VertexId v, TrackedNode& node) {
    if (!has_material()) tracking_.pull_to_target(v, end, mean_velocity(begin, end, v), dt, node);
    const SurfacePoint before = node.binding;
    tracking_.bind(end, node);
    tracking_.keep_within_reach(end, before, dt, node);
    tracking_.hold_back(v, end, node);
    tracking_.press_onto_target(v, end, dt, node);
  });
}

/// Triangles that their stress has not turned round in time. The target's own is not folded, so that they
/// turn round where the slides of their corners are like those of their neighbours, or less.
void TrackedDynamics::turn_inverted(const TargetPose& target) {
  const auto corners = [&] {
    const std::vector<std::size_t> inverted = membrane_.inverted_at(state_.positions, normals(target));
    inverted_ = inverted.size();
    return membrane_.corners(inverted);
  };
  turn_in_rounds(corners, [&](const std::vector<VertexId>& all, double share) {
    std::vector<SurfacePoint> bindings(all.size());
    parallel_for(all.size(),
                 [&](std::size_t i) { bindings[i] = mean_slide(rest_, all[i], state_.bindings, share); });
    for (std::size_t i = 0; i < all.size(); ++i)
      if (roles_[all[i]] == SkinRole::Free) move_binding(all[i], bindings[i], target);
  });
}

/// The node comes along, with half of its speed.
void TrackedDynamics::move_binding(VertexId v, const SurfacePoint& to, const TargetPose& target) {
  const SurfacePoint& from = state_.bindings[v];
  const auto on_target = [&](const auto& values, const SurfacePoint& p) {
    return interpolate(rest_.mesh(), values, p);
  };
  const Vec3 speed = state_.velocities[v] - on_target(target.velocities, from);
  state_.positions[v] += on_target(target.positions, to) - on_target(target.positions, from);
  state_.velocities[v] = on_target(target.velocities, to) + speed / 2;
  state_.bindings[v] = to;
}

IdVector<VertexId, Vec3> TrackedDynamics::normals(const TargetPose& target) const {
  IdVector<VertexId, Vec3> out(state_.bindings.size(), Vec3::Zero());
  parallel_for(out.size(), [&](std::size_t i) {
    const VertexId v(i);
    if (state_.bindings[v].face.valid()) out[v] = tracking_.normal(target, state_.bindings[v]);
  });
  return out;
}

double TrackedDynamics::greatest_distance(const TargetPose& target) const {
  std::vector<double> distances(roles_.size(), 0);
  parallel_for(distances.size(), [&](std::size_t i) {
    const VertexId v(i);
    if (!moves(v)) return;
    const TrackedNode node{state_.positions[v], state_.velocities[v], state_.bindings[v]};
    distances[i] = std::abs(tracking_.offset(target, node).distance);
  });
  double greatest = 0;
  for (const double distance : distances)
    if (!(distance <= greatest)) greatest = distance;
  return greatest;
}

void TrackedDynamics::save(State& state) const {
  state.numbers["moment"] = {state_.time, state_.step};
  save_vectors(state_.positions, "positions", state);
  save_vectors(state_.velocities, "velocities", state);
  save_points(state_.bindings, "bindings", state);
  shapes_.save(state);
}

void TrackedDynamics::restore(const State& state) {
  const std::vector<double>& moment = state.numbers.at("moment");
  state_.time = moment.at(0);
  state_.step = moment.at(1);
  state_.bindings = saved_points(state, "bindings", rest_.mesh());
  state_.positions = saved_vectors<VertexId>(state, "positions");
  state_.velocities = saved_vectors<VertexId>(state, "velocities");
  shapes_.restore(state);
  membrane_.set_rest_shapes(shapes_);
}

}  // namespace cutis
