#include "cutis/skin/tracked/tracked.h"

#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "cutis/body/drift.h"
#include "cutis/core/error.h"
#include "cutis/core/log.h"
#include "cutis/core/parallel.h"
#include "cutis/skin/inverted_triangles.h"
#include "cutis/skin/mappable.h"
#include "cutis/skin/problem/skin_setup.h"
#include "cutis/skin/slide_limit.h"
#include "cutis/skin/slide_surface.h"
#include "cutis/skin/tracked/tracked_dynamics.h"

namespace cutis {
namespace {

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
  fix_vertices(body.weld().split_vertices(), options);
  return options;
}

/// A hundredth of the size, and what ten times the earth's gravity lifts skin by where its sliding force is
/// soft; anywhere where it is let go.
double furthest_from_target(const TrackedOptions& options, double size) {
  constexpr double kFurthest = 1e-2, kLift = 98.1;
  if (!options.sliding_gain.empty() || options.bending > 0) return std::numeric_limits<double>::infinity();
  return kFurthest + kLift / options.sliding.stiffness / size;
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
  const SkinTissue& tissue() const { return dynamics_.membrane().tissue(); }
  const IdVector<VertexId, double>& slide_limits() const { return options_.slide_limit; }
  bool holds_slide_limits() const { return options_.use_ligaments; }
  double top_slide_speed() const { return options_.slide_speed; }
  State save() const;
  void restore(const State& state);
  const Points& nodes() const { return dynamics_.state().positions; }
  const SkinPoints& bindings() const { return bindings_; }
  int rejected() const { return dynamics_.rejected(); }
  std::size_t inverted() const { return dynamics_.membrane().inverted().size(); }

 private:
  const Body& body_;
  TrackedOptions options_;
  MovingTarget target_;
  TrackedDynamics dynamics_;
  double size_;      ///< of the body [m]
  double furthest_;  ///< from its target over its size, where a frame has converged
  SlideSurface written_, at_rest_;
  bool started_ = false;
  Drift drift_;          ///< of the target
  SkinPoints bindings_;  ///< of nodes, within limits as what the skin is written on measures them
  SourcePoints positions_;

  void start(double time);
  Points offsets_from_target() const;
  SurfacePoint held(VertexId v, const SurfacePoint& p) const;
  void hold_bindings();
  void write_positions();
};

TrackedSlide::Solver::Solver(const Body& body, TrackedOptions options)
    : body_(body),
      options_(checked_options(body, std::move(options))),
      target_(body, options_.material_step == MaterialStep::None ? MovingTarget::Velocities::Chord
                                                                 : MovingTarget::Velocities::OfBody),
      dynamics_(body, options_),
      size_(body.surface()->size()),
      furthest_(furthest_from_target(options_, size_)),
      written_(body, options_.surface),
      at_rest_(written_),
      positions_(body.source().positions) {}

StepReport TrackedSlide::Solver::advance(double time) {
  StepReport report;
  if (!started_) {
    start(time);
  } else {
    target_.advance(time);
    const Vec3 centre = mean_of(target_.end().positions);
    const auto centre_at = [&](double moment) { return mean_of(target_.positions(moment)); };
    if (drift_.leaps_to(centre, {target_.begin().time, time}, size_, centre_at)) {
      log().info("skin begins anew at {:.4g} s: the body is elsewhere", time);
      start(time);
    } else {
      report.iterations = dynamics_.advance(target_);
      drift_ = {centre};
    }
  }
  report.residual = dynamics_.greatest_distance(target_.end()) / size_;
  if (!std::isfinite(report.residual)) {
    report = {false, report.iterations, std::numeric_limits<double>::infinity(),
              "the skin is at places that are no numbers"};
    return report;
  }
  if (report.residual > furthest_) {
    report.converged = false;
    report.reason = fmt::format("skin is {:.2g} of the body's size off its surface", report.residual);
  }
  log().debug(
      "tracked skin at {:.4g} s: {} substeps, {} taken back, {} triangles turned over, {} after correction, "
      "at most {:.3g} of the body's size off it",
      time, report.iterations, rejected(), inverted(), dynamics_.inverted(), report.residual);
  hold_bindings();
  write_positions();
  return report;
}

void TrackedSlide::Solver::start(double time) {
  target_.start(time);
  dynamics_.start(target_.end());
  drift_ = {mean_of(target_.end().positions)};
  started_ = true;
}

Points TrackedSlide::Solver::offsets_from_target() const {
  const TrackedState& state = dynamics_.state();
  Points out(state.positions.size(), Vec3::Zero());
  for (VertexId v : ids<VertexId>(out.size()))
    if (dynamics_.moves(v))
      out[v] = state.positions[v] -
               interpolate(body_.surface()->mesh(), target_.end().positions, state.bindings[v]);
  return out;
}

SurfacePoint TrackedSlide::Solver::held(VertexId v, const SurfacePoint& p) const {
  if (options_.slide_limit.empty() || !options_.use_ligaments) return p;
  return held_within(at_rest_.rest(), v, p, options_.slide_limit[v],
                     [&](const SurfacePoint& at) { return at_rest_.slide(v, at).norm(); });
}

/// Nodes keep to their limits on the body's flat triangles, from which a smooth surface differs.
void TrackedSlide::Solver::hold_bindings() {
  bindings_ = dynamics_.state().bindings;
  parallel_for(bindings_.size(), [&](std::size_t i) {
    const VertexId v(i);
    if (dynamics_.moves(v)) bindings_[v] = held(v, bindings_[v]);
  });
}

/// On the surface that the shot asks for, at the point that a node is bound to, and as far off it as the node
/// is off the target.
void TrackedSlide::Solver::write_positions() {
  const SourcePoints body = body_.source_positions(dynamics_.state().time);
  const Points welded = body_.weld().gather(body);
  written_.update(welded);
  positions_ = written_.place(body, body_.weld(), bindings_);
  const auto moved = [&](VertexId v, const SurfacePoint& p) {
    return dynamics_.role(v) == SkinRole::Free ? held(v, p) : bindings_[v];
  };
  const auto position = [&](VertexId v, const SurfacePoint& p) { return written_.position(v, p); };
  if (dynamics_.has_material() && InvertedTriangles(at_rest_.rest(), welded)
                                      .turn(moved, position, bindings_, body_.weld().gather(positions_)))
    positions_ = written_.place(body, body_.weld(), bindings_);
  const Points offsets = offsets_from_target();
  for (SourceVertexId s : ids<SourceVertexId>(positions_.size())) {
    const VertexId v = body_.weld().vertex_of[s];
    if (v.valid()) positions_[s] += offsets[v];
  }
}

SourcePoints TrackedSlide::Solver::velocities() const {
  SourcePoints out = body_.source_velocities(dynamics_.state().time);
  for (SourceVertexId s : ids<SourceVertexId>(out.size())) {
    const VertexId v = body_.weld().vertex_of[s];
    if (v.valid()) out[s] += dynamics_.state().velocities[v] - target_.end().velocities[v];
  }
  return out;
}

SkinState TrackedSlide::Solver::skin() const {
  SkinState state;
  const std::shared_ptr<const Surface>& rest = body_.surface();
  if (started_) {
    state.map = skin_map(rest, bindings());
    state.offsets = offsets_from_target();
  } else if (!unmappable_vertex(*rest)) {
    state.map = SurfaceMap::identity(rest);
    state.offsets.assign(rest->mesh().vertex_count(), Vec3::Zero());
  }
  tissue().strain(rest->mesh(), started_ ? nodes() : rest->positions(), state);
  return state;
}

State TrackedSlide::Solver::save() const {
  State state;
  if (!started_) return state;
  dynamics_.save(state);
  state.numbers["centre"].assign(drift_.centre.begin(), drift_.centre.end());
  state.numbers["seen"] = {target_.seen().begin, target_.seen().end};
  return state;
}

void TrackedSlide::Solver::restore(const State& state) {
  started_ = !state.empty();
  if (!started_) return;
  dynamics_.restore(state);
  hold_bindings();
  drift_.centre = Eigen::Map<const Vec3>(state.numbers.at("centre").data());
  const std::vector<double>& seen = state.numbers.at("seen");
  target_.resume(dynamics_.state().time, {seen.at(0), seen.at(1)});
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
bool TrackedSlide::holds_slide_limits() const { return solver_->holds_slide_limits(); }
double TrackedSlide::top_slide_speed() const { return solver_->top_slide_speed(); }
State TrackedSlide::save() const { return solver_->save(); }
void TrackedSlide::restore(const State& state) { solver_->restore(state); }
const Points& TrackedSlide::nodes() const { return solver_->nodes(); }
const IdVector<VertexId, SurfacePoint>& TrackedSlide::bindings() const { return solver_->bindings(); }
int TrackedSlide::rejected() const { return solver_->rejected(); }
std::size_t TrackedSlide::inverted() const { return solver_->inverted(); }

}  // namespace cutis
