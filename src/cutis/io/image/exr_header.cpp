#include "cutis/io/image/exr_header.h"

#include <algorithm>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "cutis/core/one_line.h"
#include "cutis/io/bytes.h"

namespace cutis {
namespace {

using Value = std::span<const unsigned char>;

// No compression of the format shrinks by more.
constexpr std::int64_t most_pixels_a_byte = 10000;
/// Decompressed at once; 65536 pixels of four floats in the largest blocks there are take as much.
constexpr std::int64_t most_block_bytes = std::int64_t(1) << 28;
constexpr std::int64_t most_pixel_bytes = std::int64_t(1) << 16;
constexpr std::int64_t widest_tile = std::int64_t(1) << 16;

struct Attribute {
  std::string type;
  Value value;
};
using Attributes = std::map<std::string, Attribute>;

struct Defect {
  std::string what;
};

std::int32_t whole(Value value, std::size_t at) {
  return load<std::int32_t>(value.data() + at, std::endian::little);
}

/// "The OpenEXR file layout": header attributes are name, type, size and value, ended by an empty name.
class HeaderReader {
 public:
  explicit HeaderReader(Value file) : rest_(file) {
    if (file.size() < 8 || whole(file, 0) != 20000630) throw Defect{"it is none"};
    const auto flags = static_cast<std::uint32_t>(whole(file, 4));
    if (flags & 0x800) throw Defect{"it is a deep image; save it flat"};
    if (flags & 0x1000) throw Defect{"it has several parts; save one alone"};
    rest_ = file.subspan(8);
  }

  Attributes read() {
    Attributes all;
    for (std::string name = text(); !name.empty(); name = text()) {
      Attribute attribute{text(), {}};
      const std::int32_t size = whole(take(4), 0);
      if (size < 0) throw Defect{"its header is damaged"};
      attribute.value = take(static_cast<std::size_t>(size));
      if (!all.emplace(name, std::move(attribute)).second)
        throw Defect{fmt::format("its header has {} twice", one_line(name))};
    }
    return all;
  }

 private:
  Value rest_;

