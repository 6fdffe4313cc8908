#pragma once

#include <algorithm>
#include <bit>
#include <cstring>

#include "cutis/core/file.h"

namespace cutis {

/// A number as its bytes lie in a file of the given byte order.
template <class T>
T load(const unsigned char* bytes, std::endian order) {
  unsigned char own[sizeof(T)];
  std::memcpy(own, bytes, sizeof(T));
  if (order != std::endian::native) std::reverse(own, own + sizeof(T));
  T value;
  std::memcpy(&value, own, sizeof(T));
  return value;
}

template <class T>
void append(Bytes& bytes, T value, std::endian order) {
  unsigned char own[sizeof(T)];
  std::memcpy(own, &value, sizeof(T));
  if (order != std::endian::native) std::reverse(own, own + sizeof(T));
  bytes.resize(bytes.size() + sizeof(T));
  std::memcpy(bytes.data() + bytes.size() - sizeof(T), own, sizeof(T));
}

}  // namespace cutis
