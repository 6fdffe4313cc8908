#include "cutis/material/membrane/registry.h"

#include "cutis/material/membrane/area_preserving.h"
#include "cutis/material/membrane/presets.h"
#include "cutis/material/membrane/skin_membrane.h"

namespace cutis {
namespace {

MaterialSample sample(const std::string& name, const SkinLaw& law) {
  MaterialSample s;
  s.name = name;
  s.material = make_material(law);
  s.scale = s.young = law.young;
  s.poisson = law.poisson;
  s.isotropic = s.clamps_exactly = law.fibres == 0;
  return s;
}

/// A part on its own, with no stiffness at rest.
MaterialSample part(const std::string& name, const SkinMembrane::Parts& parts, double scale) {
  MaterialSample s;
  s.name = name;
  s.material = std::make_shared<SkinMembrane>(parts);
  s.scale = scale;
  s.isotropic = !parts.fibres[0];
  return s;
}

/// The law of a sample that keeps its area: at rest, `stiffness` adds to the first Lamé constant.
MaterialSample area_preserving(MaterialSample s, double stiffness) {
  const double mu = s.young / (2 * (1 + s.poisson));
  const double lambda = s.young * s.poisson / (1 - s.poisson * s.poisson) + stiffness;
  s.name += "_area_preserving";
  s.material = std::make_shared<AreaPreserving>(s.material, stiffness);
  s.young = 4 * mu * (lambda + mu) / (lambda + 2 * mu);
  s.poisson = lambda / (lambda + 2 * mu);
  s.clamps_exactly = false;
  return s;
}

}  // namespace

std::vector<MaterialSample> material_samples() {
  SkinLaw law;
  law.young = 2e4;
  law.poisson = 0.4;
  law.fung_stiffness = 300;
  law.fung_exponent = 5;
  law.fibre_angle = 0.6;
  law.fibre_linear = 4e3;
  law.fibre_stiffness = 2e3;
  law.fibre_exponent = 3;
  law.biphasic_young = 3e5;

  std::vector<MaterialSample> samples;
  law.model = MaterialModel::StVenantKirchhoff;
  samples.push_back(sample("st_venant_kirchhoff", law));
  law.model = MaterialModel::StableNeoHookean;
  samples.push_back(sample("stable_neo_hookean", law));
  SkinLaw incompressible = law;
  incompressible.model = MaterialModel::NeoHookean;
  incompressible.poisson = 0.5;
  samples.push_back(sample("neo_hookean", incompressible));
  law.model = MaterialModel::Fung;
  samples.push_back(sample("fung", law));
  samples.push_back(area_preserving(samples.back(), 10 * law.young));

  SkinMembrane::Parts parts;
  parts.fibres[0] = Fibre{Vec2(0.6, 0.8), law.fibre_linear, law.fibre_stiffness, law.fibre_exponent};
  samples.push_back(part("fibre", parts, law.fibre_stiffness));
  parts = {};
  parts.stiff_phase = BiphasicLaw(law.biphasic_young, law.biphasic_start, law.biphasic_end);
  samples.push_back(part("biphasic", parts, law.biphasic_young));

  law.fibres = 1;
  samples.push_back(sample("fung_one_family", law));
  law.fibres = 2;
  samples.push_back(sample("fung_two_families", law));
  law.biphasic = true;
  samples.push_back(sample("fung_two_families_biphasic", law));
  law.fibres = 0;
  samples.push_back(sample("fung_biphasic", law));
  for (const SkinPreset& preset : skin_presets())
    samples.push_back(sample("preset_" + preset.name, preset.law));
  // Relaxed in compression, wholly and in part.
  for (std::size_t i = 0, n = samples.size(); i < n; ++i) {
    if (!(samples[i].young > 0)) continue;
    for (const auto& [suffix, compression] :
         {std::pair("_no_compression", 0.0), std::pair("_tenth_compression", 0.1)}) {
      MaterialSample relaxed = samples[i];
      relaxed.name += suffix;
      relaxed.compression = compression;
      samples.push_back(relaxed);
    }
  }
  return samples;
}

}  // namespace cutis
