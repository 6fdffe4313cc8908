#include "cutis/skin/eulerian/eulerian.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <Eigen/LU>

#include "cutis/body/saved_vectors.h"
#include "cutis/core/parallel.h"
#include "cutis/skin/eulerian/eulerian_model.h"
#include "cutis/skin/mappable.h"
#include "cutis/skin/saved_points.h"
#include "cutis/solve/backward_difference.h"
#include "cutis/solve/newton.h"
#include "cutis/solve/sparse_cholesky.h"

namespace cutis {
namespace {

using Vectors = SkinAdvection::Vectors;

/// A step of this length is a static one: inertia does no more than hold skin that nothing else holds [s].
constexpr double kStaticStep = 1e3;
/// Solves of a static step: what triangles see of the skin, and loads, are those of the solve before.
constexpr int kStaticRounds = 8;
/// Skin moves over no more than so many edges in a step: as many steps are taken as all but a few vertices
/// need, and these, in folds of the body, are held back.
constexpr double kMaxEdgesPerStep = 2;
constexpr double kHeldBack = 0.005;  ///< of the vertices
constexpr int kMaxSubsteps = 8;
/// Substeps are as short as the skin's own motion needs: what they miss of it, gathered over as long as the
/// skin remembers, is no more than this share of how far it slides. The method misses 2/9 h u'' h per step of
/// backward differences of second order, u the velocity over the body.
constexpr double kMaxTimeError = 0.05;
constexpr double kErrorPerStep = 2.0 / 9;
constexpr double kMemory = 1;            ///< of skin without damping [s]
constexpr double kLeastAmplitude = 0.1;  ///< skin that slides by less, in edges, is followed as if by so much
constexpr int kMaxControlledSubsteps = 32;
/// A frame is stepped again where it misses more than so many times what it may.
constexpr double kMaxExcess = 2;
constexpr int kMaxRefinement = 4;  ///< times as many substeps
/// Shorter substeps are kept where they miss less by their number to this power; by its square in smooth
/// motion.
constexpr double kLeastGain = 0.75;
/// What misses more, times what it may, is a blow, and stepped as finely as may be.
constexpr double kMostTolerated = 16;
/// Keyed paths are gone along in pieces where skin is further than so many edges from where it is to be.
constexpr double kMaxEdgesPerPath = 0.5;
constexpr int kMaxPathPieces = 64;
/// A dynamic step that these do not bring to its end is gone on from: the next one does the rest.
constexpr int kMaxIterations = 30;

/// What a turn by an angle about the normal adds to a vector of a tangent plane.
Vec3 turn_of(const Vec3& vector, const TangentPlane& frame, double angle) {
  return (std::cos(angle) - 1) * vector + std::sin(angle) * frame.normal.cross(vector);
}

}  // namespace

class EulerianSlide::Solver {
 public:
  Solver(const Body& body, EulerianOptions options);

  StepReport advance(double time);
  SkinState skin() const;
  State save() const;
  void restore(const State& state);
  const SkinTissue& tissue() const { return skin_.measured; }
  const SourcePoints& positions() const { return positions_; }
  const IdVector<VertexId, double>& slide_limits() const { return skin_.options.slide_limit; }
  const SkinPoints& points() const { return memory_.points; }
  Vectors slide_velocities() const { return memory_.relative; }
  Energy energy() const;

 private:
  /// All that one step hands to the next. Velocities are of the skin at the body's vertices.
  struct Memory {
    bool started = false;
    double time = 0, time_before = 0;  ///< now and one step before [s]; the same where there was none
    SkinPoints points;                 ///< of the skin, at each vertex of the body
    /// Of the skin itself: in space, without the share of the body's that it takes along (own velocity);
    /// and the same of the same skin one step before [m/s].
    Vectors own, own_before;
    Vectors slide;  ///< over the body in the last step, of the skin that is there now [m]
    /// Over the body, and the same of the same skin one step before [m/s].
    Vectors relative, relative_before;
    SkinPoints on_body;    ///< for each vertex of the skin, the point of the body that it is at
    double substeps = 1;   ///< that the next frame begins with
    double amplitude = 0;  ///< how far skin has slid of late, root mean square [m]
    double tolerated = 1;  ///< times as much as they may substeps miss, since shorter ones gained nothing
  };
  using Pose = RingedSurface;  ///< the body at a moment
  /// What skin would do without elasticity.
  struct Prediction {
    Vectors lag;  ///< velocity of the body that skin does not take along, at the end [m/s]
    Vec3 common;  ///< its mean at the start [m/s]
    Vectors own;  ///< extrapolated, of the skin at the start [m/s]
    /// The angle about the normal by which the body takes skin along from the start to the end [rad].
    IdVector<VertexId, double> turn;
    SkinAdvection::Displacement displacement;  ///< over the body during the step
    Vectors slide;                             ///< the same, at the vertex where skin starts [m]
  };

