// What single laws promise beyond the checks of the registry.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/material/membrane/biphasic.h"
#include "cutis/material/membrane/presets.h"
#include "cutis/material/membrane/skin_membrane.h"
#include "cutis/material/membrane/uniaxial.h"
#include "cutis/surface/mesh/deformation.h"
#include "material/membrane/diagonal.h"
#include "support/meshes.h"

namespace cutis {
namespace {

using test::diagonal;

constexpr double kQuarterTurn = 1.5707963267948966;

TEST(StVenantKirchhoff, UniaxialPullHasItsClosedForm) {
  // S = E e along the strip and the Green strain across is -nu e.
  SkinLaw law;
  law.model = MaterialModel::StVenantKirchhoff;
  law.young = 5e4;
  law.poisson = 0.3;
  const auto material = make_material(law);
  for (double stretch : {0.8, 1.0, 1.4}) {
    const double e = (stretch * stretch - 1) / 2;
    const UniaxialPull p = pull(*material, stretch, 0.7);
    EXPECT_NEAR(p.across, std::sqrt(1 - 2 * law.poisson * e), 1e-12);
    EXPECT_NEAR(p.stress, stretch * law.young * e, 1e-10 * law.young);
    EXPECT_NEAR(p.tangent, law.young * (e + stretch * stretch), 1e-10 * law.young);
  }
}

SkinLaw neo_hookean(double young) {
  SkinLaw law;
  law.model = MaterialModel::NeoHookean;
  law.young = young;
  law.poisson = 0.5;
  return law;
}

TEST(NeoHookean, PullsHaveTheClosedFormsOfIncompressibleSkin) {
  // Cauchy stress: mu (l² - 1/l) of a strip, mu (l² - l⁻⁴) equally both ways, mu (l² - l⁻²) of a strip that
  // keeps its width. Force over rest area is that by the change of the area it acts on.
  const double young = 1e5, mu = young / 3;
  const auto material = make_material(neo_hookean(young));
  for (double l : {0.4, 0.8, 1.0, 1.3, 2.0}) {
    const UniaxialPull strip = pull(*material, l, 0.7);
    EXPECT_NEAR(strip.across, 1 / std::sqrt(l), 1e-12);
    EXPECT_NEAR(strip.stress * l, mu * (l * l - 1 / l), 1e-9 * young);
    EXPECT_NEAR(strip.tangent, mu * (1 + 2 / std::pow(l, 3)), 1e-9 * young);
    const Mat32 both = material->stress(diagonal(l, l)).stress;
    EXPECT_NEAR(both(0, 0) * l, mu * (l * l - std::pow(l, -4)), 1e-9 * young);
    EXPECT_NEAR(both(1, 1), both(0, 0), 1e-9 * young);
    const Mat32 shear = material->stress(diagonal(l, 1)).stress;
    EXPECT_NEAR(shear(0, 0) * l, mu * (l * l - 1 / (l * l)), 1e-9 * young);
  }
  EXPECT_NEAR(material->stress(diagonal(1.3, 1.3)).stress(0, 0), 34.4e3, 50);
  // The stabilised law is another one away from rest, though it has the same tangent there.
  SkinLaw stable = neo_hookean(young);
  stable.model = MaterialModel::StableNeoHookean;
  EXPECT_NEAR(make_material(stable)->stress(diagonal(1.3, 1.3)).stress(0, 0), 89.7e3, 50);
}

TEST(NeoHookean, GoesOnSmoothlyToNoAreaAtAll) {
  const NeoHookeanLaw law(3);  // mu = 1
  double before = 0;
  for (double area : {1.0, 0.5, 0.1, 0.051, 0.049, 0.01, 1e-8, 0.0}) {
    EXPECT_GE(law.energy(1, area), before);
    before = law.energy(1, area);
  }
  EXPECT_TRUE(std::isfinite(before));
  const StretchJet above = law.jet(0.5, 0.1 + 1e-12), below = law.jet(0.5, 0.1 - 1e-12);
  EXPECT_NEAR(above.energy, below.energy, 1e-6);
  EXPECT_NEAR(above.db, below.db, 1e-4);
  EXPECT_NEAR(above.dbb / below.dbb, 1, 1e-9);
}

TEST(NeoHookean, HasNoOtherPoissonsRatio) {
  SkinLaw law = neo_hookean(1e5);
  law.poisson = 0.3;
  try {
    make_material(law);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("poisson = 0.3: must be 0.5 with neo_hookean"));
  }
}

TEST(Fung, IsEquationTwoWithTheSolvedConstants) {
  const double young = 2e4, poisson = 0.4, alpha = 300, beta = 5;
  const double mu = young / (2 * (1 + poisson)) - alpha * beta / 2;
  const double lambda = young / (2 * (1 - poisson)) - alpha * beta * beta / 2;
  const double k = 1 + (mu + alpha * beta / 2) / lambda;
  const auto equation = [&](double a, double b) {
    const double I1 = a * a + b * b, J = a * b;
    return mu / 2 * (I1 - 2) + lambda / 2 * (J - k) * (J - k) +
           alpha / 2 * (std::exp(beta / 2 * (I1 - 2)) - 1);
  };
  const FungLaw law(young, poisson, alpha, beta);
  for (double a : {0.5, 0.9, 1.0, 1.3})
    for (double b : {0.4, 1.0, 1.25})
      EXPECT_NEAR(law.energy(a, b), equation(a, b) - equation(1, 1), 1e-11 * young);
}

TEST(Fung, RefusesAnExponentialStifferThanItsYoungsModulus) {
  const double largest = FungLaw::largest_stiffness(3015, 0.33, 6.62);
  EXPECT_NO_THROW(FungLaw(3015, 0.33, largest, 6.62));
  try {
    FungLaw(3015, 0.33, 340, 6.62);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::AllOf(testing::HasSubstr("340"), testing::HasSubstr("at most 102.")));
  }
}

