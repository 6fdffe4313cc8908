#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "cutis/core/file.h"
#include "cutis/io/image/raster.h"

namespace cutis {

/// Reads any PNG (palette, grey, 16 bits, interlaced) as 8-bit RGB, or RGBA when it has transparency. Throws
/// InputError naming the file when it is missing, broken, or larger than 2^26 pixels.
Raster read_png(const std::filesystem::path& path);
/// The same from memory; `name` is what messages call it.
Raster decode_png(std::span<const unsigned char> bytes, const std::string& name);

/// Throws as these do when the header is broken, or names a size that the bytes cannot hold.
void check_png(std::span<const unsigned char> bytes, const std::string& name);

/// Writes all or nothing. Throws IoError when it cannot, InputError when the image is empty.
void write_png(const std::filesystem::path& path, const Raster& image);
enum class PngEffort { Small, Quick };
Bytes encode_png(const Raster& image, PngEffort effort = PngEffort::Small);

}  // namespace cutis
