#pragma once

#include <filesystem>

#include "cutis/core/float_image.h"

namespace cutis {

/// Reads an OpenEXR image as it is stored, in 32-bit floats: R, G, B and A where it has them (3 or 4
/// channels), else its Y, or else its first channel. Deep images and those of several parts are refused.
/// Throws InputError naming the file when it is missing, damaged or larger than 2^26 pixels.
FloatImage read_exr(const std::filesystem::path& path);

/// Writes 1 channel (Y), 3 (R, G, B) or 4 (with A) as 32-bit floats, compressed without loss: read_exr()
/// gives the same bits back. All or nothing; throws IoError.
void write_exr(const std::filesystem::path& path, const FloatImage& image);

}  // namespace cutis
