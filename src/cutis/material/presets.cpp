#include "cutis/material/presets.h"

namespace cutis {
namespace {

std::vector<SkinPreset> build() {
  SkinLaw rabbit;
  rabbit.young = 3015;
  rabbit.poisson = 0.33;
  rabbit.fung_stiffness = 0.34;
  rabbit.fung_exponent = 6.62;
  rabbit.fibres = 1;
  rabbit.fibre_stiffness = 0.002;
  rabbit.fibre_exponent = 7.9;

  SkinLaw pig;
  pig.young = 163.7e3;
  pig.poisson = 0.66;
  pig.fung_stiffness = 8.2e3;
  pig.fung_exponent = 7.65;
  pig.fibres = 1;
  pig.fibre_stiffness = 253.6e3;
  pig.fibre_exponent = 1.365;

  return {{"pig", "porcine skin, excised, planar biaxial tests (specimen P12AC1S1)",
           "Tac et al. 2022, training data of github.com/tajtac/NODE; fitted here, docs/materials.md", pig},
          {"rabbit", "rabbit skin, excised, biaxial tests",
           "ViSkin, section 5.1: a fit to Lanir and Fung 1974; all constants read in Pa, docs/materials.md",
           rabbit}};
}

}  // namespace

const std::vector<SkinPreset>& skin_presets() {
  static const std::vector<SkinPreset> presets = build();
  return presets;
}

const SkinPreset& skin_preset(MaterialPreset preset) {
  return skin_presets()[static_cast<std::size_t>(preset)];
}

}  // namespace cutis
