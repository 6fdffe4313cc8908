#include "cutis/io/cache/point_cache_file.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/log.h"
#include "cutis/io/bytes.h"
#include "cutis/surface/mesh/largest_coordinate.h"

namespace cutis {
namespace fs = std::filesystem;

PointCacheFile::PointCacheFile(fs::path path) : path_(std::move(path)) {
  std::error_code code;
  if (!fs::exists(path_, code)) throw InputError(fmt::format("{}: no such file", path_.string()));
  if (!fs::is_regular_file(path_, code)) throw InputError(fmt::format("{}: is not a file", path_.string()));
  left_ = fs::file_size(path_, code);
  in_.open(path_, std::ios::binary);
  if (code || !in_) throw InputError(fmt::format("{}: cannot be read", path_.string()));
}

Bytes PointCacheFile::read(std::uint64_t count) {
  if (count > left_)
    throw InputError(
        fmt::format("{}: is cut short: {} more bytes expected where {} are left; write the cache again",
                    path_.string(), count, left_));
  Bytes bytes(count);
  in_.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(count));
  if (!in_) throw InputError(fmt::format("{}: cannot be read", path_.string()));
  left_ -= count;
  return bytes;
}

std::vector<float> PointCacheFile::read_frames(std::int64_t frame_count, std::int64_t vertex_count,
                                               std::endian order) {
  if (frame_count <= 0 || vertex_count <= 0)
    throw InputError(fmt::format("{}: says it has {} frames of {} vertices; write the cache again",
                                 path_.string(), frame_count, vertex_count));
  const std::uint64_t frame_size = 12 * static_cast<std::uint64_t>(vertex_count);
  const std::uint64_t frames = static_cast<std::uint64_t>(frame_count);
  if (left_ / frame_size < frames)
    throw InputError(fmt::format(
        "{}: is cut short: it says it has {} frames of {} vertices but holds {}; write the cache again",
        path_.string(), frame_count, vertex_count, left_ / frame_size));
  if (left_ > frames * frame_size)
    log().warn("{}: {} bytes behind the last frame are passed over", path_.string(),
               left_ - frames * frame_size);
  std::vector<float> coordinates;
  coordinates.reserve(frames * frame_size / 4);
  for (std::uint64_t frame = 0; frame < frames; ++frame) {
    const Bytes bytes = read(frame_size);
    for (std::size_t i = 0; i < bytes.size(); i += 4) {
      coordinates.push_back(load<float>(bytes.data() + i, order));
      if (!(std::abs(coordinates.back()) <= largest_coordinate))
        throw InputError(fmt::format("{}: frame {}, vertex {} has a coordinate {}; write the cache again",
                                     path_.string(), frame, i / 12, coordinates.back()));
    }
  }
  return coordinates;
}

Bytes frame_bytes(const SourcePoints& points, std::endian order) {
  Bytes bytes;
  bytes.reserve(12 * points.size());
  for (const Vec3& p : points)
    for (int i = 0; i < 3; ++i) append(bytes, static_cast<float>(p[i]), order);
  return bytes;
}

}  // namespace cutis