  const Body& body_;
  EulerianModel skin_;
  SparseCholesky factor_;
  NonlinearElimination elimination_;
  NewtonOptions newton_;
  Memory memory_;
  SlideSurface written_;  ///< where the skin is to lie
  Pose pose_;             ///< at memory_.time
  Points before_;         ///< the body's vertices at memory_.time_before; empty: there was no step
  /// What substeps() has looked at: where one step is enough, it starts from there.
  struct Ahead {
    double time = 0;
    Pose pose;
    Prediction free;
  };
  std::optional<Ahead> ahead_;
  double missed_ = 0;  ///< by the substeps of a frame, root mean square [m]
  SourcePoints positions_;

  void start(double time);
  StepReport settle(double paths_from);
  StepReport settle();
  StepReport step(double to);
  StepReport solve_along_paths(double from, double to);
  int path_pieces(double from, double to) const;
  StepReport solve();
  Points on_smooth_body(double time) const;
  Pose pose_at(double time) const;
  BackwardDifference difference(double dt) const;
  Prediction predict(double to, const Pose& next, const BackwardDifference& by) const;
  /// Of the body around a vertex, from the pose now to the next.
  struct Motion {
    Mat2 jacobian;
    double turn = 0;
  };
  Motion motion(VertexId v, const Pose& next) const;
  double stickiness(VertexId v, const Vec3& velocity, const TangentPlane& frame) const;
  Points body_before(double dt, const Pose& next) const;
  Vectors displacement(const SkinConfiguration& from, const SkinConfiguration& to, const Pose& pose) const;
  IdVector<VertexId, char> carried_astray(const SkinConfiguration& before, const SkinConfiguration& carried,
                                          const Vectors& upstream, const Pose& pose) const;
  void set_inertia(const Pose& pose, double step);
  void regularise_null_space();
  void set_load();
  Vec3 along_curve(VertexId v, const Vec3& slide, const Pose& pose) const;
  void hold_back(std::size_t unknown, const Pose& pose, Vec3& slide) const;
  Ahead look_ahead(double to) const;
  int substeps(double to);
  bool chooses_steps() const;
  StepReport advance_in_steps(double to, int steps);
  StepReport advance_as_motion_needs(double to);
  /// All that a frame begins with.
  struct Moment {
    Memory memory;
    Pose pose;
    Points before;
  };
  Moment moment() const;
  void go_back_to(const Moment& moment);
  double allowed_miss(double frame);
  void write_positions();
};

EulerianSlide::Solver::Solver(const Body& body, EulerianOptions options)
    : body_(body),
      skin_(body, std::move(options)),
      elimination_(skin_.problem),
      written_(skin_.options.limit_surface ? skin_.with_offsets : SlideSurface(body, SlidesOn::Polygon)),
      positions_(body.source().positions) {
  newton_.tolerance = skin_.options.tolerance;
  newton_.max_iterations = std::min(skin_.options.max_iterations, kMaxIterations);
  newton_.scale = skin_.scale;
  newton_.check_by_factor = true;
}

StepReport EulerianSlide::Solver::advance(double time) {
  StepReport report;
  if (!memory_.started) {
    start(time);
    if (skin_.options.start.empty()) report = settle(std::min(time, skin_.keyed.first_time()));
  } else if (skin_.options.integrator == Integrator::Static) {
    const double from = std::exchange(memory_.time, time);
    memory_.time_before = time;
    pose_ = pose_at(time);
    report = settle(from);
  } else {
    if (skin_.constraints.has_curves()) skin_.set_skin(skin_.problem.state());  // for the first look ahead
    report = chooses_steps() ? advance_as_motion_needs(time) : advance_in_steps(time, substeps(time));
  }
  write_positions();
  const double elastic = skin_.elastic_energy();
  report.barrier = elastic > 0 ? skin_.barrier_energy() / elastic : 0;
  return report;
}

StepReport EulerianSlide::Solver::advance_in_steps(double to, int steps) {
  StepReport report;
  const double from = memory_.time;
  missed_ = 0;
  for (int i = 1; i <= steps; ++i) {
    // Steps of one frame share a factor while that is enough; it is new in each frame, so that a resumed
    // run goes on alike.
    newton_.keep_factor = i >= 2;
    const StepReport one = step(i == steps ? to : from + (to - from) * i / steps);
    const int iterations = report.iterations + one.iterations;
    if (report.converged) report = one;
    report.iterations = iterations;
  }
  return report;
}

bool EulerianSlide::Solver::chooses_steps() const {
  const EulerianOptions& o = skin_.options;
  return !o.substeps && !o.time_step && o.integrator == Integrator::Bdf2;
}

/// A frame, with substeps as short as keep what they miss within bounds. Steps get longer from frame to frame
/// by no more than the method of second order allows. Where shorter ones twice do not miss less, as in skin
/// that is thrown from limit to limit, the longer ones are kept, and it is some time before shorter ones are
/// tried again. Once is no reason: whole frames miss little of a sudden stop, since they do not see it.
StepReport EulerianSlide::Solver::advance_as_motion_needs(double to) {
  const Moment start = moment();
  int steps = std::max(static_cast<int>(std::ceil(memory_.substeps)), substeps(to));
  StepReport report = advance_in_steps(to, steps);
  struct Longer {
    Moment moment;
    StepReport report;
    int steps = 0;
    double excess = 0;
  };
  std::optional<Longer> longer;
  for (;;) {
    const double missed = missed_, allowed = allowed_miss(to - start.memory.time);
    const double excess = missed / (memory_.tolerated * allowed);
    if (excess <= kMaxExcess || steps >= kMaxControlledSubsteps) {
      memory_.substeps = steps * std::clamp(std::sqrt(excess), 0.5, 1.0);
      return report;
    }
    const int finer = std::min({static_cast<int>(std::ceil(steps * std::sqrt(missed / allowed))),
                                kMaxRefinement * steps, kMaxControlledSubsteps});
    const bool doubted = longer.has_value();
    if (!doubted) longer = Longer{moment(), report, steps, missed / allowed};
    go_back_to(start);
    const int iterations = report.iterations;
    report = advance_in_steps(to, finer);
    const bool gains = missed_ * std::pow(static_cast<double>(finer) / steps, kLeastGain) < missed;
    steps = finer;
    if (gains) {
      longer.reset();
    } else if (longer->excess <= kMostTolerated && (doubted || finer == kMaxControlledSubsteps)) {
      go_back_to(longer->moment);
      memory_.tolerated = longer->excess;
      memory_.substeps = longer->steps;
      longer->report.iterations = iterations + report.iterations;
      return longer->report;
    }
    report.iterations += iterations;
  }
}

EulerianSlide::Solver::Moment EulerianSlide::Solver::moment() const { return {memory_, pose_, before_}; }

void EulerianSlide::Solver::go_back_to(const Moment& moment) {
  memory_ = moment.memory;
  pose_ = moment.pose;
  before_ = moment.before;
  ahead_.reset();
  skin_.problem.start(skin_.surface.on_surface(), memory_.points);
  if (skin_.constraints.has_curves()) skin_.set_skin(skin_.problem.state());
}

/// In a frame of a length, by the skin as it lies now [m].
double EulerianSlide::Solver::allowed_miss(double frame) {
  const double memory = 1 / (0.5 * skin_.options.damping + 1 / kMemory),
               share = kMaxTimeError * kMemory / memory;
  const Points& now = skin_.problem.state().positions;
  const Points home = skin_.surface.on_surface();
  double sum = 0, mass = 0;
  for (VertexId v : skin_.unknowns.vertices) {
    sum += skin_.masses[v] * (now[v] - home[v]).squaredNorm();
    mass += skin_.masses[v];
  }
  memory_.tolerated = std::max(1.0, memory_.tolerated * std::exp(-frame / memory));
  memory_.amplitude =
      std::max(memory_.amplitude * std::exp(-frame / memory), mass > 0 ? std::sqrt(sum / mass) : 0);
  return share * std::max(memory_.amplitude, kLeastAmplitude * skin_.mean_edge) * frame / memory;
}

void EulerianSlide::Solver::start(double time) {
  const std::size_t n = skin_.rest->mesh().vertex_count();
  memory_.started = true;
  memory_.time = memory_.time_before = time;
  memory_.points = skin_.options.start;
  if (memory_.points.empty())
    for (VertexId v : ids<VertexId>(n)) memory_.points.push_back(skin_.surface.home(v));
  memory_.own = memory_.slide = memory_.relative = memory_.relative_before = Vectors(n, Vec3::Zero());
  pose_ = pose_at(time);
  const Points velocities = body_.weld().gather(body_.source_velocities(time));
  for (VertexId v : ids<VertexId>(n)) {
    const Mat32& T = pose_.frames[v].tangent;
    if (!skin_.options.start_velocity.empty() && skin_.unknowns.block[v] >= 0)
      memory_.relative[v] = T * (T.transpose() * skin_.options.start_velocity[v]);
    memory_.own[v] =
        memory_.relative[v] + (1 - stickiness(v, velocities[v], pose_.frames[v])) * velocities[v];
  }
  memory_.relative_before = memory_.relative;
  memory_.own_before = memory_.own;
  skin_.problem.start(skin_.surface.on_surface(), memory_.points);
  skin_.flow.set_body(pose_.positions, skin_.problem.state());
}

/// Where the body's vertices are on its smooth surface, as the skin at rest lies on its own.
Points EulerianSlide::Solver::on_smooth_body(double time) const {
  return skin_.surface.on_surface(body_.positions(time));
}

EulerianSlide::Solver::Pose EulerianSlide::Solver::pose_at(double time) const {
  Points positions = on_smooth_body(time);
  const auto normals = angle_weighted_normals(skin_.rest->mesh(), positions);
  return skin_.rings.surface(std::move(positions), normals);
}

/// To where it would come to rest on the body as it lies now, with keyed paths gone along from a time on.
StepReport EulerianSlide::Solver::settle(double paths_from) {
  if (skin_.keyed.empty()) return settle();
  StepReport report;
  const int pieces = path_pieces(paths_from, memory_.time);
  for (int i = 1; i <= pieces; ++i) {
    skin_.set_paths(paths_from + (memory_.time - paths_from) * i / pieces);
    const int iterations = report.iterations;
    report = settle();
    report.iterations += iterations;
  }
  return report;
}

StepReport EulerianSlide::Solver::settle() {
  StepReport report;
  int iterations = 0;
  for (int round = 0; round < kStaticRounds; ++round) {
    skin_.flow.set_body(pose_.positions, skin_.problem.state());
    set_inertia(pose_, kStaticStep);
    regularise_null_space();
    set_load();
    skin_.problem.start_again();
    newton_.keep_factor = false;
    report = solve();
    memory_.points = skin_.problem.points();
    iterations += report.iterations;
    if (report.iterations == 0) break;
  }
  skin_.load.set_forces({}, {});
  skin_.problem.start_again();
  report.iterations = iterations;
  return report;
}

/// Nothing tells where floating skin is to stay but where it is: weak springs hold it there, against the
/// unevenness of the mesh, which Newton's method would follow all around the body.
void EulerianSlide::Solver::regularise_null_space() {
  if (skin_.null_space.empty()) return;
  skin_.inertia.set_springs(skin_.problem.state().positions, skin_.null_space);
}

/// A force f on skin that moves over the body by u = -G q does the work -f · G q.
void EulerianSlide::Solver::set_load() {
  const SkinConfiguration& at = skin_.problem.state();
  Points forces(at.points.size(), Vec3::Zero());
  parallel_for(forces.size(), [&](std::size_t i) {
    const VertexId v(i);
    if (skin_.unknowns.block[v] < 0) return;
    const Vec3 force = skin_.masses[v] * skin_.forces.acceleration(at.points[v], memory_.time);
    const Mat2 G = skin_.rings.jacobian(skin_.skin_coordinates, pose_.coordinates, v);
    forces[v] = -at.jets[v].tangent * (G.transpose() * (pose_.frames[v].tangent.transpose() * force));
  });
  skin_.load.set_forces(std::move(forces), at.positions);
}

StepReport EulerianSlide::Solver::solve() {
  if (skin_.unknowns.vertices.empty()) return {};
  const NewtonReport report = minimize(skin_.problem, factor_, newton_, &elimination_);
  return {report.converged, report.iterations, report.decrement, report.reason};
}

int EulerianSlide::Solver::path_pieces(double from, double to) const {
  const double edges = skin_.keyed.longest_way(from, to) / skin_.mean_edge;
  return std::clamp(static_cast<int>(std::ceil(edges / kMaxEdgesPerPath)), 1, kMaxPathPieces);
}

/// With keyed paths gone along from a time to that of the paths now, where that is far from the skin.
StepReport EulerianSlide::Solver::solve_along_paths(double from, double to) {
  if (skin_.keyed.empty()) return solve();
  int iterations = 0;
  if (skin_.transport.longest(skin_.problem.state()) > kMaxEdgesPerPath * skin_.mean_edge) {
    const int pieces = path_pieces(from, to);
    for (int i = 1; i < pieces; ++i) {
      skin_.set_paths(from + (to - from) * i / pieces);
      skin_.problem.start_again();
      iterations += solve().iterations;
    }
    skin_.set_paths(to);
    skin_.problem.start_again();
  }
  StepReport report = solve();
  report.iterations += iterations;
  return report;
}

/// Before the first step skin was carried along by its body: as if there had been a step like it.
BackwardDifference EulerianSlide::Solver::difference(double dt) const {
  if (skin_.options.integrator != Integrator::Bdf2) return {dt, 0};
  return BackwardDifference::second_order(dt, memory_.time - memory_.time_before);
}

/// The body's vertices one step before; before the first, `dt`, as on the parabola that leads from their
/// velocities now to where they will be.
Points EulerianSlide::Solver::body_before(double dt, const Pose& next) const {
  if (!before_.empty()) return before_;
  Points moved = body_.positions(memory_.time);
  const Points velocities = body_.weld().gather(body_.source_velocities(memory_.time));
  for (VertexId v : ids<VertexId>(moved.size())) moved[v] += 2 * dt * velocities[v];
  moved = skin_.surface.on_surface(moved);
  Points before = next.positions;
  for (VertexId v : ids<VertexId>(moved.size())) before[v] -= moved[v] - pose_.positions[v];
  return before;
}

/// Zeta: the share of the body's tangential velocity that skin takes along (Eq. 12).
double EulerianSlide::Solver::stickiness(VertexId v, const Vec3& velocity, const TangentPlane& frame) const {
  const EulerianOptions& o = skin_.options;
  const double zeta = o.stickiness.empty() ? 1 : o.stickiness[v];
  if (o.stickiness_limit.empty()) return zeta;
  const double speed = (frame.tangent.transpose() * velocity).norm();
  return speed > o.stickiness_limit[v] ? zeta * o.stickiness_limit[v] / speed : zeta;
}

/// The linear map between the tangent planes of a vertex of the body in two poses, and the angle about the
/// normal by which it turns beyond the shortest turn that takes normal to normal [rad].
EulerianSlide::Solver::Motion EulerianSlide::Solver::motion(VertexId v, const Pose& next) const {
  const TangentPlane &from = pose_.frames[v], &to = next.frames[v];
  Mat32 carried;
  for (int k = 0; k < 2; ++k) carried.col(k) = transported(from.tangent.col(k), from.normal, to.normal);
  Motion out{skin_.rings.jacobian(pose_.coordinates, next.coordinates, v), 0};
  const Mat2 turned = out.jacobian * (to.tangent.transpose() * carried).transpose();
  out.turn = std::atan2(turned(1, 0) - turned(0, 1), turned(0, 0) + turned(1, 1));
  return out;
}

/// Skin takes the share zeta of the body's velocity along, the normal part included, so that a body that
/// turns leaves its skin exactly where it is at zeta = 1, and the same share of its turn about the normal:
/// there skin that moves by itself does so as on a body at rest.
EulerianSlide::Solver::Prediction EulerianSlide::Solver::predict(double to, const Pose& next,
                                                                 const BackwardDifference& by) const {
  const std::size_t n = memory_.points.size();
  const Points before = by.carry > 0 ? body_before(to - memory_.time, next) : pose_.positions;
  const double damped = std::exp(-skin_.options.damping * by.step) * by.step;
  const Vectors none(n, Vec3::Zero());
  const bool is_first = !(memory_.time_before < memory_.time);  // as if there had been a step like it
  Prediction out{none, Vec3::Zero(), none, IdVector<VertexId, double>(n, 0), {none, Vec3::Zero(), none, {}},
                 none};
  for (VertexId v : ids<VertexId>(n))
    out.common += (memory_.own[v] - memory_.relative[v]) / static_cast<double>(n);
  out.displacement.common = damped * out.common;
  parallel_for(n, [&](std::size_t i) {
    const VertexId v(i);
    const TangentPlane &now = pose_.frames[v], &frame = next.frames[v];
    const auto extrapolated = [&](const Vec3& last, const Vec3& one_before) -> Vec3 {
      return last + by.carry * (last - one_before);
    };
    const Vec3 velocity =
        (next.positions[v] - pose_.positions[v] - by.carry * (pose_.positions[v] - before[v])) / by.step;
    const double zeta = stickiness(v, velocity, frame);
    const Motion body = motion(v, next);
    out.lag[v] = (1 - zeta) * velocity;
    out.turn[v] = zeta * body.turn;
    out.own[v] = extrapolated(memory_.own[v], memory_.own_before[v]) +
                 turn_of(extrapolated(memory_.relative[v], memory_.relative_before[v]), now, out.turn[v]);
    if (skin_.unknowns.block[v] >= 0)
      out.own[v] += by.step * skin_.forces.acceleration(memory_.points[v], to);
    const Vec3 slide = is_first ? Vec3((to - memory_.time) * memory_.relative[v]) : memory_.slide[v];
    const Vec3 slid = frame.tangent * (body.jacobian * (now.tangent.transpose() * slide));
    Vec3& of_skin = out.displacement.of_skin[v];
    of_skin = by.carry * transported(slid, frame.normal, now.normal) + damped * out.own[v];
    out.displacement.of_vertex[v] = -damped * frame.tangent * (frame.tangent.transpose() * out.lag[v]);
    if (skin_.unknowns.block[v] < 0) return;
    const Vec3 there =
        frame.tangent *
        (frame.tangent.transpose() * turned_with(now.normal, frame.normal, of_skin, out.displacement.common));
    out.slide[v] = along_curve(v, there + out.displacement.of_vertex[v], next);
  });
  return out;
}

/// Skin that slides along a curve only: what a way over the body has along it. The model has seen the skin
/// (set_skin) at the start of the step or, once it is predicted, there.
Vec3 EulerianSlide::Solver::along_curve(VertexId v, const Vec3& slide, const Pose& pose) const {
  if (skin_.constraints.role(v) != SkinRole::OnCurve) return slide;
  const SkinConfiguration& at = skin_.problem.state();
  const Mat2& to_barycentric = at.jets[v].to_barycentric;
  if (!(std::abs(to_barycentric.determinant()) > 0)) return Vec3::Zero();
  const Vec2 over_skin = to_barycentric.inverse() * at.curve_places[v].rates;
  const Mat2 G = skin_.rings.jacobian(skin_.skin_coordinates, pose.coordinates, v);
  const Vec3 direction = pose.frames[v].tangent * (G * over_skin);
  const double length = direction.norm();
  return length > 0 ? Vec3(direction * (direction.dot(slide) / (length * length))) : Vec3(Vec3::Zero());
}

/// Cuts a way over the body to so many edges.
void EulerianSlide::Solver::hold_back(std::size_t unknown, const Pose& pose, Vec3& slide) const {
  const double most = kMaxEdgesPerStep * skin_.unknowns.mean_edge(unknown, pose.positions);
  const double length = slide.norm();
  if (length > most) slide *= most / length;
}

/// M = mass GᵀG / step² (Eq. 6), where G takes ways over the skin at rest to ways over the body. Skin at the
/// problem's points.
void EulerianSlide::Solver::set_inertia(const Pose& pose, double step) {
  const SkinConfiguration& at = skin_.problem.state();
  skin_.set_skin(at);
  IdVector<VertexId, Mat3> inertia(at.points.size(), Mat3::Zero());
  parallel_for(inertia.size(), [&](std::size_t i) {
    const VertexId v(i);
    const Mat2 G = skin_.rings.jacobian(skin_.skin_coordinates, pose.coordinates, v);
    const Mat2 metric = skin_.masses[v] / (step * step) * G.transpose() * G;
    inertia[v] = at.jets[v].tangent * metric * at.jets[v].tangent.transpose();
  });
  skin_.inertia.set_springs(at.positions, std::move(inertia));
}

/// Over the body, of skin whose points have changed: skin that comes from one side brings its points along.
/// The model has seen the skin as it was at first (set_skin).
Vectors EulerianSlide::Solver::displacement(const SkinConfiguration& from, const SkinConfiguration& to,
                                            const Pose& pose) const {
  Vectors out(from.points.size(), Vec3::Zero());
  parallel_for(out.size(), [&](std::size_t i) {
    const VertexId v(i);
    if (skin_.unknowns.block[v] < 0) return;
    const Vec2 q =
        tangent_coordinates({from.jets[v].tangent, from.jets[v].normal}, to.positions[v] - from.positions[v]);
    const Mat2 G = skin_.rings.jacobian(skin_.skin_coordinates, pose.coordinates, v);
    out[v] = -pose.frames[v].tangent * (G * q);
  });
  return out;
}

/// Whether skin was carried elsewhere than by the displacement upstream: off by more than its length. Where
/// rings are narrow or folded, the polynomial that carries skin (SkinAdvection) and the Jacobian between ways
/// over the skin and over the body may disagree even in sign: what elasticity takes back would then make skin
/// faster, step by step.
IdVector<VertexId, char> EulerianSlide::Solver::carried_astray(const SkinConfiguration& before,
                                                               const SkinConfiguration& carried,
                                                               const Vectors& upstream,
                                                               const Pose& pose) const {
  const Vectors back = displacement(carried, before, pose);
  IdVector<VertexId, char> astray(back.size(), false);
  parallel_for(astray.size(), [&](std::size_t i) {
    const VertexId v(i);
    astray[v] = (back[v] + upstream[v]).squaredNorm() > upstream[v].squaredNorm();
  });
  return astray;
}

/// Alg. 1: the body moves, skin is carried by its own motion, elasticity holds it back, and what belongs to
/// the skin is carried along.
StepReport EulerianSlide::Solver::step(double to) {
  const double dt = to - memory_.time;
  const BackwardDifference by = difference(dt);
  if (!ahead_ || ahead_->time != to) ahead_ = look_ahead(to);
  Pose next = std::move(ahead_->pose);
  Prediction free = std::move(ahead_->free);
  ahead_.reset();
  free.displacement.admissible = [&](VertexId v, const Vec3& way) -> Vec3 {
    if (skin_.unknowns.block[v] < 0) return Vec3::Zero();
    Vec3 out = along_curve(v, way, next);
    hold_back(static_cast<std::size_t>(skin_.unknowns.block[v]), next, out);
    return out;
  };
  SkinAdvection carry(skin_.rings, skin_.options.advection, pose_, next);

  carry.set_displacement(free.displacement);
  if (skin_.options.viscosity > 0) {
    skin_.flow.begin_viscous_step(pose_.positions, skin_.problem.state(), skin_.options.viscosity, dt);
    const IdVector<VertexId, Mat3> strain = skin_.flow.strain_before();
    IdVector<VertexId, Mat3> change = carry(strain);
    for (VertexId v : ids<VertexId>(change.size())) change[v] -= strain[v];
    skin_.flow.add_strain_before(change);
  }
  skin_.flow.set_body(next.positions, skin_.problem.state());
  const SkinConfiguration before = skin_.problem.state();
  skin_.problem.place(carry(before, skin_.surface));
  skin_.set_paths(to);
  set_inertia(next, by.step);
  const SkinConfiguration predicted = skin_.problem.state();
  const IdVector<VertexId, char> astray = carried_astray(before, predicted, carry.upstream(), next);
  // What is carried may turn triangles over; the skin before the step has none.
  if (!std::isfinite(skin_.problem.start_again())) skin_.problem.start(memory_.points);
  const StepReport report = solve_along_paths(memory_.time, to);
  skin_.flow.end_viscous_step();

  Vectors pulled = displacement(predicted, skin_.problem.state(), next);
  for (std::size_t i = 0; i < skin_.unknowns.vertices.size(); ++i) {
    const VertexId v = skin_.unknowns.vertices[i];
    hold_back(i, next, pulled[v]);
    free.displacement.of_vertex[v] += pulled[v];
  }
  carry.set_displacement(free.displacement);
  const double damped = std::exp(-skin_.options.damping * by.step);
  Vectors own_now = std::move(memory_.own), relative_now = std::move(memory_.relative),
          extrapolated = std::move(memory_.relative_before);
  const double last = memory_.time - memory_.time_before, ratio = last > 0 ? dt / last : 0;
  parallel_for(own_now.size(), [&](std::size_t i) {
    const VertexId v(i);
    const auto turn = [&](const Vec3& vector) { return turn_of(vector, pose_.frames[v], free.turn[v]); };
    extrapolated[v] = relative_now[v] + ratio * (relative_now[v] - extrapolated[v]);
    extrapolated[v] += turn(extrapolated[v]);
    own_now[v] += turn(relative_now[v]);
    relative_now[v] += turn(relative_now[v]);
  });
  const Vectors own = carry.vectors(std::move(free.own), free.common);
  Memory after;
  after.own_before = carry.vectors(std::move(own_now), free.common);
  after.relative_before = carry.vectors(std::move(relative_now), Vec3::Zero());
  after.own = after.relative = Vectors(own.size(), Vec3::Zero());
  parallel_for(own.size(), [&](std::size_t i) {
    const VertexId v(i);
    const Mat32& T = next.frames[v].tangent;
    if (skin_.unknowns.block[v] >= 0 && !astray[v]) {
      const Vec2 relative = damped * T.transpose() * (own[v] - free.lag[v]);
      after.relative[v] = along_curve(v, T * relative, next) + pulled[v] / by.step;
    }
    after.own[v] = after.relative[v] + free.lag[v];
  });
  if (chooses_steps()) {
    const Vectors steady = carry.vectors(std::move(extrapolated), Vec3::Zero());
    double sum = 0, mass = 0;
    for (VertexId v : skin_.unknowns.vertices) {
      sum += skin_.masses[v] * (after.relative[v] - steady[v]).squaredNorm();
      mass += skin_.masses[v];
    }
    if (mass > 0) missed_ += kErrorPerStep * dt * std::sqrt(sum / mass);
  }
  after.substeps = memory_.substeps;
  after.amplitude = memory_.amplitude;
  after.tolerated = memory_.tolerated;
  after.started = true;
  after.time = to;
  after.time_before = memory_.time;
  after.points = skin_.problem.points();
  after.slide = carry.upstream();
  after.on_body = std::move(memory_.on_body);
  memory_ = std::move(after);
  before_ = std::move(pose_.positions);
  pose_ = std::move(next);
  if (skin_.constraints.has_curves()) skin_.set_skin(skin_.problem.state());
  return report;
}

EulerianSlide::Solver::Ahead EulerianSlide::Solver::look_ahead(double to) const {
  Ahead out{to, pose_at(to), {}};
  out.free = predict(to, out.pose, difference(to - memory_.time));
  return out;
}

/// As many as the options say, or as keep the fastest skin from moving over more than some edges.
int EulerianSlide::Solver::substeps(double to) {
  const EulerianOptions& o = skin_.options;
  const double dt = to - memory_.time;
  if (o.substeps) return *o.substeps;
  if (o.time_step) return std::max(1, static_cast<int>(std::ceil(dt / *o.time_step * (1 - 1e-9))));
  ahead_ = look_ahead(to);
  std::vector<double> edges(skin_.unknowns.vertices.size(), 0);
  parallel_for(edges.size(), [&](std::size_t i) {
    edges[i] = ahead_->free.slide[skin_.unknowns.vertices[i]].norm() /
               skin_.unknowns.mean_edge(i, ahead_->pose.positions);
  });
  if (edges.empty()) return 1;
  const auto furthest =
      edges.begin() + static_cast<std::ptrdiff_t>((1 - kHeldBack) * static_cast<double>(edges.size() - 1));
  std::nth_element(edges.begin(), furthest, edges.end());
  return std::clamp(static_cast<int>(std::ceil(*furthest / kMaxEdgesPerStep)), 1, kMaxSubsteps);
}

EulerianSlide::Energy EulerianSlide::Solver::energy() const {
  Energy out;
  const SkinConfiguration& at = skin_.problem.state();
  out.elastic = skin_.elastic_energy();
  const IdVector<VertexId, double> masses = skin_.masses_at(at);
  for (VertexId v : skin_.unknowns.vertices)
    out.kinetic += 0.5 * masses[v] * memory_.relative[v].squaredNorm();
  return out;
}

/// Where each vertex of the skin is: the inverse of what was computed.
void EulerianSlide::Solver::write_positions() {
  written_.update(body_.positions(memory_.time));
  memory_.on_body = skin_.inverse(memory_.points, memory_.on_body);
  skin_.constraints.place(memory_.time, memory_.on_body);
  positions_ = written_.place(body_.source_positions(memory_.time), body_.weld(), memory_.on_body);
}

SkinState EulerianSlide::Solver::skin() const {
  SkinState state;
  const std::shared_ptr<const Surface>& rest = skin_.rest;
  Points written = rest->positions();
  if (memory_.started) {
    state.map = skin_map(rest, memory_.on_body);
    parallel_for(written.size(), [&](std::size_t i) {
      written[VertexId(i)] = written_.position(VertexId(i), memory_.on_body[VertexId(i)]);
    });
  } else if (!unmappable_vertex(*rest)) {
    state.map = SurfaceMap::identity(rest);
  }
  skin_.measured.strain(rest->mesh(), written, state);
  return state;
}

State EulerianSlide::Solver::save() const {
  State state;
  if (!memory_.started) return state;
  state.numbers["moment"] = {memory_.time, memory_.time_before, memory_.substeps, memory_.amplitude,
                             memory_.tolerated};
  save_points(memory_.points, "points", state);
  save_points(memory_.on_body, "on_body", state);
  save_vectors(memory_.own, "own", state);
  save_vectors(memory_.own_before, "own_before", state);
  save_vectors(memory_.slide, "slide", state);
  save_vectors(memory_.relative, "relative", state);
  save_vectors(memory_.relative_before, "relative_before", state);
  return state;
}

void EulerianSlide::Solver::restore(const State& state) {
  memory_ = {};
  if (state.empty()) return;
  const std::vector<double>& moment = state.numbers.at("moment");
  memory_.started = true;
  memory_.time = moment.at(0);
  memory_.time_before = moment.at(1);
  memory_.substeps = moment.at(2);
  memory_.amplitude = moment.at(3);
  memory_.tolerated = moment.at(4);
  memory_.points = saved_points(state, "points", skin_.rest->mesh());
  memory_.on_body = saved_points(state, "on_body", skin_.rest->mesh());
  memory_.own = saved_vectors<VertexId>(state, "own");
  memory_.own_before = saved_vectors<VertexId>(state, "own_before");
  memory_.slide = saved_vectors<VertexId>(state, "slide");
  memory_.relative = saved_vectors<VertexId>(state, "relative");
  memory_.relative_before = saved_vectors<VertexId>(state, "relative_before");
  pose_ = pose_at(memory_.time);
  before_ = memory_.time_before < memory_.time ? on_smooth_body(memory_.time_before) : Points();
  skin_.problem.start(skin_.surface.on_surface(), memory_.points);
}

EulerianSlide::EulerianSlide(const Body& body, EulerianOptions options)
    : solver_(std::make_unique<Solver>(body, std::move(options))) {}
EulerianSlide::~EulerianSlide() = default;
StepReport EulerianSlide::advance(double time) { return solver_->advance(time); }
const SourcePoints& EulerianSlide::positions() const { return solver_->positions(); }
SkinState EulerianSlide::skin() const { return solver_->skin(); }
const SkinTissue* EulerianSlide::tissue() const { return &solver_->tissue(); }
IdVector<VertexId, double> EulerianSlide::slide_limits() const { return solver_->slide_limits(); }
State EulerianSlide::save() const { return solver_->save(); }
void EulerianSlide::restore(const State& state) { solver_->restore(state); }
const IdVector<VertexId, SurfacePoint>& EulerianSlide::skin_points() const { return solver_->points(); }
IdVector<VertexId, Vec3> EulerianSlide::slide_velocities() const { return solver_->slide_velocities(); }
EulerianSlide::Energy EulerianSlide::energy() const { return solver_->energy(); }

}  // namespace cutis
