#include "cutis/io/image/ffmpeg.h"

#include <cmath>
#include <cstdlib>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "support/support.h"

namespace cutis {
namespace {

Raster grey(int width, int height, int value) {
  Raster image(width, height);
  std::fill(image.data.begin(), image.data.end(), static_cast<unsigned char>(value));
  return image;
}

/// Gives the process another PATH for as long as it lives.
class OtherPath {
 public:
  explicit OtherPath(const char* path) : before_(std::getenv("PATH")) { setenv("PATH", path, 1); }
  ~OtherPath() { setenv("PATH", before_.c_str(), 1); }

 private:
  std::string before_;
};

TEST(Ffmpeg, FilmsOfOddSizeComeBackWithTheirFrames) {
  if (!FfmpegWriter::available()) GTEST_SKIP() << "ffmpeg is not installed";
  test::TemporaryFolder folder;
  FfmpegWriter writer(folder / "a.mp4", 24);
  for (int i = 0; i < 5; ++i) writer.add(grey(63, 41, 40 * i + 20));
  ASSERT_TRUE(writer.finish());
  const std::string raw = (folder / "a.raw").string();
  ASSERT_EQ(std::system(fmt::format("ffmpeg -loglevel error -nostdin -i '{}' -f rawvideo -pix_fmt gray '{}'",
                                    (folder / "a.mp4").string(), raw)
                            .c_str()),
            0);
  const Bytes bytes = read_file(raw);
  ASSERT_EQ(bytes.size(), 5u * 64 * 42);
  for (std::size_t i = 0; i < 5; ++i)
    EXPECT_NEAR(bytes[i * 64 * 42 + 64 * 20 + 30], 40.0 * double(i) + 20, 6);
}

TEST(Ffmpeg, WebpIsWritten) {
  if (!FfmpegWriter::available()) GTEST_SKIP() << "ffmpeg is not installed";
  test::TemporaryFolder folder;
  FfmpegWriter writer(folder / "a.webp", 24);
  for (int i = 0; i < 3; ++i) writer.add(grey(64, 48, 60 * i));
  ASSERT_TRUE(writer.finish());
  const Bytes bytes = read_file(folder / "a.webp");
  const std::string text(bytes.begin(), bytes.end());
  EXPECT_EQ(text.substr(0, 4), "RIFF");
  EXPECT_EQ(text.substr(8, 4), "WEBP");
}

TEST(Ffmpeg, ItsAbsenceIsNoError) {
  test::TemporaryFolder folder;
  const OtherPath nowhere("/nonexistent");
  EXPECT_FALSE(FfmpegWriter::available());
  FfmpegWriter writer(folder / "a.mp4", 24);
  writer.add(grey(8, 8, 1));
  EXPECT_FALSE(writer.finish());
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Ffmpeg, ItsFailureLeavesNothingBehind) {
  test::TemporaryFolder folder;
  write_file_whole(folder / "ffmpeg", std::string_view("#!/bin/sh\nexit 1\n"));
  std::filesystem::permissions(folder / "ffmpeg", std::filesystem::perms::owner_all);
  const OtherPath broken(folder.path().c_str());
  FfmpegWriter writer(folder / "a.mp4", 24);
  for (int i = 0; i < 40; ++i) writer.add(grey(256, 256, i));
  EXPECT_FALSE(writer.finish());
  EXPECT_FALSE(std::filesystem::exists(folder / "a.mp4"));
  EXPECT_FALSE(std::filesystem::exists(folder / "a.mp4.part"));
}

TEST(Ffmpeg, OtherEndingsAndOtherSizesAreRefused) {
  test::TemporaryFolder folder;
  EXPECT_THROW(FfmpegWriter(folder / "a.avi", 24), InputError);
  FfmpegWriter writer(folder / "a.mp4", 24);
  writer.add(grey(8, 8, 1));
  EXPECT_THROW(writer.add(grey(9, 8, 1)), InputError);
}

}  // namespace
}  // namespace cutis
