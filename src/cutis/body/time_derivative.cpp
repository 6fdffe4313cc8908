#include "cutis/body/time_derivative.h"

#include <algorithm>

namespace cutis {
namespace {

/// Between the places that a velocity is taken from: far below a frame, far above rounding [s].
constexpr double kVelocityStep = 1e-4;

/// The derivative at `x` of the polynomial that is 1 at `node` and 0 at the other whole numbers from -2 to 2.
double lagrange_derivative(int node, double x) {
  double sum = 0;
  for (int left_out = -2; left_out <= 2; ++left_out) {
    if (left_out == node) continue;
    double product = 1.0 / (node - left_out);
    for (int other = -2; other <= 2; ++other)
      if (other != node && other != left_out) product *= (x - other) / (node - other);
    sum += product;
  }
  return sum;
}

}  // namespace

std::vector<TimeSample> derivative_samples(const Interval& moves, double time) {
  if (time < moves.begin || time > moves.end || !(moves.length() > 0)) return {};
  const double h = std::min(kVelocityStep, moves.length() / 4);
  const double middle = std::clamp(time, moves.begin + 2 * h, moves.end - 2 * h), at = (time - middle) / h;
  std::vector<TimeSample> samples;
  for (int i = -2; i <= 2; ++i) samples.push_back({middle + i * h, lagrange_derivative(i, at) / h});
  return samples;
}

}  // namespace cutis
