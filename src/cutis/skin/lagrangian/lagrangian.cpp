#include "cutis/skin/lagrangian/lagrangian.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cutis/core/parallel.h"
#include "cutis/skin/lagrangian/skin_model.h"
#include "cutis/skin/mappable.h"
#include "cutis/skin/problem/skin_setup.h"
#include "cutis/skin/saved_points.h"
#include "cutis/solve/newton.h"
#include "cutis/solve/sparse_cholesky.h"
#include "cutis/surface/geodesic/closest_point.h"

namespace cutis {
namespace {

/// How often a step that fails is cut in two: into 32 pieces.
constexpr int kMaxCuts = 5;
/// A start is first solved with the simplest law where its energy is above twice that of the skin before, by
/// this share of the energy at a strain of one.
constexpr double kSoftenAboveEnergy = 0.1;
/// Conjugate gradients with the last factor, which near the end of a solve are cheaper than another factor:
/// five cost as much.
constexpr int kLaggedIterations = 4;
/// Tolerances below which the decrement counts as near the end: earlier, four are not enough.
constexpr double kLaggedBelow = 30;
/// Skin beside a path may slide so many times as far as the skin that the path leads.
constexpr double kLedReach = 2;
/// Rounds of retracting skin that nothing holds to where it was in space, at the start of a step.
constexpr int kTransportRounds = 3;

Vec3 middle(const Points& points) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& x : points) sum += x;
  return sum / static_cast<double>(points.size());
}

}  // namespace

class LagrangianSlide::Solver {
 public:
  Solver(const Body& body, LagrangianOptions options);

  StepReport advance(double time);
  SkinState skin() const;
  State save() const;
  void restore(const State& state);
  const SkinTissue& tissue() const { return tissue_; }
  const SourcePoints& positions() const { return positions_; }

  const IdVector<VertexId, double>& slide_limits() const { return skin_.options.slide_limit; }

 private:
  /// Where the body and the keyed paths are [s]; they differ only on the way to the first frame.
  struct Moment {
    double body = 0, path = 0;
  };
  /// All that one step hands to the next.
  struct Memory {
    bool started = false;
    Moment now;
    double energy = 0;  ///< [J]
    SkinPoints points;
    Points places;  ///< in space, relative to the middle of the body; kept only for skin that nothing holds
  };

  const Body& body_;
  SkinModel skin_;
  SparseCholesky factor_;
  NonlinearElimination elimination_;
  std::optional<MembraneEnergy> soft_;  ///< by the simplest law there is
  NewtonOptions newton_;
  Memory memory_;
  SkinTissue tissue_;
  std::optional<SlideSurface> flat_;  ///< where the skin is to lie on the body's own triangles
  Points body_now_;
  SourcePoints positions_;

  StepReport first(double time);
  StepReport ramp();
  int soften();
  StepReport advance_to(const Moment& to, int cuts);
  StepReport step(const Moment& to, bool keep_failed);
  StepReport solve();
  void update_body(double time);
  double slide_reach(const SkinPoints& carried, double dt) const;
  void start_step(const Moment& to);
  void transport_unheld();
  void remember(const Moment& moment);
  void write_positions(double time);
  SkinPoints written_points() const;
  const SlideSurface& written_surface() const { return flat_ ? *flat_ : skin_.surface; }
};

LagrangianSlide::Solver::Solver(const Body& body, LagrangianOptions options)
    : body_(body),
      skin_(body, std::move(options)),
      elimination_(skin_.problem),
      tissue_(skin_tissue(*skin_.rest, skin_.elements, skin_.options.material)),
      positions_(body.source().positions) {
  if (!skin_.options.limit_surface) flat_.emplace(body, SlidesOn::Polygon);
  if (!skin_.options.ramp.empty())
    soft_.emplace(skin_.elements.elements,
                  std::make_shared<const CompressionBarrier>(skin_.options.ramp.front()));
  newton_.tolerance = skin_.options.tolerance;
  newton_.lagged_iterations = kLaggedIterations;
  newton_.lagged_below = kLaggedBelow;
  newton_.max_iterations = skin_.options.max_iterations;
  newton_.scale = skin_.scale;
}

StepReport LagrangianSlide::Solver::advance(double time) {
  StepReport report;
  if (!memory_.started) {
    report = first(time);
  } else {
    const double from = memory_.now.body;
    const int steps = skin_.options.substeps.value_or(1);
    for (int i = 1; i <= steps; ++i) {
      const double to = i == steps ? time : from + (time - from) * i / steps;
      const int iterations = report.iterations;
      report = advance_to({to, to}, 0);
      report.iterations += iterations;
    }
  }
  write_positions(time);
  report.barrier = skin_.barrier_share();
  return report;
}

