#include "cutis/material/membrane/skin_law.h"

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/material/membrane/failure.h"
#include "cutis/material/membrane/skin_membrane.h"

namespace cutis {
namespace {

void check(const SkinLaw& law) {
  std::vector<std::string> mistakes;
  const auto must = [&](bool holds, const char* key, double value, const char* rule) {
    if (!holds || !std::isfinite(value))
      mistakes.push_back(fmt::format("{} = {:.6g}: must be {}", key, value, rule));
  };
  must(law.young > 0, "young", law.young, "above 0 Pa");
  must(law.poisson > -1 && law.poisson < 1, "poisson", law.poisson, "above -1 and below 1");
  must(law.model != MaterialModel::NeoHookean || law.poisson == 0.5, "poisson", law.poisson,
       "0.5 with neo_hookean, which is incompressible");
  must(law.fung_stiffness >= 0, "fung_stiffness", law.fung_stiffness, "at least 0 Pa");
  must(law.fung_exponent >= 0, "fung_exponent", law.fung_exponent, "at least 0");
  must(law.fibres >= 0 && law.fibres <= 2, "fibres", law.fibres, "0, 1 or 2");
  must(true, "fibre_angle", law.fibre_angle, "a number");
  must(law.fibre_linear >= 0, "fibre_linear", law.fibre_linear, "at least 0 Pa");
  must(law.fibre_stiffness >= 0, "fibre_stiffness", law.fibre_stiffness, "at least 0 Pa");
  must(law.fibre_exponent >= 0, "fibre_exponent", law.fibre_exponent, "at least 0");
  must(law.viscosity >= 0, "viscosity", law.viscosity, "at least 0 Pa s");
  if (law.biphasic) {
    must(law.biphasic_young >= law.young, "biphasic_young", law.biphasic_young, "at least young");
    must(law.biphasic_start >= 0, "biphasic_start", law.biphasic_start, "at least 0");
    must(law.biphasic_end > law.biphasic_start, "biphasic_end", law.biphasic_end, "above biphasic_start");
  }
  if (!mistakes.empty()) throw InputError(mistakes);
}

}  // namespace

std::shared_ptr<const MembraneMaterial> make_material(const SkinLaw& law) {
  check(law);
  SkinMembrane::Parts parts;
  switch (law.model) {
    case MaterialModel::StVenantKirchhoff:
      parts.ground = StVenantKirchhoffLaw(law.young, law.poisson);
      break;
    case MaterialModel::NeoHookean:
      parts.ground = NeoHookeanLaw(law.young);
      break;
    case MaterialModel::StableNeoHookean:
      parts.ground = FungLaw(law.young, law.poisson, 0, 0);
      break;
    case MaterialModel::Fung:
      parts.ground = FungLaw(law.young, law.poisson, law.fung_stiffness, law.fung_exponent);
      break;
  }
  for (int i = 0; i < law.fibres; ++i) {
    const double angle = law.fibres == 1 ? 0 : (i == 0 ? law.fibre_angle : -law.fibre_angle);
    Fibre fibre{Vec2(std::cos(angle), std::sin(angle)), law.fibre_linear, law.fibre_stiffness,
                law.fibre_exponent};
    fibre.failure = kFailureStretch * kFailureStretch - 1;
    fibre.failed_stiffness = failed_stiffness(law.young);
    parts.fibres[static_cast<std::size_t>(i)] = fibre;
  }
  if (law.biphasic)
    parts.stiff_phase = BiphasicLaw(law.biphasic_young - law.young, law.biphasic_start, law.biphasic_end);
  return std::make_shared<SkinMembrane>(parts);
}

}  // namespace cutis
