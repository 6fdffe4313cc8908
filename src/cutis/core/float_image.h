#pragma once

#include <cstddef>
#include <vector>

namespace cutis {

/// Numbers in a grid, not colours: rows from the top, channels interleaved, no padding.
struct FloatImage {
  int width = 0;
  int height = 0;
  int channels = 1;
  std::vector<float> data;

  FloatImage() = default;
  FloatImage(int w, int h, int c)
      : width(w), height(h), channels(c), data(std::size_t(w) * std::size_t(h) * std::size_t(c)) {}

  float* pixel(int x, int y) { return data.data() + offset(x, y); }
  const float* pixel(int x, int y) const { return data.data() + offset(x, y); }
  bool operator==(const FloatImage&) const = default;

 private:
  std::size_t offset(int x, int y) const {
    return (std::size_t(y) * std::size_t(width) + std::size_t(x)) * std::size_t(channels);
  }
};

}  // namespace cutis
