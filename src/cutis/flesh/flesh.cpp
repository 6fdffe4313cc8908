#include "cutis/flesh/flesh.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "cutis/body/drift.h"
#include "cutis/body/saved_vectors.h"
#include "cutis/core/log.h"
#include "cutis/core/parallel.h"
#include "cutis/flesh/flesh_core.h"
#include "cutis/flesh/flesh_dynamics.h"
#include "cutis/flesh/flesh_forces.h"
#include "cutis/flesh/flesh_shapes.h"
#include "cutis/flesh/flesh_target.h"
#include "cutis/flesh/lattice/lattice_cell.h"
#include "cutis/flesh/lattice/lattice_measures.h"
#include "cutis/flesh/self_contact.h"
#include "cutis/material/solid/signed_svd.h"

namespace cutis {
namespace {

/// Inertia between soft nodes and those of the core goes to the soft ones: the core's acceleration jumps from key to
/// key of an animation, and only its positions are known.
void lump_beside_core(FleshTissue& tissue) {
  for (TetId t : ids<TetId>(tissue.mass_matrices.size()))
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        Mat4& mass = tissue.mass_matrices[t];
        if (tissue.fixed[tissue.mesh.tets[t][at(i)]] || !tissue.fixed[tissue.mesh.tets[t][at(j)]]) continue;
        mass(i, i) += mass(i, j);
        mass(j, j) += mass(j, i);
        mass(i, j) = mass(j, i) = 0;
      }
}

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
  out.mass_matrices = mass_matrices(lattice, options.density);
  IdVector<NodeId, char> in_core(lattice.mesh.node_count(), 0);
  for (NodeId v : core) in_core[v] = 1;
  // A core on springs shares no mean with the flesh around it, as one that is fixed.
  for (TetId t : ids<TetId>(lattice.mesh.tet_count()))
    if (std::ranges::all_of(lattice.mesh.tets[t], [&](NodeId v) { return in_core[v] != 0; }))
      out.volume_group[t] = -1 - out.volume_group[t];
  out.fixed.assign(in_core.size(), 0);
  if (options.core_stiffness == 0) out.fixed = std::move(in_core);
  lump_beside_core(out);
  return out;
}

NodePoints blend(const NodePoints& from, const NodePoints& to, double share) {
  NodePoints out = from;
  for (NodeId v : ids<NodeId>(out.size())) out[v] += share * (to[v] - from[v]);
  return out;
}

/// Of each thing that was done in some steps the largest number and effect.
void merge(const std::vector<StepNote>& more, std::vector<StepNote>& notes) {
  for (const StepNote& note : more) {
    const auto found = std::ranges::find(notes, note.what, &StepNote::what);
    if (found == notes.end()) {
      notes.push_back(note);
      continue;
    }
    found->count = std::max(found->count, note.count);
    found->largest = std::max(found->largest, note.largest);
  }
}

}  // namespace

class Flesh::Solver {
 public:
  Solver(const Body& body, FleshOptions options);

  StepReport advance(double time);
  const SourcePoints& positions() const { return positions_; }
  SourcePoints velocities() const;
  const std::vector<SurfaceSample>& samples() const { return samples_; }
  FleshStrain flesh_strain() const;
  LayerMesh layer_mesh() const;
  State save() const;
  void restore(const State& state);

 private:
  const Body& body_;
  FleshOptions options_;
  BccLattice lattice_;
  std::vector<NodeId> core_;
  Embedding embedding_;
  FleshTarget target_;
  FleshDynamics flesh_;
  FleshShapes shapes_;
  FleshForces forces_;
  std::optional<SelfContact> contact_;
  double size_;  ///< of the body [m]
  bool started_ = false;
  NodePoints animated_;           ///< where the animation has the nodes now [m]
  Drift drift_;                   ///< of the core
  Vec3 step_way_ = Vec3::Zero();  ///< its way in the last step [m]
  SourcePoints positions_;
  std::vector<SurfaceSample> samples_;

  void start(double time, const NodePoints& animated, bool first);
  StepReport go_to(double time, const NodePoints& animated);
  NewtonReport step(double to, const NodePoints& animated);
  NodePoints ahead(const NodePoints& animated, double dt) const;
  bool is_reset(double from, double to) const;
  Vec3 core_centre(const NodePoints& nodes) const;
  FleshStrain tet_strain() const;
  Points gained(const Points& surface, Points moved) const;
  SourcePoints placed(const Points& surface, const NodePoints& animated) const;
};

