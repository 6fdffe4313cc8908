#pragma once

#include <cstddef>
#include <vector>

namespace cutis {

/// An 8-bit sRGB image: rows from the top, channels interleaved, no padding.
struct Raster {
  int width = 0;
  int height = 0;
  int channels = 3;  ///< 3 = RGB, 4 = RGBA (alpha not premultiplied)
  std::vector<unsigned char> data;

  Raster() = default;
  Raster(int w, int h, int c = 3)
      : width(w), height(h), channels(c), data(std::size_t(w) * std::size_t(h) * std::size_t(c)) {}

  bool empty() const { return data.empty(); }
  unsigned char* pixel(int x, int y) { return data.data() + offset(x, y); }
  const unsigned char* pixel(int x, int y) const { return data.data() + offset(x, y); }
  bool operator==(const Raster&) const = default;

 private:
  std::size_t offset(int x, int y) const {
    return (std::size_t(y) * std::size_t(width) + std::size_t(x)) * std::size_t(channels);
  }
};

}  // namespace cutis
