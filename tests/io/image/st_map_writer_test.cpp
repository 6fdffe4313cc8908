#include "cutis/io/image/st_map_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/io/frame_fields.h"
#include "cutis/io/image/exr.h"
#include "support/support.h"

namespace cutis {
namespace {

using testing::HasSubstr;

/// Squares of the given places in texture space, each a face of its own.
SourceMesh squares(const std::vector<Vec2>& corners, double size) {
  SourceMesh mesh;
  for (const Vec2& low : corners) {
    std::vector<SourceVertexId> face;
    for (const Vec2& c : {Vec2(0, 0), Vec2(1, 0), Vec2(1, 1), Vec2(0, 1)}) {
      const Vec2 at = low + size * c;
      face.push_back(mesh.positions.push_back(Vec3(at.x(), at.y(), 0)));
      mesh.uvs.push_back(at);
    }
    mesh.add_face(face);
  }
  return mesh;
}

/// Everything a quarter further along u, turned by a tenth.
Npz moved(const SourceMesh& mesh) {
  std::vector<double> uvs;
  for (const Vec2& uv : mesh.uvs) uvs.insert(uvs.end(), {uv.x() + 0.25, uv.y()});
  return {{moving_uvs_name, npy_array(uvs.data(), uvs.size(), {mesh.corner_count(), 2})},
          {corner_turn_name, npy_array(std::vector<double>(mesh.corner_count(), 0.1))}};
}

void expect_thrown(const std::string& words, const std::function<void()>& f) {
  try {
    f();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(words));
  }
}

TEST(StMapWriter, SaysWhereToLookUpInTheMeshsOwnTextureSpace) {
  const test::TemporaryFolder folder;
  const SourceMesh mesh = squares({Vec2(0.25, 0.25)}, 0.5);
  StMapWriter writer(folder / "st", mesh, 2, 64);
  for (int i = 0; i < 2; ++i) writer.add(mesh.positions, moved(mesh));
  writer.finish();
  for (const char* file : {"st/st_000001.exr", "st/st_000002.exr"}) {
    const FloatImage image = read_exr(folder / file);
    ASSERT_EQ(image.channels, 3);
    for (int y = 16; y < 48; ++y)
      for (int x = 16; x < 48; ++x) {
        EXPECT_NEAR(image.pixel(x, y)[0], (x + 0.5) / 64 + 0.25, 1e-6);
        EXPECT_NEAR(image.pixel(x, y)[1], 1 - (y + 0.5) / 64, 1e-6);
        EXPECT_NEAR(image.pixel(x, y)[2], 0.1, 1e-6);
      }
  }
}

TEST(StMapWriter, WritesAFileForEachTile) {
  const test::TemporaryFolder folder;
  const SourceMesh mesh = squares({Vec2(0.25, 0.25), Vec2(1.25, 0.25), Vec2(0.25, 2.25)}, 0.5);
  StMapWriter writer(folder / "st", mesh, 1, 32);
  writer.add(mesh.positions, moved(mesh));
  writer.finish();
  EXPECT_TRUE(std::filesystem::exists(folder / "st/st_1001_000001.exr"));
  EXPECT_TRUE(std::filesystem::exists(folder / "st/st_1002_000001.exr"));
  const FloatImage image = read_exr(folder / "st/st_1021_000001.exr");
  EXPECT_NEAR(image.pixel(16, 16)[0], 16.5 / 32 + 0.25, 1e-6);
  EXPECT_NEAR(image.pixel(16, 16)[1], 3 - 16.5 / 32, 1e-6);
}

TEST(StMapWriter, RefusesWhatItCannotDraw) {
  const test::TemporaryFolder folder;
  const SourceMesh twice = squares({Vec2(0.1, 0.1), Vec2(0.2, 0.1)}, 0.5);
  expect_thrown("faces 0 and 1", [&] { StMapWriter(folder / "st", twice, 1, 32); });
  SourceMesh bare = twice;
  bare.uvs = {};
  expect_thrown("unwrap it first", [&] { StMapWriter(folder / "st", bare, 1, 32); });
  const SourceMesh mesh = squares({Vec2(0.25, 0.25)}, 0.5);
  StMapWriter writer(folder / "st", mesh, 1, 32);
  expect_thrown("no moving texture coordinates", [&] { writer.add(mesh.positions); });
}

}  // namespace
}  // namespace cutis
