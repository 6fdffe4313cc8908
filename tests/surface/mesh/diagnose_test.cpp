#include "cutis/surface/mesh/diagnose.h"

#include <algorithm>
#include <array>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/surface/field/uv_charts.h"
#include "support/meshes.h"

namespace cutis {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

void add(Mesh& mesh, std::initializer_list<int> vertices) {
  std::vector<VertexId> face;
  for (int v : vertices) face.emplace_back(v);
  mesh.add_face(face);
}

/// A strip of squares in z = 0, for defects to be added to.
Mesh strip(int squares) {
  Mesh mesh;
  for (int i = 0; i <= squares; ++i)
    for (int j = 0; j < 2; ++j) mesh.positions.push_back(Vec3(i, j, 0));
  for (int i = 0; i < squares; ++i) add(mesh, {2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1});
  return mesh;
}

TEST(Diagnose, SoundMeshesAreSound) {
  for (const auto& [name, mesh] : test::mesh_families()) {
    SCOPED_TRACE(name);
    const MeshReport r = diagnose(mesh);
    EXPECT_TRUE(r.manifold());
    EXPECT_THAT(r.isolated_vertices, IsEmpty());
    EXPECT_THAT(r.duplicate_vertices, IsEmpty());
    EXPECT_THAT(r.zero_area_faces, IsEmpty());
    EXPECT_EQ(r.triangles, mesh.face_count());
  }
}

TEST(Diagnose, KnowsHandlesAndBorders) {
  const auto only_part = [](const Mesh& mesh) {
    const MeshReport r = diagnose(mesh);
    EXPECT_EQ(r.parts.size(), 1u);
    return r.parts.at(0);
  };
  EXPECT_EQ(only_part(test::icosphere(2)).genus, 0);
  EXPECT_EQ(only_part(test::icosphere(2)).euler(), 2);
  EXPECT_EQ(only_part(test::quad_torus(12, 8, 1, 0.4)).genus, 1);
  EXPECT_EQ(only_part(test::quad_torus(12, 8, 1, 0.4)).euler(), 0);
  EXPECT_EQ(only_part(test::cylinder(8, 3, 1, 1)).borders, 2u);
  EXPECT_EQ(only_part(test::cylinder(8, 3, 1, 1)).genus, 0);

  const MeshReport sheet = diagnose(test::quad_sheet(4, 3, 0.2, 1));
  ASSERT_EQ(sheet.borders.size(), 1u);
  EXPECT_EQ(sheet.borders[0].edges, 14u);
  EXPECT_NEAR(sheet.borders[0].length, 2 * (1 + 0.75), 1e-14);
  EXPECT_FALSE(sheet.closed());

  const MeshReport two = diagnose(test::joined(test::icosphere(1), test::torus(6, 5, 1, 0.3), Vec3(5, 0, 0)));
  ASSERT_EQ(two.parts.size(), 2u);
  EXPECT_EQ(two.parts[0].genus, 0);
  EXPECT_EQ(two.parts[1].genus, 1);
  EXPECT_EQ(two.parts[1].first_face, FaceId(80));
  EXPECT_TRUE(two.closed());
}

TEST(Diagnose, NamesEachDefect) {
  Mesh mesh = strip(4);                            // faces 0..3, vertices 0..9
  mesh.positions.push_back(Vec3(1, 0.5, 1));       // 10: tip of a fin
  add(mesh, {2, 3, 10});                           // face 4
  add(mesh, {3, 1, 0, 2});                         // 5: a duplicate, turned over
  add(mesh, {4, 5, 5});                            // 6: names 5 twice
  mesh.positions.push_back(Vec3(4, 0, 0));         // 11: where 8 is; of no face
  mesh.positions.push_back(Vec3(5, 5, 0));         // 12
  mesh.positions.push_back(Vec3(5, 6, 0));         // 13
  add(mesh, {9, 13, 12});                          // 7: touches in vertex 9
  mesh.positions.push_back(Vec3(1.5, 0, 0));       // 14: on the edge 2-4
  add(mesh, {4, 2, 14});                           // 8: no area
  mesh.positions.push_back(Vec3(2.5, -0.005, 0));  // 15
  add(mesh, {4, 6, 15});                           // 9: sliver, turned over
  const MeshReport r = diagnose(mesh);
  EXPECT_THAT(r.nonmanifold_edges, ElementsAre(EdgePlace(VertexId(2), VertexId(3))));
  EXPECT_THAT(r.duplicate_faces, ElementsAre(FaceId(5)));
  EXPECT_THAT(r.degenerate_faces, ElementsAre(FaceId(6)));
  EXPECT_THAT(r.duplicate_vertices, ElementsAre(VertexId(11)));
  EXPECT_THAT(r.isolated_vertices, ElementsAre(VertexId(11)));
  EXPECT_THAT(r.nonmanifold_vertices, ElementsAre(VertexId(9)));
  EXPECT_THAT(r.zero_area_faces, ElementsAre(FaceId(8)));
  EXPECT_THAT(r.slivers, ElementsAre(FaceId(9)));
  EXPECT_THAT(r.flipped_faces, ElementsAre(FaceId(9)));
  EXPECT_EQ(r.parts.size(), 2u);
  EXPECT_EQ(r.parts[0].genus, -1);
  EXPECT_FALSE(r.manifold());
  const auto lines = r.lines();
  EXPECT_THAT(lines, Contains("edges with more than two faces: 1 (first: edge 2-3)"));
  EXPECT_THAT(lines, Contains("slivers: 1 (first: face 9)"));
  EXPECT_THAT(lines, Contains(HasSubstr("open: 2 borders")));
}

TEST(Diagnose, AMoebiusStripHasNoTwoSides) {
  Mesh mesh = strip(6);
  add(mesh, {12, 1, 0, 13});
  const MeshReport r = diagnose(mesh);
  EXPECT_EQ(r.one_sided_edges.size(), 1u);
  EXPECT_EQ(r.borders.size(), 1u);
  EXPECT_EQ(r.parts[0].genus, -1);
  EXPECT_FALSE(r.manifold());
}

TEST(Diagnose, SaysWhatIsNoNumber) {
  Mesh mesh = strip(2);
  mesh.positions[VertexId(3)].y() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(diagnose(mesh).not_finite, ElementsAre(VertexId(3)));
}

TEST(Diagnose, TakesNothing) {
  const MeshReport r = diagnose(Mesh());
  EXPECT_TRUE(r.closed());
  EXPECT_TRUE(r.manifold());
  EXPECT_EQ(r.parts.size(), 0u);
  EXPECT_FALSE(r.lines().empty());
}

TEST(UvCharts, SeamsDivideIslands) {
  EXPECT_EQ(uv_charts(test::icosphere(1)).count, 0);
  EXPECT_EQ(uv_charts(test::sheet(4, 4, 0.2, 1)).count, 1);
  // The torus' layout is one square whose opposite sides have different UVs.
  Mesh torus = test::quad_torus(8, 6, 1, 0.4);
  EXPECT_EQ(uv_charts(torus).count, 1);
  // Moving the UVs of the first two rows cuts them off on both sides.
  for (std::size_t c = 0; c < 2 * 8 * 4; ++c) torus.uvs[CornerId(c)] += Vec2(3, 0);
  const UvCharts charts = uv_charts(torus);
  EXPECT_EQ(charts.count, 2);
  EXPECT_EQ(charts.chart[FaceId(15)], 0);
  EXPECT_EQ(charts.chart[FaceId(16)], 1);
}

}  // namespace
}  // namespace cutis
