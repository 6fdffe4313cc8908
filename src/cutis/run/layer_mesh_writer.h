#pragma once

#include <filesystem>
#include <vector>

#include "cutis/body/simulation_stage.h"
#include "cutis/run/layer_mesh_format.h"

namespace cutis {

/// Writes the meshes that a stage computes on into a result, one file for each layer and frame:
/// layer1_000001.ply, or layer1_000001.vtu with layer1.pvd, the collection of all frames so far. Tetrahedra
/// go to .vtu only.
class LayerMeshWriter {
 public:
  /// `times` [s] of all frames.
  LayerMeshWriter(const std::filesystem::path& result, LayerMeshFormat format, std::vector<double> times);
  /// Of this frame (from 1). Must be called before the frame itself is written, so that a run that goes on
  /// after it finds them there. Throws IoError.
  void write(const std::vector<LayerMesh>& layers, int frame) const;
  bool writes() const { return format_ != LayerMeshFormat::None; }

 private:
  std::filesystem::path folder_;
  LayerMeshFormat format_;
  std::vector<double> times_;
};

}  // namespace cutis
