#include "cutis/io/array/packed_map.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>
#include <zlib.h>

#include "cutis/core/error.h"
#include "cutis/io/bytes.h"

namespace cutis {
namespace {

constexpr std::uint32_t kMapMagic = 0x50414d43;  // "CMAP"
constexpr std::uint16_t kVersion = 1;
constexpr std::size_t kHeader = 24, kPlanes = 8;
constexpr int kLongestWalk = 8;
constexpr auto kOrder = std::endian::little;

struct Header {
  std::uint16_t version = kVersion, needed = 0;
  std::uint32_t points = 0, faces = 0, crc = 0, size = 0;
};

/// What stands for a face: how it is reached from the predicted one. 0: it is the same; 1 to 3: over the side
/// opposite that corner; 4 to 12: over a second side, too; else the face itself + 13.
constexpr std::uint32_t kOneSide = 1, kTwoSides = 4, kAnyFace = 13;

std::uint16_t zigzag(std::uint16_t difference) {
  const auto d = static_cast<std::int16_t>(difference);
  return static_cast<std::uint16_t>((static_cast<std::uint16_t>(d) << 1) ^ (d < 0 ? 0xffff : 0));
}

std::uint16_t unzigzag(std::uint16_t code) {
  return static_cast<std::uint16_t>((code >> 1) ^ (code & 1 ? 0xffff : 0));
}

/// Of the points themselves: it also tells when the frames before were others than when packing.
std::uint32_t checksum(const QuantizedMap& map) {
  Bytes bytes;
  bytes.reserve(map.size() * 8);
  for (const QuantizedPoint& p : map) {
    append(bytes, p.face, kOrder);
    append(bytes, p.second, kOrder);
    append(bytes, p.third, kOrder);
  }
  return static_cast<std::uint32_t>(crc32_z(0, bytes.data(), bytes.size()));
}

/// One code for each point, its bytes apart: the high bytes are nearly all zero, and go together.
struct Codes {
  explicit Codes(std::size_t points) : count(points), bytes(points * kPlanes) {}
  std::size_t count;
  Bytes bytes;

