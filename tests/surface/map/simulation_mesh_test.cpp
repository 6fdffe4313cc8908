#include "cutis/surface/map/simulation_mesh.h"

#include <cmath>

#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/surface/geodesic/closest_point.h"
#include "cutis/surface/geodesic/trace.h"
#include "support/meshes.h"
#include "support/same_bits.h"

namespace cutis {
namespace {

using SurfacePtr = SurfaceMap::SurfacePtr;

/// Every vertex put where `f` takes its position, on the same surface.
template <class F>
SurfaceMap mapped(const SurfacePtr& surface, const F& f) {
  const ClosestPointTree tree(surface->mesh());
  SurfaceMap::Points points;
  for (const Vec3& p : surface->positions()) points.push_back(tree(f(p)).point);
  return SurfaceMap(surface, surface, points);
}

/// A torus with radii 1 and 0.4 slid by a smooth field in its two angles.
Vec3 slid_on_torus(const Vec3& p) {
  const double around = std::atan2(p.y(), p.x()), across = std::atan2(p.z(), p.head<2>().norm() - 1);
  const double u = around + 0.1 * std::sin(2 * around + across), v = across + 0.2 * std::cos(around - across);
  const double r = 1 + 0.4 * std::cos(v);
  return {r * std::cos(u), r * std::sin(u), 0.4 * std::sin(v)};
}

Vec3 turned(const Vec3& p) {
  // More at the equator than at the poles: no rigid motion.
  return Eigen::AngleAxisd(0.3 * (1 - p.z() * p.z()), Vec3::UnitZ()) * p;
}

/// Mean (square) and largest distance between the images of two maps of one surface.
std::pair<double, double> differences(const SurfaceMap& a, const SurfaceMap& b) {
  double sum = 0, worst = 0;
  for (VertexId v : ids<VertexId>(a.points().size())) {
    const double d2 = (a.to()->position(a[v]) - b.to()->position(b[v])).squaredNorm();
    sum += d2;
    worst = std::max(worst, d2);
  }
  return {std::sqrt(sum / double(a.points().size())), std::sqrt(worst)};
}

TEST(SimulationMesh, TheIdentityComesBackToTheBit) {
  for (const auto& [name, mesh] : test::mesh_families()) {
    SCOPED_TRACE(name);
    const auto source = std::make_shared<Surface>(mesh);
    for (const double part : {0.03, 0.15}) {
      const SimulationMesh simulation_mesh(source, part * source->size());
      const SurfaceMap carried = simulation_mesh.to_source(SurfaceMap::identity(simulation_mesh.surface()));
      EXPECT_EQ(carried.points(), SurfaceMap::identity(source).points());
    }
  }
}

TEST(SimulationMesh, VerticesLieAboveTheClosestPointOfIt) {
  for (const auto& [name, mesh] : {test::NamedMesh{"sphere", test::icosphere(4)},
                                   {"torus", test::torus(64, 32, 1, 0.4)},
                                   {"irregular", test::irregular(test::icosphere(3), 1, 2)},
                                   {"sheet", test::sheet(20, 20, 0.3, 5)}}) {
    SCOPED_TRACE(name);
    const auto source = std::make_shared<Surface>(mesh);
    const SimulationMesh simulation_mesh(source, 0.07 * source->size());
    EXPECT_LT(simulation_mesh.surface()->mesh().vertex_count(), mesh.vertex_count());
    const ClosestPointTree tree(simulation_mesh.surface()->mesh());
    for (VertexId v : ids<VertexId>(mesh.vertex_count())) {
      const double height =
          (simulation_mesh.surface()->position(simulation_mesh.on_simulation_mesh()[v]) - mesh.positions[v])
              .norm();
      EXPECT_NEAR(height, std::sqrt(tree(mesh.positions[v]).distance_squared), 1e-12) << v.value;
    }
  }
}

TEST(SimulationMesh, SheetsThatTouchStayApart) {
  // Two parallel sheets a hundredth of an edge apart, in one mesh: each vertex has its place on its own
  // sheet.
  const Mesh sheet = test::sheet(20, 20, 0.3, 5);
  const auto source = std::make_shared<Surface>(test::joined(sheet, sheet, Vec3(0.003, 0.002, 0.001)));
  const SimulationMesh simulation_mesh(source, 0.1);
  for (VertexId v : ids<VertexId>(source->mesh().vertex_count())) {
    const double height = simulation_mesh.surface()->position(simulation_mesh.on_simulation_mesh()[v]).z();
    EXPECT_EQ(height > 0.0005, v.index() >= sheet.vertex_count()) << v.value;
  }
}

TEST(SimulationMesh, QuantitiesTravelBothWays) {
  // x is linear: interpolated exactly on a flat sheet, both ways.
  const auto source = std::make_shared<Surface>(test::sheet(20, 20, 0.3, 5));
  const SimulationMesh simulation_mesh(source, 0.12);
  IdVector<VertexId, double> x;
  for (const Vec3& p : source->positions()) x.push_back(p.x());
  const auto there = simulation_mesh.to_simulation_mesh(x);
  const auto back = simulation_mesh.to_source(there);
  for (VertexId p : ids<VertexId>(there.size()))
    EXPECT_NEAR(there[p], simulation_mesh.surface()->positions()[p].x(), 1e-12);
  for (VertexId v : ids<VertexId>(x.size())) EXPECT_NEAR(back[v], x[v], 1e-12);
}

TEST(SimulationMesh, FollowsTheBodysMotion) {
  const auto source = std::make_shared<Surface>(test::noisy(test::torus(48, 24, 1, 0.4), 0.1, 3));
  const SimulationMesh simulation_mesh(source, 0.12);
  EXPECT_EQ(simulation_mesh.simulation_positions(source->positions()),
            simulation_mesh.surface()->positions());
  Mat3 stretch;
  stretch << 1, 0.2, 0, -0.1, 0.8, 0.3, 0, 0, 1.5;
  Points moved = source->positions();
  for (Vec3& p : moved) p = stretch * p + Vec3(3, 4, 5);
  const Points there = simulation_mesh.simulation_positions(moved);
  for (VertexId v : ids<VertexId>(there.size()))
    EXPECT_LT((there[v] - (stretch * simulation_mesh.surface()->positions()[v] + Vec3(3, 4, 5))).norm(),
              1e-12);
}

TEST(SimulationMesh, ASmoothSlideAgreesWithTheDirectOneAtSecondOrder) {
  const auto sphere = std::make_shared<Surface>(test::icosphere(5));
  const auto torus = std::make_shared<Surface>(test::torus(200, 80, 1, 0.4));
  for (const auto& [source, slide] : {std::pair{sphere, &turned}, {torus, &slid_on_torus}}) {
    const SurfaceMap direct = mapped(source, *slide);
    std::vector<double> mean, worst;
    for (const double edge : {0.32, 0.16, 0.08}) {
      const SimulationMesh simulation_mesh(source, edge);
      const auto [m, w] =
          differences(simulation_mesh.to_source(mapped(simulation_mesh.surface(), *slide)), direct);
      mean.push_back(m);
      worst.push_back(w);
    }
    SCOPED_TRACE("mean " + testing::PrintToString(mean) + " worst " + testing::PrintToString(worst));
    RecordProperty(source == sphere ? "sphere" : "torus", testing::PrintToString(mean));
    EXPECT_GT(std::log2(mean[0] / mean[2]) / 2, 1.8);
    EXPECT_GT(std::log2(mean[1] / mean[2]), 1.6);
    EXPECT_GT(std::log2(worst[0] / worst[2]) / 2, 1.5);
    EXPECT_LT(worst[2], 0.05 * 0.08);
  }
}

TEST(SimulationMesh, WhatDoesNotMoveStaysToTheBit) {
  const auto source = std::make_shared<Surface>(test::torus(100, 40, 1, 0.4));
  const SimulationMesh simulation_mesh(source, 0.12);
  SurfaceMap::Points points = SurfaceMap::identity(simulation_mesh.surface()).points();
  const SurfaceMap all = mapped(simulation_mesh.surface(), &slid_on_torus);
  for (VertexId p : ids<VertexId>(points.size()))
    if (simulation_mesh.surface()->positions()[p].x() > 0) points[p] = all[p];
  const SurfaceMap carried =
      simulation_mesh.to_source(SurfaceMap(simulation_mesh.surface(), simulation_mesh.surface(), points));
  const SurfaceMap identity = SurfaceMap::identity(source);
  int moved = 0;
  for (VertexId v : ids<VertexId>(source->mesh().vertex_count())) {
    moved += carried[v] != identity[v];
    if (source->positions()[v].x() < -0.25) {
      EXPECT_EQ(carried[v], identity[v]) << v.value;
    }
  }
  EXPECT_GT(moved, int(source->mesh().vertex_count()) / 3);
}

TEST(SimulationMesh, VerticesBesideItMoveWithoutAJump) {
  // A round sheet: the border of a coarse simulation mesh leaves slices of it outside.
  const auto source = std::make_shared<Surface>(test::cone(48, 12, 1, 0));
  const SimulationMesh simulation_mesh(source, 0.3);
  const double angle = 1e-3;
  const auto turn = [&](const Vec3& p) -> Vec3 { return Eigen::AngleAxisd(angle, Vec3::UnitZ()) * p; };
  const SurfaceMap carried = simulation_mesh.to_source(mapped(simulation_mesh.surface(), turn));
  for (VertexId v : ids<VertexId>(source->mesh().vertex_count())) {
    const Vec3& p = source->positions()[v];
    EXPECT_LT((source->position(carried[v]) - turn(p)).norm(), 0.2 * angle) << v.value;
  }
}

TEST(SimulationMesh, FoldedSlidesStillHaveAnImageEverywhere) {
  const auto source = std::make_shared<Surface>(test::icosphere(4));
  const SimulationMesh simulation_mesh(source, 0.2);
  test::Random random(4);
  SurfaceMap::Points points = SurfaceMap::identity(simulation_mesh.surface()).points();
  for (SurfacePoint& p : points)
    p = trace(simulation_mesh.surface()->topology(), simulation_mesh.surface()->positions(), p,
              0.4 * random.in_cube())
            .end;
  const SurfaceMap slide(simulation_mesh.surface(), simulation_mesh.surface(), points);
  ASSERT_FALSE(slide.folded_faces().empty());
  const SurfaceMap carried = simulation_mesh.to_source(slide);
  for (const SurfacePoint& p : carried.points()) {
    ASSERT_TRUE(p.face.valid() && p.barycentric.allFinite());
    ASSERT_NEAR(p.barycentric.sum(), 1, 1e-12);
  }
}

const bool simulation_mesh_bits = test::same_bits("SimulationMesh", [] {
  const SimulationMesh simulation_mesh(std::make_shared<Surface>(test::torus(60, 30, 1, 0.4)), 0.15);
  return simulation_mesh.to_source(mapped(simulation_mesh.surface(), &slid_on_torus)).points();
});

TEST(SimulationMesh, AVertexWithoutAFaceIsNamed) {
  Mesh mesh = test::icosphere(1);
  mesh.positions.push_back(Vec3(5, 5, 5));
  try {
    SimulationMesh(std::make_shared<Surface>(mesh), 0.3);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(), "simulation mesh: vertex 42 has no face; repair the mesh first");
  }
}

}  // namespace
}  // namespace cutis
