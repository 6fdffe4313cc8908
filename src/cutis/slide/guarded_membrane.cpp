#include "cutis/slide/guarded_membrane.h"

#include <cmath>

#include "cutis/material/stretch_modes.h"

namespace cutis {
namespace {

constexpr double kOnset = CollapseBarrier::onset;
/// Below this the barrier goes on as the parabola that touches it: finite where the body itself has
/// collapsed.
constexpr double kFloor = 1e-4;
constexpr double kStrength = 10;  ///< against the material's modulus

/// b(J) = -(J - J0)² ln(J / J0), the barrier of Incremental Potential Contact (Li et al. 2020): C2 at J0.
struct Barrier {
  double value = 0, first = 0, second = 0;
};

Barrier log_barrier(double J) {
  const double d = J - kOnset, log = std::log(J / kOnset);
  return {-d * d * log, -2 * d * log - d * d / J, -2 * log - 4 * d / J + d * d / (J * J)};
}

Barrier barrier(double J) {
  if (J >= kOnset) return {};
  if (J >= kFloor) return log_barrier(J);
  const Barrier at = log_barrier(kFloor);
  const double d = J - kFloor;
  return {at.value + d * (at.first + 0.5 * d * at.second), at.first + d * at.second, at.second};
}

/// The mean over the four entries of F in the plane.
double modulus_of(const MembraneMaterial& material) {
  Mat32 F = Mat32::Zero();
  F.topRows<2>().setIdentity();
  return material.evaluate(F, HessianKind::Exact).hessian.trace() / 4;
}

}  // namespace

double CollapseBarrier::energy(const Mat32& F) const {
  return kStrength * modulus_ * barrier(F.col(0).cross(F.col(1)).norm()).value;
}

MembraneResponse CollapseBarrier::evaluate(const Mat32& F, HessianKind kind) const {
  MembraneResponse response;
  if (F.col(0).cross(F.col(1)).norm() >= kOnset) return response;
  const StretchFrame frame = stretch_frame(F);
  const double a = frame.a, b = std::max(frame.b, 1e-12 * a), k = kStrength * modulus_;
  const Barrier at = barrier(a * b);
  // W(a, b) = w(a b): W_a = w' b, W_aa = w'' b², W_ab = w' + w'' a b.
  StretchJet jet;
  jet.energy = k * at.value;
  jet.da = k * at.first * b;
  jet.db = k * at.first * a;
  jet.daa = k * at.second * b * b;
  jet.dab = k * (at.first + at.second * a * b);
  jet.dbb = k * at.second * a * a;
  jet.twist = k * at.first;
  jet.flip = -k * at.first;
  jet.lift_a = k * at.first * b / a;
  jet.lift_b = k * at.first * a / b;
  add_isotropic(frame, jet, kind, response);
  return response;
}

GuardedMembrane::GuardedMembrane(std::shared_ptr<const MembraneMaterial> inner)
    : inner_(std::move(inner)), modulus_(modulus_of(*inner_)), barrier_(modulus_) {}

double GuardedMembrane::energy(const Mat32& F) const { return inner_->energy(F) + barrier_.energy(F); }

MembraneResponse GuardedMembrane::evaluate(const Mat32& F, HessianKind kind) const {
  MembraneResponse response = inner_->evaluate(F, kind);
  const MembraneResponse guard = barrier_.evaluate(F, kind);
  response.energy += guard.energy;
  response.stress += guard.stress;
  response.hessian += guard.hessian;
  return response;
}

}  // namespace cutis
