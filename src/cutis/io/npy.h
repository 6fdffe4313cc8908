#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "cutis/core/file.h"

namespace cutis {

/// What an array holds; NumPy writes them <f8, <f4, <i8, <i4, |u1 and |b1.
enum class NpyType { Float64, Float32, Int64, Int32, Uint8, Bool };

std::size_t item_size(NpyType type);  ///< [bytes]

/// A NumPy array: little-endian values, the last index running fastest.
struct NpyArray {
  NpyType type = NpyType::Float64;
  std::vector<std::size_t> shape;  ///< empty for a scalar
  Bytes bytes;                     ///< count() values

  std::size_t count() const;
  bool operator==(const NpyArray&) const = default;
};

template <class T>
constexpr NpyType npy_type() {
  if constexpr (std::is_same_v<T, double>) return NpyType::Float64;
  if constexpr (std::is_same_v<T, float>) return NpyType::Float32;
  if constexpr (std::is_same_v<T, std::int64_t>) return NpyType::Int64;
  if constexpr (std::is_same_v<T, std::int32_t>) return NpyType::Int32;
  if constexpr (std::is_same_v<T, std::uint8_t>) return NpyType::Uint8;
}

/// Copies `count` values at `data`; the shape must multiply to the count.
template <class T>
NpyArray npy_array(const T* data, std::size_t count, std::vector<std::size_t> shape) {
  NpyArray array{npy_type<T>(), std::move(shape), Bytes(count * sizeof(T))};
  if (count > 0) std::memcpy(array.bytes.data(), data, array.bytes.size());
  return array;
}

template <class T>
NpyArray npy_array(const std::vector<T>& values) {
  return npy_array(values.data(), values.size(), {values.size()});
}

template <class T>
NpyArray npy_scalar(T value) {
  return npy_array(&value, 1, {});
}

/// All values as doubles, whatever the array holds.
std::vector<double> to_doubles(const NpyArray& array);
/// All values as 32-bit integers. Throws InputError, beginning with `where`, when the array holds fractions
/// or numbers that do not fit.
std::vector<std::int32_t> to_int32(const NpyArray& array, const std::string& where);

/// The bytes of an NPY file, version 1.0.
Bytes encode_npy(const NpyArray& array);
/// Reads NPY versions 1 to 3 in C order. Throws InputError, beginning with `where`, when the bytes are not
/// that, or not as many as the header says.
NpyArray decode_npy(std::span<const unsigned char> bytes, const std::string& where);

}  // namespace cutis
