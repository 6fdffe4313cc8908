#include "cutis/io/image/png_read.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <csetjmp>
#include <cstdint>
#include <cstring>
#include <string>

#include <fmt/format.h>
#include <png.h>

#include "cutis/core/error.h"
#include "cutis/io/bytes.h"
#include "cutis/io/image/png.h"

namespace cutis {
namespace {

/// What libpng's callbacks see. It leaves a failed call by longjmp, so everything with a destructor lives
/// here, outside the functions that it jumps over.
struct Job {
  Bytes bytes;           ///< the file
  std::size_t read = 0;  ///< how far it is read
  std::string message;
  Bytes pixels;
  std::vector<png_bytep> rows;
  png_uint_32 width = 0, height = 0;
  int channels = 0, bits = 0;
};

Job& job_of(png_structp png) { return *static_cast<Job*>(png_get_io_ptr(png)); }

void take_bytes(png_structp png, png_bytep to, std::size_t count) {
  Job& job = job_of(png);
  if (count > job.bytes.size() - job.read) png_error(png, "the file ends too early");
  std::memcpy(to, job.bytes.data() + job.read, count);
  job.read += count;
}
void give_bytes(png_structp png, png_bytep from, std::size_t count) {
  Job& job = job_of(png);
  job.bytes.insert(job.bytes.end(), from, from + count);
}
void fail(png_structp png, png_const_charp message) {
  static_cast<Job*>(png_get_error_ptr(png))->message = message;
  std::longjmp(png_jmpbuf(png), 1);
}
void pass_over(png_structp, png_const_charp) {}

void allocate(Job& job) {
  const std::size_t row = std::size_t(job.width) * std::size_t(job.channels) * std::size_t(job.bits / 8);
  job.pixels.resize(row * job.height);
  job.rows.resize(job.height);
  for (std::size_t y = 0; y < job.height; ++y) job.rows[y] = job.pixels.data() + y * row;
}

bool decode(Job& job) {
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &job, fail, pass_over);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  if (!info || setjmp(png_jmpbuf(png))) {
    png_destroy_read_struct(&png, &info, nullptr);
    return false;
  }
  png_set_read_fn(png, &job, take_bytes);
  png_read_info(png, info);
  png_set_expand(png);  // palettes to colours, 1, 2 and 4 bits to 8, a transparent colour to alpha
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
  job.width = png_get_image_width(png, info);
  job.height = png_get_image_height(png, info);
  job.channels = png_get_channels(png, info);
  job.bits = png_get_bit_depth(png, info);
  allocate(job);
  png_read_image(png, job.rows.data());
  png_read_end(png, nullptr);
  png_destroy_read_struct(&png, &info, nullptr);
  return true;
}

bool encode(Job& job) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &job, fail, pass_over);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  if (!info || setjmp(png_jmpbuf(png))) {
    png_destroy_write_struct(&png, &info);
    return false;
  }
  const int kind = job.channels == 1   ? PNG_COLOR_TYPE_GRAY
                   : job.channels == 3 ? PNG_COLOR_TYPE_RGB
                                       : PNG_COLOR_TYPE_RGBA;
  png_set_write_fn(png, &job, give_bytes, nullptr);
  png_set_IHDR(png, info, job.width, job.height, job.bits, kind, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  png_write_image(png, job.rows.data());
  png_write_end(png, nullptr);
  png_destroy_write_struct(&png, &info);
  return true;
}

}  // namespace

FloatImage read_png_map(const std::filesystem::path& path) {
  Job job;
  job.bytes = read_file(path);
  check_png(job.bytes, path.string());
  if (!decode(job))
    throw InputError(fmt::format("{}: the PNG is damaged ({}); save it again", path.string(), job.message));
  FloatImage image(static_cast<int>(job.width), static_cast<int>(job.height), job.channels);
  for (std::size_t i = 0; i < image.data.size(); ++i)
    image.data[i] =
        job.bits == 16
            ? static_cast<float>(load<std::uint16_t>(job.pixels.data() + 2 * i, std::endian::big)) / 65535
            : static_cast<float>(job.pixels[i]) / 255;
  return image;
}

void write_png_map(const std::filesystem::path& path, const FloatImage& image) {
  if (image.width <= 0 || image.height <= 0 ||
      (image.channels != 1 && image.channels != 3 && image.channels != 4))
    throw InputError(fmt::format("{}: {} x {} pixels of {} channels cannot be saved as PNG; 1, 3 or 4 can",
                                 path.string(), image.width, image.height, image.channels));
  Job job;
  job.width = static_cast<png_uint_32>(image.width);
  job.height = static_cast<png_uint_32>(image.height);
  job.channels = image.channels;
  job.bits = 16;
  allocate(job);
  for (std::size_t i = 0; i < image.data.size(); ++i) {
    const float held = image.data[i] > 0 ? std::min(image.data[i], 1.0f) : 0;  // a NaN becomes 0
    const auto value = static_cast<std::uint16_t>(std::lround(held * 65535));
    job.pixels[2 * i] = static_cast<unsigned char>(value >> 8);
    job.pixels[2 * i + 1] = static_cast<unsigned char>(value & 255);
  }
  if (!encode(job))
    throw IoError(fmt::format("{}: cannot be encoded as PNG: {}", path.string(), job.message));
  write_file_whole(path, job.bytes);
}

}  // namespace cutis
