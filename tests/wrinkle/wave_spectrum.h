#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <functional>
#include <vector>

#include "cutis/core/types.h"

namespace cutis {

/// Heights on a grid, row after row.
struct HeightGrid {
  std::vector<double> heights;  ///< [m]
  std::size_t row = 0;          ///< how many of them are in each
  double spacing = 0;           ///< along a row and between rows [m]

  std::size_t rows() const { return heights.size() / row; }
  /// Falls to zero at both ends of a row.
  static double window(std::size_t i, std::size_t count) {
    return std::sin(pi * static_cast<double>(i) / static_cast<double>(count));
  }
};

/// The power of the slope along the rows at the wave number k, summed over all rows.
inline double slope_power(const HeightGrid& grid, double k) {
  double power = 0;
  for (std::size_t start = 0; start < grid.heights.size(); start += grid.row) {
    std::complex<double> sum = 0;
    for (std::size_t j = 1; j < grid.row; ++j)
      sum += grid.window(j, grid.row) * (grid.heights[start + j] - grid.heights[start + j - 1]) /
             grid.spacing * std::polar(1.0, k * grid.spacing * static_cast<double>(j));
    power += std::norm(sum);
  }
  return power;
}

/// The power of the height at the wave number k, summed over waves that run within 30 degrees of a direction,
/// from the rows [rad]. Rows run against z: that is where angles grow to.
inline double height_power(const HeightGrid& grid, double direction, double k) {
  constexpr int kDirections = 7;
  double power = 0;
  for (int d = 0; d < kDirections; ++d) {
    const double angle = direction + (d - kDirections / 2) * 10 * kDegree;
    const double x = k * grid.spacing * std::cos(angle), z = k * grid.spacing * std::sin(angle);
    std::complex<double> sum = 0;
    for (std::size_t j = 0; j < grid.rows(); ++j) {
      std::complex<double> along_row = 0, turn = std::polar(1.0, x), wave = 1;
      for (std::size_t i = 0; i < grid.row; ++i, wave *= turn)
        along_row += grid.window(i, grid.row) * grid.heights[j * grid.row + i] * wave;
      sum += grid.window(j, grid.rows()) * along_row * std::polar(1.0, -z * static_cast<double>(j));
    }
    power += std::norm(sum) * k;  // an arc of the plane of wave vectors is as long as k
  }
  return power;
}

/// A power by the logarithm of the wavelength, smoothed.
class WaveSpectrum {
 public:
  /// `power` of a wave number [rad/m], for wavelengths between two [m].
  WaveSpectrum(double shortest, double longest, const std::function<double(double)>& power)
      : shortest_(shortest), longest_(longest) {
    std::vector<double> raw;
    for (std::size_t i = 0; i < kSteps; ++i) {
      const double k = 2 * pi / wavelength(i);
      raw.push_back(power(k) * k);  // for a step of the logarithm, not of the wave number
    }
    for (std::size_t i = 0; i < kSteps; ++i) {
      double& sum = power_.emplace_back(0);
      for (std::size_t j = 0; j < kSteps; ++j) {
        const double x = step() * (static_cast<double>(i) - static_cast<double>(j)) / kWidth;
        sum += std::exp(-x * x / 2) * raw[j];
      }
    }
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
  template <class Better>
  std::size_t find(double from, double to, const Better& better) const {
    std::size_t best = kSteps;
    for (std::size_t i = 0; i < kSteps; ++i)
      if (wavelength(i) >= from && wavelength(i) <= to && (best == kSteps || better(power_[i], power_[best])))
        best = i;
    return best;
  }
};

}  // namespace cutis
