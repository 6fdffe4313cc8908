#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <numeric>

#include "wrinkle/wrinkled_strip.h"

namespace cutis {
namespace {

/// The power of the slope along x of a height in rows, by the logarithm of the wavelength.
class SlopeSpectrum {
 public:
  SlopeSpectrum(const std::vector<double>& heights, std::size_t row, double spacing, double shortest,
                double longest)
      : shortest_(shortest), longest_(longest), power_(kSteps, 0) {
    for (std::size_t i = 0; i < kSteps; ++i) {
      const double k = 2 * pi / wavelength(i);
      for (std::size_t start = 0; start < heights.size(); start += row) {
        std::complex<double> sum = 0;
        for (std::size_t j = 1; j < row; ++j) {
          const double window = std::sin(pi * static_cast<double>(j) / static_cast<double>(row));
          sum += window * (heights[start + j] - heights[start + j - 1]) / spacing *
                 std::polar(1.0, k * spacing * static_cast<double>(j));
        }
        power_[i] += std::norm(sum) * k;  // for a step of the logarithm, not of the wave number
      }
    }
    smooth();
  }

  /// The wavelength with the most power between two [m].
  double peak(double from, double to) const { return wavelength(find(from, to, std::greater<>())); }
  double most(double from, double to) const { return power_[find(from, to, std::greater<>())]; }
  double least(double from, double to) const { return power_[find(from, to, std::less<>())]; }

 private:
  static constexpr std::size_t kSteps = 240;
  static constexpr double kWidth = 0.12;  ///< of what is taken together, in the logarithm
  double shortest_, longest_;
  std::vector<double> power_;

  double step() const { return std::log(longest_ / shortest_) / (kSteps - 1); }
  double wavelength(std::size_t i) const { return shortest_ * std::exp(step() * static_cast<double>(i)); }
  void smooth() {
    std::vector<double> out(kSteps, 0);
    for (std::size_t i = 0; i < kSteps; ++i)
      for (std::size_t j = 0; j < kSteps; ++j) {
        const double x = step() * (static_cast<double>(i) - static_cast<double>(j)) / kWidth;
        out[i] += std::exp(-x * x / 2) * power_[j];
      }
    power_ = out;
  }
  template <class Better>
  std::size_t find(double from, double to, const Better& better) const {
    std::size_t best = kSteps;
    for (std::size_t i = 0; i < kSteps; ++i)
      if (wavelength(i) >= from && wavelength(i) <= to && (best == kSteps || better(power_[i], power_[best])))
        best = i;
    return best;
  }
};

/// Where the lower layer alone has one. On a strip that is twelve large wavelengths long and two wide: on one
/// of half a wavelength, with a single row of constraints, the large wrinkles are a sixth longer and twice as
/// high.
TEST(TwoLayers, HaveTwoPeaksInTheSpectrumOfTheSlope) {
  if (!std::getenv("CUTIS_LONG")) GTEST_SKIP() << "takes minutes: ./test --long";
  WrinkleOptions options = one_layer();
  options.layers = {kDermis, kEpidermis};
  options.edge = 0.2;
  const std::vector<LayerProperties> layers = reference_layers(options);
  const double large = wavelength_of(options, layers, 0), small = wavelength_of(options, layers, 1);
  const double edge = small / 9, apart = std::sqrt(large * small);
  const Strip strip{12.5 * large, 2 * large, 0.22};
  const std::size_t row = static_cast<std::size_t>(edges_along(strip.length, edge, 2)) + 1;
  WrinkledStrip two(strip, options, 2e-3, edge);
  two.wrinkles.advance(0);
  const StepReport report = two.wrinkles.advance(1);
  EXPECT_TRUE(report.converged) << report.reason;
  const SlopeSpectrum spectrum(two.heights(), row, edge, small / 2, 2 * large);
  options.layers.pop_back();
  WrinkledStrip one(strip, options, 2e-3, edge);
  one.wrinkles.advance(0);
  one.wrinkles.advance(1);
  const SlopeSpectrum alone(one.heights(), row, edge, small / 2, 2 * large);
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
SmallWaves small_waves(const std::vector<double>& heights, std::size_t row, std::size_t window) {
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
  const std::size_t row = static_cast<std::size_t>(edges_along(strip.length, edge, 2)) + 1;
  const auto waves = [&](double give) {
    options.give = give;
    WrinkledStrip two(strip, options, 2e-3, edge);
    for (int frame = 0; frame <= 3; ++frame) {
      const StepReport report = two.wrinkles.advance(frame / 3.0);
      EXPECT_TRUE(report.converged) << report.reason;
    }
    return small_waves(two.heights(), row, 12);
  };
  const SmallWaves stiff = waves(0), soft = waves(3e-10);
  EXPECT_LT(stiff.flanks, 0.95 * stiff.crests);
  EXPECT_GT(soft.flanks / soft.crests, 1.03 * stiff.flanks / stiff.crests);
}

}  // namespace
}  // namespace cutis
