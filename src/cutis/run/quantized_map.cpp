#include "cutis/run/quantized_map.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numeric>

namespace cutis {

QuantizedPoint quantized(const SurfacePoint& point) {
  assert(point.face.valid() && point.barycentric.allFinite());
  const Vec3 inside = point.barycentric.cwiseMax(0.0);
  const Vec3 exact = inside / inside.sum() * kMapSteps;
  // The nearest point of the lattice of whole steps: round down, then give the steps left over to those that
  // lost most. What is off is at most (2, -1, -1) / 3 of a step.
  std::array<int, 3> steps, order = {0, 1, 2};
  for (int i = 0; i < 3; ++i) steps[i] = static_cast<int>(std::floor(exact[i]));
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return exact[a] - steps[a] > exact[b] - steps[b]; });
  int left = kMapSteps - std::accumulate(steps.begin(), steps.end(), 0);
  for (int i = 0; left > 0; i = (i + 1) % 3, --left) ++steps[order[i]];
  return {point.face.value, static_cast<std::uint16_t>(steps[1]), static_cast<std::uint16_t>(steps[2])};
}

SurfacePoint expanded(const QuantizedPoint& p) {
  const int first = kMapSteps - p.second - p.third;
  return {FaceId(p.face), Vec3(first, p.second, p.third) / kMapSteps};
}

QuantizedMap quantized(const SurfaceMap& map, std::size_t count) {
  QuantizedMap points;
  points.reserve(count);
  for (VertexId v : ids<VertexId>(count)) points.push_back(quantized(map[v]));
  return points;
}

SurfaceMap::Points expanded(const QuantizedMap& map) {
  SurfaceMap::Points points;
  points.reserve(map.size());
  for (const QuantizedPoint& p : map) points.push_back(expanded(p));
  return points;
}

}  // namespace cutis
