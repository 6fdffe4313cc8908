/// What it costs to write a frame of 13,000 vertices: the bytes, the checksum, and the file on the disk. The
/// last is to be read against the floor, a plain write of as many bytes without waiting for the disk.
#include <cmath>
#include <filesystem>
#include <fstream>

#include <benchmark/benchmark.h>
#include <unistd.h>

#include "cutis/core/file.h"
#include "cutis/io/array/npz.h"
#include "cutis/run/result.h"

namespace {

using namespace cutis;
constexpr std::size_t kVertices = 13000;

ResultMesh cloud() {
  ResultMesh m;
  for (std::size_t i = 0; i < kVertices; ++i) {
    m.mesh.positions.push_back(Vec3(std::sin(0.1 * i), std::cos(0.1 * i), 1e-4 * i));
    m.welded.push_back(VertexId(i));
  }
  return m;
}

Npz frame_arrays() {
  const ResultMesh m = cloud();
  Npz arrays;
  arrays["positions"] = npy_array(m.mesh.positions.data()->data(), kVertices * 3, {kVertices, 3});
  return arrays;
}

/// A folder that goes away with the benchmark.
struct Folder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("cutis-bench-" + std::to_string(::getpid()));
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
};

void bytes_a_second(benchmark::State& state, std::size_t bytes) {
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * state.iterations());
}

void encode_frame(benchmark::State& state) {
  const Npz arrays = frame_arrays();
  const auto compression = state.range(0) ? Compression::Deflated : Compression::Stored;
  for (auto _ : state) benchmark::DoNotOptimize(encode_npz(arrays, compression));
  bytes_a_second(state, kVertices * 24);
}
BENCHMARK(encode_frame)->ArgName("deflated")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void decode_frame(benchmark::State& state) {
  const Bytes bytes = encode_npz(frame_arrays());
  for (auto _ : state) benchmark::DoNotOptimize(decode_npz(bytes, "frame"));
  bytes_a_second(state, bytes.size());
}
BENCHMARK(decode_frame)->Unit(benchmark::kMillisecond);

void checksum_frame(benchmark::State& state) {
  const Bytes bytes = encode_npz(frame_arrays());
  for (auto _ : state) benchmark::DoNotOptimize(sha256(bytes));
  bytes_a_second(state, bytes.size());
}
BENCHMARK(checksum_frame)->Unit(benchmark::kMillisecond);

void write_plain_file(benchmark::State& state) {
  const Folder folder;
  const Bytes bytes = encode_npz(frame_arrays());
  for (auto _ : state)
    std::ofstream(folder.path / "plain", std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  bytes_a_second(state, bytes.size());
}
BENCHMARK(write_plain_file)->UseRealTime()->Unit(benchmark::kMillisecond);

void write_result_frame(benchmark::State& state) {
  const Folder folder;
  const ResultMesh mesh = cloud();
  ResultWriter writer(folder.path, mesh, Summary(), ResultWriter::Start::Fresh);
  ResultFrame frame{{0, 0, mesh.mesh.positions, {}}};
  for (auto _ : state) {
    ++frame.number;
    writer.write_frame(frame, {});
  }
  bytes_a_second(state, kVertices * 24);
}
BENCHMARK(write_result_frame)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
