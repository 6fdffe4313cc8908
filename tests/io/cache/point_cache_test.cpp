#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/io/bytes.h"
#include "cutis/io/cache/mdd.h"
#include "cutis/io/cache/pc2.h"
#include "support/support.h"

namespace cutis {
namespace {

using testing::AllOf;
using testing::HasSubstr;

SourcePoints frame_points(int frame) {
  SourcePoints points;
  for (int v = 0; v < 3; ++v) points.push_back(Vec3(frame + 0.1, v - 0.3, 1.0 / (1 + frame + v)));
  return points;
}

class PointCaches : public testing::Test {
 protected:
  test::TemporaryFolder folder_;

  void write_pc2(int frames, double start = 0, double rate = 1) {
    Pc2Writer writer(folder_ / "a.pc2", 3, static_cast<std::size_t>(frames), start, rate);
    for (int i = 0; i < frames; ++i) writer.add(frame_points(i));
    writer.finish();
  }
  void write_mdd(const std::vector<double>& times) {
    MddWriter writer(folder_ / "a.mdd", 3, times);
    for (std::size_t i = 0; i < times.size(); ++i) writer.add(frame_points(static_cast<int>(i)));
    writer.finish();
  }
  template <class T>
  void patch(const char* name, std::size_t offset, T value, std::endian order) {
    Bytes bytes = read_file(folder_ / name), number;
    append(number, value, order);
    std::copy(number.begin(), number.end(), bytes.begin() + static_cast<std::ptrdiff_t>(offset));
    write_file_whole(folder_ / name, bytes);
  }
  void cut(const char* name, std::size_t size) {
    Bytes bytes = read_file(folder_ / name);
    bytes.resize(size);
    write_file_whole(folder_ / name, bytes);
  }
  std::string pc2_error() {
    return error([&] { read_pc2(folder_ / "a.pc2"); });
  }
  std::string mdd_error() {
    return error([&] { read_mdd(folder_ / "a.mdd"); });
  }

