#include "cutis/io/cache/pc2.h"

#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/io/bytes.h"
#include "cutis/io/cache/point_cache_file.h"

namespace cutis {
namespace {

// The header: 12 bytes of signature, then version, points, start, rate, samples. Little-endian throughout.
constexpr char signature[12] = "POINTCACHE2";
constexpr std::size_t kPc2Header = 32;
constexpr std::int32_t version = 1;

}  // namespace

PointCache read_pc2(const std::filesystem::path& path, double fps) {
  if (!(fps > 0) || !std::isfinite(fps))
    throw InputError(fmt::format("{}: {} frames a second; write a number above zero", path.string(), fps));
  PointCacheFile file(path);
  const Bytes header = file.read(kPc2Header);
  if (std::memcmp(header.data(), signature, sizeof signature) != 0)
    throw InputError(fmt::format("{}: is not a PC2 file (no POINTCACHE2 at its start)", path.string()));
  const auto integer = [&](std::size_t at) {
    return load<std::int32_t>(header.data() + at, std::endian::little);
  };
  const auto number = [&](std::size_t at) { return load<float>(header.data() + at, std::endian::little); };
  if (integer(12) != version)
    throw InputError(fmt::format("{}: PC2 version {}; only version 1 is known", path.string(), integer(12)));
  const double start = number(20), rate = number(24);
  if (!std::isfinite(start) || !std::isfinite(rate) || !(rate > 0))
    throw InputError(fmt::format(
        "{}: starts at frame {} with {} frames a sample; write the cache again with a rate above zero",
        path.string(), start, rate));
  PointCache cache;
  cache.file = path.string();
  cache.coordinates = file.read_frames(integer(28), integer(16), std::endian::little);
  cache.vertex_count = static_cast<std::size_t>(integer(16));
  for (int i = 0; i < integer(28); ++i) cache.times.push_back((start + i * rate) / fps);
  return cache;
}

Pc2Writer::Pc2Writer(const std::filesystem::path& path, std::size_t vertex_count, std::size_t frame_count,
                     double start, double rate)
    : FrameWriter(path, vertex_count, frame_count), file_(path) {
  Bytes header(signature, signature + sizeof signature);
  append(header, version, std::endian::little);
  append(header, static_cast<std::int32_t>(vertex_count), std::endian::little);
  append(header, static_cast<float>(start), std::endian::little);
  append(header, static_cast<float>(rate), std::endian::little);
  append(header, static_cast<std::int32_t>(frame_count), std::endian::little);
  file_.write(header);
}

void Pc2Writer::write_frame(const SourcePoints& points, const Npz&) {
  file_.write(frame_bytes(points, std::endian::little));
}

void Pc2Writer::write_end() { file_.commit(); }

}  // namespace cutis
