#include "cutis/body/cache/frame_blend.h"

#include <algorithm>

namespace cutis {
namespace {

/// Adds `factor` times the velocity at frame i, which is that of the parabola through three neighbours: at an
/// inner frame i itself is the middle one (evenly spaced, this is Catmull and Rom's tangent), at an end it is
/// the outer one. So quadratics in time are reproduced right up to the ends.
void add_velocity(const std::vector<double>& t, std::size_t i, double factor, FrameBlend& blend) {
  if (t.size() == 2) {
    blend.weights[0] -= factor / (t[1] - t[0]);
    blend.weights[1] += factor / (t[1] - t[0]);
    return;
  }
  const std::size_t a = std::clamp<std::size_t>(i, 1, t.size() - 2) - 1;
  // Derivative at t_i of the Lagrange polynomials over t_a, t_{a+1}, t_{a+2}.
  for (std::size_t j = a; j < a + 3; ++j) {
    const std::size_t k = a + (j - a + 1) % 3, l = a + (j - a + 2) % 3;
    const double slope = ((t[i] - t[k]) + (t[i] - t[l])) / ((t[j] - t[k]) * (t[j] - t[l]));
    blend.weights[j - blend.first] += factor * slope;
  }
}

}  // namespace

HermiteBlend hermite_at(const std::vector<double>& t, double time) {
  if (!(time > t.front())) return {};
  if (time >= t.back()) return {t.size() - 1, t.size() - 1};
  const std::size_t i = static_cast<std::size_t>(std::upper_bound(t.begin(), t.end(), time) - t.begin()) - 1;
  if (time == t[i]) return {i, i};
  const double h = t[i + 1] - t[i], u = (time - t[i]) / h;
  return {i,
          i + 1,
          {(1 + 2 * u) * (1 - u) * (1 - u), u * u * (3 - 2 * u)},
          {h * u * (1 - u) * (1 - u), h * u * u * (u - 1)}};
}

FrameBlend blend_at(const std::vector<double>& t, double time) {
  const HermiteBlend hermite = hermite_at(t, time);
  const std::size_t i = hermite.frame;
  if (hermite.next == i) return {i, 1, {1, 0, 0, 0}};
  FrameBlend blend;
  blend.first = i > 0 ? i - 1 : 0;
  blend.count = static_cast<int>(std::min(i + 2, t.size() - 1) - blend.first) + 1;
  blend.weights = {};
  blend.weights[i - blend.first] += hermite.position[0];
  blend.weights[i + 1 - blend.first] += hermite.position[1];
  add_velocity(t, i, hermite.velocity[0], blend);
  add_velocity(t, i + 1, hermite.velocity[1], blend);
  return blend;
}

}  // namespace cutis
