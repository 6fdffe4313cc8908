#include "cutis/io/gltf/gltf_materials.h"

#include <string>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/io/gltf/glb_format.h"

namespace cutis {
namespace {

using Json = nlohmann::json;

/// Takes textures away that lie on a second set of texture coordinates.
void keep_first_uvs(Json& value) {
  if (!value.is_structured()) return;
  for (auto at = value.begin(); at != value.end();) {
    const bool other =
        value.is_object() && at->is_object() && at->contains("index") && at->value("texCoord", 0) != 0;
    if (other) {
      at = value.erase(at);
    } else {
      keep_first_uvs(*at);
      ++at;
    }
  }
}

/// An image's bytes: in the file, or in one beside it. Empty where neither can be read.
Bytes image_bytes(const Json& file, const Json& image, const GlbChunks& chunks,
                  const std::filesystem::path& path) {
  if (!image.contains("bufferView")) {
    const std::string uri = image.value("uri", "");
    const std::filesystem::path beside = path.parent_path() / std::filesystem::path(uri).filename();
    std::error_code no_name;
    if (uri.empty() || std::filesystem::path(uri).filename() != uri ||
        !std::filesystem::is_regular_file(beside, no_name))
      return {};
    return read_file(beside);
  }
  const Json& view = file.at("bufferViews").at(image.at("bufferView").get<std::size_t>());
  const auto offset = view.value("byteOffset", std::uint64_t(0)),
             length = view.at("byteLength").get<std::uint64_t>();
  if (view.value("buffer", 0) != 0 || chunks.binary.size() < offset || chunks.binary.size() - offset < length)
    return {};
  const auto first = chunks.binary.begin() + static_cast<std::ptrdiff_t>(offset);
  return {first, first + static_cast<std::ptrdiff_t>(length)};
}

const char* mime_type(const Bytes& image) {
  return image.size() > 3 && image[0] == 0xff && image[1] == 0xd8 ? "image/jpeg" : "image/png";
}

}  // namespace

GltfMaterials read_gltf_materials(const std::filesystem::path& path) {
  GltfMaterials result;
  const GlbChunks chunks = read_glb_chunks(path);
  try {
    const Json& file = chunks.document;
    if (!file.contains("materials")) return result;
    for (const char* part : {"materials", "textures", "images", "samplers"})
      if (file.contains(part)) result.document[part] = file.at(part);
    for (Json& material : result.document["materials"]) keep_first_uvs(material);
    if (result.document.contains("images"))
      for (Json& image : result.document["images"]) {
        Bytes bytes = image_bytes(file, image, chunks, path);
        if (bytes.empty()) continue;
        if (!image.contains("mimeType")) image["mimeType"] = mime_type(bytes);
        image.erase("uri");
        image["bufferView"] = result.image_bytes.size();
        result.image_bytes.push_back(std::move(bytes));
      }
    for (const Json& name : file.value("extensionsUsed", Json::array())) {
      const std::string extension = name.get<std::string>();
      if (extension.starts_with("KHR_materials_") || extension.find("texture") != std::string::npos)
        result.document["extensionsUsed"].push_back(extension);
    }
  } catch (const Json::exception&) {
    throw InputError(fmt::format("{}: its materials are damaged", path.string()));
  }
  return result;
}

}  // namespace cutis
