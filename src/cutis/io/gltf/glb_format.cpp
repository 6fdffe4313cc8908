#include "cutis/io/gltf/glb_format.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/version.h"
#include "cutis/io/bytes.h"
#include "cutis/io/gltf/json_depth.h"

namespace cutis {
namespace {

constexpr std::uint32_t glb_magic = 0x46546C67, glb_version = 2, json_chunk = 0x4E4F534A,
                        binary_chunk = 0x004E4942;
constexpr std::size_t file_header_size = 12, chunk_header_size = 8;
constexpr int deepest_json = 128;  ///< materials lie seven deep; deeper brackets would end the stack

/// A 32-bit number of a file that is long enough.
std::size_t number_at(const Bytes& bytes, std::size_t offset) {
  std::size_t value = 0;
  for (std::size_t i = 4; i-- > 0;) value = value << 8 | bytes[offset + i];
  return value;
}

}  // namespace

nlohmann::json new_glb_document() {
  using Json = nlohmann::json;
  Json document;
  document["asset"] = {{"version", "2.0"}, {"generator", fmt::format("cutis {}", version())}};
  document["scene"] = 0;
  document["materials"] = Json::array(
      {{{"name", "skin"}, {"pbrMetallicRoughness", {{"metallicFactor", 0}, {"roughnessFactor", 0.6}}}}});
  return document;
}

std::string glb_text(const nlohmann::json& document) {
  return document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

GlbChunks read_glb_chunks(const std::filesystem::path& path) {
  const Bytes bytes = read_file(path);
  const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::string_view text = all;
  GlbChunks chunks;
  constexpr std::size_t first = file_header_size + chunk_header_size;
  if (bytes.size() >= first && number_at(bytes, 0) == glb_magic) {
    const std::size_t length = std::min(number_at(bytes, file_header_size), bytes.size() - first);
    text = all.substr(first, length);
    if (bytes.size() - first - length >= chunk_header_size)
      chunks.binary.assign(bytes.begin() + static_cast<std::ptrdiff_t>(first + length + chunk_header_size),
                           bytes.end());
  }
  if (!json_nests_deeper(text, deepest_json)) chunks.document = nlohmann::json::parse(text, nullptr, false);
  if (!chunks.document.is_object())
    throw InputError(fmt::format("{}: is not glTF, or damaged", path.string()));
  return chunks;
}

std::size_t glb_head_size(std::size_t text_size) {
  return file_header_size + 2 * chunk_header_size + text_size;
}

Bytes glb_head(std::string text, std::size_t binary_size) {
  text.resize((text.size() + 3) / 4 * 4, ' ');
  Bytes head;
  const auto add = [&head](std::size_t value) {
    append(head, static_cast<std::uint32_t>(value), std::endian::little);
  };
  add(glb_magic);
  add(glb_version);
  add(glb_head_size(text.size()) + binary_size);
  add(text.size());
  add(json_chunk);
  head.insert(head.end(), text.begin(), text.end());
  add(binary_size);
  add(binary_chunk);
  return head;
}

}  // namespace cutis
