#include "cutis/skin/tracked/tracked.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "cutis/body/drift.h"
#include "cutis/body/saved_vectors.h"
#include "cutis/core/error.h"
#include "cutis/core/log.h"
#include "cutis/core/parallel.h"
#include "cutis/skin/mappable.h"
#include "cutis/skin/problem/skin_setup.h"
#include "cutis/skin/saved_points.h"
#include "cutis/skin/slide_surface.h"
#include "cutis/skin/tracked/hinge_bending.h"
#include "cutis/skin/tracked/tracked_membrane.h"
#include "cutis/skin/tracked/tracking_forces.h"

namespace cutis {
namespace {

/// Of the longest stable step: a margin of two in stiffness, for what stiffens during the step.
constexpr double kStableShare = 0.7;
/// A step is at most so much of the targeting spring's time: its exact motion and the kicks of the material
/// are stable together.
constexpr double kTargetingAngle = 1;  ///< [rad]
/// A frame has no more steps than this because of how fast triangles deform: a body that collapses in a
/// moment is not resolved.
constexpr double kMaxSubsteps = 1024;
/// So often in a frame rest shapes are brought up to date: they change far more slowly than a triangle
/// swings.
constexpr double kRetargetings = 8;

IdVector<VertexId, char> fixed_vertices(const Surface& rest, const TrackedOptions& options,
                                        const IdVector<VertexId, double>& masses) {
  IdVector<VertexId, char> fixed(masses.size(), 0);
  for (VertexId v : ids<VertexId>(fixed.size()))
    fixed[v] = (!options.free.empty() && !options.free[v]) || !(masses[v] > 0) ||
               (!options.slide_limit.empty() && options.slide_limit[v] == 0) ||
               !rest.topology().halfedge(v).valid();
  if (!options.free_border)
    for (VertexId v : ids<VertexId>(fixed.size()))
      if (!fixed[v] && rest.topology().is_border(v)) fixed[v] = 1;
  for (VertexId v : options.fixed) {
    if (v.index() >= fixed.size())
      throw InputError(fmt::format("skin.constraint: the body has no vertex {}", v.value));
    fixed[v] = 1;
  }
  return fixed;
}

void check_gains(const char* name, const IdVector<VertexId, double>& gains, std::size_t vertices) {
  if (!gains.empty() && gains.size() != vertices)
    throw InputError(fmt::format("{}: {} values for {} vertices of the body", name, gains.size(), vertices));
  for (const double gain : gains)
    if (!(gain >= 0) || !std::isfinite(gain))
      throw InputError(fmt::format("{}: {} is below zero", name, gain));
}

TrackedOptions checked_options(const Body& body, TrackedOptions options) {
  const std::size_t n = body.mesh().vertex_count();
  checked_rest(body.surface(), options);
  check_gains("skin.tracked.sliding_gain", options.sliding_gain, n);
  check_gains("skin.tracked.lag_gain", options.lag_gain, n);
  if (!options.curves.empty() || !options.paths.empty())
    throw InputError("skin.constraint: tracked skin knows no curves and no paths");
  fix_vertices(body.weld().split_vertices(), options);
  return options;
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

Vec3 mean_of(const Points& points) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& x : points) sum += x;
  return points.empty() ? sum : Vec3(sum / static_cast<double>(points.size()));
}

}  // namespace

class TrackedSlide::Solver {
 public:
  Solver(const Body& body, TrackedOptions options);

  StepReport advance(double time);
  const SourcePoints& positions() const { return positions_; }
  SourcePoints velocities() const;
  SkinState skin() const;
  const SkinTissue& tissue() const { return membrane_.tissue(); }
  const IdVector<VertexId, double>& slide_limits() const { return options_.slide_limit; }
  State save() const;
  void restore(const State& state);
  const Points& nodes() const { return memory_.positions; }
  const SkinPoints& bindings() const { return memory_.bindings; }
  int rejected() const { return rejected_; }
  std::size_t inverted() const { return membrane_.inverted().size(); }

