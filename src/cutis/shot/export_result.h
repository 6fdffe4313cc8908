#pragma once

#include <filesystem>
#include <string>

namespace cutis {

struct ExportOptions {
  std::filesystem::path file = {};  ///< empty: RESULT/skin.FORMAT, or RESULT/FORMAT for a folder
  int map_size = 1024;              ///< pixels each way of maps (exr, png, st)
  /// The mesh stays on the body and its texture coordinates move; else its vertices slide and they stay.
  /// Always so of ST maps.
  bool moving_uvs = false;
  double reach = 0;  ///< of the texture past the borders of its charts [m]: see MovingUvs
  /// An OBJ with the result's faces in another layout of texture coordinates (cutis extend-texture --repack),
  /// which is written instead of the character's own; ST maps are drawn in its own and lead into this one.
  std::filesystem::path uvs = {};
};

/// Writes all finished frames of a result in one of export_formats(): as one file, or for some formats as a
/// folder of numbered files. Returns the path. Throws InputError for an unknown format, a damaged result, or
/// one that lacks what the format needs, IoError when the disk fails. The character's other meshes are
/// carried by the skin (BoundMeshes): a GLB has all in one file, with the materials, joints and clips of a
/// glTF character; of pc2, mdd, usda and obj each gets a file of its own beside the skin's.
std::filesystem::path export_result(const std::filesystem::path& result, const std::string& format,
                                    const ExportOptions& options = {});

}  // namespace cutis
