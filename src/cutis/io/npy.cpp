#include "cutis/io/npy.h"

#include <array>
#include <bit>
#include <charconv>
#include <limits>
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
constexpr std::array<TypeName, 6> kTypes{{{NpyType::Float64, "<f8", 8},
                                          {NpyType::Float32, "<f4", 4},
                                          {NpyType::Int64, "<i8", 8},
                                          {NpyType::Int32, "<i4", 4},
                                          {NpyType::Uint8, "|u1", 1},
                                          {NpyType::Bool, "|b1", 1}}};
constexpr std::string_view kMagic = "\x93NUMPY";

const TypeName& name_of(NpyType type) {
  for (const TypeName& t : kTypes)
    if (t.type == type) return t;
  return kTypes[0];
}

/// Reads the header's Python dictionary, as far as NumPy writes it.
class HeaderText {
 public:
  HeaderText(std::string_view text, const std::string& where) : text_(text), where_(where) {}

  NpyType type() const {
    const std::string_view value = after("'descr':");
    for (const TypeName& t : kTypes)
      if (value.substr(0, 5) == fmt::format("'{}'", t.descr)) return t.type;
    throw InputError(
        fmt::format("{}: holds values of the type {}; only f8, f4, i8, i4, u1 and b1 in "
                    "little-endian order are read",
                    where_, one_line(value.substr(0, value.find(',')), 40)));
  }

  void check_order() const {
    if (after("'fortran_order':").starts_with("False")) return;
    throw InputError(where_ + ": is in Fortran order; save numpy.ascontiguousarray(array) instead");
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
    }
  }

 private:
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
  std::vector<std::int64_t> wide(array.count());
  if (array.type == NpyType::Int64) convert<std::int64_t>(array, wide);
  if (array.type == NpyType::Int32) convert<std::int32_t>(array, wide);
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

Bytes encode_npy(const NpyArray& array) {
  std::string shape;
  for (std::size_t n : array.shape) shape += fmt::format("{}, ", n);
  // Python writes (3,) and (3, 4); the comma of a single extent must stay.
  if (array.shape.size() > 1) shape.resize(shape.size() - 2);
  if (array.shape.size() == 1) shape.resize(shape.size() - 1);
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}",
                                   name_of(array.type).descr, shape);
  // The values begin at a multiple of 64 bytes, so that they can be mapped into memory.
  const std::size_t used = kMagic.size() + 4 + header.size() + 1;
  header.append((64 - used % 64) % 64, ' ');
  header += '\n';

  Bytes bytes(kMagic.begin(), kMagic.end());
  bytes.reserve(used + 64 + array.bytes.size());
  bytes.insert(bytes.end(), {1, 0, static_cast<unsigned char>(header.size() & 0xff),
                             static_cast<unsigned char>(header.size() >> 8)});
  bytes.insert(bytes.end(), header.begin(), header.end());
  bytes.insert(bytes.end(), array.bytes.begin(), array.bytes.end());
  return bytes;
}

NpyArray decode_npy(std::span<const unsigned char> bytes, const std::string& where) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!text.starts_with(kMagic) || bytes.size() < 12 || bytes[6] < 1 || bytes[6] > 3)
    throw InputError(where + ": is not an NPY array of version 1, 2 or 3");
  const bool short_length = bytes[6] == 1;
  const std::size_t begin = short_length ? 10 : 12;
  std::size_t length = bytes[8] | std::size_t(bytes[9]) << 8;
  if (!short_length) length |= std::size_t(bytes[10]) << 16 | std::size_t(bytes[11]) << 24;
  if (length > bytes.size() - begin) throw InputError(where + ": ends within its NPY header");

  const HeaderText header(text.substr(begin, length), where);
  header.check_order();
  NpyArray array{header.type(), header.shape(), {}};
  const std::size_t there = bytes.size() - begin - length;
  std::size_t needed = 0;
  if (!byte_count(array.shape, item_size(array.type), needed) || needed != there)
    throw InputError(fmt::format("{}: has {} bytes of values, which is not what its shape ({}) says", where,
                                 there, one_line(fmt::format("{}", fmt::join(array.shape, ", ")), 60)));
  array.bytes.assign(bytes.end() - static_cast<std::ptrdiff_t>(there), bytes.end());
  return array;
}

}  // namespace cutis
