#include "cutis/io/gltf/gltf_texture.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <tiny_gltf.h>

#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "cutis/io/gltf/gltf_reader_file.h"

namespace cutis {
namespace {

/// The image that a primitive's base colour comes from; -1 where it has none.
int image_of(const tinygltf::Model& model, const tinygltf::Primitive& primitive) {
  const auto known = [](int index, std::size_t size) {
    return index >= 0 && static_cast<std::size_t>(index) < size;
  };
  if (!known(primitive.material, model.materials.size())) return -1;
  const int texture = model.materials[primitive.material].pbrMetallicRoughness.baseColorTexture.index;
  if (!known(texture, model.textures.size())) return -1;
  const int image = model.textures[texture].source;
  return known(image, model.images.size()) ? image : -1;
}

std::size_t corner_count(const tinygltf::Model& model, const tinygltf::Primitive& primitive) {
  const auto position = primitive.attributes.find("POSITION");
  const int accessor = primitive.indices >= 0                   ? primitive.indices
                       : position == primitive.attributes.end() ? -1
                                                                : position->second;
  return accessor >= 0 && static_cast<std::size_t>(accessor) < model.accessors.size()
             ? model.accessors[accessor].count
             : 0;
}

/// The image that most corners wear, of the named meshes (or of nodes so named), or of all.
int most_worn_image(const tinygltf::Model& model, const std::vector<std::string>& meshes) {
  std::map<int, std::size_t> worn, worn_by_named;
  for (const tinygltf::Node& node : model.nodes) {
    if (node.mesh < 0 || static_cast<std::size_t>(node.mesh) >= model.meshes.size()) continue;
    const tinygltf::Mesh& mesh = model.meshes[node.mesh];
    const bool named = std::ranges::any_of(
        meshes, [&](const std::string& name) { return name == mesh.name || name == node.name; });
    for (const tinygltf::Primitive& primitive : mesh.primitives) {
      const int image = image_of(model, primitive);
      worn[image] += corner_count(model, primitive);
      if (named) worn_by_named[image] += corner_count(model, primitive);
    }
  }
  const auto& counts = worn_by_named.empty() ? worn : worn_by_named;
  const auto most = std::ranges::max_element(counts, {}, [](const auto& count) { return count.second; });
  return most == counts.end() ? -1 : most->first;
}

/// As it lies in the file, or in one beside it; empty where it is neither.
Bytes image_bytes(const tinygltf::Model& model, const tinygltf::Image& image,
                  const std::filesystem::path& path) {
  if (image.bufferView >= 0 && static_cast<std::size_t>(image.bufferView) < model.bufferViews.size()) {
    const tinygltf::BufferView& view = model.bufferViews[image.bufferView];
    if (view.buffer < 0 || static_cast<std::size_t>(view.buffer) >= model.buffers.size()) return {};
    const auto& data = model.buffers[view.buffer].data;
    if (view.byteOffset > data.size() || view.byteLength > data.size() - view.byteOffset) return {};
    const auto first = data.begin() + static_cast<std::ptrdiff_t>(view.byteOffset);
    return {first, first + static_cast<std::ptrdiff_t>(view.byteLength)};
  }
  const std::filesystem::path name = std::filesystem::path(image.uri).filename();
  if (name.empty() || name != image.uri) return {};  // only beside the file, as for buffers
  return read_file(path.parent_path() / name);
}

}  // namespace

std::optional<Raster> read_gltf_texture(const std::filesystem::path& path,
                                        const std::vector<std::string>& meshes) {
  const GltfFile file(path);
  const int index = most_worn_image(file.model(), meshes);
  if (index < 0) return std::nullopt;
  const std::string place = fmt::format("image {}", index);
  try {
    const Bytes bytes = image_bytes(file.model(), file.model().images[index], path);
    tinygltf::Image image;
    std::string error, warning;
    if (bytes.empty() || !tinygltf::LoadImageData(&image, index, &error, &warning, 0, 0, bytes.data(),
                                                  static_cast<int>(bytes.size()), nullptr))
      throw InputError("cannot be read; PNG and JPEG in the file, or beside it, can");
    if (image.bits != 8 || image.component != 4) throw InputError("has more than 8 bits a channel");
    Raster raster(image.width, image.height, 4);
    raster.data = std::move(image.image);
    return raster;
  } catch (const InputError& error) {
    file.warn(place, error.what());
    return std::nullopt;
  }
}

}  // namespace cutis
