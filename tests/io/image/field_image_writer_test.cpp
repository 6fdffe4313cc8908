#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cutis/core/error.h"
#include "cutis/io/image/exr.h"
#include "cutis/io/image/field_image_writer.h"
#include "cutis/io/image/png_read.h"
#include "support/support.h"

namespace cutis {
namespace {

using testing::HasSubstr;

/// The unit square as one face, its texture coordinates those of its places.
SourceMesh square() {
  SourceMesh mesh;
  for (const Vec3& p : {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 1, 0), Vec3(0, 1, 0)})
    mesh.positions.push_back(p);
  mesh.add_face(std::vector{SourceVertexId(0), SourceVertexId(1), SourceVertexId(2), SourceVertexId(3)});
  for (SourceVertexId v : mesh.corners) mesh.uvs.push_back(mesh.positions[v].head<2>());
  return mesh;
}

/// u + frame at the vertices, and a constant on the face.
Npz fields(int frame) {
  const double t = frame;
  return {{"across", npy_array(std::vector<double>{t, 1 + t, 1 + t, t})},
          {"tension", npy_array(std::vector<double>{5 + t})}};
}

void write(const std::filesystem::path& folder, MapFormat format, int frames) {
  const SourceMesh mesh = square();
  FieldRanges ranges;
  for (int i = 0; i < frames; ++i) ranges.add(fields(i), mesh);
  FieldMapWriter writer(folder, mesh, std::size_t(frames), format, 16, ranges);
  for (int i = 0; i < frames; ++i) writer.add(mesh.positions, fields(i));
  writer.finish();
}

TEST(FieldMapWriter, DrawsTheValuesThemselvesAsExr) {
  const test::TemporaryFolder folder;
  write(folder / "maps", MapFormat::Exr, 3);
  for (int frame = 0; frame < 3; ++frame) {
    const FloatImage across = read_exr(folder / fmt::format("maps/across_00000{}.exr", frame + 1));
    const FloatImage tension = read_exr(folder / fmt::format("maps/tension_00000{}.exr", frame + 1));
    ASSERT_EQ(across.width, 16);
    for (int y = 0; y < 16; ++y)
      for (int x = 0; x < 16; ++x) {
        EXPECT_NEAR(*across.pixel(x, y), (x + 0.5) / 16 + frame, 1e-6);
        EXPECT_EQ(*tension.pixel(x, y), 5.0f + static_cast<float>(frame));
      }
  }
}

TEST(FieldMapWriter, ScalesPngsOverTheWholeShotAndSaysHow) {
  const test::TemporaryFolder folder;
  write(folder / "maps", MapFormat::Png, 5);
  write(folder / "maps", MapFormat::Png, 3);
  EXPECT_FALSE(std::filesystem::exists(folder / "maps/across_000004.png"));
  const Bytes json = read_file(folder / "maps/ranges.json");
  const auto ranges = nlohmann::json::parse(json.begin(), json.end());
  EXPECT_EQ(ranges["across"], nlohmann::json({0.0, 3.0}));
  const FloatImage across = read_png_map(folder / "maps/across_000002.png");
  for (int x = 0; x < 16; ++x) EXPECT_NEAR(*across.pixel(x, 7), ((x + 0.5) / 16 + 1) / 3, 1.0 / 65535);
}

TEST(FieldMapWriter, SaysWhatIsMissing) {
  const test::TemporaryFolder folder;
  SourceMesh mesh = square();
  FieldRanges ranges;
  try {
    FieldMapWriter(folder / "maps", mesh, 1, MapFormat::Exr, 16, ranges);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("no fields to draw; name some in output.fields"));
  }
  mesh.uvs = {};
  EXPECT_THROW(FieldMapWriter(folder / "maps", mesh, 1, MapFormat::Exr, 16, ranges), InputError);
}

}  // namespace
}  // namespace cutis
