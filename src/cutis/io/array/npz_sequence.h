#pragma once

#include <vector>

#include "cutis/io/frame_folder.h"
#include "cutis/io/frame_writer.h"

namespace cutis {

/// Writes a folder of numbered NPZ files, skin_000001.npz and so on, for NumPy: `positions`, `time` and every
/// field of the frame, with texture coordinates that move (io/frame_fields.h); and mesh.npz with the polygons
/// (`face_offsets`, `face_corners`, `uvs`).
class NpzSequenceWriter final : public FrameWriter {
 public:
  NpzSequenceWriter(const std::filesystem::path& folder, const SourceMesh& mesh, std::vector<double> times);

 private:
  FrameFolder folder_;
  std::vector<double> times_;
  std::size_t next_ = 0;

  void write_frame(const SourcePoints& points, const Npz& fields) override;
  void write_end() override;
};

}  // namespace cutis
