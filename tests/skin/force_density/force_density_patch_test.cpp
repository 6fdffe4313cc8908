// What a patch may be: one clear error each for what it may not, a word in the log for what is repaired.
#include <numbers>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>

#include "cutis/core/error.h"
#include "cutis/core/log.h"
#include "cutis/skin/force_density/patch_outline.h"
#include "cutis/surface/mesh/triangle_mesh.h"
#include "support/meshes.h"
#include "support/patches.h"

namespace cutis::test {
namespace {

using testing::HasSubstr;

Vec3 still(const Vec3& p, double) { return p; }

/// What the library says while it lives.
class LogText {
 public:
  LogText() {
    set_logger(
        std::make_shared<spdlog::logger>("test", std::make_shared<spdlog::sinks::ostream_sink_st>(text_)));
  }
  ~LogText() { set_logger(nullptr); }
  std::string operator()() const { return text_.str(); }

 private:
  std::ostringstream text_;
};

std::string refusal(const Body& body, const SlidePatch& patch,
                    OutlineShape outline = OutlineShape::Developed) {
  ForceDensityOptions options;
  options.patches = {patch};
  options.outline = outline;
  try {
    const ForceDensitySlide slide(body, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// Faces of a quad sheet of n x n cells that the picker takes by column and row.
template <class F>
SlidePatch cells(const std::string& name, int n, const F& pick) {
  SlidePatch patch{name, {}, {}, {}};
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      if (pick(i, j)) patch.polygons.push_back(FaceId(j * n + i));
  return patch;
}

PatchDisk disk_of(const Body& body, const SlidePatch& patch) {
  const TriangleMesh triangles = triangulated(body.mesh());
  return cut_patch(patch, body, triangles, Topology(triangles.mesh));
}

TEST(ForceDensityPatch, RefusesWhatCannotSlide) {
  const FormulaBody sheet(quad_sheet(8, 8, 0, 1), still);
  const FormulaBody sphere(icosphere(2), still);
  const FormulaBody ring(torus(16, 12, 1, 0.4), still);
  EXPECT_THAT(refusal(sheet, {"none", {}, {}, {}}), HasSubstr("patch \"none\": it has no faces"));
  EXPECT_THAT(refusal(sheet, {"far", {FaceId(64)}, {}, {}}),
              HasSubstr("there is no face 64; the body has 64"));
  EXPECT_THAT(refusal(sheet, {"gone", {FaceId(3)}, {FaceId(3)}, {}}), HasSubstr("has no faces"));
  EXPECT_THAT(refusal(sphere, {"ball", all_faces(sphere), {}, {}}), HasSubstr("has no border"));
  const auto row = cells("row", 8, [](int, int j) { return j == 2; });
  EXPECT_THAT(refusal(sheet, row), HasSubstr("no vertex inside: all 18 lie on its border"));
  SlidePatch handle{"handle", all_faces(ring), {FaceId(0), FaceId(1)}, {}};
  EXPECT_THAT(refusal(ring, handle), HasSubstr("it is no disk: it goes around 1 handle"));
}

TEST(ForceDensityPatch, RefusesAnEdgeWithoutLength) {
  Mesh mesh = quad_sheet(6, 6, 0, 1);
  mesh.positions[VertexId(3 * 7 + 3)] = mesh.positions[VertexId(3 * 7 + 4)] + Vec3(1e-13, 0, 0);
  const FormulaBody body(mesh, still);
  ASSERT_EQ(body.mesh().vertex_count(), 49u);
  EXPECT_THAT(refusal(body, {"pinch", all_faces(body), {}, {}}),
              HasSubstr("the edge between vertices 25 and 24 has no length; weld"));
}

TEST(ForceDensityPatch, RefusesCornersOffTheBorder) {
  const FormulaBody sheet(quad_sheet(8, 8, 0, 1), still);
  const auto with = [&](std::vector<VertexId> corners) {
    return refusal(sheet, {"square", all_faces(sheet), {}, corners}, OutlineShape::Square);
  };
  EXPECT_THAT(with({VertexId(0), VertexId(8), VertexId(80), VertexId(40)}),
              HasSubstr("corner 40 does not lie on its outer border"));
  EXPECT_THAT(with({VertexId(0), VertexId(8), VertexId(80), VertexId(1000)}), HasSubstr("corner 1000"));
  EXPECT_THAT(with({VertexId(0), VertexId(8)}), HasSubstr("2 corners; name four or none"));
  EXPECT_THAT(with({VertexId(0), VertexId(8), VertexId(8), VertexId(80)}), HasSubstr("are one vertex"));
  EXPECT_EQ(with({VertexId(72), VertexId(8), VertexId(80), VertexId(0)}), "");
}

TEST(ForceDensityPatch, RefusesValuesOutOfRange) {
  const FormulaBody sheet(quad_sheet(4, 4, 0, 1), still);
  ForceDensityOptions options;
  options.patches = {{"sheet", all_faces(sheet), {}, {}}};
  options.slide_limit.assign(24, 0.1);
  EXPECT_THROW(ForceDensitySlide(sheet, options), InputError);
  options.slide_limit.assign(25, 0.1);
  options.slide_limit[VertexId(7)] = -1;
  EXPECT_THROW(ForceDensitySlide(sheet, options), InputError);
  options.slide_limit.assign(25, 0.0);
  options.edge_density_factor.assign(25, 0.0);
  EXPECT_THROW(ForceDensitySlide(sheet, options), InputError);
}

TEST(ForceDensityPatch, KeepsTheLargestPieceWithAWord) {
  const FormulaBody sheet(quad_sheet(8, 8, 0, 1), still);
  const LogText said;
  const PatchDisk disk =
      disk_of(sheet, cells("two", 8, [](int i, int j) { return i < 4 || (i > 5 && j > 5); }));
  EXPECT_EQ(disk.mesh.face_count(), 2u * 32);
  EXPECT_THAT(said(), HasSubstr("patch \"two\": 8 triangles hang on no edge of its largest piece"));
}

TEST(ForceDensityPatch, OpensPinchedVerticesWithAWord) {
  const FormulaBody sheet(quad_sheet(8, 8, 0, 1), still);
  const LogText said;
  // Two blocks that meet in vertex 4 * 9 + 4 alone, joined by a strip around one side.
  const auto patch = cells("pinched", 8, [](int i, int j) {
    return (i < 4 && j < 4) || (i >= 4 && j >= 4) || (i < 1 && j >= 4) || j == 7;
  });
  const PatchDisk disk = disk_of(sheet, patch);
  EXPECT_THAT(said(), HasSubstr("patch \"pinched\": pinched at vertex 40"));
  EXPECT_TRUE(disk.holes.empty());
  EXPECT_GE(disk.mesh.face_count(), 2 * patch.polygons.size() - 4);
  EXPECT_NO_THROW(Topology{disk.mesh});
  EXPECT_EQ(refusal(sheet, patch), "");
}

TEST(ForceDensityPatch, HolesAreTheShorterBorders) {
  const FormulaBody sheet(quad_sheet(8, 8, 0, 1), still);
  SlidePatch patch = cells("holed", 8, [](int i, int j) { return i != 2 || j != 2; });
  patch.excluded = {FaceId(5 * 8 + 5), FaceId(5 * 8 + 4)};
  const PatchDisk disk = disk_of(sheet, patch);
  EXPECT_EQ(disk.outline.size(), 32u);
  ASSERT_EQ(disk.holes.size(), 2u);
  EXPECT_EQ(disk.holes[0].size() + disk.holes[1].size(), 10u);
  const Mesh filled = disk.filled();
  EXPECT_EQ(Topology(filled).border_loops().size(), 1u);
  EXPECT_EQ(filled.vertex_count(), 81u + 2);
}

TEST(ForceDensityPatch, CornersOfARectangleAreFound) {
  Mesh mesh = quad_sheet(12, 12, 0, 1);
  for (Vec3& p : mesh.positions) p = Vec3(p.x(), 0.8 * p.y(), 0.1 * p.x() * p.y());
  const FormulaBody body(mesh, still);
  const PatchDisk disk = disk_of(body, {"sheet", all_faces(body), {}, {}});
  std::vector<int> corners;
  for (std::size_t i : find_corners(disk, Topology(disk.mesh)))
    corners.push_back(disk.body_vertex[disk.outline[i]].value);
  EXPECT_THAT(corners, testing::UnorderedElementsAre(0, 12, 168, 156));
  const std::vector<Vec2> places = lay_outline(disk, Topology(disk.mesh), OutlineShape::Square);
  for (const Vec2& p : places) EXPECT_NEAR((p - Vec2(0.5, 0.5)).lpNorm<Eigen::Infinity>(), 0.5, 1e-12);
}

/// Twice the area that a polygon runs around, counter-clockwise.
double twice_area(const std::vector<Vec2>& polygon) {
  double sum = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec2 &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
    sum += a.x() * b.y() - a.y() * b.x();
  }
  return sum;
}

TEST(ForceDensityPatch, ADevelopableBorderIsUnrolledExactly) {
  // An L of a sheet rolled to a cylinder, whose edges lie along and across it.
  Mesh mesh = quad_sheet(12, 12, 0, 1);
  const Mesh flat = mesh;
  const double radius = 12 / (2 * 12 * std::sin(std::numbers::pi / 24)) / 12;  // chords keep their length
  for (Vec3& p : mesh.positions) {
    const double angle = p.x() * 12 * std::numbers::pi / 12;
    p = Vec3(radius * std::cos(angle), p.y(), -radius * std::sin(angle));
  }
  const FormulaBody body(mesh, still);
  const PatchDisk disk = disk_of(body, cells("ell", 12, [](int i, int j) { return i < 5 || j < 4; }));
  const std::vector<Vec2> places = developed_outline(disk, Topology(disk.mesh));
  ASSERT_EQ(places.size(), disk.outline.size());
  EXPECT_NEAR(0.5 * twice_area(places), 88.0 / 144, 1e-9);
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const auto at = [&](std::size_t k) { return flat.positions[disk.body_vertex[disk.outline[k]]]; };
      EXPECT_NEAR((places[i] - places[j]).norm(), (at(i) - at(j)).norm(), 1e-9);
    }
}

TEST(ForceDensityPatch, ABorderThatCannotBeUnrolledBecomesACircle) {
  // A spiral strip around a cone of more than a full turn crosses itself in the plane.
  Mesh mesh;
  const int n = 120;
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i <= n; ++i) {
      const double angle = 5.0 * i / n * std::numbers::pi, r = 1 + 0.1 * j;
      mesh.positions.push_back(Vec3(r * std::cos(angle), r * std::sin(angle), 0.5 * i / n));
    }
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < n; ++i) {
      const int a = j * (n + 1) + i;
      const std::array<VertexId, 4> face{VertexId(a), VertexId(a + n + 1), VertexId(a + n + 2),
                                         VertexId(a + 1)};
      mesh.add_face(face);
    }
  const FormulaBody body(mesh, still);
  const LogText said;
  const PatchDisk disk = disk_of(body, {"spiral", all_faces(body), {}, {}});
  const std::vector<Vec2> places = lay_outline(disk, Topology(disk.mesh), OutlineShape::Developed);
  EXPECT_THAT(said(), HasSubstr("patch \"spiral\": its border crosses itself"));
  for (const Vec2& p : places) EXPECT_NEAR(p.norm(), places[0].norm(), 1e-12);
}

TEST(ForceDensityPatch, AChordOnASideBowsTheSquare) {
  const FormulaBody body(sheet(3, 3, 0, 4), still);
  SlidePatch patch{"bowed", all_faces(body), {}, {}};
  // Corners that leave the sheet's own corner inside a side: the cut across it is then a chord of that side.
  patch.corners = {VertexId(1), VertexId(7), VertexId(14), VertexId(8)};
  const LogText said;
  const PatchDisk disk = disk_of(body, patch);
  const std::vector<Vec2> places = lay_outline(disk, Topology(disk.mesh), OutlineShape::Square);
  const std::size_t n = places.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2 in = places[(i + 1) % n] - places[i], out = places[(i + 2) % n] - places[(i + 1) % n];
    EXPECT_GT(in.x() * out.y() - in.y() * out.x(), 0);
  }
  EXPECT_THAT(said(), HasSubstr("bowed a little"));
}

}  // namespace
}  // namespace cutis::test
