#include "cutis/run/checksums.h"
#include "cutis/run/result.h"
#include "cutis/run/summary.h"
#include "fuzz/arrays.h"
#include "fuzz/target.h"

namespace {

using namespace cutis;

/// A result whose mesh and frame are still to be written.
const std::filesystem::path& empty_result() {
  static const std::filesystem::path folder = [] {
    Summary summary;
    summary.fps = 24;
    summary.frames = 1;
    summary.times = {0};
    std::filesystem::create_directories(fuzz::folder() / "frames");
    write_file_whole(fuzz::folder() / "summary.json", to_json(summary));
    append_checksum(fuzz::folder() / "checksums.sha256", "frames/000001.npz", std::string(64, '0'));
    return fuzz::folder();
  }();
  return folder;
}

}  // namespace

FUZZ_TARGET(result) {
  const std::filesystem::path& folder = empty_result();
  return fuzz::expect_input_error_at_most(".npz", [&] {
    std::span<const unsigned char> input(data, size);
    const Npz mesh =
        fuzz::take_arrays(input, "mesh.npz",
                          {"rest", "face_offsets", "face_corners", "uvs", "welded", "triangles",
                           "triangle_faces", "directions", "stroke_triangles", "stroke_directions"});
    const Npz frame = fuzz::take_arrays(input, "mesh.npz", {"frame", "time", "residual", "positions"});
    write_npz(folder / "mesh.npz", mesh);
    write_npz(folder / "frames/000001.npz", frame);
    ResultReader(folder).frame(1);
  });
}
