#include "cutis/io/image/apng.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <fmt/format.h>
#include <zlib.h>

#include "cutis/core/error.h"
#include "cutis/io/image/png.h"

namespace cutis {
namespace {

constexpr std::size_t kSignature = 8;

void put_u32(Bytes& out, std::uint32_t v) {
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<unsigned char>(v >> shift));
}

void put_u16(Bytes& out, int v) {
  out.push_back(static_cast<unsigned char>(v >> 8));
  out.push_back(static_cast<unsigned char>(v));
}

std::uint32_t get_u32(const unsigned char* p) {
  return std::uint32_t(p[0]) << 24 | std::uint32_t(p[1]) << 16 | std::uint32_t(p[2]) << 8 | p[3];
}

void put_chunk(Bytes& out, std::string_view type, const Bytes& payload) {
  put_u32(out, static_cast<std::uint32_t>(payload.size()));
  const std::size_t start = out.size();
  out.insert(out.end(), type.begin(), type.end());
  out.insert(out.end(), payload.begin(), payload.end());
  put_u32(out, static_cast<std::uint32_t>(
                   crc32(0, out.data() + start, static_cast<uInt>(payload.size() + type.size()))));
}

/// Calls f(type, payload) for each chunk of a PNG that was encoded here.
template <class F>
void for_each_chunk(const Bytes& png, const F& f) {
  for (std::size_t at = kSignature; at + 12 <= png.size();) {
    const std::size_t length = get_u32(png.data() + at);
    const unsigned char* payload = png.data() + at + 8;
    f(std::string_view(reinterpret_cast<const char*>(png.data()) + at + 4, 4),
      Bytes(payload, payload + length));
    at += 12 + length;
  }
}

struct Rectangle {
  int left, top, right, bottom;  ///< right and bottom excluded
};

/// The smallest rectangle outside which both images agree; one pixel when they agree everywhere, because a
/// frame cannot be empty.
Rectangle changed(const Raster& a, const Raster& b) {
  Rectangle r{a.width, a.height, 0, 0};
  const int row = a.width * a.channels;
  for (int y = 0; y < a.height; ++y) {
    const unsigned char *pa = a.pixel(0, y), *pb = b.pixel(0, y);
    if (std::memcmp(pa, pb, static_cast<std::size_t>(row)) == 0) continue;
    const int first = static_cast<int>(std::mismatch(pa, pa + row, pb).first - pa);
    int last = row - 1;
    while (pa[last] == pb[last]) --last;
    r = {std::min(r.left, first / a.channels), std::min(r.top, y), std::max(r.right, last / a.channels + 1),
         y + 1};
  }
  return r.right == 0 ? Rectangle{0, 0, 1, 1} : r;
}

Raster crop(const Raster& image, const Rectangle& r) {
  Raster part(r.right - r.left, r.bottom - r.top, image.channels);
  for (int y = 0; y < part.height; ++y)
    std::copy_n(image.pixel(r.left, r.top + y), part.width * part.channels, part.pixel(0, y));
  return part;
}

}  // namespace

ApngWriter::ApngWriter(std::filesystem::path path, double seconds, int loops)
    : path_(std::move(path)),
      delay_ms_(static_cast<int>(std::clamp(std::round(seconds * 1000), 1.0, 65535.0))),
      loops_(loops) {}

void ApngWriter::add(const Raster& frame) {
  if (frames_ == 0) {
    add_first(frame);
  } else {
    if (frame.width != last_.width || frame.height != last_.height || frame.channels != last_.channels)
      throw InputError(fmt::format("{}: frame {} is {} x {} pixels, but the first was {} x {}",
                                   path_.string(), frames_, frame.width, frame.height, last_.width,
                                   last_.height));
    add_change(frame);
  }
  last_ = frame;
  ++frames_;
}

void ApngWriter::add_first(const Raster& frame) {
  const Bytes png = encode_png(frame, PngEffort::Quick);
  header_.assign(png.begin(), png.begin() + kSignature);
  put_control(0, 0, frame.width, frame.height);
  for_each_chunk(png, [&](std::string_view type, const Bytes& payload) {
    if (type != "IEND") put_chunk(type == "IDAT" ? body_ : header_, type, payload);
  });
}

void ApngWriter::add_change(const Raster& frame) {
  const Rectangle r = changed(last_, frame);
  put_control(r.left, r.top, r.right - r.left, r.bottom - r.top);
  for_each_chunk(encode_png(crop(frame, r), PngEffort::Quick),
                 [&](std::string_view type, const Bytes& payload) {
                   if (type != "IDAT") return;
                   Bytes numbered;
                   put_u32(numbered, sequence_++);
                   numbered.insert(numbered.end(), payload.begin(), payload.end());
                   put_chunk(body_, "fdAT", numbered);
                 });
}

void ApngWriter::put_control(int x, int y, int width, int height) {
  Bytes control;
  for (std::uint32_t v :
       {sequence_++, std::uint32_t(width), std::uint32_t(height), std::uint32_t(x), std::uint32_t(y)})
    put_u32(control, v);
  put_u16(control, delay_ms_);
  put_u16(control, 1000);
  control.push_back(0);  // dispose: leave the frame as it is
  control.push_back(0);  // blend: replace the rectangle
  put_chunk(body_, "fcTL", control);
}

void ApngWriter::finish() {
  if (frames_ == 0)
    throw InputError(fmt::format("{}: an animation needs at least one frame", path_.string()));
  Bytes file = header_, control;
  put_u32(control, frames_);
  put_u32(control, static_cast<std::uint32_t>(loops_));
  put_chunk(file, "acTL", control);
  file.insert(file.end(), body_.begin(), body_.end());
  put_chunk(file, "IEND", {});
  write_file_whole(path_, file);
}

}  // namespace cutis
