#include "cutis/run/layer_mesh_writer.h"

#include <utility>

#include "cutis/io/frame_folder.h"
#include "cutis/io/mesh/ply_writer.h"
#include "cutis/io/mesh/vtu_file.h"
#include "cutis/run/result.h"

namespace cutis {
namespace {

void write_with_collection(const FrameFolder& folder, const LayerMesh& layer,
                           const std::vector<double>& times, int frame) {
  std::vector<std::string> files;
  for (int i = 0; i < frame; ++i) files.push_back(folder.file_name(static_cast<std::size_t>(i)));
  if (layer.tets.empty())
    write_vtu(folder / files.back(), layer.mesh, layer.fields);
  else
    write_vtu(folder / files.back(), layer.mesh.positions.raw(), layer.tets, layer.fields, layer.tet_fields);
  write_pvd(folder / (layer.name + ".pvd"), times, files);
}

}  // namespace

LayerMeshWriter::LayerMeshWriter(const std::filesystem::path& result, LayerMeshFormat format,
                                 std::vector<double> times)
    : folder_(result / kLayersFolder), format_(format), times_(std::move(times)) {}

void LayerMeshWriter::write(const std::vector<LayerMesh>& layers, int frame) const {
  for (const LayerMesh& layer : layers) {
    const FrameFolder folder(folder_, layer.name, format_ == LayerMeshFormat::Ply ? ".ply" : ".vtu");
    if (format_ == LayerMeshFormat::Ply)
      write_ply(folder.file(static_cast<std::size_t>(frame - 1)), layer.mesh, layer.fields);
    else if (format_ == LayerMeshFormat::Vtk)
      write_with_collection(folder, layer, times_, frame);
  }
}

}  // namespace cutis
