#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "cutis/io/image/exr.h"
#include "cutis/io/image/png.h"
#include "cutis/io/image/png_read.h"
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

/// Headers that OpenEXR alone would allocate gigabytes for.
TEST_F(Maps, ExrHeadersMustBeTrue) {
  write_exr(folder_ / "a.exr", ramp(16, 16, 3));
  const Bytes whole = read_file(folder_ / "a.exr");
  const auto place = [&](std::string_view text) {
    const auto at = std::search(whole.begin(), whole.end(), text.begin(), text.end());
    return static_cast<std::size_t>(at - whole.begin()) + text.size();
  };
  const auto refusal = [&](std::size_t at, const Bytes& bytes) {
    Bytes changed = whole;
    std::copy(bytes.begin(), bytes.end(), changed.begin() + static_cast<std::ptrdiff_t>(at));
    write_file_whole(folder_ / "b.exr", changed);
    return error([&] { read_exr(folder_ / "b.exr"); });
  };
  using namespace std::string_view_literals;
  const std::size_t channels = place("channels\0chlist\0"sv), window = place("dataWindow\0box2i\0"sv),
                    compression = place("compression\0compression\0"sv);
  // Channels: 3 of 18 bytes and the end.
  EXPECT_THAT(refusal(channels, {54, 0, 0, 0}), HasSubstr("channels in its header has 54 bytes"));
  EXPECT_THAT(refusal(channels, {56, 0, 0, 0}), HasSubstr("channels in its header has 56 bytes"));
  EXPECT_THAT(refusal(channels, {255, 255, 255, 127}), HasSubstr("its header is cut off"));
  EXPECT_THAT(refusal(channels, {255, 255, 255, 255}), HasSubstr("its header is damaged"));
  EXPECT_THAT(refusal(window + 4 + 8, {0x5F, 0xE3, 0x16, 0}), HasSubstr("blocks hold 274 MiB"));
  EXPECT_THAT(refusal(window + 4 + 8, {255, 255, 255, 127}), HasSubstr("pixels; up to 67108864 are read"));
  EXPECT_THAT(refusal(window + 4 + 12, {255, 255, 0, 0}), HasSubstr("its table of blocks is cut off"));
  EXPECT_THAT(refusal(compression + 4, {77}), HasSubstr("its compression is not known"));
  EXPECT_THAT(refusal(5, {8}), HasSubstr("deep image; save it flat"));
  EXPECT_THAT(refusal(5, {16}), HasSubstr("several parts"));
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

}  // namespace
}  // namespace cutis
