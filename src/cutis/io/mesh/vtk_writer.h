#pragma once

#include <string>

#include "cutis/io/frame_folder.h"
#include "cutis/io/frame_writer.h"

namespace cutis {

/// Writes a folder for ParaView and VTK: skin_000001.vtu and so on (XML, binary data), and skin.pvd, the
/// collection that gives each its time [s]; open that one. Polygons stay polygons, positions are 64-bit, and
/// every field of a vertex or a face is point or cell data in its own precision. Texture coordinates are the
/// point data "uv", where no vertex has two of them; VTK has no place for those of corners.
class VtkWriter final : public FrameWriter {
 public:
  /// `times` [s], one per frame.
  VtkWriter(const std::filesystem::path& folder, const SourceMesh& mesh, std::vector<double> times);

 private:
  FrameFolder folder_;
  SourceMesh mesh_;
  std::vector<double> times_;
  std::size_t next_ = 0;
  bool said_several_uvs_ = false;

  std::vector<double> vertex_uvs(const Npz& fields);
  void write_frame(const SourcePoints& points, const Npz& fields) override;
  void write_end() override;
};

}  // namespace cutis
