#include "cutis/flesh/flesh_dynamics.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cutis/material/solid/signed_svd.h"

namespace cutis {
namespace {

/// The square root of the energy at a strain of one [sqrt(J)].
double energy_scale(const FleshTissue& tissue) {
  double sum = 0;
  for (TetId t : ids<TetId>(tissue.mesh.tet_count()))
    sum += tet_volume(tissue.mesh, t) * tissue.stiffness[t] * tissue.law.young;
  return std::sqrt(sum);
}

bool is_viscous(const FleshLaw& law) {
  bool viscous = law.viscosity > 0;
  for (const FleshPhase& phase : law.phases) viscous = viscous || phase.added_viscosity > 0;
  return viscous;
}

/// What a mode that is too fast for the step keeps in each.
constexpr double kFastModesKept = 0.5;

GeneralizedAlpha integrator(FleshIntegrator integrator) {
  return integrator == FleshIntegrator::BackwardEuler ? GeneralizedAlpha::implicit_euler()
                                                      : GeneralizedAlpha(kFastModesKept);
}

}  // namespace

FleshDynamics::FleshDynamics(FleshTissue tissue, const FleshDynamicsOptions& options)
    : problem_(std::move(tissue)), options_(options), conjugate_gradients_(kFleshConjugateGradients) {
  newton_.tolerance = options.tolerance;
  newton_.max_iterations = options.max_iterations;
  newton_.take_last_step = true;
  newton_.scale = energy_scale(problem_.tissue());
  conjugate_gradients_.couple(problem_.couplings());
  find_floating_parts();
  const NodePoints& rest = problem_.mesh().positions;
  start(0, rest, NodePoints(rest.size(), Vec3::Zero()));
}

void FleshDynamics::find_floating_parts() {
  const int parts = connected_components(problem_.mesh(), floating_);
  std::vector<int> number(static_cast<std::size_t>(parts), 0);
  for (NodeId node : ids<NodeId>(floating_.size()))
    if (problem_.tissue().fixed[node]) number[at(floating_[node])] = -1;
  for (int& part : number)
    if (part == 0) part = floating_parts_++;
  for (int& part : floating_) part = number[at(part)];
}

void FleshDynamics::start(double time, NodePoints positions, NodePoints velocities) {
  const NodePoints none(positions.size(), Vec3::Zero());
  motion_ = {time, 0, positions, positions, std::move(velocities), none};
  problem_.start(std::move(positions));
}

std::optional<StepNote> FleshDynamics::note() const {
  if (replaced_velocity_ < 0) return std::nullopt;
  return StepNote{"parts that nothing holds, whose momentum is replaced",
                  static_cast<std::size_t>(floating_parts_), replaced_velocity_, "m/s"};
}

double FleshDynamics::equilibrium() const { return 1 - integrator(options_.integrator).alpha_f; }

NewtonReport FleshDynamics::step(double to, const NodePoints& target, NodePoints forces) {
  const double dt = to - motion_.time;
  const GeneralizedAlpha by = integrator(options_.integrator);
  const FleshMotion& m = motion_;
  const std::size_t n = m.positions.size();
  NodePoints predicted(n), prescribed(n), before = m.positions;
  for (NodeId v : ids<NodeId>(n)) {
    predicted[v] = by.predicted(m.positions[v], m.velocities[v], m.accelerations[v], dt);
    prescribed[v] = by.at_alpha(target[v], m.positions[v]);
    // Without a step before: as if there had been one like it.
    before[v] = m.last_step > 0 ? m.positions_before[v] : Vec3(m.positions[v] - dt * m.velocities[v]);
  }
  problem_.start(m.positions);
  if (is_viscous(problem_.tissue().law)) {
    const GeneralizedAlpha::Rate rate = by.rate(dt, m.last_step > 0 ? m.last_step : dt);
    problem_.set_viscosity(rate.step, rate.carry, before);
  } else {
    problem_.set_viscosity(0, 0, {});
  }
  const double inertia_step = by.inertia_step(dt);
  problem_.set_inertia(predicted, inertia_step);
  problem_.set_forces(forces);
  start_near(predicted, prescribed);
  const NewtonReport report = minimize(problem_, conjugate_gradients_, newton_);
  FleshMotion after{to, dt, problem_.positions(), m.positions, NodePoints(n), NodePoints(n)};
  const bool floats = correct_rigid_motion(predicted, forces, inertia_step, after.positions);
  for (NodeId v : ids<NodeId>(n)) {
    const Vec3 &x = m.positions[v], &old = m.accelerations[v];
    Vec3& end = after.positions[v];
    end = problem_.tissue().fixed[v] ? target[v] : by.end_of(end, x);
    after.accelerations[v] = by.acceleration(end, x, m.velocities[v], old, dt);
    after.velocities[v] = by.velocity(m.velocities[v], old, after.accelerations[v], dt);
  }
  replaced_velocity_ = -1;
  if (floats) keep_momenta(by, dt, forces, after);
  motion_ = std::move(after);
  return report;
}

/// From where nodes would go by themselves, or from where they were, whichever has the lower energy: at an
/// impact the first is far off.
void FleshDynamics::start_near(const NodePoints& predicted, const NodePoints& target) {
  NodePoints ahead = predicted, behind = motion_.positions;
  for (NodeId v : ids<NodeId>(ahead.size()))
    if (problem_.tissue().fixed[v]) ahead[v] = behind[v] = target[v];
  problem_.start(behind);
  const double energy = problem_.energy();
  problem_.start(std::move(ahead));
  if (!(problem_.energy() <= energy)) problem_.start(std::move(behind));
}

/// Elastic and viscous forces and contact within a part have neither a sum nor a torque, so a part that
/// nothing holds or touches is turned and moved as a whole to where inertia y, M y = M predicted + step²
/// force, draws it: the rigid motion of least (R x + t - y)ᵀ M (R x + t - y) (Kabsch 1976). No tolerance of
/// the solver need touch its momenta.
bool FleshDynamics::correct_rigid_motion(const NodePoints& predicted, const NodePoints& forces, double step,
                                         NodePoints& positions) const {
  if (floating_parts_ == 0 || problem_.anchored()) return false;
  const auto between_parts = [&](const FleshContact& contact) {
    const TetMesh& mesh = problem_.mesh();
    return floating_[mesh.tets[contact.x.tet][0]] != floating_[mesh.tets[contact.y.tet][0]];
  };
  if (std::ranges::any_of(problem_.contacts(), between_parts)) return false;
  const IdVector<NodeId, double>& masses = problem_.tissue().masses;
  const auto force = [&](NodeId v) -> Vec3 {
    return forces.empty() ? Vec3::Zero() : Vec3(step * step * forces[v]);
  };
  struct Part {
    double mass = 0;
    Vec3 centre = Vec3::Zero(), goal = Vec3::Zero();  ///< mean of x, of y
    Mat3 moments = Mat3::Zero();                      ///< sum of (M y) xᵀ, both from their means
    Mat3 turn = Mat3::Identity();
    /// Mean of x - y once it is turned; the difference of the means would lose digits far from the origin.
    Vec3 error = Vec3::Zero();
  };
  std::vector<Part> parts(at(floating_parts_));
  const auto for_each = [&](const auto& f) {
    for (NodeId v : ids<NodeId>(positions.size()))
      if (floating_[v] >= 0) f(v, parts[at(floating_[v])]);
  };
  for_each([&](NodeId v, Part& part) {
    part.mass += masses[v];
    part.centre += masses[v] * positions[v];
    part.goal += masses[v] * predicted[v] + force(v);
  });
  for (Part& part : parts) {
    part.centre /= part.mass;
    part.goal /= part.mass;
  }
  NodePoints drawn(predicted.size(), Vec3::Zero());
  for_each([&](NodeId v, Part& part) { drawn[v] = predicted[v] - part.goal; });
  drawn = problem_.mass_times(drawn);
  for_each([&](NodeId v, Part& part) {
    part.moments += (drawn[v] + force(v)) * (positions[v] - part.centre).transpose();
  });
  for (Part& part : parts) {
    const SignedSvd svd = signed_svd(part.moments);
    part.turn = svd.U * svd.V.transpose();
  }
  for_each([&](NodeId v, Part& part) {
    positions[v] = part.centre + part.turn * (positions[v] - part.centre);
    part.error += (masses[v] * (positions[v] - predicted[v]) - force(v)) / part.mass;
  });
  for_each([&](NodeId v, Part& part) { positions[v] -= part.error; });
  return true;
}

/// The mean acceleration of a part that nothing holds is force / mass; that of differences of positions has
/// their rounding, which would add up.
void FleshDynamics::keep_momenta(const GeneralizedAlpha& by, double dt, const NodePoints& forces,
                                 FleshMotion& after) {
  const IdVector<NodeId, double>& masses = problem_.tissue().masses;
  struct Part {
    double mass = 0;
    Vec3 missing = Vec3::Zero();  ///< of force [N]
  };
  std::vector<Part> parts(at(floating_parts_));
  for (NodeId v : ids<NodeId>(floating_.size())) {
    if (floating_[v] < 0) continue;
    Part& part = parts[at(floating_[v])];
    part.mass += masses[v];
    part.missing -= masses[v] * by.mean_acceleration(motion_.accelerations[v], after.accelerations[v]);
    if (!forces.empty()) part.missing += forces[v];
  }
  for (NodeId v : ids<NodeId>(floating_.size())) {
    if (floating_[v] < 0) continue;
    const Part& part = parts[at(floating_[v])];
    const Vec3 change = part.missing / part.mass / (1 - by.alpha_m);
    after.accelerations[v] += change;
    after.velocities[v] += dt * by.gamma * change;
    replaced_velocity_ = std::max(replaced_velocity_, (dt * by.gamma * change).norm());
  }
}

NewtonReport FleshDynamics::settle(NodePoints forces) {
  problem_.set_contacts({});
  problem_.set_viscosity(0, 0, {});
  problem_.set_inertia({}, 0);
  problem_.set_forces(std::move(forces));
  problem_.start(motion_.positions);
  const NewtonReport report = minimize(problem_, factor_, newton_);
  motion_.positions = motion_.positions_before = problem_.positions();
  return report;
}

}  // namespace cutis
