#pragma once

#include <vector>

#include "cutis/body/cache/point_cache.h"
#include "cutis/core/atomic_file.h"
#include "cutis/io/frame_writer.h"

namespace cutis {

/// An MDD point cache (LightWave, Blender, Maya, modo). The times are the file's own; where it has none (all
/// equal, as some programs write) frame i is at i / fps, with a word. Throws InputError when it is not whole
/// or not finite, or its times run backwards.
PointCache read_mdd(const std::filesystem::path& path, double fps = 24);

/// Writes an MDD, a frame at a time.
class MddWriter final : public FrameWriter {
 public:
  /// `times` [s], one per frame, strictly increasing.
  MddWriter(const std::filesystem::path& path, std::size_t vertex_count, const std::vector<double>& times);

 private:
  AtomicFile file_;
  void write_frame(const SourcePoints& points, const Npz& fields) override;
  void write_end() override;
};

}  // namespace cutis