/// From rest to the first frame: the loads one after the other where all at once is too much, then the paths
/// from their beginning.
StepReport LagrangianSlide::Solver::first(double time) {
  memory_.points.resize(skin_.rest->mesh().vertex_count());
  for (VertexId v : ids<VertexId>(memory_.points.size())) memory_.points[v] = skin_.surface.home(v);
  Moment start{time, time};
  for (const SkinPath& path : skin_.options.paths) start.path = std::min(start.path, path.times.front());
  update_body(time);
  skin_.constraints.place(start.path, memory_.points);
  skin_.problem.start(body_now_, skin_.membrane, memory_.points);
  const int softened = soften();
  StepReport report = solve();
  report.iterations += softened;
  if (!report.converged) report = ramp();
  memory_.now = start;
  remember(start);
  memory_.started = true;
  if (start.path < time) {
    const int iterations = report.iterations;
    report = advance_to({time, time}, 0);
    report.iterations += iterations;
  }
  return report;
}

/// ViSkin, 5.3: "For the first frame of the sequences, we repeat the simulation adding exponential behavior,
/// anisotropy, and pre-stretch in sequence."
StepReport LagrangianSlide::Solver::ramp() {
  std::vector<std::shared_ptr<const MembraneMaterial>> laws = skin_.options.ramp;
  laws.push_back(skin_.options.material);
  SkinPoints points = memory_.points;
  int iterations = 0;
  for (const auto& law : laws) {
    const MembraneEnergy relaxed(skin_.elements.relaxed, std::make_shared<const CompressionBarrier>(law));
    skin_.problem.start(body_now_, relaxed, std::move(points));
    iterations += solve().iterations;
    points = skin_.problem.points();
  }
  skin_.problem.start(body_now_, skin_.membrane, std::move(points));
  StepReport report = solve();
  report.iterations += iterations;
  return report;
}

/// "If the body displacement between two frames is large, we first simulate without the exponential terms."
int LagrangianSlide::Solver::soften() {
  if (!soft_ ||
      skin_.problem.energy() < 2 * memory_.energy + kSoftenAboveEnergy * newton_.scale * newton_.scale)
    return 0;
  skin_.problem.start(body_now_, *soft_, SkinPoints(skin_.problem.points()));
  const int iterations = solve().iterations;
  skin_.problem.start(body_now_, skin_.membrane, SkinPoints(skin_.problem.points()));
  return iterations;
}

/// One step, cut in two where it fails. Where the smallest pieces fail, too, the skin is kept and reported.
StepReport LagrangianSlide::Solver::advance_to(const Moment& to, int cuts) {
  const Memory before = memory_;
  StepReport report = step(to, cuts == kMaxCuts);
  if (report.converged || cuts == kMaxCuts) return report;
  memory_ = before;
  const Moment from = before.now;
  const StepReport half = advance_to({0.5 * (from.body + to.body), 0.5 * (from.path + to.path)}, cuts + 1);
  const int iterations = report.iterations + half.iterations;
  report = half.converged ? advance_to(to, cuts + 1) : step(to, true);
  report.iterations += iterations;
  return report;
}

StepReport LagrangianSlide::Solver::step(const Moment& to, bool keep_failed) {
  update_body(to.body);
  start_step(to);
  // Skin that a path moves may run over the skin beside it.
  if (!std::isfinite(skin_.problem.energy()) && !keep_failed)
    return {false, 0, std::numeric_limits<double>::infinity(), "too far at once"};
  const int softened = soften();
  StepReport report = solve();
  report.iterations += softened;
  remember(to);
  return report;
}

StepReport LagrangianSlide::Solver::solve() {
  if (skin_.unknowns.vertices.empty()) return {};
  if (!std::isfinite(skin_.problem.energy()))
    return {false, 0, std::numeric_limits<double>::infinity(),
            "skin lies folded or without area where the step starts; look at the body, paths and curves"};
  const NewtonReport report = minimize(skin_.problem, factor_, newton_, &elimination_);
  return {report.converged, report.iterations, report.decrement, report.reason};
}

void LagrangianSlide::Solver::update_body(double time) {
  body_now_ = body_.positions(time);
  skin_.surface.update(body_now_);
}

/// How far skin may slide in a step. Where a path leads its skin faster, that beside it must follow.
double LagrangianSlide::Solver::slide_reach(const SkinPoints& carried, double dt) const {
  if (!(skin_.options.slide_rate.speed > 0)) return std::numeric_limits<double>::infinity();
  double led = 0;
  for (VertexId v : ids<VertexId>(carried.size()))
    if (skin_.constraints.role(v) == SkinRole::Prescribed)
      led = std::max(led, (skin_.surface.evaluate(carried[v]).position -
                           skin_.surface.evaluate(memory_.points[v]).position)
                              .norm());
  return std::max(skin_.options.slide_rate.speed * dt, kLedReach * led);
}

/// Skin starts where the body carries it; skin that nothing holds, where it was in space.
void LagrangianSlide::Solver::start_step(const Moment& to) {
  SkinPoints carried = memory_.points;
  skin_.constraints.place(to.path, carried);
  const SlideRate& rate = skin_.options.slide_rate;
  const double dt = to.body - memory_.now.body;
  const double reach = slide_reach(carried, dt);
  skin_.problem.start_step(body_now_, skin_.membrane, std::move(carried), dt, rate.drag, reach);
  if (!skin_.null_space.empty()) transport_unheld();
}