  template <class F>
  static std::string error(const F& f) {
    try {
      f();
    } catch (const InputError& e) {
      return e.what();
    }
    return "no error";
  }
  static void expect_frames(const PointCache& cache, int frames) {
    ASSERT_EQ(cache.frame_count(), static_cast<std::size_t>(frames));
    ASSERT_EQ(cache.vertex_count, 3u);
    for (int i = 0; i < frames; ++i) {
      const SourcePoints expected = frame_points(i), read = cache.frame(static_cast<std::size_t>(i));
      for (SourceVertexId v : ids<SourceVertexId>(3))
        for (int k = 0; k < 3; ++k)
          EXPECT_EQ(read[v][k], static_cast<float>(expected[v][k])) << "frame " << i;
    }
  }
};

TEST_F(PointCaches, Pc2ComesBack) {
  write_pc2(5, 10, 0.5);
  const PointCache cache = read_pc2(folder_ / "a.pc2", 20);
  expect_frames(cache, 5);
  EXPECT_EQ(cache.times, (std::vector<double>{0.5, 0.525, 0.55, 0.575, 0.6}));
  EXPECT_EQ(std::filesystem::file_size(folder_ / "a.pc2"), 32u + 5 * 3 * 12);
}

TEST_F(PointCaches, MddComesBack) {
  const std::vector<double> times{-0.5, 0, 0.25, 1};
  write_mdd(times);
  const PointCache cache = read_mdd(folder_ / "a.mdd");
  expect_frames(cache, 4);
  EXPECT_EQ(cache.times, times);
  EXPECT_EQ(std::filesystem::file_size(folder_ / "a.mdd"), 8u + 4 * 4 + 4 * 3 * 12);
}

// Bytes set down from the formats' descriptions, not by our writers.
TEST_F(PointCaches, ByteOrdersAreTheFormatsOwn) {
  const unsigned char one_little[] = {0, 0, 0x80, 0x3f}, one_big[] = {0x3f, 0x80, 0, 0};
  Bytes pc2{'P', 'O', 'I', 'N', 'T', 'C', 'A', 'C', 'H', 'E', '2', 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
  pc2.insert(pc2.end(), one_little, one_little + 4);
  pc2.insert(pc2.end(), {1, 0, 0, 0});
  for (int i = 0; i < 3; ++i) pc2.insert(pc2.end(), one_little, one_little + 4);
  Bytes mdd{0, 0, 0, 1, 0, 0, 0, 1};
  for (int i = 0; i < 4; ++i) mdd.insert(mdd.end(), one_big, one_big + 4);
  write_file_whole(folder_ / "b.pc2", pc2);
  write_file_whole(folder_ / "b.mdd", mdd);
  const PointCache a = read_pc2(folder_ / "b.pc2"), b = read_mdd(folder_ / "b.mdd");
  EXPECT_EQ(a.times, std::vector<double>{0});
  EXPECT_EQ(b.times, std::vector<double>{1});
  for (const PointCache& cache : {a, b}) EXPECT_EQ(cache.point(0, SourceVertexId(0)), Vec3(1, 1, 1));
}

TEST_F(PointCaches, BrokenPc2IsAClearError) {
  write_pc2(5);
  cut("a.pc2", 32 + 5 * 36 - 1);
  EXPECT_THAT(pc2_error(),
              AllOf(HasSubstr("a.pc2: is cut short"), HasSubstr("5 frames of 3 vertices but holds 4")));
  cut("a.pc2", 20);
  EXPECT_THAT(pc2_error(), HasSubstr("cut short"));
  cut("a.pc2", 0);
  EXPECT_THAT(pc2_error(), HasSubstr("cut short"));
  write_pc2(5);
  patch("a.pc2", 0, 'X', std::endian::little);
  EXPECT_THAT(pc2_error(), HasSubstr("is not a PC2 file"));
  EXPECT_THAT(error([&] { read_pc2(folder_ / "none.pc2"); }), HasSubstr("no such file"));
  EXPECT_THAT(error([&] { read_pc2(folder_.path()); }), HasSubstr("is not a file"));
  EXPECT_THAT(error([&] { read_pc2(folder_ / "a.pc2", 0); }), HasSubstr("0 frames a second"));
}

TEST_F(PointCaches, HostilePc2HeadersAllocateNothing) {
  const std::int32_t huge = std::numeric_limits<std::int32_t>::max();
  for (auto [points, samples] :
       {std::pair{huge, huge}, {huge, 1}, {1, huge}, {0, 5}, {-1, 5}, {3, 0}, {3, -7}}) {
    write_pc2(5);
    patch("a.pc2", 16, points, std::endian::little);
    patch("a.pc2", 28, samples, std::endian::little);
    EXPECT_THAT(pc2_error(), HasSubstr(fmt::format("{} frames of {} vertices", samples, points)));
  }
  for (float rate : {0.0f, -1.0f, NAN, INFINITY}) {
    write_pc2(5);
    patch("a.pc2", 24, rate, std::endian::little);
    EXPECT_THAT(pc2_error(), HasSubstr("frames a sample"));
  }
  write_pc2(5);
  patch("a.pc2", 12, 2, std::endian::little);
  EXPECT_THAT(pc2_error(), HasSubstr("PC2 version 2"));
}

TEST_F(PointCaches, BrokenMddIsAClearError) {
  const std::int32_t huge = std::numeric_limits<std::int32_t>::max();
  for (auto [frames, points] : {std::pair{huge, huge}, {2, huge}, {huge, 3}, {0, 3}, {2, -1}}) {
    write_mdd({0, 1});
    patch("a.mdd", 0, frames, std::endian::big);
    patch("a.mdd", 4, points, std::endian::big);
    EXPECT_THAT(mdd_error(), HasSubstr("a.mdd: ")) << frames << " " << points;
  }
  write_mdd({0, 1});
  cut("a.mdd", 8 + 8 + 36);
  EXPECT_THAT(mdd_error(), HasSubstr("2 frames of 3 vertices but holds 1"));
  write_mdd({0, 1, 2});
  patch("a.mdd", 16, 0.5f, std::endian::big);
  EXPECT_THAT(mdd_error(), HasSubstr("frame 2 is at 0.5 s, the one before it at 1 s"));
  patch("a.mdd", 8, NAN, std::endian::big);
  EXPECT_THAT(mdd_error(), HasSubstr("frame 0 is at nan s"));
}

TEST_F(PointCaches, MddWithoutTimesTakesTheFrameRate) {
  write_mdd({0, 1, 2});
  for (std::size_t at : {8, 12, 16}) patch("a.mdd", at, 0.0f, std::endian::big);
  EXPECT_EQ(read_mdd(folder_ / "a.mdd", 4).times, (std::vector<double>{0, 0.25, 0.5}));
}

TEST_F(PointCaches, CoordinatesThatAreNotNumbersNameTheirPlace) {
  write_pc2(5);
  patch("a.pc2", 32 + 2 * 36 + 12, INFINITY, std::endian::little);
  EXPECT_THAT(pc2_error(), HasSubstr("frame 2, vertex 1 has a coordinate inf"));
  write_mdd({0, 1});
  patch("a.mdd", 8 + 8 + 36 + 24 + 8, NAN, std::endian::big);
  EXPECT_THAT(mdd_error(), HasSubstr("frame 1, vertex 2 has a coordinate nan"));
}

TEST_F(PointCaches, BytesBehindTheLastFrameArePassedOver) {
  write_pc2(2);
  cut("a.pc2", 32 + 2 * 36 + 5);
  expect_frames(read_pc2(folder_ / "a.pc2"), 2);
}

TEST_F(PointCaches, AnUnfinishedFileNeverAppears) {
  {
    Pc2Writer writer(folder_ / "a.pc2", 3, 2);
    writer.add(frame_points(0));
    EXPECT_THROW(writer.finish(), std::logic_error);
    EXPECT_THROW(writer.add(SourcePoints(4)), std::logic_error);
    SourcePoints bad = frame_points(0);
    bad[SourceVertexId(1)].y() = NAN;
    EXPECT_THAT(error([&] { writer.add(bad); }),
                AllOf(HasSubstr("a.pc2: frame 1, vertex 1"), HasSubstr("nan")));
    bad[SourceVertexId(1)].y() = 1e39;
    EXPECT_THROW(writer.add(bad), InputError);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "a.pc2"));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
  EXPECT_THROW(Pc2Writer(folder_ / "missing/a.pc2", 3, 2), IoError);
  EXPECT_THROW(Pc2Writer(folder_ / "a.pc2", 0, 2), InputError);
  EXPECT_THROW(MddWriter(folder_ / "a.mdd", 3, {}), InputError);
  EXPECT_THROW(MddWriter(folder_ / "a.mdd", 3, {0, 1, 1}), InputError);
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(PointCaches, WritingAgainReplacesTheOldFileOnlyAtTheEnd) {
  write_pc2(5);
  Pc2Writer writer(folder_ / "a.pc2", 3, 2);
  writer.add(frame_points(0));
  expect_frames(read_pc2(folder_ / "a.pc2"), 5);
  writer.add(frame_points(1));
  writer.finish();
  expect_frames(read_pc2(folder_ / "a.pc2"), 2);
}

// /dev/full accepts the opening and refuses the bytes, as a full disk does.
TEST_F(PointCaches, AFullDiskIsOneErrorThatNamesTheFile) {
  std::filesystem::create_symlink("/dev/full", folder_ / "a.pc2.part");
  try {
    write_pc2(5);
    FAIL() << "written to a full disk";
  } catch (const IoError& e) {
    EXPECT_THAT(e.what(), AllOf(HasSubstr("a.pc2: cannot be written"), HasSubstr("No space left")));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

}  // namespace
}  // namespace cutis
