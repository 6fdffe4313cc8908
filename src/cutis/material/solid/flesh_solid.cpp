#include "cutis/material/solid/flesh_solid.h"

#include <algorithm>

#include "cutis/material/solid/green_strain.h"

namespace cutis {

FleshSolid::FleshSolid(Parts parts) : parts_(std::move(parts)) {
  for (const BiphasicRamp& ramp : parts_.stretch_ramps)
    soft_ = std::min(soft_, 1 - ramp.short_start() * ramp.short_start());
}

PrincipalJet FleshSolid::shape_jet(const Vec3& s) const {
  PrincipalJet jet;
  if (const auto* neo = std::get_if<StableNeoHookeanLaw>(&parts_.ground)) jet = neo->shape_jet(s);
  if (const auto* linear = std::get_if<CorotatedLaw>(&parts_.ground)) jet = linear->jet(s);
  for (const BiphasicRamp& ramp : parts_.stretch_ramps) jet.add_ramp(ramp, s);
  return jet;
}

PrincipalJet FleshSolid::jet(const Vec3& s) const {
  PrincipalJet jet = shape_jet(s);
  jet.add_function_of_volume(volume(s.prod()), s);
  return jet;
}

ScalarJet FleshSolid::volume(double J) const {
  ScalarJet sum;
  if (const auto* neo = std::get_if<StableNeoHookeanLaw>(&parts_.ground)) sum = neo->volume(J);
  for (const BiphasicRamp& ramp : parts_.volume_ramps) {
    const ScalarJet one = ramp.jet(J);
    sum = {sum.value + one.value, sum.first + one.first, sum.second + one.second};
  }
  return sum;
}

double FleshSolid::shape_energy(const Vec3& s) const {
  double sum = 0;
  if (const auto* neo = std::get_if<StableNeoHookeanLaw>(&parts_.ground)) sum = neo->shape_energy(s);
  if (const auto* linear = std::get_if<CorotatedLaw>(&parts_.ground)) sum = linear->energy(s);
  for (const BiphasicRamp& ramp : parts_.stretch_ramps)
    for (double stretch : s) sum += ramp.energy(stretch);
  return sum;
}

double FleshSolid::energy(const Mat3& F) const {
  const Vec3 s = signed_svd(F).stretches;
  return shape_energy(s) + volume(s.prod()).value;
}

double FleshSolid::shape_energy(const Mat3& F) const {
  // No square of a stretch is further from one than |2 E|: most elements need no stretches.
  const auto* neo = std::get_if<StableNeoHookeanLaw>(&parts_.ground);
  if (neo && F.determinant() > 0)
    if (const Mat3 E = green_strain(F); 2 * E.norm() < soft_) return neo->shape_energy_of(E);
  return shape_energy(signed_svd(F).stretches);
}

SolidStress FleshSolid::stress(const Mat3& F) const {
  const SignedSvd svd = signed_svd(F);
  return isotropic_stress(svd, jet(svd.stretches));
}

SolidResponse FleshSolid::evaluate(const Mat3& F, double projected_share) const {
  const SignedSvd svd = signed_svd(F);
  return isotropic_response(svd, jet(svd.stretches), projected_share);
}

SolidModes FleshSolid::evaluate_shape(const Mat3& F, double pressure, double projected_share) const {
  const SignedSvd svd = signed_svd(F);
  PrincipalJet jet = shape_jet(svd.stretches);
  jet.add_function_of_volume({pressure * svd.stretches.prod(), pressure, 0}, svd.stretches);
  return isotropic_modes(svd, jet, projected_share);
}

}  // namespace cutis
