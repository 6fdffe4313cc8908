#include "cutis/io/array/npy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <limits>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/one_line.h"

namespace cutis {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are copied as they lie in memory");

struct TypeName {
  NpyType type;
  const char* descr;
  std::size_t size;
};
constexpr std::array<TypeName, 9> kTypes{{{NpyType::Float64, "<f8", 8},
                                          {NpyType::Float32, "<f4", 4},
                                          {NpyType::Int64, "<i8", 8},
                                          {NpyType::Int32, "<i4", 4},
                                          {NpyType::Uint32, "<u4", 4},
                                          {NpyType::Uint16, "<u2", 2},
                                          {NpyType::Uint8, "|u1", 1},
                                          {NpyType::Bool, "|b1", 1},
                                          {NpyType::Text, "<U", 4}}};
constexpr std::string_view kNpyMagic = "\x93NUMPY";

const TypeName& name_of(NpyType type) {
  for (const TypeName& t : kTypes)
    if (t.type == type) return t;
  return kTypes[0];
}

constexpr std::size_t kLongestText = 1 << 20;
constexpr std::size_t kMostExtents = 64;  // NumPy's own limit

/// How the values lie in the file.
struct Layout {
  NpyType type;
  std::size_t width;                     ///< of a value, or of a character [bytes]
  std::optional<std::size_t> text = {};  ///< characters a string has
};

/// Reads the header's Python dictionary, as far as NumPy writes it.
class HeaderText {
 public:
  HeaderText(std::string_view text, const std::string& where) : text_(text), where_(where) {}

  Layout layout() const {
    const std::string_view value = after("'descr':");
    if (value.starts_with("'<U") || value.starts_with("'|S") || value.starts_with("'S"))
      return text_layout(value);
    for (const TypeName& t : kTypes)
      if (value.substr(0, 5) == fmt::format("'{}'", t.descr)) return {t.type, t.size, {}};
    if (value.starts_with("'|O'") || value.starts_with("'O'"))
      throw InputError(where_ +
                       ": holds pickled Python objects, which may run code and are not read; save it as "
                       "numbers (scripts/convert_smpl.py does that for body models)");
    throw InputError(
        fmt::format("{}: holds values of the type {}; only f8, f4, i8, i4, u4, u2, u1, b1 in little-endian "
                    "order and text are read",
                    where_, one_line(value.substr(0, value.find(',')), 40)));
  }

  bool fortran_order() const {
    const std::string_view value = after("'fortran_order':");
    if (!value.starts_with("True") && !value.starts_with("False")) broken();
    return value.starts_with("True");
  }

  std::vector<std::size_t> shape() const {
    std::string_view value = after("'shape':");
    if (!value.starts_with("(")) broken();
    value.remove_prefix(1);
    std::vector<std::size_t> shape;
    while (true) {
      while (!value.empty() && (value[0] == ' ' || value[0] == ',')) value.remove_prefix(1);
      if (value.starts_with(")")) return shape;
      std::size_t n = 0;
      const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), n);
      if (error != std::errc()) broken();
      value.remove_prefix(static_cast<std::size_t>(end - value.data()));
      shape.push_back(n);
      if (shape.size() > kMostExtents) broken();
    }
  }

 private:
  Layout text_layout(std::string_view value) const {
    const std::size_t letter = value.find_first_of("US");
    std::size_t length = 0;
    const auto [end, error] = std::from_chars(value.data() + letter + 1, value.data() + value.size(), length);
    if (error != std::errc() || end == value.data() + value.size() || *end != '\'' || length > kLongestText)
      broken();
    const std::size_t width = value[letter] == 'U' ? 4 : 1;
    return {NpyType::Text, width, length};
  }
  std::string_view after(std::string_view key) const {
    const std::size_t at = text_.find(key);
    if (at == std::string_view::npos) broken();
    std::string_view value = text_.substr(at + key.size());
    while (value.starts_with(" ")) value.remove_prefix(1);
    return value;
  }
  [[noreturn]] void broken() const { throw InputError(where_ + ": has a broken NPY header; save it again"); }

  std::string_view text_;
  const std::string& where_;
};

