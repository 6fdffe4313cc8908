#include "cutis/run/checksums.h"
#include "cutis/run/result.h"
#include "cutis/run/summary.h"
#include "fuzz/arrays.h"
#include "fuzz/target.h"

namespace {

using namespace cutis;

/// A result whose mesh and frame are still to be written.
std::filesystem::path empty_result(const std::string& name, FrameStorage storage) {
  Summary summary;
  summary.fps = 24;
  summary.frames = 1;
  summary.times = {0};
  summary.storage = storage;
  const std::filesystem::path folder = fuzz::folder() / name;
  std::filesystem::create_directories(folder / "frames");
  write_file_whole(folder / "summary.json", to_json(summary));
  append_checksum(folder / "checksums.sha256", "frames/000001.npz", std::string(64, '0'));
  return folder;
}

/// Thrown where a frame's body would be opened: all of its arrays have been read by then.
struct FrameIsWhole {};

std::unique_ptr<Body> open_no_body(const std::string&, const std::string&) { throw FrameIsWhole(); }

void read_frame(const std::filesystem::path& folder, const Npz& mesh, const Npz& frame) {
  write_npz(folder / "mesh.npz", mesh);
  write_npz(folder / "frames/000001.npz", frame);
  try {
    ResultReader(folder, open_no_body).frame(1);
  } catch (const FrameIsWhole&) {
  }
}

}  // namespace

FUZZ_TARGET(result) {
  static const std::filesystem::path positions = empty_result("positions", FrameStorage::Positions),
                                     map = empty_result("map", FrameStorage::Map);
  return fuzz::expect_input_error_at_most(".npz", [&] {
    std::span<const unsigned char> input(data, size);
    const Npz mesh = fuzz::take_arrays(
        input, "mesh.npz",
        {"rest", "face_offsets", "face_corners", "uvs", "welded", "triangles", "triangle_faces", "directions",
         "stroke_triangles", "stroke_directions", "joint_names", "joint_parents", "joint_positions",
         "influence_offsets", "influence_joints", "influence_weights", "material_names", "material_faces"});
    const Npz frame = fuzz::take_arrays(
        input, "000001.npz",
        {"frame", "time", "residual", "positions", "map_face", "map_barycentric", "map_side", "body_bounds",
         "body_crc", "velocities", "joint_transforms", "joint_velocities"});
    read_frame(positions, mesh, frame);
    read_frame(map, mesh, frame);
  });
}
