#include <gtest/gtest.h>

#include <cmath>

#include "cutis/wrinkle/critical_wavelength.h"

namespace cutis {
namespace {

const LayerProperties kSubstrate{0.5e6, 15e-3, 0}, kDermis{4e6, 1.3e-3, 0}, kEpidermis{600e6, 0.12e-3, 0};

TEST(CriticalWavelength, TheThesisLawGivesItsReferenceSkin) {
  EXPECT_NEAR(thesis_wavelength({kDermis, kSubstrate}), 6.24e-3, 0.01e-3);
  EXPECT_NEAR(thesis_wavelength({kEpidermis, kDermis}), 0.91e-3, 0.005e-3);
  EXPECT_NEAR(critical_strain(kDermis.thickness, 6.245e-3), 0.143, 5e-4);
  EXPECT_NEAR(critical_strain(kEpidermis.thickness, 0.9105e-3), 0.057, 5e-4);
}

TEST(CriticalWavelength, OfAFilmOnALayerOfAnyThickness) {
  EXPECT_NEAR(layer_wavelength({kDermis, kSubstrate}), 11.3e-3, 0.05e-3);
  EXPECT_NEAR(layer_wavelength({kEpidermis, kDermis}), 2.45e-3, 0.005e-3);
}

/// On a half space D q³ = G: the film's classical 2 π h (E' / (3 E'_lower))^(1/3) with E'_lower = 4 G.
TEST(CriticalWavelength, OnADeepLayerIsThatOfAHalfSpace) {
  LayerPair pair{kEpidermis, kDermis};
  pair.lower.thickness = 1;
  const double plane = pair.upper.young / 0.75, plane_lower = pair.lower.young / 0.75;
  EXPECT_NEAR(layer_wavelength(pair), 2 * pi * pair.upper.thickness * std::cbrt(plane / (3 * plane_lower)),
              1e-6 * pair.upper.thickness);
}

/// Where the layer is thinner than the wrinkles, the wavelength goes as the root of both thicknesses and the
/// sixth root of the moduli: Li 2014, Eq. 3.1.
TEST(CriticalWavelength, OnAThinLayerFollowsTheThesisLaw) {
  LayerPair pair{kEpidermis, kDermis};
  pair.lower = {1e3, 1e-5, 0};
  const double ratio = layer_wavelength(pair) / thesis_wavelength(pair);
  pair.upper.young *= 64;
  EXPECT_NEAR(layer_wavelength(pair) / thesis_wavelength(pair), ratio, 0.01 * ratio);
  pair.upper.thickness /= 2;
  pair.lower.thickness /= 2;
  EXPECT_NEAR(layer_wavelength(pair) / thesis_wavelength(pair), ratio, 0.01 * ratio);
}

TEST(CriticalWavelength, APaintedWavelengthOverridesTheLaw) {
  WrinkleOptions options;
  options.layers.resize(2);
  std::vector<LayerProperties> layers{kDermis, kEpidermis};
  EXPECT_NEAR(wavelength_of(options, layers, 1), thesis_wavelength({kEpidermis, kDermis}), 1e-12);
  layers[1].wavelength = 0.002;
  EXPECT_EQ(wavelength_of(options, layers, 1), 0.002);
}

}  // namespace
}  // namespace cutis
