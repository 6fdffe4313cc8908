#include "cutis/io/image/png.h"

#include <cstdint>
#include <cstring>

#include <fmt/format.h>
#include <png.h>

#include "cutis/core/error.h"

namespace cutis {
namespace {

constexpr std::uint64_t kMaxPixels = std::uint64_t(1) << 26;
/// Deflate cannot shrink by more than 1032:1, and a pixel takes at least one bit.
constexpr std::uint64_t kMaxPixelsPerByte = 1032 * 8;

/// libpng's own state lives behind this; freed whatever happens.
struct PngImage : png_image {
  PngImage() : png_image{} { version = PNG_IMAGE_VERSION; }
  ~PngImage() { png_image_free(this); }
  PngImage(const PngImage&) = delete;
  PngImage& operator=(const PngImage&) = delete;
};

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw InputError(fmt::format("{}: {}; save it again as an ordinary PNG", name, why));
}

/// Reads the header and checks it against the bytes that are there, before anything of its size is allocated.
void begin(PngImage& png, std::span<const unsigned char> bytes, const std::string& name) {
  if (!png_image_begin_read_from_memory(&png, bytes.data(), bytes.size()))
    refuse(name, fmt::format("not a readable PNG ({})", png.message));
  const std::uint64_t pixels = std::uint64_t(png.width) * png.height;
  if (pixels > kMaxPixels)
    refuse(name, fmt::format("{} x {} pixels are more than the {} that Cutis reads", png.width, png.height,
                             kMaxPixels));
  if (pixels > kMaxPixelsPerByte * bytes.size())
    refuse(name, fmt::format("{} bytes cannot hold {} x {} pixels", bytes.size(), png.width, png.height));
}

}  // namespace

void check_png(std::span<const unsigned char> bytes, const std::string& name) {
  PngImage png;
  begin(png, bytes, name);
}

Raster decode_png(std::span<const unsigned char> bytes, const std::string& name) {
  PngImage png;
  begin(png, bytes, name);
  const bool alpha = (png.format & PNG_FORMAT_FLAG_ALPHA) != 0;
  png.format = alpha ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB;
  Raster image(static_cast<int>(png.width), static_cast<int>(png.height), alpha ? 4 : 3);
  if (!png_image_finish_read(&png, nullptr, image.data.data(), 0, nullptr))
    refuse(name, fmt::format("the PNG is damaged ({})", png.message));
  return image;
}

Raster read_png(const std::filesystem::path& path) { return decode_png(read_file(path), path.string()); }

Bytes encode_png(const Raster& image, PngEffort effort) {
  if (image.width <= 0 || image.height <= 0) throw InputError("an image without pixels cannot be saved");
  PngImage png;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = image.channels == 4 ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB;
  if (effort == PngEffort::Quick) png.flags |= PNG_IMAGE_FLAG_FAST;
  // The bound is for incompressible pixels; the size that was really used comes back in `size`.
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png);
  Bytes bytes(size);
  if (!png_image_write_to_memory(&png, bytes.data(), &size, 0, image.data.data(), 0, nullptr))
    throw IoError(fmt::format("an image cannot be encoded as PNG: {}", png.message));
  bytes.resize(size);
  return bytes;
}

void write_png(const std::filesystem::path& path, const Raster& image) {
  write_file_whole(path, encode_png(image));
}

}  // namespace cutis
