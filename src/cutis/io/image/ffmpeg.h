#pragma once

#include <filesystem>
#include <string>

#include <sys/types.h>

#include "cutis/io/image/raster.h"

namespace cutis {

/// Feeds frames to an ffmpeg process, which writes MP4 (H.264) or animated WebP by the file's ending. ffmpeg
/// is optional: where it is missing, or cannot encode, the log says so once and no file is left behind.
class FfmpegWriter {
 public:
  /// Throws InputError when the ending is neither .mp4 nor .webp.
  FfmpegWriter(std::filesystem::path path, double frames_per_second);
  ~FfmpegWriter();
  FfmpegWriter(const FfmpegWriter&) = delete;
  FfmpegWriter& operator=(const FfmpegWriter&) = delete;

  /// RGB frames of one size; anything else throws InputError.
  void add(const Raster& frame);
  /// True when the file now lies there, whole.
  bool finish();

  /// Whether an ffmpeg program is on the PATH.
  static bool available();

 private:
  std::filesystem::path path_, part_;
  double rate_;
  int width_ = 0, height_ = 0;
  pid_t process_ = -1;
  int socket_ = -1;
  bool failed_ = false;

  void start(int width, int height);
  int wait();
};

}  // namespace cutis
