#include "cutis/material/presets.h"

namespace cutis {
namespace {

/// `cutis fit P12AC1S1_*.csv --unit MPa`: residual 15 %.
SkinLaw pig() {
  SkinLaw law;
  law.young = 163.6e3;
  law.poisson = 0.663;
  law.fung_stiffness = 8.29e3;
  law.fung_exponent = 7.65;
  law.fibres = 1;
  law.fibre_stiffness = 253.6e3;
  law.fibre_exponent = 1.365;
  return law;
}

/// `cutis fit P12BC2S1_*.csv --unit MPa`: residual 18 %.
SkinLaw soft_pig() {
  SkinLaw law;
  law.young = 24.57e3;
  law.poisson = 0.796;
  law.fung_stiffness = 945;
  law.fung_exponent = 11.27;
  law.fibres = 1;
  law.fibre_stiffness = 100.3e3;
  law.fibre_exponent = 2.532;
  return law;
}

SkinLaw rabbit() {
  SkinLaw law;
  law.young = 3015;
  law.poisson = 0.33;
  law.fung_stiffness = 0.34;
  law.fung_exponent = 6.62;
  law.fibres = 1;
  law.fibre_stiffness = 0.002;
  law.fibre_exponent = 7.9;
  return law;
}

/// Means of strips along the Langer lines: 1.18 MPa at rest, 28.0 MPa with a slope of 160.8 MPa where they
/// break, at a stretch of 1.54. These three give the modulus and the fibres; beta is the pig's, and alpha the
/// most that fits.
SkinLaw human_back() {
  SkinLaw law;
  law.young = 1.18e6;
  law.poisson = 0.5;
  law.fung_stiffness = 40.3e3;
  law.fung_exponent = 7.65;
  law.fibres = 1;
  law.fibre_stiffness = 1.17e6;
  law.fibre_exponent = 0.134;
  return law;
}

/// The same curve with every stiffness scaled, so that its Young's modulus is this one.
SkinLaw scaled(SkinLaw law, double young) {
  const double factor = young / law.young;
  for (double SkinLaw::*stiffness :
       {&SkinLaw::young, &SkinLaw::fung_stiffness, &SkinLaw::fibre_linear, &SkinLaw::fibre_stiffness})
    law.*stiffness *= factor;
  return law;
}

std::vector<SkinPreset> build() {
  const std::string pigs = "training data of Tac et al., github.com/tajtac/NODE, fitted here";
  return {
      {"human_forearm", "human, volar forearm, in vivo under suction: Young's modulus; shape of human_back",
       "Diridollou et al. 2000, Skin Research and Technology 6:214", scaled(human_back(), 129e3)},
      {"human_back", "human, back, excised strips along the Langer lines",
       "Ni Annaidh et al. 2012, J. Mech. Behav. Biomed. Mater. 5:139; Ottenio et al. 2015, the same 41:241",
       human_back()},
      {"pig", "porcine, excised, planar biaxial tests, specimen P12AC1S1", pigs, pig()},
      {"pig_soft", "porcine, excised, planar biaxial tests, specimen P12BC2S1", pigs, soft_pig()},
      {"rabbit", "rabbit, excised, biaxial tests",
       "ViSkin, section 5.1, a fit to Lanir and Fung; constants read in Pa", rabbit()}};
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
