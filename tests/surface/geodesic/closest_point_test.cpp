#include "cutis/surface/geodesic/closest_point.h"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "support/allocations.h"
#include "support/meshes.h"

namespace cutis {
namespace {

using test::Random;

/// The least squared distance over a fine grid of points in the triangle, refined around the best: slow, and
/// without a single case distinction.
double sampled_distance_squared(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  Vec2 centre(1.0 / 3, 1.0 / 3);
  double best = std::numeric_limits<double>::infinity(), width = 1;
  for (int round = 0; round < 40; ++round, width *= 0.6) {
    const Vec2 around = centre;
    for (int i = -10; i <= 10; ++i)
      for (int j = -10; j <= 10; ++j) {
        Vec2 s = around + width / 10 * Vec2(i, j);
        s = s.cwiseMax(0.0).cwiseMin(1.0);
        if (s.sum() > 1) s /= s.sum();
        const double d2 = (a + s[0] * (b - a) + s[1] * (c - a) - p).squaredNorm();
        if (d2 < best) {
          best = d2;
          centre = s;
        }
      }
  }
  return best;
}

TEST(ClosestPoint, InATriangleAgreesWithSampling) {
  Random random(1);
  for (int i = 0; i < 300; ++i) {
    Vec3 a = random.in_cube(), b = random.in_cube(), c = random.in_cube();
    if (i % 5 == 1) c = a + 1e-7 * (c - a);  // a needle
    if (i % 5 == 2) c = 0.3 * a + 0.7 * b;   // on its own side
    if (i % 5 == 3) b = a;                   // a segment
    if (i % 25 == 4) b = c = a;              // a point
    const Vec3 p = 2 * random.in_cube();
    const Vec3 w = closest_in_triangle(p, a, b, c);
    EXPECT_NEAR(w.sum(), 1, 1e-14);
    EXPECT_GE(w.minCoeff(), 0);
    const double d2 = (w[0] * a + w[1] * b + w[2] * c - p).squaredNorm();
    // It is a point of the triangle, so it is the closest when no sample is closer.
    EXPECT_LE(d2, sampled_distance_squared(p, a, b, c) + 1e-13) << "triangle " << i;
  }
}

ClosestPoint by_looking_at_all(const Mesh& mesh, const Points& positions, const Vec3& p) {
  ClosestPoint best;
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    const auto v = mesh.face(f);
    const Vec3 w = closest_in_triangle(p, positions[v[0]], positions[v[1]], positions[v[2]]);
    const Vec3 q = w[0] * positions[v[0]] + w[1] * positions[v[1]] + w[2] * positions[v[2]];
    if ((q - p).squaredNorm() < best.distance_squared) best = {{f, w}, (q - p).squaredNorm()};
  }
  return best;
}

TEST(ClosestPoint, TreeGivesTheBitsOfLookingAtAllFacesBeforeAndAfterMoving) {
  auto families = test::mesh_families();
  families.push_back({"fractured", test::fractured(test::icosphere(3), 0.5, 3)});
  for (const auto& [name, mesh] : families) {
    SCOPED_TRACE(name);
    ClosestPointTree tree(mesh);
    Random random(2);
    Points positions = mesh.positions;
    for (int pose = 0; pose < 3; ++pose) {
      std::vector<Vec3> points;
      for (int i = 0; i < 60; ++i) points.push_back(1.5 * random.in_cube());
      for (int i = 0; i < 20; ++i)  // places with ties: on vertices and in the middle
        points.push_back(i == 0 ? Vec3(Vec3::Zero())
                                : positions[VertexId(random.below(static_cast<int>(positions.size())))]);
      std::vector<ClosestPoint> results(points.size());
      tree(points, results);
      for (std::size_t i = 0; i < points.size(); ++i) {
        const ClosestPoint expected = by_looking_at_all(mesh, positions, points[i]);
        EXPECT_EQ(results[i].point, expected.point);
        EXPECT_EQ(results[i].distance_squared, expected.distance_squared);
        const double distance = std::sqrt(expected.distance_squared);
        EXPECT_FALSE(tree(points[i], 0.99 * distance - 1e-12).point.face.valid());
        EXPECT_EQ(tree(points[i], 1.01 * distance + 1e-12).point, expected.point);
      }
      for (Vec3& x : positions)
        x = Vec3(x.x() + 0.3 * std::sin(3 * x.y()), x.y() * 1.3, x.z() + 0.2 * x.x() * x.x());
      tree.update(positions);
    }
  }
}

TEST(ClosestPoint, QueriesAllocateNothing) {
  const Mesh mesh = test::irregular(test::icosphere(3), 1, 5);
  const Topology topology(mesh);
  const ClosestPointTree tree(mesh);
  Random random(9);
  const std::size_t before = test::allocations();
  double sum = 0;
  for (int i = 0; i < 100; ++i) {
    const Vec3 p = 1.3 * random.in_cube();
    sum += tree(p).distance_squared;
    sum += closest_point_local(topology, mesh.positions, {FaceId(0), Vec3(1, 0, 0)}, p).distance_squared;
  }
  EXPECT_EQ(test::allocations(), before);
  EXPECT_GT(sum, 0);
}

TEST(ClosestPoint, RefusesWhatItCannotSearch) {
  const Mesh empty, quads = test::quad_sheet(2, 2, 0, 1);
  EXPECT_THROW(ClosestPointTree{empty}, InputError);
  EXPECT_THROW(ClosestPointTree{quads}, InputError);
  Mesh mesh = test::icosphere(1);
  mesh.positions[VertexId(7)].z() = std::numeric_limits<double>::infinity();
  EXPECT_THROW(ClosestPointTree{mesh}, InputError);
  const Mesh sound = test::icosphere(1);
  EXPECT_FALSE(ClosestPointTree(sound)(Vec3(0, std::nan(""), 0)).point.face.valid());
}

TEST(ClosestPoint, LocalWalkFollowsAPointOnEveryFamily) {
  for (const auto& [name, mesh] : test::mesh_families()) {
    SCOPED_TRACE(name);
    const Topology topology(mesh);
    const ClosestPointTree tree(mesh);
    Random random(3);
    int followed = 0, walks = 0;
    for (int path = 0; path < 10; ++path) {
      SurfacePoint at{FaceId(random.below(static_cast<int>(mesh.face_count()))), Vec3::Constant(1.0 / 3)};
      for (int step = 0; step < 20; ++step) {
        // A place half an edge above some face near by: its closest point is unique on a tame surface.
        const HalfedgeId h = topology.halfedge(at.face);
        const FaceId next = topology.face(topology.twin(HalfedgeId(h.value + random.below(3))));
        if (!next.valid()) continue;
        const auto v = mesh.face(next);
        const Vec3 a = mesh.positions[v[0]], b = mesh.positions[v[1]], c = mesh.positions[v[2]];
        const Vec3 p = (a + b + c) / 3 + 0.05 * (b - a).cross(c - a).normalized() * (b - a).norm();
        const ClosestPoint local = closest_point_local(topology, mesh.positions, at, p);
        const ClosestPoint global = tree(p);
        ++walks;
        followed += local.distance_squared <= global.distance_squared * (1 + 1e-12);
        EXPECT_GE(local.distance_squared, global.distance_squared * (1 - 1e-12));
        at = local.point;
      }
    }
    EXPECT_EQ(followed, walks);
  }
}

TEST(ClosestPoint, LocalWalkCrossesManyFaces) {
  const Mesh mesh = test::irregular(test::icosphere(3), 2, 5);
  const Topology topology(mesh);
  const ClosestPointTree tree(mesh);
  Random random(4);
  for (int i = 0; i < 200; ++i) {
    const Vec3 p = random.in_cube().normalized() * 1.2;
    const SurfacePoint start{FaceId(random.below(static_cast<int>(mesh.face_count()))), Vec3(1, 0, 0)};
    if (interpolate(mesh, mesh.positions, start).dot(p) < -0.5)
      continue;  // the far side is a place to get stuck
    EXPECT_NEAR(closest_point_local(topology, mesh.positions, start, p).distance_squared,
                tree(p).distance_squared, 1e-12);
  }
}

TEST(ClosestPoint, LocalWalkStaysOnItsSheet) {
  // Two sheets, 0.01 apart: the place lies just under the upper one, the walk starts on the lower one.
  const Mesh sheet = test::sheet(20, 20, 0.3, 6);
  const Mesh mesh = test::joined(sheet, sheet, Vec3(0, 0, 0.01));
  const Topology topology(mesh);
  const SurfacePoint start{FaceId(0), Vec3::Constant(1.0 / 3)};
  const Vec3 p(0.8, 0.7, 0.009);
  const ClosestPoint local = closest_point_local(topology, mesh.positions, start, p);
  const Vec3 q = interpolate(mesh, mesh.positions, local.point);
  EXPECT_NEAR((q - Vec3(0.8, 0.7, 0)).norm(), 0, 1e-12);
  EXPECT_GT(interpolate(mesh, mesh.positions, ClosestPointTree(mesh)(p).point).z(), 0.009);
}

TEST(ClosestPoint, LocalWalkLeavesADentSmallerThanItsRings) {
  // A sheet with one vertex pulled down: from inside the funnel, the place beside it is reached only by first
  // going uphill.
  Mesh mesh = test::sheet(16, 16, 0, 1);
  const VertexId pulled(8 * 17 + 8);
  mesh.positions[pulled].z() = -0.3;
  const Topology topology(mesh);
  const Vec3 p(0.5625, 0.5, -0.1);
  const SurfacePoint start{topology.face(topology.halfedge(pulled)), Vec3::Constant(1.0 / 3)};
  const ClosestPoint global = ClosestPointTree(mesh)(p);
  const ClosestPoint local = closest_point_local(topology, mesh.positions, start, p);
  EXPECT_DOUBLE_EQ(local.distance_squared, global.distance_squared);
}

}  // namespace
}  // namespace cutis
