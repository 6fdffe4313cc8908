#include "cutis/io/gltf/glb_format.h"

#include <algorithm>
#include <fstream>
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

GlbHead read_glb_head(const std::filesystem::path& path) {
  constexpr std::size_t first = file_header_size + chunk_header_size;
  std::error_code missing;
  const std::uint64_t file_size = std::filesystem::file_size(path, missing);
  std::ifstream in(path, std::ios::binary);
  Bytes start(first);
  const bool is_glb = !missing && file_size >= first &&
                      in.read(reinterpret_cast<char*>(start.data()), first) &&
                      number_at(start, 0) == glb_magic;
  GlbHead head;
  Bytes text;
  if (is_glb) {
    text.resize(std::min<std::uint64_t>(number_at(start, file_header_size), file_size - first));
    in.read(reinterpret_cast<char*>(text.data()), static_cast<std::streamsize>(text.size()));
    head.binary_begin = std::min<std::uint64_t>(first + text.size() + chunk_header_size, file_size);
    head.binary_size = file_size - head.binary_begin;
  } else {
    text = read_file(path);
  }
  const std::string_view json(reinterpret_cast<const char*>(text.data()), text.size());
  if (in && !json_nests_deeper(json, deepest_json))
    head.document = nlohmann::json::parse(json, nullptr, false);
  if (!head.document.is_object()) throw InputError(fmt::format("{}: is not glTF, or damaged", path.string()));
  return head;
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