 private:
  /// All that one frame hands to the next, with the shapes of `retargeting_`.
  struct Memory {
    bool started = false;
    double time = 0;
    double step = std::numeric_limits<double>::max();  ///< as long as deformation allowed at last [s]
    Points positions, velocities;
    SkinPoints bindings;
    Drift drift;  ///< of the target
  };

  const Body& body_;
  TrackedOptions options_;
  MovingTarget target_;
  TrackingForces forces_;
  TrackedMembrane membrane_;
  HingeBending bending_;
  TriangleRetargeting retargeting_;
  IdVector<VertexId, char> fixed_;
  double size_;  ///< of the body [m]
  SlideSurface written_;
  Memory memory_;
  int rejected_ = 0;
  SourcePoints positions_;

  bool has_material() const { return options_.material_step != MaterialStep::None; }
  void start(double time);
  int go_through_frame();
  double longest_step() const;
  Memory stepped(const TargetPose& from, const TargetPose& to) const;
  void kick(const TargetPose& from, const TargetPose& to, Points& velocities) const;
  void end_frame();
  template <class F>
  void for_nodes(Memory& memory, const F& f) const;
  IdVector<VertexId, Vec3> normals(const TargetPose& target) const;
  Points offsets_from_target() const;
  double greatest_distance() const;
  void write_positions();
};

TrackedSlide::Solver::Solver(const Body& body, TrackedOptions options)
    : body_(body),
      options_(checked_options(body, std::move(options))),
      target_(body, options_.material_step == MaterialStep::None ? MovingTarget::Velocities::Chord
                                                                 : MovingTarget::Velocities::OfBody),
      forces_(*body.surface(), options_),
      membrane_(*body.surface(), options_),
      bending_(*body.surface(), bending_stiffness(membrane_, options_), membrane_.masses()),
      retargeting_(body.surface()->mesh(), membrane_.rest(),
                   options_.retarget_time > 0 ? 1 / options_.retarget_time : 0),
      fixed_(fixed_vertices(*body.surface(), options_, membrane_.masses())),
      size_(body.surface()->size()),
      written_(body, options_.surface),
      positions_(body.source().positions) {
  membrane_.drop_fixed(fixed_);
  if (membrane_.mass_gain() > 1)
    log().debug("small triangles were given mass: the skin has {:.3g} times its own", membrane_.mass_gain());
}

StepReport TrackedSlide::Solver::advance(double time) {
  StepReport report;
  rejected_ = 0;
  if (!memory_.started) {
    start(time);
  } else {
    target_.advance(time);
    const Vec3 centre = mean_of(target_.end().positions);
    if (memory_.drift.leaps_to(centre, size_)) {
      log().info("skin begins anew at {:.4g} s: the body is elsewhere", time);
      start(time);
    } else {
      report.iterations = go_through_frame();
      memory_.drift.go_on_to(centre);
    }
  }
  report.residual = greatest_distance() / size_;
  if (!std::isfinite(report.residual)) {
    report = {false, report.iterations, std::numeric_limits<double>::infinity(),
              "the skin is at places that are no numbers"};
    return report;
  }
  log().debug(
      "tracked skin at {:.4g} s: {} substeps, {} taken back, {} triangles turned over, at most {:.3g} of the "
      "body's size off it",
      time, report.iterations, rejected_, membrane_.inverted().size(), report.residual);
  write_positions();
  return report;
}

/// Where the body is, with its velocity and shapes.
void TrackedSlide::Solver::start(double time) {
  target_.start(time);
  const TargetPose& pose = target_.end();
  memory_ = {};
  memory_.started = true;
  memory_.time = time;
  memory_.positions = pose.positions;
  memory_.velocities = pose.velocities;
  for (VertexId v : ids<VertexId>(pose.positions.size()))
    memory_.bindings.push_back(body_.surface()->topology().halfedge(v).valid() ? body_.surface()->point(v)
                                                                               : SurfacePoint());
  memory_.drift = {mean_of(pose.positions)};
  retargeting_.start(pose.positions);
  membrane_.set_rest_shapes(retargeting_);
}

