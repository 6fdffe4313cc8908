#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <numeric>

#include "wrinkle/wrinkled_strip.h"

namespace cutis {
namespace {

/// Where the lower layer alone has one. On a strip that is twelve large wavelengths long and two wide: on one
/// of half a wavelength, with a single row of constraints, the large wrinkles are a sixth longer and twice as
/// high.
TEST(TwoLayers, HaveTwoPeaksInTheSpectrumOfTheSlope) {
  if (!std::getenv("CUTIS_LONG")) GTEST_SKIP() << "takes minutes: ./test --long";
  WrinkleOptions options = one_layer();
  options.layers = {kDermis, kEpidermis};
  options.edge = 0.2;
  const std::vector<LayerProperties> both = reference_layers(options);
  const double large = wavelength_of(options, both, 0), small = wavelength_of(options, both, 1);
  const double edge = small / 9, apart = std::sqrt(large * small);
  const Strip strip{12.5 * large, 2 * large, 0.22};
  const auto spectrum_of = [&](const WrinkleOptions& layers) {
    WrinkledStrip film(strip, layers, 2e-3, edge);
    film.wrinkles.advance(0);
    const StepReport report = film.wrinkles.advance(1);
    EXPECT_TRUE(report.converged) << report.reason;
    const HeightGrid grid = film.grid();
    return WaveSpectrum(small / 2, 2 * large, [&](double k) { return slope_power(grid, k); });
  };
  const WaveSpectrum spectrum = spectrum_of(options);
  options.layers.pop_back();
  const WaveSpectrum alone = spectrum_of(options);
  EXPECT_LT(alone.most(small / 2, 2 * small), 0.1 * spectrum.most(small / 2, 2 * small));
  EXPECT_NEAR(alone.peak(small / 2, 2 * large), large, 0.15 * large);
  const double most_large = spectrum.most(apart, 2 * large), most_small = spectrum.most(small / 2, apart);
  const double between = spectrum.least(small, large);
  std::cout << "peaks " << spectrum.peak(apart, 2 * large) << " and " << spectrum.peak(small / 2, apart)
            << " m, powers " << most_large << " and " << most_small << ", " << between << " between\n";
  EXPECT_NEAR(spectrum.peak(apart, 2 * large), large, 0.15 * large);
  EXPECT_NEAR(spectrum.peak(small / 2, apart), small, 0.15 * small);
  EXPECT_LT(between, 0.5 * most_large);
  EXPECT_LT(between, 0.5 * most_small);
}

/// Root mean square heights of small waves on the crests of large ones, in their valleys and on their flanks
/// [m].
struct SmallWaves {
  double crests = 0, valleys = 0, flanks = 0;
};

/// The large waves are what is left of the mean over a small wavelength, twice.
SmallWaves small_waves(const HeightGrid& grid, std::size_t window) {
  const auto& [heights, row, spacing] = grid;
  double sums[3] = {0, 0, 0}, counts[3] = {0, 0, 0};
  const auto averaged = [&](const std::vector<double>& line) {
    std::vector<double> out(line.size(), 0);
    for (std::size_t i = window; i + window < line.size(); ++i)
      out[i] = std::accumulate(line.begin() + static_cast<std::ptrdiff_t>(i - window / 2),
                               line.begin() + static_cast<std::ptrdiff_t>(i + window - window / 2), 0.0) /
               static_cast<double>(window);
    return out;
  };
  for (std::size_t start = 0; start < heights.size(); start += row) {
    const auto begin = heights.begin() + static_cast<std::ptrdiff_t>(start);
    const std::vector<double> line(begin, begin + static_cast<std::ptrdiff_t>(row));
    const std::vector<double> large = averaged(averaged(line));
    double squares = 0, slopes = 0;
    for (std::size_t i = 2 * window; i + 2 * window < row; ++i) {
      squares += large[i] * large[i];
      slopes += (large[i + 1] - large[i - 1]) * (large[i + 1] - large[i - 1]);
    }
    for (std::size_t i = 2 * window; i + 2 * window < row; ++i) {
      const double a = large[i] / std::sqrt(squares), b = (large[i + 1] - large[i - 1]) / std::sqrt(slopes);
      const int kind = a > std::abs(b) ? 0 : a < -std::abs(b) ? 1 : 2;
      sums[kind] += (line[i] - large[i]) * (line[i] - large[i]);
      ++counts[kind];
    }
  }
  return {std::sqrt(sums[0] / counts[0]), std::sqrt(sums[1] / counts[1]), std::sqrt(sums[2] / counts[2])};
}

/// Where the upper layer may give way, 0.3 mm for each MPa, its waves on flanks come nearer to those on
/// crests.
TEST(TwoLayers, GiveSpreadsSmallWavesFromTheCrestsToTheFlanks) {
  WrinkleOptions options = one_layer();
  options.law = WavelengthLaw::Layer;
  options.layers = {kDermis, {{100e6, 0.4e-3, 0}, 0.5, 1100, 1, {}}};
  const std::vector<LayerProperties> layers = reference_layers(options);
  const double large = wavelength_of(options, layers, 0), small = wavelength_of(options, layers, 1);
  const Strip strip{4 * large, large, 0.12};
  const double edge = small / 12;
  const auto waves = [&](double give) {
    options.give = give;
    WrinkledStrip two(strip, options, 2e-3, edge);
    for (int frame = 0; frame <= 3; ++frame) {
      const StepReport report = two.wrinkles.advance(frame / 3.0);
      EXPECT_TRUE(report.converged) << report.reason;
    }
    return small_waves(two.grid(), 12);
  };
  const SmallWaves stiff = waves(0), soft = waves(3e-10);
  EXPECT_LT(stiff.flanks, 0.95 * stiff.crests);
  EXPECT_GT(soft.flanks / soft.crests, 1.03 * stiff.flanks / stiff.crests);
}

}  // namespace
}  // namespace cutis
