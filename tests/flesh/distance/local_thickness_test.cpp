#include "cutis/flesh/distance/local_thickness.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "cutis/surface/mesh/triangle_measures.h"
#include "support/blocks.h"
#include "support/meshes.h"
#include "support/real_meshes.h"

namespace cutis {
namespace {

Mesh moved(const Mesh& mesh, const std::function<Vec3(const Vec3&)>& to) {
  Mesh out = mesh;
  for (Vec3& p : out.positions) p = to(p);
  return out;
}

Mesh box(double x, double y, double z, double cell) {
  const auto along = [&](double length) {
    return test::planes(-length / 2, length / 2, static_cast<int>(std::lround(length / cell)));
  };
  return test::blocks(along(x), along(y), along(z), [](int, int, int) { return true; });
}

/// Vertices in the opposite order.
Mesh reversed(const Mesh& mesh) {
  const std::size_t last = mesh.vertex_count() - 1;
  Mesh out;
  for (std::size_t i = 0; i <= last; ++i) out.positions.push_back(mesh.positions[VertexId(last - i)]);
  for (std::size_t f = mesh.face_count(); f-- > 0;) {
    const auto face = mesh.face(FaceId(f));
    std::array<VertexId, 3> corners;
    for (std::size_t k = 0; k < 3; ++k) corners[k] = VertexId(last - face[(k + 1) % 3].index());
    out.add_face(corners);
  }
  return out;
}

struct Range {
  double least = std::numeric_limits<double>::infinity(), most = 0;
};

Range range(
    const Mesh& mesh, const std::function<bool(const Vec3&)>& counts = [](const Vec3&) { return true; }) {
  const IdVector<VertexId, double> radii = inner_radius(mesh);
  Range out;
  for (VertexId v : ids<VertexId>(radii.size()))
    if (counts(mesh.positions[v])) out = {std::min(out.least, radii[v]), std::max(out.most, radii[v])};
  return out;
}

}  // namespace

TEST(LocalThickness, OfClosedForms) {
  const Range ball = range(test::icosphere(3));
  EXPECT_GT(ball.least, 0.97);
  EXPECT_LE(ball.most, 1);
  const Range irregular = range(test::irregular(test::icosphere(2), 1, 5));
  EXPECT_GT(irregular.least, 0.93);
  EXPECT_LE(irregular.most, 1);
  const Range ring = range(test::torus(60, 24, 1, 0.25));
  EXPECT_GT(ring.least, 0.24);
  EXPECT_LT(ring.most, 0.2501);
  const Range tube =
      range(test::cylinder(24, 40, 0.2, 3), [](const Vec3& p) { return std::abs(p.z() - 1.5) < 1; });
  EXPECT_GT(tube.least, 0.19);
  EXPECT_LT(tube.most, 0.2001);
}

TEST(LocalThickness, OfSlabsAndBoxes) {
  const Mesh slab = box(2, 2, 0.1, 0.1);
  const Range inner = range(slab, [](const Vec3& p) { return p.head<2>().cwiseAbs().maxCoeff() < 0.65; });
  EXPECT_NEAR(inner.least, 0.05, 1e-9);
  EXPECT_NEAR(inner.most, 0.05, 1e-9);
  EXPECT_GT(range(slab).least, 0.04);
  // An edge of a bar is as thick as the bar.
  const Range bar = range(box(2, 0.4, 0.4, 0.1), [](const Vec3& p) { return std::abs(p.x()) < 0.6; });
  EXPECT_GT(bar.least, 0.17);
  EXPECT_LT(bar.most, 0.201);
}

TEST(LocalThickness, OfACubeOfEightVertices) {
  const Range cube = range(box(2, 2, 2, 2));
  EXPECT_GT(cube.least, 0.6);
  EXPECT_LE(cube.most, 1);
}

TEST(LocalThickness, OfSheetsIsNone) {
  EXPECT_EQ(range(test::sheet(10, 10, 0.3, 1)).most, 0);
  const Mesh sheet = test::sheet(10, 10, 0, 1);
  // Two sides in one place.
  Mesh both = sheet;
  for (FaceId f : ids<FaceId>(sheet.face_count())) {
    const auto face = sheet.face(f);
    both.add_face(std::array{face[0], face[2], face[1]});
  }
  EXPECT_LT(range(both).most, 1e-9);
}

TEST(LocalThickness, OverlappingPartsAreOne) {
  const Mesh ball = test::icosphere(3);
  const Mesh small = moved(ball, [](const Vec3& p) -> Vec3 { return 0.3 * p; });
  // A ball within another, and one that stands out of it by half.
  EXPECT_GT(range(test::joined(ball, small, Vec3(0.4, 0, 0))).least, 0.9);
  const Mesh two = test::joined(ball, small, Vec3(1, 0, 0));
  EXPECT_GT(range(two, [](const Vec3& p) { return p.x() < 0.5; }).least, 0.9);
  EXPECT_LT(range(two, [](const Vec3& p) { return p.x() > 1.25; }).most, 0.5);
  EXPECT_NEAR(range(moved(ball, [](const Vec3& p) -> Vec3 { return -p; })).most, range(ball).most, 1e-9);
}

TEST(LocalThickness, IsTheSameForCopies) {
  std::vector<test::NamedMesh> meshes{{"torus", test::noisy(test::torus(40, 20, 1, 0.3), 0.1, 4)}};
  for (const test::NamedMesh& real : test::real_surfaces())
    if (real.mesh.vertex_count() < 1500 && is_closed(index_triangles(real.mesh))) meshes.push_back(real);
  const Mat3 turn = Eigen::AngleAxisd(0.65, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  const Vec3 mirror(-100, 100, 100);
  for (const auto& [name, mesh] : meshes) {
    const IdVector<VertexId, double> radii = inner_radius(mesh);
    const auto copy = moved(mesh, [&](const Vec3& p) -> Vec3 { return turn * p.cwiseProduct(mirror); });
    const IdVector<VertexId, double> there = inner_radius(copy), back = inner_radius(reversed(mesh));
    std::size_t differ = 0;
    const double tolerance = 1e-6 * bounding_diagonal(mesh.positions.raw());
    for (VertexId v : ids<VertexId>(radii.size())) {
      differ += std::abs(there[v] / 100 - radii[v]) > tolerance;
      differ += std::abs(back[VertexId(radii.size() - 1 - v.index())] - radii[v]) > tolerance;
    }
    EXPECT_LE(static_cast<double>(differ), 1e-3 * static_cast<double>(radii.size())) << name;
  }
}

TEST(LocalThickness, AnyMeshIsFine) {
  for (const auto& [name, mesh] : test::mesh_families()) {
    const double size = bounding_diagonal(mesh.positions.raw());
    for (double radius : inner_radius(test::fractured(mesh, 0.2, 7)))
      EXPECT_TRUE(radius >= 0 && radius <= size) << name << " " << radius;
  }
}

}  // namespace cutis
