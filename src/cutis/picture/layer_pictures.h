#pragma once

#include "cutis/picture/result_pictures.h"

namespace cutis {

/// Pictures of the mesh that one layer of a result was computed on, with its edges, coloured by a field.
struct LayerPictures {
  std::filesystem::path result;
  int layer = 1;  ///< from 1, the lowest
  /// One that wrinkle/layer/layer_mesh.h lists, or "strain": compressive strain less tensile strain, so that
  /// what is pressed together is red and what is stretched blue.
  std::string field = "support";
  bool material_space = false;       ///< drawn as it is at rest
  PictureSection settings;           ///< size, camera and the range of the colours
  std::optional<FrameRange> frames;  ///< that are shown; the last
  std::filesystem::path out;         ///< folder
  /// Called with each file as soon as it is written.
  std::function<void(const std::filesystem::path&)> written;
};

/// Makes layer1_support_000012.png, or layer1_support_material_space_000012.png, one for each frame. Throws
/// InputError where the result has no such layer, frame or field; it needs wrinkle.layer_meshes = "ply".
void write_layer_pictures(const LayerPictures& request);

}  // namespace cutis
