#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <tuple>

#include "cutis/wrinkle/constraint/constraint_centres.h"
#include "wrinkle/wrinkled_strip.h"

namespace cutis {
namespace {

/// Median angle between the waves of a height on a grid and a direction [degrees]: waves run where the mean
/// of the slope's square over half a wavelength around is greatest.
double median_tilt(const HeightGrid& grid, double wavelength, double direction) {
  const int columns = static_cast<int>(grid.row), rows = static_cast<int>(grid.rows());
  const auto height = [&](int i, int j) { return grid.heights[at(j) * grid.row + at(i)]; };
  const int reach = static_cast<int>(wavelength / grid.spacing);
  std::vector<double> tilts;
  for (int j = reach; j + reach < rows; j += reach / 4)
    for (int i = reach; i + reach < columns; i += reach / 4) {
      double xx = 0, yy = 0, xy = 0;
      for (int b = j - reach + 1; b < j + reach; ++b)
        for (int a = i - reach + 1; a < i + reach; ++a) {
          const double x = height(a + 1, b) - height(a - 1, b), y = height(a, b + 1) - height(a, b - 1);
          const double r = std::hypot(a - i, b - j) / (0.5 * reach), w = std::exp(-r * r / 2);
          xx += w * x * x;
          yy += w * y * y;
          xy += w * x * y;
        }
      // Rows run against z.
      const double angle = std::atan2(-2 * xy, xx - yy) / 2;
      tilts.push_back(std::abs(std::remainder(angle - direction, pi)) / kDegree);
    }
  std::sort(tilts.begin(), tilts.end());
  return tilts[tilts.size() / 2];
}

/// Strains beyond the critical one at which films are measured.
constexpr std::array kBeyondCritical{0.03, 0.05, 0.07};

/// Means over films, as shares of what is predicted.
struct FilmMeans {
  double wavelength = 0;  ///< by height and slope
  double peak = 0;        ///< wavelength of the peak of the height's spectrum along the compression
  std::array<double, kBeyondCritical.size()> heights{};
  double onset = 0;
  double tilt = 0;  ///< [degrees]
};

void add_film(const WrinkleOptions& options, double direction, double share, FilmMeans& means) {
  const LayerProperties& layer = options.layers[0].reference;
  const double wavelength = wavelength_of(options, {layer}, 0), edge = wavelength / 12;
  const double critical = critical_strain(layer.thickness, wavelength);
  // Wide enough for 15 waves across its middle in all directions up to 45 degrees.
  const Strip strip{15 * wavelength, 15 / std::sqrt(2.0) * wavelength, critical + kBeyondCritical.back(),
                    direction};
  WrinkledStrip film(strip, options, wavelength, edge);
  const auto advance = [&](double strain) {
    const StepReport report = film.wrinkles.advance(strain / strip.strain);
    EXPECT_TRUE(report.converged) << report.reason;
  };
  advance(0);
  advance(0.8 * critical);
  EXPECT_LT(film.height(), 0.1 * layer.thickness) << "wrinkles before it can";
  std::vector<double> strains, heights;
  for (std::size_t i = 0; i < kBeyondCritical.size(); ++i) {
    strains.push_back(critical + kBeyondCritical[i]);
    advance(strains.back());
    heights.push_back(film.height());
    means.heights[i] += share * heights.back() / wrinkle_height(wavelength, strains.back(), critical);
  }
  means.wavelength += share * film.wavelength() / wavelength;
  means.onset += share * onset(strains, heights) / critical;
  const HeightGrid grid = film.grid();
  means.tilt += share * median_tilt(grid, wavelength, direction);
  means.peak +=
      share *
      WaveSpectrum(wavelength / 2, 2 * wavelength, [&](double k) { return height_power(grid, direction, k); })
          .peak(wavelength / 2, 2 * wavelength) /
      wavelength;
}

/// The density of constraints is right in the mean over films of other seeds than those below.
TEST(FilmCalibration, GivesTheDensityOfConstraints) {
  if (!std::getenv("CUTIS_LONG")) GTEST_SKIP() << "takes minutes: ./test --long";
  constexpr int kFilms = 10;
  WrinkleOptions options = one_layer();
  FilmMeans means;
  for (int i = 0; i < kFilms; ++i) {
    options.seed = 101 + static_cast<std::uint64_t>(i);
    add_film(options, 0, 1.0 / kFilms, means);
  }
  std::cout << "wavelength over the square root of the area for each constraint: "
            << means.wavelength * kWavelengthPerSpacing << " by height and slope, "
            << means.peak * kWavelengthPerSpacing << " by the peak" << std::endl;
  EXPECT_NEAR(means.wavelength, 1, 0.03);
  EXPECT_NEAR(means.peak, 1, 0.05);
}

/// Young's modulus [Pa] and thickness [m].
class Films : public testing::TestWithParam<std::tuple<double, double>> {};

/// Softer and thicker ones have critical strains of up to a third, which is beyond a law of small strains.
INSTANTIATE_TEST_SUITE_P(Films, Films,
                         testing::Combine(testing::Values(4e6, 16e6, 64e6),
                                          testing::Values(0.5e-3, 0.8e-3, 1.3e-3)));

/// In the mean over three seeds and three directions.
TEST_P(Films, FollowTheLaw) {
  if (!std::getenv("CUTIS_LONG")) GTEST_SKIP() << "all take half an hour: ./test --long";
  const auto [young, thickness] = GetParam();
  WrinkleOptions options = one_layer({{young, thickness, 0}, 0.5, 1100, 1, {}});
  FilmMeans means;
  for (const std::uint64_t seed : {11, 12, 13})
    for (const double degrees : {0.0, 30.0, 45.0}) {
      options.seed = seed;
      add_film(options, degrees * kDegree, 1.0 / 9, means);
    }
  std::cout << young << " Pa " << thickness << " m: wavelength " << means.wavelength << ", heights "
            << means.heights[0] << " " << means.heights[1] << " " << means.heights[2] << ", onset "
            << means.onset << " of the predicted ones, peak " << means.peak << ", tilt " << means.tilt
            << " degrees" << std::endl;
  EXPECT_NEAR(means.wavelength, 1, 0.15);
  EXPECT_NEAR(means.peak, 1, 0.15);
  for (const double height : means.heights) {
    EXPECT_GT(height, 0.6);
    EXPECT_LT(height, 1.0);
  }
  EXPECT_NEAR(means.onset, 1, 0.2);
  EXPECT_LT(means.tilt, 15);
}

}  // namespace
}  // namespace cutis