TEST(Fibre, IsEquationFiveAndSilentInCompression) {
  const Fibre fibre{Vec2(0.6, 0.8), 700, 20, 3};
  const Mat32 F = diagonal(1.3, 1.1);
  const double s = 1.69 * 0.36 + 1.21 * 0.64 - 1;
  EXPECT_NEAR(fibre.energy(F), s * s * s * (700 + 20 * std::exp(3 * s)), 1e-10);
  MembraneResponse r;
  fibre.add(diagonal(0.95, 0.7), r);
  EXPECT_EQ(r.energy, 0);
  EXPECT_EQ(r.stress, Mat32::Zero());
  EXPECT_EQ(r.hessian, Mat6::Zero());
}

TEST(Fibre, BecomesStiffWithoutAJump) {
  // C2: value, slope and curvature all start from zero, and the curvature grows at a finite rate.
  const Fibre fibre{Vec2::UnitX(), 700, 20, 3};
  const ScalarJet just = fibre.law(1e-9);
  EXPECT_LT(just.value, 1e-20);
  EXPECT_LT(just.first, 1e-14);
  EXPECT_NEAR(just.second, 6 * 720 * 1e-9, 1e-12);
}

TEST(FailedSkin, GoesOnToSecondOrderAndIsASoftSpringFurtherOut) {
  Fibre fibre{Vec2::UnitX(), 700, 20, 3};
  const Fibre whole = fibre;
  fibre.failure = 1.25;
  fibre.failed_stiffness = 1e4;
  const ScalarJet before = whole.law(fibre.failure), after = fibre.law(fibre.failure * (1 + 1e-12));
  EXPECT_NEAR(after.value, before.value, 1e-9 * before.value);
  EXPECT_NEAR(after.first, before.first, 1e-9 * before.first);
  EXPECT_NEAR(after.second, before.second, 1e-9 * before.second);

  // Second differences by the length are the stiffness. Fung's law with b = 0 has that of mu besides.
  const FungLaw fung(1e5, 0.3, 100, 8), plain(1e5, 0.3, 0, 8);
  const auto second = [](auto w, double r) { return (w(r + 0.01) - 2 * w(r) + w(r - 0.01)) / 1e-4; };
  EXPECT_NEAR(second([&](double r) { return fibre.energy(diagonal(r, 1)); }, 2.5), 1e4, 1);
  EXPECT_GT(second([&](double r) { return fibre.energy(diagonal(r, 1)); }, 1.49), 2e4);
  EXPECT_NEAR(second([&](double r) { return fung.energy(r, 0) - fung.energy(0, 0); }, 3.5),
              3e6 + second([&](double r) { return plain.energy(r, 0); }, 3.5) - 100 * 8 / 2, 200);
}

