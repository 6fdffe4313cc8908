#include "cutis/material/solid/flesh_solid.h"

namespace cutis {

PrincipalJet FleshSolid::jet(const Vec3& s) const {
  PrincipalJet jet;
  if (const auto* neo = std::get_if<StableNeoHookeanLaw>(&parts_.ground)) jet = neo->jet(s);
  if (const auto* linear = std::get_if<CorotatedLaw>(&parts_.ground)) jet = linear->jet(s);
  for (const BiphasicRamp& ramp : parts_.stretch_ramps) jet.add_ramp(ramp, s);
  for (const BiphasicRamp& ramp : parts_.volume_ramps) jet.add_function_of_volume(ramp.jet(s.prod()), s);
  return jet;
}

double FleshSolid::energy(const Mat3& F) const {
  const Vec3 s = signed_svd(F).stretches;
  double sum = 0;
  if (const auto* neo = std::get_if<StableNeoHookeanLaw>(&parts_.ground)) sum = neo->energy(s);
  if (const auto* linear = std::get_if<CorotatedLaw>(&parts_.ground)) sum = linear->energy(s);
  for (const BiphasicRamp& ramp : parts_.stretch_ramps)
    for (double stretch : s) sum += ramp.energy(stretch);
  for (const BiphasicRamp& ramp : parts_.volume_ramps) sum += ramp.energy(s.prod());
  return sum;
}

SolidStress FleshSolid::stress(const Mat3& F) const {
  const SignedSvd svd = signed_svd(F);
  return isotropic_stress(svd, jet(svd.stretches));
}

SolidResponse FleshSolid::evaluate(const Mat3& F, double projected_share) const {
  const SignedSvd svd = signed_svd(F);
  return isotropic_response(svd, jet(svd.stretches), projected_share);
}

}  // namespace cutis
