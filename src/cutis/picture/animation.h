#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "cutis/picture/render/image.h"

namespace cutis {

class ApngWriter;
class FfmpegWriter;

/// Writes one film into several files at once, each by its ending: .png or .apng (animated PNG), .mp4 and
/// .webp (through ffmpeg, where it is installed; else the log says a word and the file is left out).
class AnimationWriter {
 public:
  /// Throws InputError for any other ending.
  AnimationWriter(const std::vector<std::filesystem::path>& paths, double frames_per_second);
  ~AnimationWriter();

  void add(const Image& frame);
  /// The files that were written. Throws IoError when an animated PNG cannot be.
  std::vector<std::filesystem::path> finish();

 private:
  struct Output {
    std::filesystem::path path;
    std::unique_ptr<ApngWriter> apng;
    std::unique_ptr<FfmpegWriter> ffmpeg;
  };
  std::vector<Output> outputs_;
};

}  // namespace cutis
