#pragma once

#include <span>
#include <vector>

#include "cutis/core/float_image.h"
#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// Draws a field into an image in texture space: the pixel at column x and row y stands for
/// u = (x + 1/2) / width, v = 1 - (y + 1/2) / height. `values` are `channels` numbers for each face corner,
/// linear on each triangle; where triangles overlap in texture space the first one counts. Around the charts
/// `gutter` rows of pixels are filled with the mean of their neighbours, so that filtering at a seam sees no
/// background, which is 0. What lies outside the unit square is left out. Needs a mesh with texture
/// coordinates; throws InputError when it has none or a size is not 1 to 16384.
FloatImage draw_uv_map(const SourceMesh& mesh, std::span<const double> values, int channels, int width,
                       int height, int gutter);

/// Gives each empty pixel beside filled ones their mean, which makes it a filled one.
void grow_filled(FloatImage& image, std::vector<bool>& filled);

/// Where faces share a place in texture space, in an image of that size.
struct UvOverlap {
  FaceId first, second;  ///< two that do; invalid when none do
  double share = 0;      ///< of the pixels that faces cover, how many lie in two or more
};
UvOverlap uv_overlap(const SourceMesh& mesh, int width, int height);

/// The value of one channel at a place in texture space, bilinear between the centres of pixels; repeats
/// outside the unit square.
double sample_uv_map(const FloatImage& image, const Vec2& uv, int channel);

}  // namespace cutis
