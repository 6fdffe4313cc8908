#include "cutis/material/membrane/area_preserving.h"

namespace cutis {

double AreaPreserving::energy(const Mat32& F, double compression) const {
  const double change = F.col(0).cross(F.col(1)).norm() - 1;
  return inner_->energy(F, compression) + 0.5 * stiffness_ * change * change;
}

StretchJet AreaPreserving::area_jet(const StretchFrame& frame) const {
  const double a = frame.a, b = frame.b, k = stiffness_, pressure = k * (a * b - 1);
  StretchJet jet;
  jet.energy = 0.5 * pressure * (a * b - 1);
  jet.da = pressure * b;
  jet.db = pressure * a;
  jet.daa = k * b * b;
  jet.dab = k * a * b + pressure;
  jet.dbb = k * a * a;
  set_turning_modes(a, b, jet);
  jet.twist = pressure;
  jet.flip = -pressure;
  return jet;
}

MembraneStress AreaPreserving::stress(const Mat32& F, double compression) const {
  MembraneStress stress = inner_->stress(F, compression);
  const StretchFrame frame = stretch_frame(F);
  add_isotropic_stress(frame, area_jet(frame), stress);
  return stress;
}

MembraneResponse AreaPreserving::evaluate(const Mat32& F, double projected_share, double compression) const {
  MembraneResponse response = inner_->evaluate(F, projected_share, compression);
  const StretchFrame frame = stretch_frame(F);
  add_isotropic(frame, area_jet(frame), projected_share, response);
  return response;
}

StiffStress AreaPreserving::stiff_stress(const Mat32& F, double compression) const {
  StiffStress stiff = inner_->stiff_stress(F, compression);
  const StretchFrame frame = stretch_frame(F);
  add_isotropic_stress(frame, area_jet(frame), stiff);
  return stiff;
}

}  // namespace cutis