/// Substeps of the material, with the tracking forces in each of them or once at the end; how many.
int TrackedSlide::Solver::go_through_frame() {
  const double end = target_.end().time, whole = end - target_.begin().time;
  int substeps = 0;
  double retargeted = target_.begin().time;
  TargetPose here = target_.begin();
  if (!has_material()) {
    memory_ = stepped(here, target_.end());
    ++substeps;
  } else {
    membrane_.begin_frame();
    membrane_.set_folded_target(target_.end().positions, target_.end().normals);
  }
  while (memory_.time < end) {
    membrane_.evaluate(memory_.positions, normals(here));
    if (!bending_.empty()) bending_.evaluate(memory_.positions, here.positions);
    const double stable = longest_step();
    for (double allowed = std::min(memory_.step, whole);;) {
      const double left = end - memory_.time;
      const double count = std::ceil(left / std::min(stable, allowed) * (1 - 1e-9));
      const TargetPose next = target_.at(count <= 1 ? end : memory_.time + left / count);
      Memory after = stepped(here, next);
      const double change = membrane_.deformation(after.positions);
      const double dt = next.time - here.time;
      if (!(change <= options_.deformation_limit) && dt > whole / kMaxSubsteps) {
        allowed = dt / 2;
        ++rejected_;
        continue;
      }
      after.step = change < options_.deformation_aim ? 2 * allowed : allowed;
      memory_ = std::move(after);
      if (retargeting_.moves() && (next.time == end || next.time - retargeted >= whole / kRetargetings)) {
        retargeting_.advance(next.positions, next.time - retargeted);
        membrane_.set_rest_shapes(retargeting_);
        retargeted = next.time;
      }
      here = next;
      ++substeps;
      break;
    }
  }
  end_frame();
  return substeps;
}

/// The longest that is stable, whatever deforms how fast.
double TrackedSlide::Solver::longest_step() const {
  double longest = target_.end().time - target_.begin().time;
  const auto bound = [&](double step) { longest = std::min(longest, step); };
  const double highest = std::hypot(membrane_.highest_frequency(), bending_.highest_frequency());
  if (highest > 0) bound(kStableShare * 2 / highest);
  if (options_.material_step == MaterialStep::Explicit && membrane_.highest_damping() > 0)
    bound(kStableShare / membrane_.highest_damping());
  if (options_.targeting_step == TargetingStep::Substep && options_.targeting.stiffness > 0)
    bound(kTargetingAngle / options_.targeting.angular_frequency());
  if (options_.sliding_step == SlidingStep::Explicit) {
    // Damped vibrations are stable below 2 / w (sqrt(1 + z²) - z).
    const double w = options_.sliding.angular_frequency(), z = options_.sliding.damping / (2 * w);
    bound(kStableShare * 2 / w * (std::sqrt(1 + z * z) - z));
  }
  return longest;
}

template <class F>
void TrackedSlide::Solver::for_nodes(Memory& memory, const F& f) const {
  parallel_for(memory.positions.size(), [&](std::size_t i) {
    const VertexId v(i);
    if (fixed_[v]) return;
    TrackedNode node{memory.positions[v], memory.velocities[v], memory.bindings[v]};
    f(v, node);
    memory.positions[v] = node.position;
    memory.velocities[v] = node.velocity;
    memory.bindings[v] = node.binding;
  });
}

/// One step: forces of the material (the last evaluate()), then each node by itself: the targeting force with
/// its flight, the binding, and the sliding force.
TrackedSlide::Solver::Memory TrackedSlide::Solver::stepped(const TargetPose& from,
                                                           const TargetPose& to) const {
  Memory next = memory_;
  const double dt = to.time - from.time;
  next.time = to.time;
  kick(from, to, next.velocities);
  const bool targets = options_.targeting_step == TargetingStep::Substep && has_material();
  const bool slides = options_.sliding_step == SlidingStep::Substep && has_material();
  const SpringFlow flow = targets ? exact_flow(options_.targeting, dt) : SpringFlow();
  for_nodes(next, [&](VertexId v, TrackedNode& node) {
    if (has_material() && options_.sliding_step == SlidingStep::Explicit)
      forces_.push_onto_target(v, from, dt, node);
    if (targets)
      forces_.fly_to_target(v, from, to, flow, node);
    else
      forces_.fly(dt, node);
    if (has_material()) {
      forces_.hold_back(v, to, node);
      forces_.bind(to, node);
    }
    if (slides) forces_.press_onto_target(v, to, dt, node);
    // Skin feels as much of the target's acceleration as its gain says. It takes the rest along: what has
    // come of it on average before the flight (see kick()), and the remainder after it.
    if (!options_.lag_gain.empty())
      node.velocity += (1 - options_.lag_gain[v]) * (to.velocities[v] - mean_velocity(from, to, v));
  });
  for (VertexId v : ids<VertexId>(fixed_.size()))
    if (fixed_[v]) {
      next.positions[v] = to.positions[v];
      next.velocities[v] = to.velocities[v];
    }
  return next;
}

