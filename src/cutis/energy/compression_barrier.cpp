#include "cutis/energy/compression_barrier.h"

#include <algorithm>

#include "cutis/energy/log_barrier.h"

namespace cutis {
namespace {

/// The barrier begins at this stretch, far below what the relaxed law and its residual stiffness let skin
/// come to but where the body itself collapses.
constexpr double kCompressionOnset = 0.25;
/// Below this stretch the barrier goes on as its quadratic extension: finite where the body itself has
/// collapsed.
constexpr double kCompressionFloor = 1e-4;
/// Against the material's modulus. Where skinning itself presses the body together the barrier's energy grows
/// with it; a third to three hundred times of it give the same tension in the skin.
constexpr double kCompressionStrength = 1;

ScalarJet barrier(double stretch) {
  return stretch >= kCompressionFloor ? log_barrier(stretch, kCompressionOnset)
                                      : quadratic_extension(log_barrier(kCompressionFloor, kCompressionOnset),
                                                            stretch - kCompressionFloor);
}

/// The smaller stretch is the area ratio over the larger one, which is no more than |F|.
bool far_from_collapse(const Mat32& F) {
  return F.col(0).cross(F.col(1)).squaredNorm() >= kCompressionOnset * kCompressionOnset * F.squaredNorm();
}

/// W(a, b) = k (w(a) + w(b)).
StretchJet barrier_jet(double a, double b, double k) {
  const ScalarJet at_a = barrier(a), at_b = barrier(b);
  StretchJet jet;
  jet.energy = k * (at_a.value + at_b.value);
  jet.da = k * at_a.first;
  jet.db = k * at_b.first;
  jet.daa = k * at_a.second;
  jet.dbb = k * at_b.second;
  set_turning_modes(a, b, jet);
  return jet;
}

}  // namespace

/// The mean over the four entries of F in the plane.
double modulus_of(const MembraneMaterial& material) {
  Mat32 F = Mat32::Zero();
  F.topRows<2>().setIdentity();
  return material.evaluate(F, kExact).hessian.trace() / 4;
}

CompressionBarrier::CompressionBarrier(std::shared_ptr<const MembraneMaterial> inner)
    : inner_(std::move(inner)), modulus_(modulus_of(*inner_)) {}

double CompressionBarrier::barrier_energy(const Mat32& F) const {
  return far_from_collapse(F) ? 0 : barrier_of(stretch_frame(F)).energy;
}

double CompressionBarrier::energy(const Mat32& F, double compression) const {
  return inner_->energy(F, compression) + barrier_energy(F);
}

StretchJet CompressionBarrier::barrier_of(const StretchFrame& frame) const {
  return barrier_jet(frame.a, std::max(frame.b, 1e-12 * frame.a), kCompressionStrength * modulus_);
}

MembraneStress CompressionBarrier::stress(const Mat32& F, double compression) const {
  MembraneStress stress = inner_->stress(F, compression);
  if (far_from_collapse(F)) return stress;
  const StretchFrame frame = stretch_frame(F);
  add_isotropic_stress(frame, barrier_of(frame), stress);
  return stress;
}

MembraneResponse CompressionBarrier::evaluate(const Mat32& F, double projected_share,
                                              double compression) const {
  MembraneResponse response = inner_->evaluate(F, projected_share, compression);
  if (far_from_collapse(F)) return response;
  const StretchFrame frame = stretch_frame(F);
  add_isotropic(frame, barrier_of(frame), projected_share, response);
  return response;
}

}  // namespace cutis
