#include "cutis/io/array/npz_sequence.h"

#include <utility>

#include "cutis/io/array/npz.h"

namespace cutis {

NpzSequenceWriter::NpzSequenceWriter(const std::filesystem::path& folder, const SourceMesh& mesh,
                                     std::vector<double> times)
    : FrameWriter(folder, mesh.vertex_count(), times.size()),
      folder_(folder, "skin", ".npz"),
      times_(std::move(times)) {
  std::vector<std::int32_t> corners;
  for (SourceVertexId v : mesh.corners) corners.push_back(v.value);
  Npz arrays;
  arrays["face_offsets"] = npy_array(mesh.face_offsets);
  arrays["face_corners"] = npy_array(corners);
  if (mesh.has_uvs()) {
    const double* first = mesh.uvs.data()->data();
    arrays["uvs"] = npy_array(first, 2 * mesh.corner_count(), {mesh.corner_count(), 2});
  }
  write_npz(folder_ / "mesh.npz", arrays);
}

void NpzSequenceWriter::write_frame(const SourcePoints& points, const Npz& fields) {
  Npz arrays = fields;
  arrays["positions"] = npy_array(points.data()->data(), 3 * points.size(), {points.size(), 3});
  arrays["time"] = npy_scalar(times_[next_]);
  write_npz(folder_.file(next_++), arrays);
}

void NpzSequenceWriter::write_end() { folder_.remove_from(frame_count()); }

}  // namespace cutis
