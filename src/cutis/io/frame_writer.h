#pragma once

#include <filesystem>

#include "cutis/io/array/npz.h"
#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// A file that takes the frames of a shot one after another, so that no more than one is ever in memory, and
/// appears whole at finish() or not at all.
class FrameWriter {
 public:
  virtual ~FrameWriter() = default;

  /// The next frame [m], in the source's own vertex order. `fields` are further arrays of the frame; formats
  /// without room for them pass them over. Throws InputError when a coordinate does not fit a
  /// 32-bit float (not finite, or too large), IoError when the disk fails.
  void add(const SourcePoints& points, const Npz& fields = {});
  /// After the last frame. Throws IoError.
  void finish();

 protected:
  /// Throws InputError when there are no frames or no vertices to write, or too many for the format.
  FrameWriter(std::filesystem::path path, std::size_t vertex_count, std::size_t frame_count);
  /// The times [s] of the frames, `shift` added, as 32-bit floats. Throws InputError unless they are finite
  /// and strictly increasing as such.
  static std::vector<float> float_times(const std::filesystem::path& path, const std::vector<double>& times,
                                        double shift = 0);
  virtual void write_frame(const SourcePoints& points, const Npz& fields) = 0;
  virtual void write_end() = 0;

  const std::filesystem::path& path() const { return path_; }
  std::size_t vertex_count() const { return vertex_count_; }
  std::size_t frame_count() const { return frame_count_; }

 private:
  std::filesystem::path path_;
  std::size_t vertex_count_, frame_count_, written_ = 0;
};

}  // namespace cutis
