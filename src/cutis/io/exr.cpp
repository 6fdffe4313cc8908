#include "cutis/io/exr.h"

#include <sstream>
#include <string>
#include <vector>

#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfInputFile.h>
#include <ImfOutputFile.h>
#include <ImfPartType.h>
#include <ImfStdIO.h>
#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "cutis/core/one_line.h"

namespace cutis {
namespace {

constexpr std::int64_t most_pixels = std::int64_t(1) << 26;
/// No compression of the format shrinks by more; so the header is checked against the bytes that are there
/// before anything of its size is allocated.
constexpr std::int64_t most_pixels_a_byte = 10000;

std::vector<std::string> channels_to_read(const Imf::ChannelList& list) {
  if (list.findChannel("R") && list.findChannel("G") && list.findChannel("B"))
    return list.findChannel("A") ? std::vector<std::string>{"R", "G", "B", "A"}
                                 : std::vector<std::string>{"R", "G", "B"};
  if (list.findChannel("Y")) return {"Y"};
  return list.begin() == list.end() ? std::vector<std::string>{}
                                    : std::vector<std::string>{list.begin().name()};
}

const char* channel_name(int channel, int channels) {
  constexpr const char* names[] = {"R", "G", "B", "A"};
  return channels == 1 ? "Y" : names[channel];
}

/// Where channel `k` of a window that begins at (left, top) lies in the image.
Imf::Slice slice(const FloatImage& image, int k, int left, int top) {
  const std::size_t across = sizeof(float) * std::size_t(image.channels);
  return Imf::Slice::Make(Imf::FLOAT, image.data.data() + k, Imath::V2i(left, top), image.width, image.height,
                          across, across * std::size_t(image.width));
}

/// OpenEXR allocates what an attribute of the header says that it holds before it reads it: so each must fit
/// into the file. Headers are lists of name, type, size and value, ended by an empty name; further parts
/// follow.
bool attributes_fit(const Bytes& file) {
  constexpr std::size_t flags = 5;  // the second byte of the version
  const bool several_parts = file.size() > flags && (file[flags] & 0x10) != 0;
  std::size_t at = 8;
  const auto skip_text = [&] {
    while (at < file.size() && file[at] != 0) ++at;
    ++at;
  };
  do {
    while (at < file.size() && file[at] != 0) {
      skip_text();
      skip_text();
      if (at + 4 > file.size()) return false;
      const std::size_t size = file[at] + 256u * (file[at + 1] + 256u * (file[at + 2] + 256u * file[at + 3]));
      at += 4;
      if (size > file.size() - at) return false;
      at += size;
    }
    if (at >= file.size()) return false;
    ++at;
  } while (several_parts && at < file.size() && file[at] != 0);
  return true;
}

FloatImage read(const std::string& name, std::int64_t file_size) {
  const auto refuse = [&](const std::string& why) { throw InputError(fmt::format("{}: {}", name, why)); };
  Imf::Header::setMaxImageSize(1 << 20, 1 << 20);
  Imf::InputFile file(name.c_str(), 0);
  const Imf::Header& header = file.header();
  if (header.hasType() && Imf::isDeepData(header.type())) refuse("is a deep image; save it flat");
  const Imath::Box2i window = header.dataWindow();
  const std::int64_t width = std::int64_t(window.max.x) - window.min.x + 1,
                     height = std::int64_t(window.max.y) - window.min.y + 1;
  if (width <= 0 || height <= 0 || width > most_pixels || height > most_pixels ||
      width * height > most_pixels || width * height > file_size * most_pixels_a_byte)
    refuse(fmt::format("says that it has {} x {} pixels; up to {} are read; save it again", width, height,
                       most_pixels));
  const std::vector<std::string> channels = channels_to_read(header.channels());
  if (channels.empty()) refuse("has no channels");
  for (const std::string& channel : channels)
    if (header.channels()[channel].xSampling != 1 || header.channels()[channel].ySampling != 1)
      refuse(fmt::format("channel {} is stored at a lower resolution; save it again without",
                         one_line(channel)));
  FloatImage image(static_cast<int>(width), static_cast<int>(height), static_cast<int>(channels.size()));
  Imf::FrameBuffer buffer;
  for (int k = 0; k < image.channels; ++k)
    buffer.insert(channels[std::size_t(k)], slice(image, k, window.min.x, window.min.y));
  file.setFrameBuffer(buffer);
  file.readPixels(window.min.y, window.max.y);
  return image;
}

}  // namespace

FloatImage read_exr(const std::filesystem::path& path) {
  std::error_code code;
  if (!std::filesystem::is_regular_file(path, code))
    throw InputError(fmt::format("{}: no such file", path.string()));
  const auto size = std::filesystem::file_size(path, code);
  if (!attributes_fit(read_file(path)))
    throw InputError(
        fmt::format("{}: not a readable EXR (its header is cut off); save it again", path.string()));
  try {
    return read(path.string(), static_cast<std::int64_t>(size));
  } catch (const InputError&) {
    throw;
  } catch (const std::exception& error) {  // Iex::BaseExc among them
    throw InputError(
        fmt::format("{}: not a readable EXR ({}); save it again", path.string(), one_line(error.what())));
  }
}

void write_exr(const std::filesystem::path& path, const FloatImage& image) {
  if (image.width <= 0 || image.height <= 0 ||
      (image.channels != 1 && image.channels != 3 && image.channels != 4))
    throw InputError(fmt::format("{}: {} x {} pixels of {} channels cannot be saved as EXR; 1, 3 or 4 can",
                                 path.string(), image.width, image.height, image.channels));
  std::string bytes;
  try {
    Imf::Header header(image.width, image.height);
    header.compression() = Imf::ZIP_COMPRESSION;
    Imf::FrameBuffer buffer;
    for (int k = 0; k < image.channels; ++k) {
      header.channels().insert(channel_name(k, image.channels), Imf::Channel(Imf::FLOAT));
      buffer.insert(channel_name(k, image.channels), slice(image, k, 0, 0));
    }
    Imf::StdOSStream stream;
    {
      Imf::OutputFile file(stream, header, 0);
      file.setFrameBuffer(buffer);
      file.writePixels(image.height);
    }
    bytes = stream.str();
  } catch (const std::exception& error) {
    throw IoError(fmt::format("{}: cannot be encoded as EXR: {}", path.string(), error.what()));
  }
  write_file_whole(path, bytes);
}

}  // namespace cutis
