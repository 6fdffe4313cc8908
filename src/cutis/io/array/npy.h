#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "cutis/core/file.h"

namespace cutis {

/// What an array holds; NumPy writes them <f8, <f4, <i8, <i4, <u4, <u2, |u1 and |b1. Text (<U7, and |S7,
/// which is widened when read) is held as 32-bit characters: the last extent of the shape runs along the
/// string, which ends at its first 0.
enum class NpyType { Float64, Float32, Int64, Int32, Uint32, Uint16, Uint8, Bool, Text };

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
  if constexpr (std::is_same_v<T, std::uint32_t>) return NpyType::Uint32;
  if constexpr (std::is_same_v<T, std::uint16_t>) return NpyType::Uint16;
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

/// One string, as NumPy makes it of a Python str.
NpyArray npy_text(const std::string& ascii);

/// All values as doubles, whatever the array holds; text as the numbers of its characters.
std::vector<double> to_doubles(const NpyArray& array);
/// All values as 32-bit integers. Throws InputError, beginning with `where`, when the array holds fractions
/// or text, or numbers that do not fit.
std::vector<std::int32_t> to_int32(const NpyArray& array, const std::string& where);
/// The first string of an array of text or bytes, in UTF-8; "" for an array of numbers.
std::string to_text(const NpyArray& array);

/// The bytes of an NPY file, version 1.0.
Bytes encode_npy(const NpyArray& array);
/// Reads NPY versions 1 to 3; arrays in Fortran order are put in C order. Throws InputError, beginning with
/// `where`, when the bytes are not that, not as many as the header says, or hold pickled Python objects.
NpyArray decode_npy(std::span<const unsigned char> bytes, const std::string& where);

}  // namespace cutis