/// What changes velocities during a step, before anything moves.
void TrackedSlide::Solver::kick(const TargetPose& from, const TargetPose& to, Points& velocities) const {
  const double dt = to.time - from.time;
  const IdVector<VertexId, double>& gain = options_.lag_gain;
  parallel_for(velocities.size(), [&](std::size_t i) {
    const VertexId v(i);
    if (fixed_[v]) return;
    velocities[v] += dt * options_.gravity;
    if (has_material())
      velocities[v] += dt / membrane_.masses()[v] * (membrane_.forces()[v] + bending_.forces()[v]);
    if (!gain.empty()) velocities[v] += (1 - gain[v]) * (mean_velocity(from, to, v) - from.velocities[v]);
  });
  if (options_.material_step == MaterialStep::SemiImplicit)
    membrane_.damp_implicitly(memory_.positions, fixed_, dt, velocities);
  if (options_.material_step == MaterialStep::Explicit)
    membrane_.damp_explicitly(memory_.positions, dt, velocities);
}

/// The forces that act once a frame. What the sliding force has moved stays bound where it was: it has moved
/// along the normal there.
void TrackedSlide::Solver::end_frame() {
  const TargetPose &begin = target_.begin(), &end = target_.end();
  const double dt = end.time - begin.time;
  const bool targets = options_.targeting_step == TargetingStep::Frame || !has_material();
  const bool slides = !has_material() || options_.sliding_step == SlidingStep::Frame ||
                      (targets && options_.sliding_step == SlidingStep::Substep);
  if (!targets && !slides) return;
  for_nodes(memory_, [&](VertexId v, TrackedNode& node) {
    if (targets) {
      forces_.pull_to_target(v, end, mean_velocity(begin, end, v), dt, node);
      forces_.hold_back(v, end, node);
      forces_.bind(end, node);
    }
    if (slides) forces_.press_onto_target(v, end, dt, node);
  });
}

IdVector<VertexId, Vec3> TrackedSlide::Solver::normals(const TargetPose& target) const {
  IdVector<VertexId, Vec3> out(memory_.bindings.size(), Vec3::Zero());
  parallel_for(out.size(), [&](std::size_t i) {
    const VertexId v(i);
    if (memory_.bindings[v].face.valid()) out[v] = forces_.normal(target, memory_.bindings[v]);
  });
  return out;
}

Points TrackedSlide::Solver::offsets_from_target() const {
  Points out(memory_.positions.size(), Vec3::Zero());
  for (VertexId v : ids<VertexId>(out.size()))
    if (!fixed_[v])
      out[v] = memory_.positions[v] -
               interpolate(body_.surface()->mesh(), target_.end().positions, memory_.bindings[v]);
  return out;
}

double TrackedSlide::Solver::greatest_distance() const {
  std::vector<double> distances(memory_.positions.size(), 0);
  parallel_for(distances.size(), [&](std::size_t i) {
    const VertexId v(i);
    if (fixed_[v]) return;
    const TrackedNode node{memory_.positions[v], memory_.velocities[v], memory_.bindings[v]};
    distances[i] = std::abs(forces_.offset(target_.end(), node).distance);
  });
  double greatest = 0;
  for (const double distance : distances)
    if (!(distance <= greatest)) greatest = distance;
  return greatest;
}

