#include "cutis/io/gltf/glb_format.h"

#include <fmt/format.h>

#include "cutis/core/version.h"
#include "cutis/io/bytes.h"

namespace cutis {
namespace {

constexpr std::uint32_t glb_magic = 0x46546C67, glb_version = 2, json_chunk = 0x4E4F534A,
                        binary_chunk = 0x004E4942;
constexpr std::size_t file_header_size = 12, chunk_header_size = 8;

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