TEST(TwoFamilies, AreTwoFibresMirroredAtTheDirection) {
  SkinLaw law = skin_presets()[0].law;
  law.fibres = 0;
  const double ground = make_material(law)->energy(diagonal(1.3, 1.2));
  law.fibres = 2;
  law.fibre_angle = 0.5;
  const Vec2 up(std::cos(0.5), std::sin(0.5));
  const Fibre one{up, law.fibre_linear, law.fibre_stiffness, law.fibre_exponent};
  EXPECT_NEAR(make_material(law)->energy(diagonal(1.3, 1.2)), ground + 2 * one.energy(diagonal(1.3, 1.2)),
              1e-7);
  // No shear stress: the mirror image is the same skin.
  const Mat32 stress = make_material(law)->evaluate(diagonal(1.3, 1.2), kExact).stress;
  EXPECT_NEAR(stress(1, 0), 0, 1e-9);
  EXPECT_NEAR(stress(0, 1), 0, 1e-9);
}

TEST(Biphasic, MeasuresStretchAndCompressionAlike) {
  EXPECT_EQ(deformation_measure(std::array{1.0, 1.0}), 0);
  EXPECT_NEAR(deformation_measure(std::array{2.0, 1.0}), std::log(2), 1e-15);
  EXPECT_NEAR(deformation_measure(std::array{1.2, 0.5, 1.0}), std::log(2), 1e-15);
  EXPECT_EQ(deformation_measure(std::array{1.0, 0.0}), INFINITY);
}

TEST(Biphasic, IsSoftBelowTheStartAndStiffAboveTheEnd) {
  SkinLaw law;
  law.young = 1e4;
  law.poisson = 0.3;
  const auto soft = make_material(law);
  law.biphasic = true;
  law.biphasic_young = 2e5;
  law.biphasic_start = 0.15;
  law.biphasic_end = 0.4;
  const auto both = make_material(law);
  test::Random random(5);
  for (int i = 0; i < 200; ++i) {
    const double a = std::exp(random(-0.8, 0.8)), b = std::exp(random(-0.8, 0.8));
    const double added = both->energy(diagonal(a, b)) - soft->energy(diagonal(a, b));
    if (deformation_measure(std::array{a, b}) <= law.biphasic_start) {
      EXPECT_EQ(added, 0);
    } else {
      EXPECT_GT(added, 0);
    }
  }
  // In the stiff phase a strip is stiffer by the difference of the two moduli, pulled or pushed.
  for (double stretch : {std::exp(0.41), std::exp(-0.41), std::exp(0.6)}) {
    const double across = 1 / std::sqrt(stretch);
    const Mat6 added = both->evaluate(diagonal(stretch, across), kExact).hessian -
                       soft->evaluate(diagonal(stretch, across), kExact).hessian;
    EXPECT_NEAR(added(0, 0), law.biphasic_young - law.young, 1e-9 * law.young) << stretch;
  }
}

TEST(Biphasic, RampIsSmoothAtBothEnds) {
  const BiphasicRamp ramp(1000, 0.1, 0.3);
  for (double knot : {std::exp(0.1), std::exp(0.3), std::exp(-0.1), std::exp(-0.3)}) {
    const ScalarJet below = ramp.jet(knot - 1e-9), above = ramp.jet(knot + 1e-9);
    EXPECT_NEAR(below.value, above.value, 1e-5);
    EXPECT_NEAR(below.first, above.first, 1e-5);
    EXPECT_NEAR(below.second, above.second, 1e-5);
  }
}

