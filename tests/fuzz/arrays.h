#pragma once

#include <algorithm>
#include <initializer_list>
#include <span>
#include <string>

#include "cutis/io/array/npz.h"
#include "cutis/io/bytes.h"

namespace cutis::fuzz {

/// Takes "length, NPY file" after "length, NPY file" from the input and stores them under these names; where
/// the input ends, arrays are missing. `file` begins the messages.
inline Npz take_arrays(std::span<const unsigned char>& input, const std::string& file,
                       std::initializer_list<const char*> names) {
  Npz arrays;
  for (const char* name : names) {
    if (input.size() < 4) break;
    const std::size_t length =
        std::min<std::size_t>(load<std::uint32_t>(input.data(), std::endian::little), input.size() - 4);
    arrays[name] = decode_npy(input.subspan(4, length), file + ": " + name);
    input = input.subspan(4 + length);
  }
  return arrays;
}

}  // namespace cutis::fuzz
