#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cutis/core/file.h"
#include "cutis/surface/map/surface_point.h"
#include "cutis/surface/mesh/triangle_measures.h"

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

/// Packs a moving map frame by frame: each frame is predicted from the two before it, and what the prediction
/// missed is compressed. Made of the triangles that the map leads to, and of how they meet. All arithmetic is
/// in integers, so a packed map unpacks to the same bits everywhere. docs/results.md describes the bytes.
class MapPacker {
 public:
  explicit MapPacker(std::span<const IndexTriangle> triangles);

  /// `before` holds the frames before, the last one first: none for a frame that must stand alone; more than
  /// two change nothing. All have as many points as `now`.
  Bytes pack(const QuantizedMap& now, std::span<const QuantizedMap> before) const;

  /// How many frames before it a packed frame needs: 0, 1 or 2. Throws as unpack() does.
  static int frames_needed(std::span<const unsigned char> bytes, const std::string& where);

  /// Throws InputError beginning with `where` when the bytes are damaged, are of another number of points or
  /// faces, or were packed after other frames than these.
  QuantizedMap unpack(std::span<const unsigned char> bytes, std::size_t points,
                      std::span<const QuantizedMap> before, const std::string& where) const;

 private:
  /// Across one side of a face: the face there (-1: none) and which of its corners the two ends are.
  struct Neighbour {
    std::int32_t face = -1;
    std::array<std::int8_t, 2> ends{};
  };
  /// A place in the plane of a face, perhaps outside it: three whole barycentrics that sum to kMapSteps.
  struct Place {
    std::int32_t face = 0;
    std::array<std::int64_t, 3> steps{};
  };

  std::vector<std::array<Neighbour, 3>> across_;  ///< by face and corner: over the side opposite

  static Place place_of(const QuantizedPoint& point);
  Place over_side(const Place& place, int corner) const;
  std::uint32_t route(std::int32_t from, std::int32_t to) const;
  Place follow(const Place& place, std::uint32_t route) const;
  Place predict(std::size_t i, std::span<const QuantizedMap> before) const;
};

}  // namespace cutis
