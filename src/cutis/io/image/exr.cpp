#include "cutis/io/image/exr.h"

#include <sstream>
#include <string>
#include <vector>

#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfInputFile.h>
#include <ImfOutputFile.h>
#include <ImfStdIO.h>
#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "cutis/core/one_line.h"
#include "cutis/io/image/exr_header.h"

namespace cutis {
namespace {

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

FloatImage read(const std::string& name) {
  const auto refuse = [&](const std::string& why) { throw InputError(fmt::format("{}: {}", name, why)); };
  Imf::InputFile file(name.c_str(), 0);
  const Imf::Header& header = file.header();
  const Imath::Box2i window = header.dataWindow();
  const int width = window.max.x - window.min.x + 1, height = window.max.y - window.min.y + 1;
  const std::vector<std::string> channels = channels_to_read(header.channels());
  if (channels.empty()) refuse("has no channels");
  for (const std::string& channel : channels)
    if (header.channels()[channel].xSampling != 1 || header.channels()[channel].ySampling != 1)
      refuse(fmt::format("channel {} is stored at a lower resolution; save it again without",
                         one_line(channel)));
  FloatImage image(width, height, static_cast<int>(channels.size()));
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
  if (const std::string defect = exr_header_defect(read_file(path)); !defect.empty())
    throw InputError(fmt::format("{}: not a readable EXR ({}); save it again", path.string(), defect));
  try {
    return read(path.string());
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
