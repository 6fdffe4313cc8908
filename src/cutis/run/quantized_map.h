#pragma once

#include <cstdint>
#include <vector>

#include "cutis/surface/map/surface_map.h"

namespace cutis {

/// A place on a triangle mesh in whole steps: a face, and of its corners' barycentrics the second and third
/// in 16383rds, each in a 16-bit word; the first is what is left. Made from a surface point it lies within
/// 2/3 of a step of it: 4.1e-5 of the longest side of the face.
struct QuantizedPoint {
  std::int32_t face = 0;
  std::uint16_t second = 0, third = 0;
  bool operator==(const QuantizedPoint&) const = default;
};
using QuantizedMap = std::vector<QuantizedPoint>;

constexpr int kMapSteps = 16383;

/// The nearest place in whole steps. The face must be valid and the barycentrics finite; those outside the
/// face are brought inside.
QuantizedPoint quantized(const SurfacePoint& point);
/// Exactly that place: the same bits each time.
SurfacePoint expanded(const QuantizedPoint& point);

/// The first `count` vertices of a map.
QuantizedMap quantized(const SurfaceMap& map, std::size_t count);
/// The places on the body that a stored map stands for.
SurfaceMap::Points expanded(const QuantizedMap& map);

}  // namespace cutis