  Value take(std::size_t size) {
    if (size > rest_.size()) throw Defect{"its header is cut off"};
    const Value taken = rest_.first(size);
    rest_ = rest_.subspan(size);
    return taken;
  }
  std::string text() {
    const auto end = std::find(rest_.begin(), rest_.end(), 0);
    const Value found = take(static_cast<std::size_t>(end - rest_.begin()));
    take(1);
    return {found.begin(), found.end()};
  }
};

/// Channels: names, each with 16 bytes, ended by an empty name. How many bytes they end after; 0 where they
/// do not.
std::size_t channel_list_size(Value value) {
  std::size_t at = 0;
  while (at < value.size() && value[at] != 0) {
    while (at < value.size() && value[at] != 0) ++at;
    at += 1 + 16;
  }
  return at < value.size() ? at + 1 : 0;
}

/// Texts, each with its length in front.
bool is_text_list(Value value) {
  while (value.size() >= 4) {
    const std::int32_t length = whole(value, 0);
    if (length < 0 || static_cast<std::size_t>(length) > value.size() - 4) return false;
    value = value.subspan(4 + static_cast<std::size_t>(length));
  }
  return value.empty();
}

/// OpenEXR reads a value by its type, whatever its size: a wrong one makes it take values for sizes.
bool has_size_of_its_type(const Attribute& attribute) {
  static const std::map<std::string_view, std::size_t> sizes = {{"box2i", 16},
                                                                {"box2f", 16},
                                                                {"chromaticities", 32},
                                                                {"compression", 1},
                                                                {"deepImageState", 1},
                                                                {"double", 8},
                                                                {"envmap", 1},
                                                                {"float", 4},
                                                                {"int", 4},
                                                                {"keycode", 28},
                                                                {"lineOrder", 1},
                                                                {"m33f", 36},
                                                                {"m33d", 72},
                                                                {"m44f", 64},
                                                                {"m44d", 128},
                                                                {"rational", 8},
                                                                {"v2i", 8},
                                                                {"v2f", 8},
                                                                {"v2d", 16},
                                                                {"v3i", 12},
                                                                {"v3f", 12},
                                                                {"v3d", 24},
                                                                {"tiledesc", 9},
                                                                {"timecode", 8}};
  const Value value = attribute.value;
  if (const auto known = sizes.find(attribute.type); known != sizes.end())
    return value.size() == known->second;
  if (attribute.type == "chlist") return channel_list_size(value) == value.size();
  if (attribute.type == "stringvector") return is_text_list(value);
  if (attribute.type == "floatvector") return value.size() % 4 == 0;
  if (attribute.type == "preview") {
    if (value.size() < 8) return false;
    const std::uint64_t width = static_cast<std::uint32_t>(whole(value, 0)),
                        height = static_cast<std::uint32_t>(whole(value, 4));
    return value.size() % 4 == 0 && width * height == (value.size() - 8) / 4;
  }
  return true;  // texts, and what it does not know, are read by their size
}

Value required(const Attributes& attributes, const std::string& name, const char* type) {
  const auto at = attributes.find(name);
  if (at == attributes.end() || at->second.type != type)
    throw Defect{fmt::format("its header has no {}", name)};
  return at->second.value;
}

std::int64_t bytes_a_pixel(Value channels) {
  std::int64_t sum = 0;
  for (std::size_t at = 0; at + 1 < channels.size();) {
    while (channels[at] != 0) ++at;
    sum += whole(channels, at + 1) == 1 ? 2 : 4;  // half, or a 32-bit number
    at += 1 + 16;
  }
  if (sum > most_pixel_bytes) throw Defect{"it has too many channels"};
  return sum;
}

/// Lines of a block, by the number of the compression.
std::int64_t lines_a_block(unsigned compression) {
  constexpr int lines[] = {1, 1, 1, 16, 32, 16, 32, 32, 32, 256};
  if (compression >= std::size(lines)) throw Defect{"its compression is not known"};
  return lines[compression];
}

void check_blocks(std::int64_t columns, std::int64_t rows, std::int64_t block_bytes, std::size_t file_size) {
  if (columns * rows * 8 > static_cast<std::int64_t>(file_size))
    throw Defect{"its table of blocks is cut off"};
  if (block_bytes > most_block_bytes)
    throw Defect{fmt::format("its blocks hold {} MiB each; up to {} are read", block_bytes >> 20,
                             most_block_bytes >> 20)};
}

void check_sizes(const Attributes& attributes, std::size_t file_size) {
  const Value window = required(attributes, "dataWindow", "box2i");
  const std::int64_t width = std::int64_t(whole(window, 8)) - whole(window, 0) + 1,
                     height = std::int64_t(whole(window, 12)) - whole(window, 4) + 1;
  if (width <= 0 || height <= 0 || width > most_exr_pixels || height > most_exr_pixels ||
      width * height > most_exr_pixels ||
      width * height > static_cast<std::int64_t>(file_size) * most_pixels_a_byte)
    throw Defect{
        fmt::format("it says that it has {} x {} pixels; up to {} are read", width, height, most_exr_pixels)};
  const std::int64_t pixel = bytes_a_pixel(required(attributes, "channels", "chlist"));
  const std::int64_t lines = lines_a_block(required(attributes, "compression", "compression")[0]);
  check_blocks(1, (height + lines - 1) / lines, width * lines * pixel, file_size);
  if (!attributes.contains("tiles")) return;
  const Value tiles = required(attributes, "tiles", "tiledesc");
  const std::int64_t across = static_cast<std::uint32_t>(whole(tiles, 0)),
                     down = static_cast<std::uint32_t>(whole(tiles, 4));
  if (across == 0 || down == 0 || across > widest_tile || down > widest_tile)
    throw Defect{"its tiles have no size that can be"};
  // A row of tiles is held at once.
  const std::int64_t columns = (width + across - 1) / across;
  check_blocks(columns, (height + down - 1) / down, columns * across * down * pixel, file_size);
}

}  // namespace

std::string exr_header_defect(std::span<const unsigned char> file) {
  try {
    const Attributes attributes = HeaderReader(file).read();
    for (const auto& [name, attribute] : attributes)
      if (!has_size_of_its_type(attribute))
        return fmt::format("{} in its header has {} bytes, which is not the size of a {}", one_line(name),
                           attribute.value.size(), one_line(attribute.type));
    if (const auto type = attributes.find("type"); type != attributes.end()) {
      const Value kind = type->second.value;
      if (std::string_view(reinterpret_cast<const char*>(kind.data()), kind.size()).starts_with("deep"))
        return "it is a deep image; save it flat";
    }
    check_sizes(attributes, file.size());
    return "";
  } catch (const Defect& defect) {
    return defect.what;
  }
}

}  // namespace cutis
