#include "cutis/io/mesh/obj_sequence.h"

#include "cutis/io/frame_fields.h"
#include "cutis/io/mesh/obj.h"

namespace cutis {

ObjSequenceWriter::ObjSequenceWriter(const std::filesystem::path& folder, const SourceMesh& mesh,
                                     std::size_t frame_count)
    : FrameWriter(folder, mesh.vertex_count(), frame_count), folder_(folder, "skin", ".obj"), mesh_(mesh) {}

void ObjSequenceWriter::write_frame(const SourcePoints& points, const Npz& fields) {
  mesh_.positions = points;
  if (auto uvs = moving_uvs(fields, mesh_); !uvs.empty()) mesh_.uvs = std::move(uvs);
  write_obj(folder_.file(next_++), mesh_);
}

void ObjSequenceWriter::write_end() { folder_.remove_from(frame_count()); }

}  // namespace cutis
