#include "cutis/slide/guarded_membrane.h"

#include <algorithm>

#include "cutis/slide/log_barrier.h"

namespace cutis {
namespace {

constexpr double kOnset = 0.1;  ///< area ratio
/// Below this the barrier goes on as the parabola that touches it: finite where the body itself has
/// collapsed.
constexpr double kFloor = 1e-4;
constexpr double kStrength = 10;  ///< against the material's modulus

ScalarJet barrier(double J) {
  return J >= kFloor ? log_barrier(J, kOnset) : continued(log_barrier(kFloor, kOnset), J - kFloor);
}

bool far_from_collapse(const Mat32& F) { return F.col(0).cross(F.col(1)).squaredNorm() >= kOnset * kOnset; }

/// The mean over the four entries of F in the plane.
double modulus_of(const MembraneMaterial& material) {
  Mat32 F = Mat32::Zero();
  F.topRows<2>().setIdentity();
  return material.evaluate(F, HessianKind::Exact).hessian.trace() / 4;
}

/// W(a, b) = k w(a b): W_a = k w' b, W_aa = k w'' b², W_ab = k (w' + w'' a b).
StretchJet barrier_jet(double a, double b, double k) {
  const ScalarJet at = barrier(a * b);
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
  return jet;
}

}  // namespace

GuardedMembrane::GuardedMembrane(std::shared_ptr<const MembraneMaterial> inner)
    : inner_(std::move(inner)), modulus_(modulus_of(*inner_)) {}

double GuardedMembrane::energy(const Mat32& F) const {
  return inner_->energy(F) + kStrength * modulus_ * barrier(F.col(0).cross(F.col(1)).norm()).value;
}

StretchJet GuardedMembrane::guard(const StretchFrame& frame) const {
  return barrier_jet(frame.a, std::max(frame.b, 1e-12 * frame.a), kStrength * modulus_);
}

MembraneStress GuardedMembrane::stress(const Mat32& F) const {
  MembraneStress stress = inner_->stress(F);
  if (far_from_collapse(F)) return stress;
  const StretchFrame frame = stretch_frame(F);
  add_isotropic_stress(frame, guard(frame), stress);
  return stress;
}

MembraneResponse GuardedMembrane::evaluate(const Mat32& F, HessianKind kind) const {
  MembraneResponse response = inner_->evaluate(F, kind);
  if (far_from_collapse(F)) return response;
  const StretchFrame frame = stretch_frame(F);
  add_isotropic(frame, guard(frame), kind, response);
  return response;
}

}  // namespace cutis
