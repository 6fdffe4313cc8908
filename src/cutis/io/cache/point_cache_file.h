#pragma once

#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <vector>

#include "cutis/core/file.h"
#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// What PC2 and MDD have in common: a header, then 32-bit floats, x y z, vertex after vertex, frame after
/// frame. Nothing is allocated before the file is known to be long enough. Throws InputError naming the file.
class PointCacheFile {
 public:
  explicit PointCacheFile(std::filesystem::path path);

  /// The next bytes of the header.
  Bytes read(std::uint64_t count);
  /// All frames, finite; they are the rest of the file, and bytes behind them are passed over with a word.
  std::vector<float> read_frames(std::int64_t frame_count, std::int64_t vertex_count, std::endian order);

 private:
  std::filesystem::path path_;
  std::ifstream in_;
  std::uint64_t left_ = 0;  ///< bytes not yet read
};

/// A frame as such a file holds it.
Bytes frame_bytes(const SourcePoints& points, std::endian order);

}  // namespace cutis
