#include "cutis/io/cache/mdd.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/log.h"
#include "cutis/io/bytes.h"
#include "cutis/io/cache/point_cache_file.h"

namespace cutis {
namespace {

// Big-endian throughout: frames, points, the time of each frame, then the positions.
constexpr std::size_t kMddHeader = 8;

void check_times(PointCache& cache, double fps) {
  std::vector<double>& t = cache.times;
  if (t.size() > 1 && std::count(t.begin(), t.end(), t[0]) == std::ssize(t)) {
    log().warn("{}: has no times; {} frames a second are assumed", cache.file, fps);
    for (std::size_t i = 0; i < t.size(); ++i) t[i] = static_cast<double>(i) / fps;
  }
  for (std::size_t i = 0; i < t.size(); ++i)
    if (!std::isfinite(t[i]) || (i > 0 && t[i] <= t[i - 1]))
      throw InputError(
          fmt::format("{}: frame {} is at {} s{}; write the cache again with times that increase", cache.file,
                      i, t[i], i > 0 ? fmt::format(", the one before it at {} s", t[i - 1]) : ""));
}

}  // namespace

PointCache read_mdd(const std::filesystem::path& path, double fps) {
  if (!(fps > 0) || !std::isfinite(fps))
    throw InputError(fmt::format("{}: {} frames a second; write a number above zero", path.string(), fps));
  PointCacheFile file(path);
  const Bytes header = file.read(kMddHeader);
  const std::int32_t frame_count = load<std::int32_t>(header.data(), std::endian::big);
  const std::int32_t vertex_count = load<std::int32_t>(header.data() + 4, std::endian::big);
  if (frame_count <= 0 || vertex_count <= 0)
    throw InputError(fmt::format("{}: says it has {} frames of {} vertices; is it an MDD file?",
                                 path.string(), frame_count, vertex_count));
  PointCache cache;
  cache.file = path.string();
  const Bytes times = file.read(4 * static_cast<std::uint64_t>(frame_count));
  for (std::size_t i = 0; i < times.size(); i += 4)
    cache.times.push_back(load<float>(times.data() + i, std::endian::big));
  check_times(cache, fps);
  cache.coordinates = file.read_frames(frame_count, vertex_count, std::endian::big);
  cache.vertex_count = static_cast<std::size_t>(vertex_count);
  return cache;
}

MddWriter::MddWriter(const std::filesystem::path& path, std::size_t vertex_count,
                     const std::vector<double>& times)
    : FrameWriter(path, vertex_count, times.size()), file_(path) {
  Bytes header;
  append(header, static_cast<std::int32_t>(times.size()), std::endian::big);
  append(header, static_cast<std::int32_t>(vertex_count), std::endian::big);
  for (float t : float_times(path, times)) append(header, t, std::endian::big);
  file_.write(header);
}

void MddWriter::write_frame(const SourcePoints& points, const Npz&) {
  file_.write(frame_bytes(points, std::endian::big));
}

void MddWriter::write_end() { file_.commit(); }

}  // namespace cutis
