#include "cutis/picture/animation.h"

#include <cmath>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/io/image/apng.h"
#include "cutis/io/image/ffmpeg.h"

namespace cutis {

AnimationWriter::AnimationWriter(const std::vector<std::filesystem::path>& paths, double frames_per_second) {
  if (!(frames_per_second > 0) || !std::isfinite(frames_per_second))
    throw InputError(fmt::format("a film of {} frames a second: must be above 0", frames_per_second));
  for (const auto& path : paths) {
    Output output{path, nullptr, nullptr};
    if (path.extension() == ".png" || path.extension() == ".apng")
      output.apng = std::make_unique<ApngWriter>(path, 1 / frames_per_second);
    else if (path.extension() == ".mp4" || path.extension() == ".webp")
      output.ffmpeg = std::make_unique<FfmpegWriter>(path, frames_per_second);
    else
      throw InputError(fmt::format("{}: an animation ends in .png, .apng, .mp4 or .webp", path.string()));
    outputs_.push_back(std::move(output));
  }
}

AnimationWriter::~AnimationWriter() = default;

void AnimationWriter::add(const Image& frame) {
  for (Output& output : outputs_) {
    if (output.apng) output.apng->add(frame);
    if (output.ffmpeg) output.ffmpeg->add(frame);
  }
}

std::vector<std::filesystem::path> AnimationWriter::finish() {
  std::vector<std::filesystem::path> written;
  for (Output& output : outputs_) {
    if (output.apng) output.apng->finish();
    if (output.apng || output.ffmpeg->finish()) written.push_back(output.path);
  }
  return written;
}

}  // namespace cutis
