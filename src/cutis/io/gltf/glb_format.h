#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

#include "cutis/core/file.h"

namespace cutis {

// Numbers that the glTF 2.0 specification gives these meanings.
constexpr int gltf_array_buffer = 34962, gltf_element_array_buffer = 34963;
constexpr int gltf_uint16 = 5123, gltf_uint32 = 5125, gltf_float = 5126;
constexpr std::uint64_t glb_size_limit = 1ull << 32;  ///< lengths are 32-bit

/// What every GLB of this program begins with: who wrote it, one scene, one material (index 0).
nlohmann::json new_glb_document();

template <class Range>
nlohmann::json json_array(const Range& values) {
  nlohmann::json result = nlohmann::json::array();
  for (double value : values) result.push_back(value);
  return result;
}

/// The document as text; what is not UTF-8 is replaced.
std::string glb_text(const nlohmann::json& document);

/// The JSON part of a .glb or .gltf, and where the binary part lies in the file: of no size in a .gltf.
struct GlbHead {
  nlohmann::json document;
  std::uint64_t binary_begin = 0, binary_size = 0;
};
/// Throws InputError naming the file when it cannot be read or is not glTF.
GlbHead read_glb_head(const std::filesystem::path& path);

/// How many bytes stand before the binary part when the document takes `text_size`, a multiple of four.
std::size_t glb_head_size(std::size_t text_size);
/// These bytes. The text is filled up with spaces to a multiple of four.
Bytes glb_head(std::string text, std::size_t binary_size);

}  // namespace cutis