/// Nothing tells where floating skin is to stay but where it was. Weak springs to its place before hold it
/// against the unevenness of the mesh, which would draw it home.
void LagrangianSlide::Solver::transport_unheld() {
  const Vec3 centre = middle(body_now_);
  Points places = memory_.places;
  for (Vec3& x : places) x += centre;
  skin_.problem.regularise_null_space(places, skin_.null_space);
  for (int round = 0; round < kTransportRounds; ++round) {
    IdVector<VertexId, Vec3> vectors(body_now_.size(), Vec3::Zero());
    for (VertexId v : skin_.unknowns.vertices)
      if (skin_.null_space[v] > 0) vectors[v] = places[v] - skin_.problem.positions()[v];
    skin_.problem.start(skin_.problem.retracted(vectors));
  }
}

void LagrangianSlide::Solver::remember(const Moment& moment) {
  memory_.now = moment;
  memory_.points = skin_.problem.points();
  memory_.energy = skin_.problem.energy();
  if (skin_.null_space.empty()) return;
  const Vec3 centre = middle(body_now_);
  memory_.places = skin_.problem.positions();
  for (Vec3& x : memory_.places) x -= centre;
}

void LagrangianSlide::Solver::write_positions(double time) {
  if (flat_) flat_->update(body_now_);
  positions_ = written_surface().place(body_.source_positions(time), body_.weld(), written_points());
}

/// Where the skin is solved is where it is written, unless it is to lie on flat triangles. Those have kinks,
/// on which Newton's method finds no derivative, so it is solved on the smooth surface and laid onto them: on
/// the closest place. By its barycentrics it would be drawn out or pressed together wherever triangles are
/// uneven, by an amount that does not fall as they become smaller.
SkinPoints LagrangianSlide::Solver::written_points() const {
  SkinPoints points = memory_.points;
  if (!flat_) return points;
  const Topology& topology = skin_.rest->topology();
  parallel_for(points.size(), [&](std::size_t i) {
    const VertexId v(i);
    SurfacePoint& p = points[v];
    if (!p.face.valid()) return;
    const Vec3 solved = skin_.surface.position(v, p);
    if (solved != body_now_[v]) p = closest_point_local(topology, body_now_, p, solved).point;
  });
  return points;
}

SkinState LagrangianSlide::Solver::skin() const {
  SkinState state;
  const std::shared_ptr<const Surface>& rest = body_.surface();
  Points written = rest->positions();
  if (memory_.started) {
    const SkinPoints points = written_points();
    state.map = skin_map(rest, points);
    parallel_for(written.size(), [&](std::size_t i) {
      written[VertexId(i)] = written_surface().position(VertexId(i), points[VertexId(i)]);
    });
  } else if (!unmappable_vertex(*rest)) {
    state.map = SurfaceMap::identity(rest);
  }
  tissue_.strain(rest->mesh(), written, state);
  return state;
}

State LagrangianSlide::Solver::save() const {
  State state;
  if (!memory_.started) return state;
  state.numbers["moment"] = {memory_.now.body, memory_.now.path, memory_.energy};
  save_points(memory_.points, "points", state);
  if (memory_.places.empty()) return state;
  std::vector<double>& places = state.numbers["places"];
  for (const Vec3& x : memory_.places) places.insert(places.end(), x.begin(), x.end());
  return state;
}

void LagrangianSlide::Solver::restore(const State& state) {
  memory_ = {};
  if (state.empty()) return;
  const std::vector<double>& moment = state.numbers.at("moment");
  memory_.started = true;
  memory_.now = {moment.at(0), moment.at(1)};
  memory_.energy = moment.at(2);
  memory_.points = saved_points(state, "points", skin_.rest->mesh());
  if (skin_.null_space.empty()) return;
  const std::vector<double>& places = state.numbers.at("places");
  for (std::size_t i = 0; i + 2 < places.size(); i += 3)
    memory_.places.push_back({places[i], places[i + 1], places[i + 2]});
}

LagrangianSlide::LagrangianSlide(const Body& body, LagrangianOptions options)
    : solver_(std::make_unique<Solver>(body, std::move(options))) {}
LagrangianSlide::~LagrangianSlide() = default;
StepReport LagrangianSlide::advance(double time) { return solver_->advance(time); }
const SourcePoints& LagrangianSlide::positions() const { return solver_->positions(); }
SkinState LagrangianSlide::skin() const { return solver_->skin(); }
const SkinTissue* LagrangianSlide::tissue() const { return &solver_->tissue(); }
State LagrangianSlide::save() const { return solver_->save(); }
void LagrangianSlide::restore(const State& state) { solver_->restore(state); }
IdVector<VertexId, double> LagrangianSlide::slide_limits() const { return solver_->slide_limits(); }

}  // namespace cutis
