#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cutis/io/image/raster.h"

namespace cutis {

/// The base colour image (PNG or JPEG) that most triangles of the named meshes wear; of all meshes where none
/// has such a name. Nothing when their materials have no image, or one that cannot be read, which the log
/// says. Throws InputError when the file is not glTF.
std::optional<Raster> read_gltf_texture(const std::filesystem::path& path,
                                        const std::vector<std::string>& meshes);

}  // namespace cutis
