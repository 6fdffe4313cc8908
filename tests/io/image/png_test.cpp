#include "cutis/io/image/png.h"

#include <random>

#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "support/support.h"

namespace cutis {
namespace {

Raster noise(int width, int height, int channels, unsigned seed) {
  std::mt19937 random(seed);
  Raster image(width, height, channels);
  for (unsigned char& byte : image.data) byte = static_cast<unsigned char>(random());
  return image;
}

TEST(Png, ComesBackAsWritten) {
  test::TemporaryFolder folder;
  for (int channels : {3, 4}) {
    const Raster image = noise(37, 21, channels, 7);
    write_png(folder / "a.png", image);
    EXPECT_EQ(read_png(folder / "a.png"), image);
  }
}

TEST(Png, AnEmptyImageCannotBeSaved) {
  test::TemporaryFolder folder;
  EXPECT_THROW(write_png(folder / "a.png", Raster()), InputError);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Png, AnUnwritablePlaceIsAnIoError) {
  test::TemporaryFolder folder;
  EXPECT_THROW(write_png(folder / "missing/a.png", noise(2, 2, 3, 1)), IoError);
}

TEST(Png, EveryTruncationIsRefused) {
  const Bytes whole = encode_png(noise(16, 16, 3, 3));
  const auto end_chunk = 12;  // pixels are complete without it
  for (std::size_t size = 0; size + end_chunk < whole.size(); ++size)
    EXPECT_THROW(decode_png(std::span(whole).first(size), "cut.png"), InputError) << size;
}

TEST(Png, DamageNeverCrashes) {
  const Raster image = noise(16, 16, 4, 4);
  const Bytes whole = encode_png(image);
  std::mt19937 random(11);
  int refused = 0;
  for (int i = 0; i < 2000; ++i) {
    Bytes damaged = whole;
    for (int k = 0; k < 3; ++k) damaged[random() % damaged.size()] = static_cast<unsigned char>(random());
    try {
      decode_png(damaged, "damaged.png");
    } catch (const InputError& error) {
      ++refused;
      EXPECT_EQ(std::string(error.what()).find("damaged.png"), 0u);
    }
  }
  EXPECT_GT(refused, 1500);
}

TEST(Png, AHeaderThatPromisesTooMuchIsRefusedBeforeAllocating) {
  // Width and height are rewritten to 2^31 - 1 and to 8000 x 8000, with checksums that fit.
  for (std::uint32_t size : {0x7fffffffu, 8000u}) {
    Bytes bytes = encode_png(noise(4, 4, 3, 5));
    for (int field : {16, 20})
      for (int k = 0; k < 4; ++k)
        bytes[std::size_t(field + k)] = static_cast<unsigned char>(size >> (24 - 8 * k));
    std::uint32_t sum = ~0u;  // CRC-32 of the chunk's type and payload, bit by bit
    for (std::size_t i = 12; i < 29; ++i) {
      sum ^= bytes[i];
      for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ (sum & 1 ? 0xedb88320u : 0u);
    }
    sum = ~sum;
    for (int k = 0; k < 4; ++k) bytes[std::size_t(29 + k)] = static_cast<unsigned char>(sum >> (24 - 8 * k));
    EXPECT_THROW(decode_png(bytes, "huge.png"), InputError) << size;
  }
}

TEST(Png, OtherFilesAreRefused) {
  test::TemporaryFolder folder;
  write_file_whole(folder / "text.png", std::string_view("not a picture"));
  EXPECT_THROW(read_png(folder / "text.png"), InputError);
  EXPECT_THROW(read_png(folder / "missing.png"), InputError);
  EXPECT_THROW(read_png(folder.path()), InputError);
}

}  // namespace
}  // namespace cutis
