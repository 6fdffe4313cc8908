#include "cutis/material/membrane/presets.h"

#include <numbers>

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

/// Means of strips of the human back along the Langer lines alone: 28.0 MPa with a slope of 160.8 MPa where
/// they break, at a stretch of 1.54, from 1.18 MPa at rest. These three give the modulus and the fibres; beta
/// is the pig's, and alpha the most that fits.
SkinLaw strips_along() {
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

/// Strips along the Langer lines and across: the modulus is measured, alpha and beta are those above; angle
/// and stiffness of the fibres bring strength and last slope of both to within a standard deviation, and
/// Poisson's ratio is the least with which they can.
SkinLaw human_back() {
  SkinLaw law;
  law.young = 1.18e6;
  law.poisson = 0.9;
  law.fung_stiffness = 40.3e3;
  law.fung_exponent = 7.65;
  law.fibres = 2;
  law.fibre_angle = 43.5 * std::numbers::pi / 180;
  law.fibre_stiffness = 26.25e6;
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

/// Young's modulus under suction.
SkinLaw human_forearm() { return scaled(strips_along(), 129e3); }

std::vector<SkinPreset> build() {
  const std::string pigs = "training data of Tac et al., github.com/tajtac/NODE, fitted here";
  const std::string sites = "Yang et al., shear wave elastography of 90 volunteers: ratio to the forearm";
  // Mean moduli there: forearm 14.8 kPa, finger 30.3, chest 17.8, abdomen 9.5.
  const auto as_stiff_as = [](double kilopascals) {
    return scaled(human_forearm(), 129e3 * kilopascals / 14.8);
  };
  return {
      {"human_forearm",
       "human, volar forearm, in vivo under suction: Young's modulus; shape of strips of the back",
       "Diridollou et al. 2000, Skin Research and Technology 6:214", human_forearm()},
      {"human_forearm_old", "the same in old age: twice the modulus",
       "Agache et al. 1980, Arch. Dermatol. Res. 269:221", scaled(human_forearm(), 2 * 129e3)},
      {"human_finger", "human, finger, in vivo: modulus against the forearm's", sites, as_stiff_as(30.3)},
      {"human_chest", "human, front of the chest, in vivo: modulus against the forearm's", sites,
       as_stiff_as(17.8)},
      {"human_abdomen", "human, belly, in vivo: modulus against the forearm's", sites, as_stiff_as(9.5)},
      {"human_back", "human, back, excised strips along the Langer lines and across",
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