  void set(std::size_t plane, std::size_t i, std::uint32_t value, int size) {
    for (int k = 0; k < size; ++k)
      bytes[(plane + k) * count + i] = static_cast<unsigned char>(value >> (8 * k));
  }
  std::uint32_t get(std::size_t plane, std::size_t i, int size) const {
    std::uint32_t value = 0;
    for (int k = 0; k < size; ++k) value |= std::uint32_t(bytes[(plane + k) * count + i]) << (8 * k);
    return value;
  }
};
constexpr std::size_t kFacePlane = 0, kSecondPlane = 4, kThirdPlane = 6;

Bytes zlib_packed(const Bytes& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  Bytes packed(size);
  if (compress2(packed.data(), &size, bytes.data(), static_cast<uLong>(bytes.size()), Z_BEST_COMPRESSION) !=
      Z_OK)
    throw std::bad_alloc();
  packed.resize(size);
  return packed;
}

[[noreturn]] void broken(const std::string& where, const char* what) {
  throw InputError(fmt::format("{}: is not a whole packed map ({}); run the shot again", where, what));
}

Header read_header(std::span<const unsigned char> bytes, const std::string& where) {
  if (bytes.size() < kHeader || load<std::uint32_t>(bytes.data(), kOrder) != kMapMagic)
    broken(where, "its head is missing");
  Header h;
  h.version = load<std::uint16_t>(bytes.data() + 4, kOrder);
  h.needed = load<std::uint16_t>(bytes.data() + 6, kOrder);
  h.points = load<std::uint32_t>(bytes.data() + 8, kOrder);
  h.faces = load<std::uint32_t>(bytes.data() + 12, kOrder);
  h.crc = load<std::uint32_t>(bytes.data() + 16, kOrder);
  h.size = load<std::uint32_t>(bytes.data() + 20, kOrder);
  if (h.version != kVersion)
    throw InputError(fmt::format("{}: is a packed map of version {}; this program reads version {}", where,
                                 h.version, kVersion));
  if (h.needed > 2) broken(where, "it asks for more than two frames before it");
  if (h.size != bytes.size() - kHeader) broken(where, "its length is not what its head says");
  return h;
}

}  // namespace

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

MapPacker::MapPacker(std::span<const IndexTriangle> triangles) : across_(triangles.size()) {
  struct Side {
    std::int32_t low, high, face;
    int corner;  ///< opposite
    auto ends() const { return std::pair(low, high); }
  };
  std::vector<Side> sides;
  sides.reserve(triangles.size() * 3);
  for (std::size_t f = 0; f < triangles.size(); ++f)
    for (int k = 0; k < 3; ++k) {
      const auto [low, high] = std::minmax(triangles[f][(k + 1) % 3], triangles[f][(k + 2) % 3]);
      sides.push_back({low, high, static_cast<std::int32_t>(f), k});
    }
  std::stable_sort(sides.begin(), sides.end(),
                   [](const Side& a, const Side& b) { return a.ends() < b.ends(); });
  const auto join = [&](const Side& a, const Side& b) {
    Neighbour& n = across_[static_cast<std::size_t>(a.face)][a.corner];
    n.face = b.face;
    for (int end = 0; end < 2; ++end)
      for (int k = 0; k < 3; ++k)
        if (k != b.corner && triangles[b.face][k] == triangles[a.face][(a.corner + 1 + end) % 3])
          n.ends[end] = static_cast<std::int8_t>(k);
  };
  // Sides that more than two faces share, or a face with itself, lead nowhere: predictions stop there.
  for (std::size_t i = 0; i < sides.size();) {
    std::size_t end = i + 1;
    while (end < sides.size() && sides[end].ends() == sides[i].ends()) ++end;
    if (end - i == 2 && sides[i].face != sides[i + 1].face && sides[i].low != sides[i].high) {
      join(sides[i], sides[i + 1]);
      join(sides[i + 1], sides[i]);
    }
    i = end;
  }
}

MapPacker::Place MapPacker::place_of(const QuantizedPoint& p) {
  return {p.face, {kMapSteps - p.second - p.third, p.second, p.third}};
}

/// The same place as seen from the face across a side. The two faces are taken as the halves of a
/// parallelogram, D = A + B - C, so that whole steps stay whole: a A + b B + c C = (a + c) A + (b + c) B - c
/// D. A prediction need not know the true shape.
MapPacker::Place MapPacker::over_side(const Place& place, int corner) const {
  const Neighbour& n = across_[static_cast<std::size_t>(place.face)][corner];
  if (n.face < 0) return {-1, {}};
  const std::int64_t c = place.steps[corner];
  Place there{n.face, {-c, -c, -c}};
  for (int end = 0; end < 2; ++end) there.steps[n.ends[end]] = place.steps[(corner + 1 + end) % 3] + c;
  return there;
}

std::uint32_t MapPacker::route(std::int32_t from, std::int32_t to) const {
  if (from == to) return 0;
  const auto& around = across_[static_cast<std::size_t>(from)];
  for (std::uint32_t k = 0; k < 3; ++k)
    if (around[k].face == to) return kOneSide + k;
  for (std::uint32_t k = 0; k < 3; ++k)
    if (around[k].face >= 0)
      for (std::uint32_t l = 0; l < 3; ++l)
        if (across_[static_cast<std::size_t>(around[k].face)][l].face == to) return kTwoSides + 3 * k + l;
  return kAnyFace + static_cast<std::uint32_t>(to);
}

/// The place as seen from the face at the end of a route; an invalid face when the route leads nowhere. From
/// a face that is not near, the place is kept as it is.
MapPacker::Place MapPacker::follow(const Place& place, std::uint32_t route) const {
  if (route == 0) return place;
  if (route >= kAnyFace) {
    const std::uint32_t face = route - kAnyFace;
    return {face < across_.size() ? static_cast<std::int32_t>(face) : -1, place.steps};
  }
  if (route < kTwoSides) return over_side(place, static_cast<int>(route - kOneSide));
  const Place between = over_side(place, static_cast<int>((route - kTwoSides) / 3));
  return between.face < 0 ? between : over_side(between, static_cast<int>((route - kTwoSides) % 3));
}

MapPacker::Place MapPacker::predict(std::size_t i, std::span<const QuantizedMap> before) const {
  if (before.empty()) return {0, {kMapSteps, 0, 0}};
  Place place = place_of(before[0][i]);
  if (before.size() < 2) return place;
  // On with the same velocity, over as many sides as that takes.
  Place earlier = place_of(before[1][i]);
  const std::uint32_t way = route(earlier.face, place.face);
  if (way >= kAnyFace) return place;
  earlier = follow(earlier, way);
  for (int k = 0; k < 3; ++k) place.steps[k] = 2 * place.steps[k] - earlier.steps[k];
  for (int step = 0; step < kLongestWalk; ++step) {
    const auto least = std::min_element(place.steps.begin(), place.steps.end());
    const int corner = static_cast<int>(least - place.steps.begin());
    if (*least >= 0 || across_[static_cast<std::size_t>(place.face)][corner].face < 0) break;
    place = over_side(place, corner);
  }
  return place;
}

Bytes MapPacker::pack(const QuantizedMap& now, std::span<const QuantizedMap> before) const {
  before = before.first(std::min<std::size_t>(before.size(), 2));
  Codes codes(now.size());
  for (std::size_t i = 0; i < now.size(); ++i) {
    const Place elsewhere = predict(i, before);
    const std::uint32_t face = route(elsewhere.face, now[i].face);
    const Place predicted = follow(elsewhere, face);
    const auto second = static_cast<std::uint16_t>(now[i].second - predicted.steps[1]);
    const auto third = static_cast<std::uint16_t>(now[i].third - predicted.steps[2]);
    codes.set(kFacePlane, i, face, 4);
    codes.set(kSecondPlane, i, zigzag(second), 2);
    codes.set(kThirdPlane, i, zigzag(third), 2);
  }
  const Bytes packed = zlib_packed(codes.bytes);
  Bytes out;
  out.reserve(kHeader + packed.size());
  append(out, kMapMagic, kOrder);
  append(out, kVersion, kOrder);
  append(out, static_cast<std::uint16_t>(before.size()), kOrder);
  append(out, static_cast<std::uint32_t>(now.size()), kOrder);
  append(out, static_cast<std::uint32_t>(across_.size()), kOrder);
  append(out, checksum(now), kOrder);
  append(out, static_cast<std::uint32_t>(packed.size()), kOrder);
  out.insert(out.end(), packed.begin(), packed.end());
  return out;
}

int MapPacker::frames_needed(std::span<const unsigned char> bytes, const std::string& where) {
  return read_header(bytes, where).needed;
}

QuantizedMap MapPacker::unpack(std::span<const unsigned char> bytes, std::size_t points,
                               std::span<const QuantizedMap> before, const std::string& where) const {
  const Header header = read_header(bytes, where);
  if (header.points != points || header.faces != across_.size())
    throw InputError(fmt::format("{}: maps {} points to {} faces, where the mesh has {} and {}", where,
                                 header.points, header.faces, points, across_.size()));
  if (across_.empty() && points > 0) broken(where, "a face is not there");
  if (header.needed > before.size()) broken(where, "the frames before it are missing");
  before = before.first(header.needed);
  Codes codes(points);
  uLongf size = static_cast<uLongf>(codes.bytes.size());
  unsigned char nothing = 0;
  if (uncompress(points > 0 ? codes.bytes.data() : &nothing, &size, bytes.data() + kHeader, header.size) !=
          Z_OK ||
      size != codes.bytes.size())
    broken(where, "it does not unpack");
  QuantizedMap map(points);
  for (std::size_t i = 0; i < points; ++i) {
    const Place predicted = follow(predict(i, before), codes.get(kFacePlane, i, 4));
    if (predicted.face < 0) broken(where, "a face is not there");
    map[i].face = predicted.face;
    const auto value = [&](std::size_t plane, std::int64_t step) {
      const auto code = static_cast<std::uint16_t>(codes.get(plane, i, 2));
      return static_cast<std::uint16_t>(unzigzag(code) + step);
    };
    map[i].second = value(kSecondPlane, predicted.steps[1]);
    map[i].third = value(kThirdPlane, predicted.steps[2]);
    if (map[i].second + map[i].third > kMapSteps) broken(where, "a point lies outside its face");
  }
  if (checksum(map) != header.crc) broken(where, "it does not match its checksum");
  return map;
}

}  // namespace cutis
