#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cutis/run/result.h"
#include "cutis/shot/shot.h"

namespace cutis {

/// A range of frames, counted from 1; both are in it.
struct FrameRange {
  int first = 1, last = 1;
};

struct ResultPictures {
  std::vector<std::filesystem::path> results;  ///< shown side by side when there are several
  std::vector<std::string> captions;           ///< one per result; may be left out
  PictureSection settings;
  std::optional<FrameRange> frames;  ///< that are shown; all
  std::filesystem::path out;         ///< folder
  /// Called with each file as soon as it is written.
  std::function<void(const std::filesystem::path&)> written;
  /// Called while the animation is made; returning false leaves it out.
  std::function<bool(int done, int total)> progress;
};

/// Makes still.png (the moment where the field that is shown is largest, else that which moved furthest),
/// sheet.png (the whole shot on a page), uv.png (the mesh laid flat, where it has UVs) and animation.png
/// (with animation.mp4 and .webp where ffmpeg is there), in this order. Throws InputError when a result or a
/// setting cannot be used.
void write_result_pictures(const ResultPictures& request);

/// How a result asked to be shown: the picture section of its own shot. Throws InputError when the folder is
/// not a result.
PictureSection picture_settings(const std::filesystem::path& result);

}  // namespace cutis