TEST(MakeMaterial, NamesEveryConstantThatIsOutOfRange) {
  SkinLaw law;
  law.young = -1;
  law.poisson = 1;
  law.fibres = 3;
  law.fibre_exponent = NAN;
  try {
    make_material(law);
    FAIL();
  } catch (const InputError& error) {
    for (const char* key : {"young = -1", "poisson = 1", "fibres = 3", "fibre_exponent = nan"})
      EXPECT_THAT(error.what(), testing::HasSubstr(key));
  }
}

TEST(Presets, HumanBackMeetsItsMeasurementsAlongAndAcross) {
  // Ni Annaidh 2012: initial slope and failure stretch; Ottenio 2015: strength and last slope along the
  // Langer lines and across, with their standard deviations.
  const auto skin = make_material(skin_preset(MaterialPreset::HumanBack).law);
  const UniaxialPull along = pull(*skin, 1.54, 0), across = pull(*skin, 1.54, kQuarterTurn);
  EXPECT_NEAR(pull(*skin, 1, 0).tangent, 1.18e6, 1e3);
  EXPECT_NEAR(pull(*skin, 1, kQuarterTurn).tangent, 1.18e6, 1e3);
  EXPECT_NEAR(along.stress, 28.0e6, 5.7e6);
  EXPECT_NEAR(along.tangent, 160.8e6, 53.2e6);
  EXPECT_NEAR(across.stress, 15.6e6, 5.2e6);
  EXPECT_NEAR(across.tangent, 70.6e6, 59.5e6);
  EXPECT_GE(pull(*skin, 1.3, 0).tangent, 3 * pull(*skin, 1, 0).tangent);
  EXPECT_LT(pull(*skin, 1.3, kQuarterTurn).tangent, pull(*skin, 1.3, 0).tangent);
}

TEST(Presets, ForearmHasItsModulusAndTheShapeOfStripsOfTheBackAlongTheLines) {
  const auto arm = make_material(skin_preset(MaterialPreset::HumanForearm).law);
  const double stiffer = 1.18e6 / 129e3;
  EXPECT_NEAR(pull(*arm, 1, 0).tangent, 129e3, 1);
  EXPECT_NEAR(stiffer * pull(*arm, 1.54, 0).stress, 28.0e6, 0.1e6);
  EXPECT_NEAR(stiffer * pull(*arm, 1.54, 0).tangent, 160.8e6, 0.5e6);
}

TEST(Presets, OtherPlacesAndAgesAreTheForearmScaled) {
  const auto arm = make_material(skin_preset(MaterialPreset::HumanForearm).law);
  for (const auto& [preset, ratio] : {std::pair{MaterialPreset::HumanForearmOld, 2.0},
                                      {MaterialPreset::HumanFinger, 30.3 / 14.8},
                                      {MaterialPreset::HumanChest, 17.8 / 14.8},
                                      {MaterialPreset::HumanAbdomen, 9.5 / 14.8}}) {
    const auto skin = make_material(skin_preset(preset).law);
    for (double angle : {0.0, kQuarterTurn})
      EXPECT_NEAR(pull(*skin, 1.3, angle).stress / pull(*arm, 1.3, angle).stress, ratio, 1e-9);
  }
}

TEST(DefaultSkin, StiffensAlongItsFibresAndLessAcross) {
  const auto skin = make_material(skin_presets()[0].law);
  const auto growth = [&](double angle) {
    return pull(*skin, 1.3, angle).tangent / pull(*skin, 1, angle).tangent;
  };
  EXPECT_GE(growth(0), 3);
  EXPECT_LT(growth(kQuarterTurn), growth(0));
  EXPECT_LT(pull(*skin, 1.3, kQuarterTurn).tangent, pull(*skin, 1.3, 0).tangent);
}

TEST(DefaultSkin, FibresDoNotResistCompression) {
  SkinLaw bare = skin_presets()[0].law;
  const auto skin = make_material(bare);
  bare.fibres = 0;
  const auto ground = make_material(bare);
  for (double stretch : {0.99, 0.8, 0.5})
    EXPECT_EQ(skin->evaluate(diagonal(stretch, 1), kExact).stress,
              ground->evaluate(diagonal(stretch, 1), kExact).stress);
}

}  // namespace
}  // namespace cutis