/// On the surface that the shot asks for, at the point that a node is bound to, and as far off it as the node
/// is off the target.
void TrackedSlide::Solver::write_positions() {
  const SourcePoints body = body_.source_positions(memory_.time);
  written_.update(body_.weld().gather(body));
  positions_ = written_.place(body, body_.weld(), memory_.bindings);
  const Points offsets = offsets_from_target();
  for (SourceVertexId s : ids<SourceVertexId>(positions_.size())) {
    const VertexId v = body_.weld().vertex_of[s];
    if (v.valid()) positions_[s] += offsets[v];
  }
}

SourcePoints TrackedSlide::Solver::velocities() const {
  SourcePoints out = body_.source_velocities(memory_.time);
  for (SourceVertexId s : ids<SourceVertexId>(out.size())) {
    const VertexId v = body_.weld().vertex_of[s];
    if (v.valid()) out[s] += memory_.velocities[v] - target_.end().velocities[v];
  }
  return out;
}

SkinState TrackedSlide::Solver::skin() const {
  SkinState state;
  const std::shared_ptr<const Surface>& rest = body_.surface();
  if (memory_.started) {
    state.map = skin_map(rest, memory_.bindings);
    state.offsets = offsets_from_target();
  } else if (!unmappable_vertex(*rest)) {
    state.map = SurfaceMap::identity(rest);
    state.offsets.assign(rest->mesh().vertex_count(), Vec3::Zero());
  }
  membrane_.tissue().strain(rest->mesh(), memory_.started ? memory_.positions : rest->positions(), state);
  return state;
}

State TrackedSlide::Solver::save() const {
  State state;
  if (!memory_.started) return state;
  state.numbers["moment"] = {memory_.time, memory_.step};
  save_vectors(memory_.positions, "positions", state);
  save_vectors(memory_.velocities, "velocities", state);
  save_points(memory_.bindings, "bindings", state);
  state.numbers["shapes"] = retargeting_.save();
  std::vector<double>& ways = state.numbers["ways"];
  for (const Vec3* way : {&memory_.drift.centre, &memory_.drift.way})
    ways.insert(ways.end(), way->begin(), way->end());
  return state;
}

void TrackedSlide::Solver::restore(const State& state) {
  memory_ = {};
  if (state.empty()) return;
  const std::vector<double>& moment = state.numbers.at("moment");
  memory_.started = true;
  memory_.time = moment.at(0);
  memory_.step = moment.at(1);
  memory_.bindings = saved_points(state, "bindings", body_.surface()->mesh());
  memory_.positions = saved_vectors<VertexId>(state, "positions");
  memory_.velocities = saved_vectors<VertexId>(state, "velocities");
  const std::vector<double>& ways = state.numbers.at("ways");
  memory_.drift.centre = Eigen::Map<const Vec3>(ways.data());
  memory_.drift.way = Eigen::Map<const Vec3>(ways.data() + 3);
  retargeting_.restore(state.numbers.at("shapes"));
  membrane_.set_rest_shapes(retargeting_);
  target_.start(memory_.time);
}

TrackedSlide::TrackedSlide(const Body& body, TrackedOptions options)
    : solver_(std::make_unique<Solver>(body, std::move(options))) {}
TrackedSlide::~TrackedSlide() = default;
StepReport TrackedSlide::advance(double time) { return solver_->advance(time); }
const SourcePoints& TrackedSlide::positions() const { return solver_->positions(); }
SourcePoints TrackedSlide::velocities() const { return solver_->velocities(); }
SkinState TrackedSlide::skin() const { return solver_->skin(); }
const SkinTissue* TrackedSlide::tissue() const { return &solver_->tissue(); }
IdVector<VertexId, double> TrackedSlide::slide_limits() const { return solver_->slide_limits(); }
State TrackedSlide::save() const { return solver_->save(); }
void TrackedSlide::restore(const State& state) { solver_->restore(state); }
const Points& TrackedSlide::nodes() const { return solver_->nodes(); }
const IdVector<VertexId, SurfacePoint>& TrackedSlide::bindings() const { return solver_->bindings(); }
int TrackedSlide::rejected() const { return solver_->rejected(); }
std::size_t TrackedSlide::inverted() const { return solver_->inverted(); }

}  // namespace cutis
