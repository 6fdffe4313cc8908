#include "cutis/surface/geodesic/intrinsic.h"

#include <array>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/meshes.h"

namespace cutis {
namespace {

std::vector<test::NamedMesh> families() {
  auto all = test::mesh_families();
  all.push_back({"very uneven sheet", test::irregular(test::sheet(10, 10, 0.45, 3), 3, 4)});
  // Long thin triangles, most edges not Delaunay.
  test::NamedMesh squashed{"squashed sheet", test::sheet(20, 20, 0.4, 5)};
  for (Vec3& p : squashed.mesh.positions) p = Vec3(p.y() + 0.05 * p.x(), -0.1 * p.x(), 0);
  all.push_back(squashed);
  return all;
}

double total_area(const IntrinsicTriangulation& t) {
  double sum = 0;
  for (FaceId f : ids<FaceId>(t.face_count())) sum += t.area(f);
  return sum;
}

std::vector<double> angle_sums(const IntrinsicTriangulation& t) {
  std::vector<double> sums(t.vertex_count(), 0.0);
  for (HalfedgeId h : ids<HalfedgeId>(t.halfedge_count())) sums[t.from(h).index()] += t.corner_angle(h);
  return sums;
}

TEST(Intrinsic, StartsAsTheMeshItself) {
  for (const auto& [name, mesh] : families()) {
    SCOPED_TRACE(name);
    const Topology topology(mesh);
    const IntrinsicTriangulation t(topology, mesh.positions);
    double area = 0;
    for (FaceId f : ids<FaceId>(mesh.face_count())) {
      const auto v = mesh.face(f);
      const Vec3 a = mesh.positions[v[0]], ab = mesh.positions[v[1]] - a, ac = mesh.positions[v[2]] - a;
      EXPECT_NEAR(t.area(f), 0.5 * ab.cross(ac).norm(), 1e-12);
      EXPECT_NEAR(t.corner_angle(HalfedgeId(3 * f.index())), std::atan2(ab.cross(ac).norm(), ab.dot(ac)),
                  1e-10);
      area += 0.5 * ab.cross(ac).norm();
    }
    EXPECT_NEAR(t.lumped_mass().sum(), area, 1e-12 * area);
  }
}

TEST(Intrinsic, DelaunayKeepsTheSurfaceAndMakesWeightsPositive) {
  int total_flips = 0;
  for (const auto& [name, mesh] : families()) {
    SCOPED_TRACE(name);
    const Topology topology(mesh);
    IntrinsicTriangulation t(topology, mesh.positions);
    const double area = total_area(t);
    const auto angles = angle_sums(t);
    total_flips += t.make_delaunay();
    EXPECT_EQ(t.make_delaunay(), 0);
    EXPECT_NEAR(total_area(t), area, 1e-11 * area);
    const auto after = angle_sums(t);
    for (std::size_t v = 0; v < angles.size(); ++v) EXPECT_NEAR(after[v], angles[v], 1e-9) << "vertex " << v;
    for (HalfedgeId h : ids<HalfedgeId>(t.halfedge_count())) {
      const HalfedgeId g = t.twin(h);
      if (!g.valid()) {
        EXPECT_FALSE(t.flipped(h));
        continue;
      }
      EXPECT_GE(t.cotangent_weight(h), -1e-12);
      EXPECT_EQ(t.twin(g), h);
      EXPECT_EQ(t.length(g), t.length(h));
      EXPECT_EQ(t.from(g), t.to(h));
      EXPECT_EQ(t.flipped(g), t.flipped(h));
      if (!t.flipped(h)) {
        const HalfedgeId own = topology.find(t.from(h), t.to(h));
        ASSERT_TRUE(own.valid());
        EXPECT_NEAR(t.length(h), (mesh.positions[t.from(h)] - mesh.positions[t.to(h)]).norm(), 1e-15);
      }
    }
  }
  EXPECT_GT(total_flips, 1000);
}

TEST(Intrinsic, OnFlatSheetsNoVertexLiesInACircumcircle) {
  for (const auto& [name, mesh] : families()) {
    if (name.find("sheet") == std::string::npos) continue;
    SCOPED_TRACE(name);
    const Topology topology(mesh);
    IntrinsicTriangulation t(topology, mesh.positions);
    t.make_delaunay();
    // Edges cannot leave the sheet, so on one with a convex rim this is the Delaunay triangulation.
    for (FaceId f : ids<FaceId>(t.face_count())) {
      std::array<Vec2, 3> p;
      for (std::size_t k = 0; k < 3; ++k)
        p[k] = mesh.positions[t.from(HalfedgeId(3 * f.index() + k))].head<2>();
      const Vec2 ab = p[1] - p[0], ac = p[2] - p[0];
      const double d = 2 * (ab.x() * ac.y() - ab.y() * ac.x());
      ASSERT_GT(d, 0);
      const Vec2 centre = p[0] + Vec2(ac.y() * ab.squaredNorm() - ab.y() * ac.squaredNorm(),
                                      ab.x() * ac.squaredNorm() - ac.x() * ab.squaredNorm()) /
                                     d;
      const double radius = (centre - p[0]).norm();
      for (const Vec3& q : mesh.positions) ASSERT_GT((q.head<2>() - centre).norm(), radius * (1 - 1e-9));
    }
  }
}

TEST(Intrinsic, DirectionsAndLengthsLeadFromVertexToVertex) {
  const Mesh mesh = test::irregular(test::sheet(10, 10, 0.45, 3), 2, 4);
  const Topology topology(mesh);
  IntrinsicTriangulation t(topology, mesh.positions);
  ASSERT_GT(t.make_delaunay(), 50);
  for (HalfedgeId h : ids<HalfedgeId>(t.halfedge_count())) {
    const VertexId v = t.from(h);
    const Vec3 zero = mesh.positions[topology.to(topology.halfedge(v))] - mesh.positions[v];
    const double angle = std::atan2(zero.y(), zero.x()) + t.direction(h);
    const Vec3 end = mesh.positions[v] + t.length(h) * Vec3(std::cos(angle), std::sin(angle), 0);
    EXPECT_NEAR((end - mesh.positions[t.to(h)]).norm(), 0, 1e-11);
  }
}

TEST(Intrinsic, LaplacianIsLinearlyPreciseOnFlatSheets) {
  const Mesh mesh = test::irregular(test::sheet(12, 9, 0.4, 8), 2, 9);
  const Topology topology(mesh);
  IntrinsicTriangulation t(topology, mesh.positions);
  t.make_delaunay();
  const Eigen::SparseMatrix<double> L = t.laplacian();
  Eigen::VectorXd x(mesh.vertex_count()), one = Eigen::VectorXd::Ones(x.size());
  for (VertexId v : ids<VertexId>(mesh.vertex_count()))
    x[v.value] = 2 * mesh.positions[v].x() - 3 * mesh.positions[v].y() + 1;
  const Eigen::VectorXd Lx = L * x;
  for (VertexId v : ids<VertexId>(mesh.vertex_count()))
    if (!topology.is_border(v)) {
      EXPECT_NEAR(Lx[v.value], 0, 1e-11);
    }
  EXPECT_LT((L * one).norm(), 1e-12 * x.size());
  // The Dirichlet energy of a linear function is its squared slope times the area.
  EXPECT_NEAR(x.dot(Lx), (4 + 9) * 0.75, 1e-10);
  EXPECT_EQ(Eigen::SparseMatrix<double>(L.transpose()).isApprox(L, 1e-15), true);
}

TEST(Intrinsic, SameInputSameBits) {
  const Mesh mesh = test::noisy(test::torus(48, 24, 1.0, 0.4), 0.3, 5);
  const Topology topology(mesh);
  IntrinsicTriangulation a(topology, mesh.positions), b(topology, mesh.positions);
  EXPECT_EQ(a.make_delaunay(), b.make_delaunay());
  for (HalfedgeId h : ids<HalfedgeId>(a.halfedge_count())) {
    EXPECT_EQ(a.from(h), b.from(h));
    EXPECT_EQ(a.length(h), b.length(h));
  }
}

TEST(Intrinsic, SliversAndFacesOfNoAreaAreMollified) {
  Mesh mesh = test::sheet(10, 10, 0.2, 4);
  // Two neighbours in one place, and a third vertex on the line between two others.
  mesh.positions[VertexId(5 * 11 + 5)] = mesh.positions[VertexId(5 * 11 + 6)];
  mesh.positions[VertexId(3 * 11 + 4)] =
      0.5 * (mesh.positions[VertexId(3 * 11 + 3)] + mesh.positions[VertexId(3 * 11 + 5)]);
  const Topology topology(mesh);
  IntrinsicTriangulation t(topology, mesh.positions);
  t.make_delaunay();
  EXPECT_NEAR(total_area(t), 1, 1e-3);
  for (HalfedgeId h : ids<HalfedgeId>(t.halfedge_count())) {
    EXPECT_TRUE(std::isfinite(t.corner_cotangent(h)));
    EXPECT_GT(t.length(h), 0);
    // Rounding in the angles of a sliver is large against nothing but its own cotangents.
    if (t.twin(h).valid()) {
      EXPECT_GE(t.cotangent_weight(h),
                -1e-12 * (1 + std::abs(t.corner_cotangent(IntrinsicTriangulation::prev(h)))));
    }
  }
}

}  // namespace
}  // namespace cutis
