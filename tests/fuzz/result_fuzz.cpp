#include "cutis/io/bytes.h"
#include "cutis/shot/checksums.h"
#include "cutis/shot/result.h"
#include "cutis/shot/summary.h"
#include "fuzz/target.h"

namespace {

using namespace cutis;

/// Takes "length, NPY file" after "length, NPY file" from the input and stores them under these names; where
/// the input ends, arrays are missing.
Npz take_arrays(std::span<const unsigned char>& input, std::initializer_list<const char*> names) {
  Npz arrays;
  for (const char* name : names) {
    if (input.size() < 4) break;
    const std::size_t length =
        std::min<std::size_t>(load<std::uint32_t>(input.data(), std::endian::little), input.size() - 4);
    arrays[name] = decode_npy(input.subspan(4, length), std::string("mesh.npz: ") + name);
    input = input.subspan(4 + length);
  }
  return arrays;
}

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

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::filesystem::path& folder = empty_result();
  return fuzz::expect_input_error_at_most(".npz", [&] {
    std::span<const unsigned char> input(data, size);
    const Npz mesh = take_arrays(
        input, {"rest", "face_offsets", "face_corners", "uvs", "welded", "triangles", "triangle_faces"});
    const Npz frame = take_arrays(input, {"frame", "time", "positions"});
    write_npz(folder / "mesh.npz", mesh);
    write_npz(folder / "frames/000001.npz", frame);
    ResultReader(folder).frame(1);
  });
}