/// Bytes that an array of this shape takes, or nothing when the number does not fit.
bool byte_count(const std::vector<std::size_t>& shape, std::size_t item, std::size_t& total) {
  total = item;
  for (std::size_t n : shape)
    if (__builtin_mul_overflow(total, n, &total)) return false;
  return true;
}

template <class T, class Out>
void convert(const NpyArray& array, std::vector<Out>& out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    T value;
    std::memcpy(&value, array.bytes.data() + i * sizeof(T), sizeof(T));
    out[i] = static_cast<Out>(value);
  }
}

/// From the first index running fastest to the last one doing so.
Bytes in_c_order(const Bytes& bytes, const std::vector<std::size_t>& shape, std::size_t item) {
  if (shape.size() < 2 || bytes.empty()) return bytes;
  std::vector<std::size_t> strides, index(shape.size(), 0);
  std::size_t stride = item, from = 0;
  for (std::size_t extent : shape) {
    strides.push_back(stride);
    stride *= extent;
  }
  Bytes result(bytes.size());
  for (std::size_t to = 0; to < result.size(); to += item) {
    std::memcpy(result.data() + to, bytes.data() + from, item);
    for (std::size_t d = shape.size(); d-- > 0;) {
      from += strides[d];
      if (++index[d] < shape[d]) break;
      from -= shape[d] * strides[d];
      index[d] = 0;
    }
  }
  return result;
}

Bytes widened(const Bytes& characters) {
  Bytes wide(4 * characters.size(), 0);
  for (std::size_t i = 0; i < characters.size(); ++i) wide[4 * i] = characters[i];
  return wide;
}

void append_utf8(std::uint32_t c, std::string& out) {
  const auto byte = [&](std::uint32_t b) { out += static_cast<char>(b); };
  if (c < 0x80) return byte(c);
  if (c < 0x800) return byte(0xc0 | c >> 6), byte(0x80 | (c & 0x3f));
  if (c < 0x10000) return byte(0xe0 | c >> 12), byte(0x80 | (c >> 6 & 0x3f)), byte(0x80 | (c & 0x3f));
  byte(0xf0 | (c >> 18 & 7)), byte(0x80 | (c >> 12 & 0x3f)), byte(0x80 | (c >> 6 & 0x3f));
  byte(0x80 | (c & 0x3f));
}

}  // namespace

std::size_t item_size(NpyType type) { return name_of(type).size; }

std::size_t NpyArray::count() const {
  std::size_t n = 1;
  for (std::size_t extent : shape) n *= extent;
  return n;
}

std::vector<double> to_doubles(const NpyArray& array) {
  std::vector<double> values(array.count());
  switch (array.type) {
    case NpyType::Float64:
      convert<double>(array, values);
      break;
    case NpyType::Float32:
      convert<float>(array, values);
      break;
    case NpyType::Int64:
      convert<std::int64_t>(array, values);
      break;
    case NpyType::Int32:
      convert<std::int32_t>(array, values);
      break;
    case NpyType::Uint32:
    case NpyType::Text:
      convert<std::uint32_t>(array, values);
      break;
    case NpyType::Uint16:
      convert<std::uint16_t>(array, values);
      break;
    case NpyType::Uint8:
    case NpyType::Bool:
      convert<std::uint8_t>(array, values);
      break;
  }
  return values;
}

std::vector<std::int32_t> to_int32(const NpyArray& array, const std::string& where) {
  if (array.type == NpyType::Float64 || array.type == NpyType::Float32)
    throw InputError(where + ": holds fractions where whole numbers are needed");
  if (array.type == NpyType::Text) throw InputError(where + ": holds text where whole numbers are needed");
  std::vector<std::int64_t> wide(array.count());
  if (array.type == NpyType::Int64) convert<std::int64_t>(array, wide);
  if (array.type == NpyType::Int32) convert<std::int32_t>(array, wide);
  if (array.type == NpyType::Uint32) convert<std::uint32_t>(array, wide);
  if (array.type == NpyType::Uint16) convert<std::uint16_t>(array, wide);
  if (array.type == NpyType::Uint8 || array.type == NpyType::Bool) convert<std::uint8_t>(array, wide);
  std::vector<std::int32_t> values;
  values.reserve(wide.size());
  for (std::int64_t value : wide) {
    if (value < std::numeric_limits<std::int32_t>::min() || value > std::numeric_limits<std::int32_t>::max())
      throw InputError(fmt::format("{}: {} does not fit in 32 bits", where, value));
    values.push_back(static_cast<std::int32_t>(value));
  }
  return values;
}

