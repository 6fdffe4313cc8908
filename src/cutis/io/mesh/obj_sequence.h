#pragma once

#include "cutis/io/frame_folder.h"
#include "cutis/io/frame_writer.h"

namespace cutis {

/// Writes a folder of numbered OBJ files, skin_000001.obj and so on, each whole and readable by itself.
/// Texture coordinates that move (io/frame_fields.h) move in the files, too; other fields have no place in an
/// OBJ.
class ObjSequenceWriter final : public FrameWriter {
 public:
  ObjSequenceWriter(const std::filesystem::path& folder, const SourceMesh& mesh, std::size_t frame_count);

 private:
  FrameFolder folder_;
  SourceMesh mesh_;
  std::size_t next_ = 0;

  void write_frame(const SourcePoints& points, const Npz& fields) override;
  void write_end() override;
};

}  // namespace cutis
