#pragma once

#include <filesystem>

#include "cutis/core/float_image.h"

namespace cutis {

/// Reads any PNG as numbers rather than colours: what is stored, as fractions of the largest value, 8 or 16
/// bits, with no conversion of colour spaces. Grey has 1 channel (2 with transparency), colour 3 (4). Throws
/// InputError as read_png() does.
FloatImage read_png_map(const std::filesystem::path& path);

/// Writes 1, 3 or 4 channels with 16 bits each; values are held to [0, 1] and rounded to 1/65535. All or
/// nothing; throws IoError.
void write_png_map(const std::filesystem::path& path, const FloatImage& image);

}  // namespace cutis
