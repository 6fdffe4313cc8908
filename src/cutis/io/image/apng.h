#pragma once

#include <cstdint>
#include <filesystem>

#include "cutis/core/file.h"
#include "cutis/io/image/raster.h"

namespace cutis {

/// Writes an animated PNG frame by frame. Only the rectangle that changed since the frame before is stored;
/// compressed frames are held until finish(), so the file appears whole or not at all.
class ApngWriter {
 public:
  /// `seconds` is how long each frame stays, to the millisecond; `loops` = 0 plays for ever.
  ApngWriter(std::filesystem::path path, double seconds, int loops = 0);

  /// All frames have the size and channels of the first; anything else throws InputError.
  void add(const Raster& frame);
  /// Writes the file. Throws IoError when it cannot, InputError when no frame was added.
  void finish();

 private:
  std::filesystem::path path_;
  int delay_ms_;
  int loops_;
  std::uint32_t frames_ = 0;
  std::uint32_t sequence_ = 0;
  Raster last_;
  Bytes header_;  ///< signature and every chunk before the frames
  Bytes body_;    ///< the frames

  void add_first(const Raster& frame);
  void add_change(const Raster& frame);
  void put_control(int x, int y, int width, int height);
};

}  // namespace cutis
