#include "cutis/material/membrane/wrinkling.h"

#include <cmath>

#include <gtest/gtest.h>

#include "cutis/material/membrane/presets.h"
#include "cutis/material/membrane/uniaxial.h"
#include "material/membrane/diagonal.h"

namespace cutis {
namespace {

using test::diagonal;

/// At which skin buckles; docs/materials.md.
constexpr double kCriticalStrain = 0.03;

/// Isotropic and measured: without its fibres.
SkinLaw law() {
  SkinLaw law = skin_preset(MaterialPreset::HumanForearm).law;
  law.fibres = 0;
  return law;
}

/// In plane stress, at rest.
double stiffness() { return law().young / (1 - law().poisson * law().poisson); }

TEST(Wrinkling, SkinInTensionIsTheLawItself) {
  const auto material = make_material(law());
  for (double a : {1.0, 1.05, 1.2, 1.4}) {
    const double narrow = pull(*material, a, 0).across;
    for (double b : {narrow + 1e-6, 0.5 * (narrow + a), a}) {
      EXPECT_EQ(material->energy(diagonal(a, b), 0), material->energy(diagonal(a, b), 1)) << a << " " << b;
      EXPECT_EQ(material->stress(diagonal(b, a), 0).stress, material->stress(diagonal(b, a), 1).stress);
      EXPECT_EQ(material->slack(diagonal(a, b)), 0);
    }
  }
}

TEST(Wrinkling, PulledSkinNarrowsAtNoPrice) {
  // Tension field: along the pull the stress of a strip that is free to narrow, across it the critical one.
  const auto material = make_material(law());
  for (double a : {1.1, 1.25, 1.4})
    for (double b : {0.2, 0.3, 0.4}) {
      const UniaxialPull strip = pull(*material, a, 0);
      const Mat32 P = material->stress(diagonal(a, b), 0).stress;
      EXPECT_NEAR(P(1, 1), -kCriticalStrain * stiffness(), 1e-6 * stiffness()) << a << " " << b;
      // What wrinkles hold acts along the pull, too, by the change of the natural width.
      EXPECT_NEAR(P(0, 0), strip.stress, 1.5 * kCriticalStrain * stiffness()) << a << " " << b;
      EXPECT_NEAR(material->slack(diagonal(a, b)), std::log((strip.across - kCriticalStrain) / b), 1e-6);
    }
}

TEST(Wrinkling, SlackSkinCarriesItsCriticalStressAlone) {
  const auto material = make_material(law());
  for (double a : {0.3, 0.5, 0.7}) {
    const Mat32 P = material->stress(diagonal(a, 0.5 * a), 0).stress;
    for (int k = 0; k < 2; ++k) EXPECT_NEAR(P(k, k), -kCriticalStrain * stiffness(), 1e-6 * stiffness()) << a;
  }
}

TEST(Wrinkling, WhatIsKeptOfTheStiffnessIsAShareOfTheLaw) {
  const auto material = make_material(law());
  const Mat32 F = diagonal(1.1, 0.6);
  const Mat32 whole = material->stress(F, 1).stress, none = material->stress(F, 0).stress;
  EXPECT_LT((material->stress(F, 0.3).stress - (0.3 * whole + 0.7 * none)).norm(), 1e-12 * whole.norm());
  EXPECT_LT(whole(1, 1), 3 * none(1, 1));
}

TEST(Wrinkling, PressedFurtherSkinNeverPressesBackLess) {
  // A stress that falls again would let single triangles snap together.
  const auto material = make_material(law());
  for (double a : {0.7, 0.97, 0.99, 1.0, 1.2})
    for (double b = 0.2; b < 1; b += 0.002) {
      const Mat6 H = material->evaluate(diagonal(a, b), kExact, 0).hessian;
      Mat2 block;
      block << H(0, 0), H(0, 4), H(4, 0), H(4, 4);
      EXPECT_GT(block(1, 1), -0.01 * law().young) << a << " " << b;
      EXPECT_GT(block.determinant(), -0.01 * law().young * law().young) << a << " " << b;
    }
}

}  // namespace
}  // namespace cutis
