#pragma once

#include "cutis/body/cache/point_cache.h"
#include "cutis/core/atomic_file.h"
#include "cutis/io/frame_writer.h"

namespace cutis {

/// A PC2 point cache (3ds Max, Blender, Maya). The file counts in frames and knows no seconds: sample i is
/// at (start + i * rate) / fps. Throws InputError when it is not whole or not finite.
PointCache read_pc2(const std::filesystem::path& path, double fps = 24);

/// Writes a PC2, a frame at a time.
class Pc2Writer final : public FrameWriter {
 public:
  /// `start` is the scene frame of the first sample, `rate` the scene frames from one sample to the next.
  Pc2Writer(const std::filesystem::path& path, std::size_t vertex_count, std::size_t frame_count,
            double start = 0, double rate = 1);

 private:
  AtomicFile file_;
  void write_frame(const SourcePoints& points, const Npz& fields) override;
  void write_end() override;
};

}  // namespace cutis
