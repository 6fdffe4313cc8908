#pragma once

#include <filesystem>

#include <nlohmann/json.hpp>

#include "cutis/core/file.h"

namespace cutis {

/// The materials of a glTF file and what they need, as its JSON has it: "materials", "textures", "images",
/// "samplers" and the "extensionsUsed" of materials. Images refer to `image_bytes` by "bufferView", an index
/// in it; those that cannot be read have a uri. Each material has a name: as readers of meshes call it.
struct GltfMaterials {
  nlohmann::json document = nlohmann::json::object();
  std::vector<Bytes> image_bytes;
};

/// Texture coordinates but the first set are not written, so textures on others are left out. Nothing where
/// the file has no materials; throws InputError when it cannot be read.
GltfMaterials read_gltf_materials(const std::filesystem::path& path);

}  // namespace cutis
