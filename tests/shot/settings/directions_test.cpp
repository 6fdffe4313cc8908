#include "cutis/shot/settings/directions.h"

#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/body/procedural/procedural_bodies.h"
#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "cutis/io/image/exr.h"
#include "cutis/io/image/png_read.h"
#include "cutis/surface/geodesic/frames.h"
#include "cutis/surface/mesh/triangle_mesh.h"
#include "support/meshes.h"
#include "support/still_body.h"
#include "support/support.h"

namespace cutis {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// A mesh as a body that stands still.
test::StillBody still(const Mesh& mesh) {
  SourceMesh source;
  source.positions.raw() = mesh.positions.raw();
  source.face_offsets = mesh.face_offsets;
  for (VertexId v : mesh.corners) source.corners.push_back(SourceVertexId(v.index()));
  source.uvs = mesh.uvs;
  return test::StillBody(std::move(source));
}

LineDirections direction_field(const DirectionSection& section, const Body& body, const std::string& place) {
  return body_directions(section, body, place).field;
}

std::string complaint(const DirectionSection& section, const Body& body) {
  try {
    direction_field(section, body, "fox.toml:3: skin.direction");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

class Directions : public testing::Test {
 protected:
  test::TemporaryFolder folder;
  DirectionSection section;

  void strokes(const std::string& text) {
    section.file = folder / "strokes.json";
    write_file_whole(*section.file, text);
  }
  /// A map of one direction in texture space, -1 to 1; alpha where it is given.
  FloatImage painted(const Vec2& d, double low, double scale) {
    FloatImage image(8, 8, 3);
    for (int y = 0; y < 8; ++y)
      for (int x = 0; x < 8; ++x) {
        const double sign = (x + y) % 2 ? 1 : -1;  // both signs of the line
        image.pixel(x, y)[0] = float(low + scale * sign * d.x());
        image.pixel(x, y)[1] = float(low + scale * sign * d.y());
      }
    return image;
  }
};

TEST_F(Directions, NothingAskedForIsEmpty) {
  EXPECT_TRUE(direction_field(section, still(test::icosphere(1)), "x").empty());
}

TEST_F(Directions, AnAxisIsLaidIntoTheSurface) {
  section.axis = Vec3(0, 0, 2);
  const test::StillBody body = still(test::icosphere(3));
  const LineDirections field = direction_field(section, body, "x");
  const TriangleMesh triangles = triangulated(body.mesh());
  ASSERT_EQ(field.size(), triangles.mesh.face_count());
  const Topology t(triangles.mesh);
  for (FaceId f : ids<FaceId>(field.size())) {
    const Vec3 n = face_frame(t, triangles.mesh.positions, f).normal;
    EXPECT_NEAR(field[f].norm(), 1, 1e-12);
    EXPECT_NEAR(field[f].dot(n), 0, 1e-12);
    const Vec3 laid = Vec3::UnitZ() - n.z() * n;
    if (laid.norm() < 0.06) continue;
    EXPECT_LT(line_angle(field[f], laid), 1e-7);
  }
  section.axis = Vec3(0, 0, 1);
  EXPECT_THAT(complaint(section, still(test::sheet(3, 3, 0, 1))),
              AllOf(HasSubstr("fox.toml:3: skin.direction.axis"), HasSubstr("right angles")));
  section.axis = Vec3::Zero();
  EXPECT_THAT(complaint(section, still(test::sheet(3, 3, 0, 1))), HasSubstr("length zero"));
}

TEST_F(Directions, StrokesInSpaceAreMet) {
  strokes(R"({"strokes": [{"points": [[0.1, 0.2, 0.01], [0.9, 0.5, -0.01]]}]})");
  const BodyDirections d = body_directions(section, still(test::sheet(16, 16, 0.3, 2)), "x");
  ASSERT_FALSE(d.strokes.empty());
  for (const Vec3& line : d.field) EXPECT_LT(line_angle(line, Vec3(0.8, 0.3, 0)), 1e-6);
  EXPECT_EQ(d.surface->mesh().face_count(), d.field.size());
}

TEST_F(Directions, StrokesDrawnOnAnotherBodyAreCarried) {
  // The same faces, twice as wide: the line through the same places.
  Mesh narrow = test::sheet(12, 12, 0.2, 5);
  write_file_whole(folder / "narrow.obj", [&] {
    std::string text;
    for (const Vec3& p : narrow.positions) text += fmt::format("v {} {} 0\n", p.x(), p.y());
    for (FaceId f : ids<FaceId>(narrow.face_count())) {
      const auto v = narrow.face(f);
      text += fmt::format("f {} {} {}\n", v[0].value + 1, v[1].value + 1, v[2].value + 1);
    }
    return text;
  }());
  for (Vec3& p : narrow.positions) p.x() *= 2;
  strokes(R"({"body": "narrow.obj", "strokes": [{"points": [[0.2, 0.2, 0], [0.8, 0.8, 0]]}]})");
  const LineDirections field = direction_field(section, still(narrow), "x");
  for (const Vec3& line : field) EXPECT_LT(line_angle(line, Vec3(2, 1, 0)), 1e-4);
  // Onto other faces only bones lead, and a sheet has none.
  EXPECT_THAT(complaint(section, still(test::sheet(5, 5, 0, 1))), HasSubstr("joints of a human"));
}

TEST_F(Directions, PaintedMapsGoThroughTheTextureCoordinates) {
  Mesh mesh = test::sheet(10, 10, 0.2, 3);  // u = x, v = y at rest
  for (Vec3& p : mesh.positions) p = Vec3(2 * p.x(), 0, -p.y());
  const Vec2 d = Vec2(0.6, 0.8);
  const Vec3 expected(2 * d.x(), 0, -d.y());
  section.file = folder / "d.png";
  write_png_map(*section.file, painted(d, 0.5, 0.5));
  for (const Vec3& line : direction_field(section, still(mesh), "x"))
    EXPECT_LT(line_angle(line, expected), 1e-4);
  section.file = folder / "d.exr";
  write_exr(*section.file, painted(d, 0, 1));
  for (const Vec3& line : direction_field(section, still(mesh), "x"))
    EXPECT_LT(line_angle(line, expected), 1e-6);

  write_exr(*section.file, FloatImage(4, 4, 3));
  EXPECT_THAT(complaint(section, still(mesh)), HasSubstr("nothing is painted"));
  write_exr(*section.file, FloatImage(4, 4, 1));
  EXPECT_THAT(complaint(section, still(mesh)), HasSubstr("grey"));
  FloatImage holes(4, 4, 3);
  holes.data[7] = NAN;
  write_exr(*section.file, holes);
  EXPECT_THAT(complaint(section, still(mesh)), HasSubstr("not finite"));
  EXPECT_THAT(complaint(section, still(test::icosphere(1))), HasSubstr("no texture coordinates"));
}

TEST_F(Directions, MistakesNameThePlaceAndTheRemedy) {
  const test::StillBody ball = still(test::icosphere(1));
  section.langer = LangerSet::Female;
  EXPECT_THAT(complaint(section, ball), AllOf(HasSubstr("fox.toml:3: skin.direction.langer"),
                                              HasSubstr("it has none"), HasSubstr("axis")));
  section.langer = std::nullopt;
  section.file = folder / "strokes.txt";
  EXPECT_THAT(complaint(section, ball), HasSubstr("cannot be read"));
  section.file = folder / "missing.json";
  EXPECT_THAT(complaint(section, ball), HasSubstr("missing.json"));
  strokes(R"({"strokes": [{"bone": "neck", "around": [[0, 0], [0, 90]]}]})");
  EXPECT_THAT(complaint(section, ball), HasSubstr("no stroke could be laid"));
}

TEST_F(Directions, DamagedMeshesGetAFieldOnAllTheirTriangles) {
  const test::StillBody body = still(test::fractured(test::icosphere(3), 0.3, 4));
  section.axis = Vec3(0, 1, 0);
  const LineDirections field = direction_field(section, body, "x");
  EXPECT_EQ(field.size(), triangulated(body.mesh()).mesh.face_count());
  for (const Vec3& line : field) EXPECT_NEAR(line.norm(), 1, 1e-12);
}

TEST_F(Directions, LangerLinesOfAMannequin) {
  section.langer = LangerSet::Male;
  const BodyDirections d = body_directions(section, *open_cast_member("torso", 0.015), "x");
  EXPECT_FALSE(d.strokes.empty());
  EXPECT_EQ(d.surface->mesh().face_count(), d.field.size());
}

}  // namespace
}  // namespace cutis