NpyArray npy_text(const std::string& ascii) {
  return {NpyType::Text, {ascii.size()}, widened(Bytes(ascii.begin(), ascii.end()))};
}

std::string to_text(const NpyArray& array) {
  std::string text;
  const bool wide = array.type == NpyType::Text;
  if (!wide && array.type != NpyType::Uint8) return text;
  const std::vector<double> characters = to_doubles(array);
  const std::size_t length = array.shape.empty() ? 1 : array.shape.back();
  for (std::size_t i = 0; i < std::min(length, characters.size()) && characters[i] != 0; ++i)
    append_utf8(static_cast<std::uint32_t>(characters[i]), text);
  return text;
}

Bytes encode_npy(const NpyArray& array) {
  std::vector<std::size_t> extents = array.shape;
  std::string descr = name_of(array.type).descr, shape;
  if (array.type == NpyType::Text) {
    descr += std::to_string(extents.back());
    extents.pop_back();
  }
  for (std::size_t n : extents) shape += fmt::format("{}, ", n);
  // Python writes (3,) and (3, 4); the comma of a single extent must stay.
  if (extents.size() > 1) shape.resize(shape.size() - 2);
  if (extents.size() == 1) shape.resize(shape.size() - 1);
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", descr, shape);
  // The values begin at a multiple of 64 bytes, so that they can be mapped into memory.
  const std::size_t used = kNpyMagic.size() + 4 + header.size() + 1;
  header.append((64 - used % 64) % 64, ' ');
  header += '\n';

  Bytes bytes(kNpyMagic.begin(), kNpyMagic.end());
  bytes.reserve(used + 64 + array.bytes.size());
  bytes.insert(bytes.end(), {1, 0, static_cast<unsigned char>(header.size() & 0xff),
                             static_cast<unsigned char>(header.size() >> 8)});
  bytes.insert(bytes.end(), header.begin(), header.end());
  bytes.insert(bytes.end(), array.bytes.begin(), array.bytes.end());
  return bytes;
}

NpyArray decode_npy(std::span<const unsigned char> bytes, const std::string& where) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!text.starts_with(kNpyMagic) || bytes.size() < 12 || bytes[6] < 1 || bytes[6] > 3)
    throw InputError(where + ": is not an NPY array of version 1, 2 or 3");
  const bool short_length = bytes[6] == 1;
  const std::size_t begin = short_length ? 10 : 12;
  std::size_t length = bytes[8] | std::size_t(bytes[9]) << 8;
  if (!short_length) length |= std::size_t(bytes[10]) << 16 | std::size_t(bytes[11]) << 24;
  if (length > bytes.size() - begin) throw InputError(where + ": ends within its NPY header");

  const HeaderText header(text.substr(begin, length), where);
  const Layout layout = header.layout();
  NpyArray array{layout.type, header.shape(), {}};
  const std::size_t there = bytes.size() - begin - length, item = layout.width * layout.text.value_or(1);
  std::size_t needed = 0;
  if (!byte_count(array.shape, item, needed) || needed != there)
    throw InputError(fmt::format("{}: has {} bytes of values, which is not what its shape ({}) says", where,
                                 there, one_line(fmt::format("{}", fmt::join(array.shape, ", ")), 60)));
  array.bytes.assign(bytes.end() - static_cast<std::ptrdiff_t>(there), bytes.end());
  if (header.fortran_order()) array.bytes = in_c_order(array.bytes, array.shape, item);
  if (layout.text) array.shape.push_back(*layout.text);
  if (layout.text && layout.width == 1) array.bytes = widened(array.bytes);
  return array;
}

}  // namespace cutis
