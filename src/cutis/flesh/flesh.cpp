#include "cutis/flesh/flesh.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <Eigen/LU>

#include "cutis/body/drift.h"
#include "cutis/body/saved_vectors.h"
#include "cutis/core/log.h"
#include "cutis/core/parallel.h"
#include "cutis/flesh/flesh_dynamics.h"
#include "cutis/flesh/flesh_target.h"
#include "cutis/flesh/gravity_compensation.h"
#include "cutis/flesh/lattice/lattice_cell.h"
#include "cutis/flesh/lattice/lattice_measures.h"
#include "cutis/flesh/plastic_flow.h"
#include "cutis/flesh/rest_retargeting.h"
#include "cutis/flesh/self_contact.h"
#include "cutis/flesh/tissue_depth.h"
#include "cutis/flesh/volume_transfer.h"
#include "cutis/material/solid/signed_svd.h"
#include "cutis/surface/mesh/triangle_measures.h"

namespace cutis {
namespace {

/// Of what a body has lost of its volume, so much goes to the neighbours in a second [1/s].
constexpr double kVolumeRate = 20;

FleshTissue make_tissue(const BccLattice& lattice, const Mesh& mesh, const std::vector<NodeId>& core,
                        const FleshOptions& options) {
  FleshTissue out;
  out.mesh = lattice.mesh;
  out.law = options.law;
  out.stiffness = lattice.fill;
  if (!options.stiffness.empty()) {
    const IdVector<NodeId, double> factor = at_nodes(lattice, mesh, options.stiffness);
    for (TetId t : ids<TetId>(out.stiffness.size())) {
      double mean = 0;
      for (NodeId v : lattice.mesh.tets[t]) mean += factor[v] / 4;
      out.stiffness[t] *= mean;
    }
  }
  out.volume_group = volume_groups(lattice);
  out.masses = node_masses(lattice, options.density);
  out.fixed.assign(lattice.mesh.node_count(), 0);
  if (options.core_stiffness == 0)
    for (NodeId v : core) out.fixed[v] = 1;
  return out;
}

}  // namespace

class Flesh::Solver {
 public:
  Solver(const Body& body, FleshOptions options);

  StepReport advance(double time);
  const SourcePoints& positions() const { return positions_; }
  SourcePoints velocities() const;
  FleshStrain flesh_strain() const;
  State save() const;
  void restore(const State& state);

 private:
  const Body& body_;
  FleshOptions options_;
  BccLattice lattice_;
  Embedding embedding_;
  std::vector<NodeId> core_;
  FleshTarget target_;
  FleshDynamics flesh_;
  RestRetargeting retargeting_;
  std::optional<SelfContact> contact_;
  std::optional<PlasticFlow> plastic_;
  std::optional<VolumeTransfer> volume_;
  std::vector<IdVector<NodeId, double>> force_shares_;  ///< what of each keyed force a node gets
  std::vector<Mat3> rest_edges_;                        ///< of each element, on the body at rest [m]
  std::vector<Mat3> compensation_;                      ///< of gravity
  double size_;                                         ///< of the body [m]
  bool started_ = false;
  Drift drift_;                   ///< of the core
  Vec3 step_way_ = Vec3::Zero();  ///< its way in the last step [m]
  SourcePoints positions_;

