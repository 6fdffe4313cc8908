#include "cutis/io/image/apng.h"

#include <cstdlib>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/io/image/ffmpeg.h"
#include "cutis/io/image/png.h"
#include "support/support.h"

namespace cutis {
namespace {

struct Chunk {
  std::string type;
  Bytes payload;
};

std::uint32_t u32(const Bytes& b, std::size_t at) {
  return std::uint32_t(b[at]) << 24 | std::uint32_t(b[at + 1]) << 16 | std::uint32_t(b[at + 2]) << 8 |
         b[at + 3];
}

std::uint32_t crc_bitwise(const Bytes& b, std::size_t begin, std::size_t end) {
  std::uint32_t sum = ~0u;
  for (std::size_t i = begin; i < end; ++i) {
    sum ^= b[i];
    for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ (sum & 1 ? 0xedb88320u : 0u);
  }
  return ~sum;
}

std::vector<Chunk> parse(const Bytes& file) {
  std::vector<Chunk> chunks;
  for (std::size_t at = 8; at < file.size();) {
    const std::size_t length = u32(file, at);
    EXPECT_EQ(u32(file, at + 8 + length), crc_bitwise(file, at + 4, at + 8 + length));
    chunks.push_back({std::string(file.begin() + long(at) + 4, file.begin() + long(at) + 8),
                      Bytes(file.begin() + long(at) + 8, file.begin() + long(at + 8 + length))});
    at += 12 + length;
  }
  return chunks;
}

/// A square that wanders over a slope; frames 3 and 4 are equal.
Raster frame(int i) {
  const int place = i >= 4 ? i - 1 : i;
  Raster image(40, 30);
  for (int y = 0; y < 30; ++y)
    for (int x = 0; x < 40; ++x) {
      const bool inside = std::abs(x - 5 * place - 6) < 4 && std::abs(y - 3 * place - 6) < 4;
      for (int c = 0; c < 3; ++c)
        image.pixel(x, y)[c] = static_cast<unsigned char>(inside ? 250 - 40 * c : 3 * x + 2 * y + c);
    }
  return image;
}

constexpr int kFrames = 6;

void write_film(const std::filesystem::path& path) {
  ApngWriter writer(path, 0.04);
  for (int i = 0; i < kFrames; ++i) writer.add(frame(i));
  writer.finish();
}

TEST(Apng, ControlsAreCountedNumberedAndTimed) {
  test::TemporaryFolder folder;
  write_film(folder / "a.png");
  std::uint32_t sequence = 0, frames = 0;
  for (const Chunk& chunk : parse(read_file(folder / "a.png"))) {
    if (chunk.type == "acTL") {
      EXPECT_EQ(u32(chunk.payload, 0), std::uint32_t(kFrames));
      EXPECT_EQ(u32(chunk.payload, 4), 0u);
    }
    if (chunk.type == "fcTL" || chunk.type == "fdAT") {
      EXPECT_EQ(u32(chunk.payload, 0), sequence++);
    }
    if (chunk.type != "fcTL") continue;
    EXPECT_EQ(chunk.payload[20] * 256 + chunk.payload[21], 40);
    EXPECT_EQ(chunk.payload[22] * 256 + chunk.payload[23], 1000);
    EXPECT_LE(u32(chunk.payload, 12) + u32(chunk.payload, 4), 40u);
    EXPECT_LE(u32(chunk.payload, 16) + u32(chunk.payload, 8), 30u);
    if (++frames > 1) {
      EXPECT_LT(u32(chunk.payload, 4) * u32(chunk.payload, 8), 40u * 30u / 2);
    }
  }
  EXPECT_EQ(frames, std::uint32_t(kFrames));
}

TEST(Apng, APlainReaderSeesTheFirstFrame) {
  test::TemporaryFolder folder;
  write_film(folder / "a.png");
  EXPECT_EQ(read_png(folder / "a.png"), frame(0));
}

TEST(Apng, FfmpegDecodesEveryFrameExactly) {
  if (!FfmpegWriter::available()) GTEST_SKIP() << "ffmpeg is not installed";
  test::TemporaryFolder folder;
  write_film(folder / "a.png");
  const std::string raw = (folder / "a.raw").string();
  ASSERT_EQ(std::system(
                fmt::format("ffmpeg -loglevel error -nostdin -f apng -i '{}' -f rawvideo -pix_fmt rgb24 '{}'",
                            (folder / "a.png").string(), raw)
                    .c_str()),
            0);
  Bytes expected;
  for (int i = 0; i < kFrames; ++i) {
    const Raster image = frame(i);
    expected.insert(expected.end(), image.data.begin(), image.data.end());
  }
  EXPECT_EQ(read_file(raw), expected);
}

TEST(Apng, FramesOfAnotherSizeAndEmptyFilmsAreRefused) {
  test::TemporaryFolder folder;
  ApngWriter writer(folder / "a.png", 0.04);
  EXPECT_THROW(writer.finish(), InputError);
  writer.add(frame(0));
  EXPECT_THROW(writer.add(Raster(41, 30)), InputError);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace cutis
