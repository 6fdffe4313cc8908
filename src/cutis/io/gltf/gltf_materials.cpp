#include "cutis/io/gltf/gltf_materials.h"

#include <fstream>
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
Bytes image_bytes(const Json& file, const Json& image, const GlbHead& head,
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
  if (view.value("buffer", 0) != 0 || head.binary_size < offset || head.binary_size - offset < length)
    return {};
  Bytes bytes(length);
  std::ifstream in(path, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(head.binary_begin + offset));
  in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(length));
  return in ? bytes : Bytes();
}

const char* mime_type(const Bytes& image) {
  return image.size() > 3 && image[0] == 0xff && image[1] == 0xd8 ? "image/jpeg" : "image/png";
}

}  // namespace

GltfMaterials read_gltf_materials(const std::filesystem::path& path) {
  GltfMaterials result;
  const GlbHead head = read_glb_head(path);
  try {
    const Json& file = head.document;
    if (!file.contains("materials")) return result;
    for (const char* part : {"materials", "textures", "images", "samplers"})
      if (file.contains(part)) result.document[part] = file.at(part);
    std::size_t number = 0;
    for (Json& material : result.document["materials"]) {
      keep_first_uvs(material);
      if (material.value("name", "").empty()) material["name"] = fmt::format("material_{}", number);
      ++number;
    }
    if (result.document.contains("images"))
      for (Json& image : result.document["images"]) {
        Bytes bytes = image_bytes(file, image, head, path);
        if (bytes.empty()) {
          if (image.contains("bufferView")) image = {{"uri", "missing.png"}};
          continue;
        }
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
