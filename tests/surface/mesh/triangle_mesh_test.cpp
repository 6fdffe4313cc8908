#include "cutis/surface/mesh/triangle_mesh.h"

#include <gtest/gtest.h>

#include "cutis/surface/mesh/topology.h"
#include "cutis/surface/mesh/triangle_measures.h"
#include "support/meshes.h"

namespace cutis {
namespace {

TEST(TriangleMesh, CornersAndFacesLeadBackToThePolygons) {
  const Mesh quads = test::quad_torus(12, 8, 1.0, 0.4);
  const TriangleMesh t = triangulated(quads);
  ASSERT_EQ(t.mesh.face_count(), 2 * quads.face_count());
  EXPECT_EQ(Topology(t.mesh).border_loops().size(), 0u);
  for (FaceId f : ids<FaceId>(t.mesh.face_count()))
    for (std::size_t k = 0; k < 3; ++k) {
      const CornerId c(t.mesh.first_corner(f).index() + k), from = t.corner[c];
      EXPECT_EQ(t.mesh.corners[c], quads.corners[from]);
      EXPECT_EQ(t.mesh.uvs[c], quads.uvs[from]);
      EXPECT_EQ(from.index() / 4, t.polygon[f].index());
    }
}

/// The diagonals of a rectangle are equally good, also where rounding makes one a little longer.
TEST(TriangleMesh, RectanglesAreCutAlikeWhicheverWayTheyAreTurned) {
  const Mesh sheet = test::quad_sheet(20, 15, 0, 1);
  const TriangleMesh straight = triangulated(sheet);
  for (const double angle : {0.1, 0.7, 2.0, 4.0}) {
    Mesh turned = sheet;
    for (Vec3& x : turned.positions) x = Eigen::AngleAxisd(angle, Vec3(1, 2, 3).normalized()) * x;
    EXPECT_EQ(triangulated(turned).mesh.corners, straight.mesh.corners) << angle;
  }
}

TEST(TriangleMesh, FacesOfFewerThanThreeCornersHaveNoTriangles) {
  Mesh mesh = test::quad_sheet(1, 1, 0, 1);
  const auto quad = std::vector<VertexId>(mesh.face(FaceId(0)).begin(), mesh.face(FaceId(0)).end());
  mesh.uvs = {};
  for (std::size_t corners : {0, 1, 2, 4}) mesh.add_face(std::span(quad).first(corners));
  const TriangleMesh t = triangulated(mesh);
  EXPECT_EQ(t.polygon.raw(), (std::vector{FaceId(0), FaceId(0), FaceId(4), FaceId(4)}));
  for (CornerId c : ids<CornerId>(t.mesh.corner_count()))
    EXPECT_EQ(t.mesh.corners[c], mesh.corners[t.corner[c]]);
}

TEST(TriangleMesh, CornersInOneLineLeaveNoTriangleWithoutArea) {
  const Mat3 turn = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  const std::vector<Vec3> corners = {turn * Vec3(0, 0, 0), turn * Vec3(1, 0.1, 0), turn * Vec3(0.3, 0.9, 0)};
  for (const int cut_sides : {1, 2, 3}) {
    Mesh mesh;
    std::vector<VertexId> polygon;
    for (int side = 0; side < 3; ++side)
      for (int i = 0; i < (side < cut_sides ? 8 : 1); ++i)
        polygon.push_back(mesh.positions.push_back((8 - i) / 8.0 * corners[at(side)] +
                                                   i / 8.0 * corners[at((side + 1) % 3)]));
    mesh.add_face(polygon);
    const Mesh triangles = triangulated(mesh).mesh;
    ASSERT_EQ(triangles.face_count(), polygon.size() - 2);
    for (const double area : triangle_areas(triangles.positions.raw(), index_triangles(triangles)))
      EXPECT_GT(area, 1e-4) << cut_sides;
  }
}

}  // namespace
}  // namespace cutis
