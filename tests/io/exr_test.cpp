#include <cmath>
#include <fstream>
#include <limits>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "cutis/io/exr.h"
#include "cutis/io/png.h"
#include "cutis/io/png_map.h"
#include "support/support.h"

namespace cutis {
namespace {

using testing::HasSubstr;

FloatImage ramp(int width, int height, int channels) {
  FloatImage image(width, height, channels);
  for (std::size_t i = 0; i < image.data.size(); ++i) image.data[i] = std::sin(0.37f * float(i)) * 1000;
  return image;
}

class Maps : public testing::Test {
 protected:
  test::TemporaryFolder folder_;

  template <class F>
  static std::string error(const F& f) {
    try {
      f();
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }
};

TEST_F(Maps, ExrComesBackToTheBit) {
  for (int channels : {1, 3, 4}) {
    FloatImage image = ramp(37, 19, channels);
    image.data[5] = std::numeric_limits<float>::infinity();
    image.data[6] = std::numeric_limits<float>::denorm_min();
    write_exr(folder_ / "a.exr", image);
    EXPECT_EQ(read_exr(folder_ / "a.exr"), image) << channels;
  }
}

TEST_F(Maps, ExrRefusesWhatIsNone) {
  EXPECT_THAT(error([&] { read_exr(folder_ / "none.exr"); }), HasSubstr("none.exr: no such file"));
  write_file_whole(folder_ / "text.exr", "hello");
  EXPECT_THAT(error([&] { read_exr(folder_ / "text.exr"); }), HasSubstr("text.exr: not a readable EXR"));
  EXPECT_THROW(write_exr(folder_ / "two.exr", FloatImage(4, 4, 2)), InputError);
}

TEST_F(Maps, DamagedExrNeverBreaksIt) {
  write_exr(folder_ / "a.exr", ramp(16, 16, 3));
  const Bytes whole = read_file(folder_ / "a.exr");
  std::mt19937 random(3);
  int refused = 0;
  for (int i = 0; i < 400; ++i) {
    Bytes bytes = whole;
    if (i % 2 == 0)
      bytes.resize(random() % whole.size());
    else
      for (int k = 0; k < 4; ++k) bytes[random() % bytes.size()] = static_cast<unsigned char>(random());
    std::ofstream(folder_ / "b.exr", std::ios::binary) << std::string(bytes.begin(), bytes.end());
    refused += error([&] { read_exr(folder_ / "b.exr"); }) != "no error";
  }
  EXPECT_GT(refused, 190);
}

TEST_F(Maps, PngKeepsSixteenBits) {
  for (int channels : {1, 3, 4}) {
    FloatImage image(31, 7, channels);
    for (std::size_t i = 0; i < image.data.size(); ++i) image.data[i] = float(i * 97 % 65536) / 65535;
    write_png_map(folder_ / "a.png", image);
    EXPECT_EQ(read_png_map(folder_ / "a.png"), image) << channels;
  }
}

TEST_F(Maps, PngIsReadAsItIsStored) {
  Raster raster(16, 16, 3);
  for (std::size_t i = 0; i < raster.data.size(); ++i) raster.data[i] = static_cast<unsigned char>(i % 256);
  write_png(folder_ / "a.png", raster);
  const FloatImage image = read_png_map(folder_ / "a.png");
  ASSERT_EQ(image.channels, 3);
  for (std::size_t i = 0; i < raster.data.size(); ++i) EXPECT_EQ(image.data[i], float(raster.data[i]) / 255);
}

TEST_F(Maps, DamagedPngNeverBreaksIt) {
  FloatImage image = ramp(16, 16, 3);
  for (float& x : image.data) x = std::abs(x) / 1000;
  write_png_map(folder_ / "a.png", image);
  const Bytes whole = read_file(folder_ / "a.png");
  std::mt19937 random(5);
  int refused = 0;
  for (int i = 0; i < 400; ++i) {
    Bytes bytes = whole;
    if (i % 2 == 0)
      bytes.resize(random() % whole.size());
    else
      for (int k = 0; k < 4; ++k) bytes[random() % bytes.size()] = static_cast<unsigned char>(random());
    std::ofstream(folder_ / "b.png", std::ios::binary) << std::string(bytes.begin(), bytes.end());
    refused += error([&] { read_png_map(folder_ / "b.png"); }) != "no error";
  }
  EXPECT_GT(refused, 300);
}

}  // namespace
}  // namespace cutis