Flesh::Solver::Solver(const Body& body, FleshOptions options)
    : body_(body),
      options_(std::move(options)),
      lattice_(bcc_lattice(body.triangles().mesh, cell_for_tets(body.triangles().mesh, options_.tetrahedra))),
      core_(fit_core(body.triangles().mesh, options_, lattice_)),
      embedding_(lattice_, body.triangles().mesh),
      target_(body, lattice_, embedding_, core_),
      flesh_(make_tissue(lattice_, body.triangles().mesh, core_, options_), {options_.integrator}),
      shapes_(lattice_, core_, flesh_, options_),
      forces_(body, embedding_, flesh_.problem().tissue().masses, options_),
      size_(bounding_diagonal(body.mesh().positions.raw())),
      positions_(body.source().positions) {
  if (options_.contact)
    contact_.emplace(lattice_, embedding_, body_.triangles().mesh, flesh_.problem().tissue().law.young);
}

/// Where the animation is, with its velocity and shapes.
void Flesh::Solver::start(double time, const NodePoints& animated, bool first) {
  flesh_.start(time, animated, target_.velocities(time));
  animated_ = animated;
  drift_ = {core_centre(animated)};
  step_way_ = Vec3::Zero();
  shapes_.start(animated);
  if (first && options_.gravity_compensation && !options_.gravity.isZero(0))
    shapes_.compensate(forces_.weights(options_.gravity), animated);
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

Vec3 Flesh::Solver::core_centre(const NodePoints& nodes) const {
  Vec3 sum = Vec3::Zero();
  for (NodeId v : core_) sum += nodes[v];
  return core_.empty() ? sum : Vec3(sum / static_cast<double>(core_.size()));
}

bool Flesh::Solver::is_reset(double from, double to) const {
  return std::ranges::any_of(options_.resets, [&](double reset) { return from < reset && reset <= to; });
}

StepReport Flesh::Solver::advance(double time) {
  StepReport report;
  samples_.clear();
  const bool first = !std::exchange(started_, true);
  const Points surface = target_.surface(time);
  const NodePoints animated = target_.nodes(time, surface);
  const Vec3 centre = core_centre(animated);
  const bool teleport =
      !first && drift_.leaps_to(centre, {flesh_.motion().time, time}, size_,
                                [&](double moment) { return core_centre(target_.nodes(moment)); });
  if (teleport) log().info("flesh begins anew at {:.4g} s: the body is elsewhere", time);
  if (first || teleport || is_reset(flesh_.motion().time, time)) {
    start(time, animated, first);
    report.notes = shapes_.notes(animated);
  } else {
    report = go_to(time, animated);
    drift_ = {centre};
  }
  positions_ = placed(surface, animated);
  return report;
}

/// By steps that end where a sample is to be.
StepReport Flesh::Solver::go_to(double time, const NodePoints& animated) {
  StepReport report;
  const double from = flesh_.motion().time;
  const int per_sample = (options_.substeps + options_.samples - 1) / options_.samples;
  const int steps = per_sample * options_.samples;
  std::vector<StepNote> notes;
  for (int i = 1; i <= steps; ++i) {
    const double to = i == steps ? time : from + (time - from) * i / steps;
    const Points surface = i == steps ? Points() : target_.surface(to);
    const NodePoints there = i == steps ? animated : target_.nodes(to, surface);
    const NewtonReport one = step(to, there);
    const int iterations = report.iterations + one.iterations;
    if (report.converged) report = {one.converged, 0, one.decrement, one.reason};
    report.iterations = iterations;
    merge(shapes_.notes(there), notes);
    if (const auto note = flesh_.note()) merge({*note}, notes);
    if (i < steps && i % per_sample == 0) samples_.push_back({to, placed(surface, there), velocities()});
  }
  report.notes = std::move(notes);
  return report;
}

NewtonReport Flesh::Solver::step(double to, const NodePoints& animated) {
  const double dt = to - flesh_.motion().time;
  const double share = flesh_.equilibrium();
  shapes_.follow(animated, blend(animated_, animated, share), dt, share);
  const Vec3 way = core_centre(animated) - core_centre(flesh_.motion().positions);
  const NodePoints forces =
      forces_.at(to - (1 - share) * dt, dt, way, flesh_.motion().last_step > 0 ? &step_way_ : nullptr);
  step_way_ = way;
  if (contact_) flesh_.problem().set_contacts(contact_->contacts(ahead(animated, dt), animated));
  const NewtonReport report = flesh_.step(to, animated, forces);
  shapes_.flow(dt);
  animated_ = animated;
  return report;
}

/// The distance from the animated surface, times the gain.
Points Flesh::Solver::gained(const Points& surface, Points moved) const {
  if (options_.gain.empty()) return moved;
  for (VertexId v : ids<VertexId>(moved.size()))
    moved[v] = surface[v] + options_.gain[v] * (moved[v] - surface[v]);
  return moved;
}

/// What the lattice cannot follow of the surface is carried along as an offset. How far flesh is from its smooth
/// target is added to the animation itself, so that flesh at rest is where the animator put it.
SourcePoints Flesh::Solver::placed(const Points& surface, const NodePoints& animated) const {
  const Points offsets = embedding_.local_offsets(animated, surface);
  const Points moved = gained(surface, embedding_.positions(flesh_.motion().positions, offsets));
  SourcePoints out = body_.source_positions(flesh_.motion().time);
  for (SourceVertexId s : ids<SourceVertexId>(out.size())) {
    const VertexId v = body_.weld().vertex_of[s];
    if (v.valid()) out[s] += moved[v] - surface[v];
  }
  return out;
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

/// Of all tetrahedra, against their shapes without stress; those of the core have not got any strain.
FleshStrain Flesh::Solver::tet_strain() const {
  const std::size_t count = lattice_.mesh.tet_count();
  const std::vector<TetId>& elements = flesh_.problem().elements();
  FleshStrain out{std::vector<double>(count, 1), std::vector<double>(count, 0)};
  parallel_for(elements.size(), [&](std::size_t e) {
    const Vec3 stretches = signed_svd(shapes_.deformation(e)).stretches;
    out.stretch[elements[e].index()] = stretches[0];
    out.phase[elements[e].index()] = stiffening(options_.law, stretches);
  });
  return out;
}

/// Of the tetrahedra that the vertices lie in.
FleshStrain Flesh::Solver::flesh_strain() const {
  const FleshStrain tets = tet_strain();
  FleshStrain out;
  for (VertexId v : ids<VertexId>(embedding_.size())) {
    out.stretch.push_back(tets.stretch[embedding_[v].tet.index()]);
    out.phase.push_back(tets.phase[embedding_[v].tet.index()]);
  }
  return out;
}

LayerMesh Flesh::Solver::layer_mesh() const {
  const NodePoints& nodes = flesh_.motion().positions;
  const NodePoints animated = target_.nodes(flesh_.motion().time);
  LayerMesh out{"flesh", {}, {{"lag", 1, {}}, {"core", 1, std::vector<double>(nodes.size(), 0)}}};
  for (NodeId v : ids<NodeId>(nodes.size())) {
    out.mesh.positions.push_back(nodes[v]);
    out.fields[0].values.push_back((nodes[v] - animated[v]).norm());
  }
  for (NodeId v : core_) out.fields[1].values[v.index()] = 1;
  for (const std::array<NodeId, 4>& tet : lattice_.mesh.tets)
    out.tets.push_back({tet[0].value, tet[1].value, tet[2].value, tet[3].value});
  FleshStrain strain = tet_strain();
  out.tet_fields = {{"flesh_stretch", 1, std::move(strain.stretch)}, {"phase", 1, std::move(strain.phase)}};
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
  save_vectors(m.accelerations, "accelerations", state);
  shapes_.save(state);
  std::vector<double>& ways = state.numbers["ways"];
  for (const Vec3* way : {&drift_.centre, &step_way_}) ways.insert(ways.end(), way->begin(), way->end());
  return state;
}

void Flesh::Solver::restore(const State& state) {
  started_ = !state.empty();
  if (!started_) return;
  const std::vector<double>& moment = state.numbers.at("moment");
  const auto saved = [&](const char* name) { return saved_vectors<NodeId>(state, name); };
  flesh_.set_motion({moment.at(0), moment.at(1), saved("positions"), saved("positions_before"),
                     saved("velocities"), saved("accelerations")});
  shapes_.restore(state);
  animated_ = target_.nodes(flesh_.motion().time);
  const std::vector<double>& ways = state.numbers.at("ways");
  drift_.centre = Eigen::Map<const Vec3>(ways.data());
  step_way_ = Eigen::Map<const Vec3>(ways.data() + 3);
}

Flesh::Flesh(const Body& body, FleshOptions options)
    : solver_(std::make_unique<Solver>(body, std::move(options))) {}
Flesh::~Flesh() = default;
StepReport Flesh::advance(double time) { return solver_->advance(time); }
const SourcePoints& Flesh::positions() const { return solver_->positions(); }
SourcePoints Flesh::velocities() const { return solver_->velocities(); }
std::vector<SurfaceSample> Flesh::samples() const { return solver_->samples(); }
FleshStrain Flesh::flesh_strain() const { return solver_->flesh_strain(); }
std::vector<LayerMesh> Flesh::layer_meshes() const { return {solver_->layer_mesh()}; }
State Flesh::save() const { return solver_->save(); }
void Flesh::restore(const State& state) { solver_->restore(state); }

}  // namespace cutis
