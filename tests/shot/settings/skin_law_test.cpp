#include "cutis/shot/settings/skin_law.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/material/membrane/membrane_material.h"

namespace cutis {
namespace {

SkinLaw law_of(const std::string& text) {
  return skin_law(parse_shot("[body]\nmake = \"sheet\"\n" + text, "skin.toml").skin);
}

std::string error_of(const std::string& text) {
  try {
    law_of(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(SkinLaw, EveryPresetMakesItsMaterial) {
  for (const SkinPreset& preset : skin_presets()) {
    const SkinLaw law =
        law_of("[skin.material]\npreset = \"" + preset.name + "\"\n[skin.direction]\naxis = [1, 0, 0]");
    EXPECT_EQ(law.young, preset.law.young);
    EXPECT_EQ(law.fung_stiffness, preset.law.fung_stiffness);
    EXPECT_EQ(law.fibres, preset.law.fibres);
    EXPECT_EQ(law.fibre_stiffness, preset.law.fibre_stiffness);
    EXPECT_NE(make_material(law), nullptr);
    EXPECT_FALSE(preset.source.empty());
  }
}

TEST(SkinLaw, FibresOfThePresetNeedADirection) {
  EXPECT_EQ(law_of("").fibres, 0);
  EXPECT_EQ(law_of("[skin.direction]\nlanger = \"female\"").fibres, skin_presets()[0].law.fibres);
  EXPECT_EQ(law_of("[skin.material]\nfibres = 2\nfibre_angle = \"30 deg\"").fibres, 2);
}

TEST(SkinLaw, YoungScalesTheWholePreset) {
  const SkinLaw one = law_of(""), half = law_of("[skin.material]\nyoung = " + std::to_string(one.young / 2));
  EXPECT_NEAR(half.fung_stiffness, one.fung_stiffness / 2, 1e-9 * one.fung_stiffness);
  EXPECT_NEAR(half.fibre_stiffness, one.fibre_stiffness / 2, 1e-9 * one.fibre_stiffness);
  EXPECT_EQ(half.fibre_exponent, one.fibre_exponent);
  // A ratio under which the preset's exponential part does not fit is no mistake of the user's.
  EXPECT_NE(make_material(law_of("[skin.material]\npoisson = -0.5")), nullptr);
}

TEST(SkinLaw, IsWrittenAsABlockThatGivesItBack) {
  for (const SkinPreset& preset : skin_presets()) {
    SkinLaw law = preset.law;
    EXPECT_EQ(law_of(to_toml(law)), law) << to_toml(law);
    law.fibres = 2;
    law.fibre_angle = 0.6;
    law.biphasic = true;
    law.biphasic_young = 2 * law.young;
    law.viscosity = 20;
    SkinLaw back = law_of(to_toml(law));
    EXPECT_EQ(back, law) << to_toml(law);
  }
}

TEST(SkinLaw, NeoHookeanSkinIsIncompressible) {
  EXPECT_EQ(law_of("[skin.material]\nmodel = \"neo_hookean\"\npreset = \"pig\"").poisson, 0.5);
  EXPECT_EQ(law_of("[skin.material]\nmodel = \"neo_hookean\"\npoisson = 0.5").poisson, 0.5);
  EXPECT_THAT(error_of("[skin.material]\nmodel = \"neo_hookean\"\npoisson = 0.3"),
              testing::AllOf(testing::HasSubstr("skin.toml:5: skin.material.poisson: neo_hookean is "
                                                "incompressible: its ratio is 0.5, not 0.3"),
                             testing::HasSubstr("stable_neo_hookean")));
}

TEST(SkinLaw, APaintedYoungCountsAsItsHighEnd) {
  const SkinLaw law =
      law_of("[skin.material]\nyoung = { map = \"vertex_color\", low = \"1 kPa\", high = \"50 kPa\" }");
  EXPECT_EQ(law.young, 50e3);
}

TEST(SkinLaw, ConstantsThatContradictEachOtherAreNamedWithTheirLine) {
  EXPECT_THAT(
      error_of("[skin.material]\nyoung = \"3 kPa\"\nfung_stiffness = \"1 kPa\"\nfung_exponent = 6.62"),
      testing::AllOf(testing::HasSubstr("skin.toml:5: skin.material.fung_stiffness"),
                     testing::HasSubstr("at most")));
  EXPECT_THAT(error_of("[skin.material]\nyoung = \"3 kPa\"\nbiphasic = true\nbiphasic_young = \"1 kPa\""),
              testing::HasSubstr("skin.toml:6: skin.material.biphasic_young: below young"));
  EXPECT_EQ(
      error_of("[skin.material]\nmodel = \"neo_hookean\"\nyoung = \"3 kPa\"\nfung_stiffness = \"1 kPa\""),
      "no error");
}

}  // namespace
}  // namespace cutis