  void share_out_forces();
  void start(double time, const NodePoints& animated);
  NewtonReport step(double to, const NodePoints& animated);
  Mat3 rest_shape(std::size_t element) const;
  Mat3 deformation(std::size_t element) const;
  NodePoints ahead(const NodePoints& animated, double dt) const;
  void change_shapes(double dt);
  void set_rest_shapes(const NodePoints& animated);
  void set_anchors(const NodePoints& animated);
  NodePoints forces(double time, const Vec3& acceleration) const;
  bool is_reset(double from, double to) const;
  NodePoints weights(const Vec3& acceleration) const;
  Vec3 core_centre(const NodePoints& nodes) const;
  Points gained(const Points& surface, Points moved) const;
  void write_positions(const Points& surface, const NodePoints& animated);
};

Flesh::Solver::Solver(const Body& body, FleshOptions options)
    : body_(body),
      options_(std::move(options)),
      lattice_(bcc_lattice(body.triangles().mesh, cell_for_tets(body.triangles().mesh, options_.tetrahedra))),
      embedding_(lattice_, body.triangles().mesh),
      core_(core_nodes(lattice_, body.triangles().mesh, options_.depth)),
      target_(body, lattice_, embedding_, core_),
      flesh_(make_tissue(lattice_, body.triangles().mesh, core_, options_), {options_.integrator}),
      retargeting_(flesh_.problem().mesh(), flesh_.problem().elements(),
                   options_.retarget_time > 0 ? 1 / options_.retarget_time : 0),
      size_(bounding_diagonal(body.mesh().positions.raw())),
      positions_(body.source().positions) {
  for (TetId t : flesh_.problem().elements())
    rest_edges_.push_back(tet_edges(lattice_.mesh, lattice_.mesh.positions, t));
  compensation_.assign(rest_edges_.size(), Mat3::Identity());
  if (options_.contact)
    contact_.emplace(lattice_, embedding_, body_.triangles().mesh, flesh_.problem().tissue().law.young);
  if (options_.plastic_yield)
    plastic_.emplace(rest_edges_.size(), *options_.plastic_yield, options_.plastic_rate);
  if (options_.keep_volume) volume_.emplace(lattice_, flesh_.problem().elements(), kVolumeRate);
  share_out_forces();
}

/// A force acts on the flesh below its vertices, on each by how much of the surface is its own.
void Flesh::Solver::share_out_forces() {
  if (options_.forces.empty()) return;
  const IdVector<VertexId, double> areas = vertex_areas(body_.triangles().mesh);
  for (const KeyedForce& force : options_.forces) {
    IdVector<VertexId, double> shares = force.shares(areas);
    for (VertexId v : ids<VertexId>(shares.size())) shares[v] *= areas[v];
    force_shares_.push_back(embedding_.to_nodes(shares));
  }
}

/// Where the animation is, with its velocity and shapes.
void Flesh::Solver::start(double time, const NodePoints& animated) {
  flesh_.start(time, animated, target_.velocities(time));
  if (options_.retarget_time > 0) retargeting_.start(animated);
  drift_ = {core_centre(animated)};
  step_way_ = Vec3::Zero();
  set_rest_shapes(animated);
}

/// Edges of an element without stress [m].
Mat3 Flesh::Solver::rest_shape(std::size_t e) const {
  Mat3 edges = compensation_[e] * retargeting_.stretch(e) * rest_edges_[e];
  if (plastic_) edges = (*plastic_)[e] * edges;
  if (volume_) edges *= std::cbrt(volume_->growth(e));
  return edges;
}

/// Of an element now, against that.
Mat3 Flesh::Solver::deformation(std::size_t e) const {
  const TetId t = flesh_.problem().elements()[e];
  return tet_edges(lattice_.mesh, flesh_.motion().positions, t) * rest_shape(e).inverse();
}

/// Where nodes are about to be.
NodePoints Flesh::Solver::ahead(const NodePoints& animated, double dt) const {
  const FleshMotion& motion = flesh_.motion();
  NodePoints out(animated.size());
  for (NodeId v : ids<NodeId>(out.size()))
    out[v] = flesh_.problem().tissue().fixed[v] ? animated[v]
                                                : Vec3(motion.positions[v] + dt * motion.velocities[v]);
  return out;
}

/// After a step.
void Flesh::Solver::change_shapes(double dt) {
  if (plastic_)
    parallel_for(rest_edges_.size(), [&](std::size_t e) { plastic_->advance(e, deformation(e), dt); });
  if (volume_) volume_->advance(flesh_.motion().positions, dt);
}

void Flesh::Solver::set_rest_shapes(const NodePoints& animated) {
  set_anchors(animated);
  parallel_for(rest_edges_.size(), [&](std::size_t e) {
    flesh_.problem().set_rest(e, rest_shape(e), retargeting_.stiffness_share(e));
  });
}

/// Springs to the animation. Nodes of elements that lose their stiffness where the animation folds them go
/// with it instead: with their whole mass and hardly anything to hold it they would hang far out.
void Flesh::Solver::set_anchors(const NodePoints& animated) {
  const FleshTissue& tissue = flesh_.problem().tissue();
  IdVector<NodeId, double> stiffness(animated.size(), 0);
  bool any = options_.core_stiffness > 0;
  if (any)
    for (NodeId v : core_)
      stiffness[v] = options_.core_stiffness * std::cbrt(tissue.masses[v] / options_.density);
  for (std::size_t e = 0; e < rest_edges_.size(); ++e) {
    const double lost = 1 - retargeting_.stiffness_share(e);
    if (!(lost > 0)) continue;
    any = true;
    const TetId t = flesh_.problem().elements()[e];
    const double width = std::cbrt(std::abs(rest_edges_[e].determinant()));
    for (NodeId v : tissue.mesh.tets[t])
      stiffness[v] += lost * tissue.stiffness[t] * tissue.law.young * width;
  }
  if (any)
    flesh_.problem().set_anchors(animated, std::move(stiffness));
  else
    flesh_.problem().set_anchors({}, {});
}

NodePoints Flesh::Solver::weights(const Vec3& acceleration) const {
  const IdVector<NodeId, double>& masses = flesh_.problem().tissue().masses;
  NodePoints out(masses.size());
  for (NodeId v : ids<NodeId>(out.size())) out[v] = masses[v] * acceleration;
  return out;
}

Vec3 Flesh::Solver::core_centre(const NodePoints& nodes) const {
  Vec3 sum = Vec3::Zero();
  for (NodeId v : core_) sum += nodes[v];
  return core_.empty() ? sum : Vec3(sum / static_cast<double>(core_.size()));
}

bool Flesh::Solver::is_reset(double from, double to) const {
  return std::ranges::any_of(options_.resets, [&](double reset) { return from < reset && reset <= to; });
}

/// Of an acceleration and the keyed forces; empty: none.
NodePoints Flesh::Solver::forces(double time, const Vec3& acceleration) const {
  if (acceleration.isZero(0) && force_shares_.empty()) return {};
  NodePoints out = weights(acceleration);
  for (std::size_t i = 0; i < force_shares_.size(); ++i) {
    const Vec3 force = options_.forces[i].at(time);
    for (NodeId v : ids<NodeId>(out.size())) out[v] += force_shares_[i][v] * force;
  }
  return out;
}

StepReport Flesh::Solver::advance(double time) {
  StepReport report;
  const bool first = !std::exchange(started_, true);
  const Points surface = target_.surface(time);
  const NodePoints animated = target_.nodes(time, surface);
  const Vec3 centre = core_centre(animated);
  const bool teleport = !first && drift_.leaps_to(centre, size_);
  if (teleport) log().info("flesh begins anew at {:.4g} s: the body is elsewhere", time);
  if (first || teleport || is_reset(flesh_.motion().time, time)) {
    start(time, animated);
    if (retargeting_.kept() > 0)
      log().info("flesh: {} of {} elements are folded in the animation at {:.4g} s and keep another shape",
                 retargeting_.kept(), rest_edges_.size(), time);
    if (first && options_.gravity_compensation && !options_.gravity.isZero(0)) {
      std::vector<Mat3> edges;
      std::vector<double> shares;
      for (std::size_t e = 0; e < rest_edges_.size(); ++e) {
        edges.push_back(retargeting_.stretch(e) * rest_edges_[e]);
        shares.push_back(retargeting_.stiffness_share(e));
      }
      compensation_ = gravity_compensation(flesh_, edges, shares, weights(options_.gravity));
      set_rest_shapes(animated);
    }
  } else {
    const double from = flesh_.motion().time;
    for (int i = 1; i <= options_.substeps; ++i) {
      const double to = from + (time - from) * i / options_.substeps;
      const NewtonReport one = i == options_.substeps ? step(time, animated) : step(to, target_.nodes(to));
      const int iterations = report.iterations + one.iterations;
      if (report.converged) report = {one.converged, 0, one.decrement, one.reason};
      report.iterations = iterations;
    }
    drift_.go_on_to(centre);
  }
  write_positions(surface, animated);
  return report;
}

/// Of the body's acceleration as a whole flesh feels but a share: the rest acts on it as a force.
NewtonReport Flesh::Solver::step(double to, const NodePoints& animated) {
  const double dt = to - flesh_.motion().time;
  retargeting_.advance(animated, dt);
  set_rest_shapes(animated);
  Vec3 acceleration = options_.gravity;
  if (options_.inertia < 1) {
    const Vec3 way = core_centre(animated) - core_centre(flesh_.motion().positions);
    if (flesh_.motion().last_step > 0) acceleration += (1 - options_.inertia) * (way - step_way_) / (dt * dt);
    step_way_ = way;
  }
  if (contact_) flesh_.problem().set_contacts(contact_->contacts(ahead(animated, dt), animated));
  const NewtonReport report = flesh_.step(to, animated, forces(to, acceleration));
  change_shapes(dt);
  return report;
}

/// The distance from the animated surface, times the gain.
Points Flesh::Solver::gained(const Points& surface, Points moved) const {
  if (options_.gain.empty()) return moved;
  for (VertexId v : ids<VertexId>(moved.size()))
    moved[v] = surface[v] + options_.gain[v] * (moved[v] - surface[v]);
  return moved;
}

/// What the lattice cannot follow of the surface is carried along as an offset.
void Flesh::Solver::write_positions(const Points& surface, const NodePoints& animated) {
  const Points offsets = embedding_.local_offsets(animated, surface);
  const Points moved = gained(surface, embedding_.positions(flesh_.motion().positions, offsets));
  positions_ = body_.smooth_positions(flesh_.motion().time);
  for (SourceVertexId s : ids<SourceVertexId>(positions_.size())) {
    const VertexId v = body_.weld().vertex_of[s];
    if (v.valid()) positions_[s] += moved[v] - surface[v];
  }
}

SourcePoints Flesh::Solver::velocities() const {
  const double time = flesh_.motion().time;
  SourcePoints out = target_.source_velocities(time);
  const Points lattice = embedding_.positions(flesh_.motion().velocities);
  const Points animated = embedding_.positions(target_.velocities(time));
  for (SourceVertexId s : ids<SourceVertexId>(out.size())) {
    const VertexId v = body_.weld().vertex_of[s];
    if (v.valid()) out[s] += (options_.gain.empty() ? 1 : options_.gain[v]) * (lattice[v] - animated[v]);
  }
  return out;
}

/// Of the tetrahedra that the vertices lie in, against their shapes without stress.
FleshStrain Flesh::Solver::flesh_strain() const {
  IdVector<TetId, int> element(lattice_.mesh.tet_count(), -1);
  const std::vector<TetId>& elements = flesh_.problem().elements();
  for (std::size_t e = 0; e < elements.size(); ++e) element[elements[e]] = static_cast<int>(e);
  FleshStrain out{std::vector<double>(embedding_.size(), 1), std::vector<double>(embedding_.size(), 0)};
  parallel_for(embedding_.size(), [&](std::size_t v) {
    const TetId t = embedding_[VertexId(v)].tet;
    if (element[t] < 0) return;
    const auto e = static_cast<std::size_t>(element[t]);
    const Vec3 stretches = signed_svd(deformation(e)).stretches;
    out.stretch[v] = stretches[0];
    out.phase[v] = stiffening(options_.law, stretches);
  });
  return out;
}

State Flesh::Solver::save() const {
  State state;
  if (!started_) return state;
  const FleshMotion& m = flesh_.motion();
  state.numbers["moment"] = {m.time, m.last_step};
  save_vectors(m.positions, "positions", state);
  save_vectors(m.positions_before, "positions_before", state);
  save_vectors(m.velocities, "velocities", state);
  save_vectors(m.velocities_before, "velocities_before", state);
  state.numbers["shapes"] = retargeting_.save();
  state.numbers["compensation"] = numbers_of(compensation_);
  if (plastic_) state.numbers["plastic"] = plastic_->save();
  if (volume_) state.numbers["growth"] = volume_->save();
  std::vector<double>& ways = state.numbers["ways"];
  for (const Vec3* way : {&drift_.centre, &drift_.way, &step_way_})
    ways.insert(ways.end(), way->begin(), way->end());
  return state;
}

void Flesh::Solver::restore(const State& state) {
  started_ = !state.empty();
  if (!started_) return;
  const std::vector<double>& moment = state.numbers.at("moment");
  const auto saved = [&](const char* name) { return saved_vectors<NodeId>(state, name); };
  flesh_.set_motion({moment.at(0), moment.at(1), saved("positions"), saved("positions_before"),
                     saved("velocities"), saved("velocities_before")});
  retargeting_.restore(state.numbers.at("shapes"));
  compensation_ = matrices_of(state.numbers.at("compensation"));
  if (plastic_) plastic_->restore(state.numbers.at("plastic"));
  if (volume_) volume_->restore(state.numbers.at("growth"));
  const std::vector<double>& ways = state.numbers.at("ways");
  drift_.centre = Eigen::Map<const Vec3>(ways.data());
  drift_.way = Eigen::Map<const Vec3>(ways.data() + 3);
  step_way_ = Eigen::Map<const Vec3>(ways.data() + 6);
}

Flesh::Flesh(const Body& body, FleshOptions options)
    : solver_(std::make_unique<Solver>(body, std::move(options))) {}
Flesh::~Flesh() = default;
StepReport Flesh::advance(double time) { return solver_->advance(time); }
const SourcePoints& Flesh::positions() const { return solver_->positions(); }
SourcePoints Flesh::velocities() const { return solver_->velocities(); }
FleshStrain Flesh::flesh_strain() const { return solver_->flesh_strain(); }
State Flesh::save() const { return solver_->save(); }
void Flesh::restore(const State& state) { solver_->restore(state); }

}  // namespace cutis
