// What belongs to the skin is carried around a torus and back.
#include "cutis/skin/eulerian/advection.h"

#include <cmath>
#include <iostream>
#include <numbers>

#include <gtest/gtest.h>

#include "support/meshes.h"

namespace cutis {
namespace {

using namespace test;
using std::numbers::pi;

constexpr double kLarge = 1, kSmall = 0.3;

/// Angles around the large and the small circle.
Vec2 angles(const Vec3& x) {
  return {std::atan2(x.y(), x.x()), std::atan2(x.z(), std::hypot(x.x(), x.y()) - kLarge)};
}

/// How x moves with the angles.
Mat32 directions(const Vec3& x) {
  const Vec2 a = angles(x);
  const double r = kLarge + kSmall * std::cos(a[1]);
  Mat32 out;
  out.col(0) = r * Vec3(-std::sin(a[0]), std::cos(a[0]), 0);
  out.col(1) =
      kSmall * Vec3(-std::sin(a[1]) * std::cos(a[0]), -std::sin(a[1]) * std::sin(a[0]), std::cos(a[1]));
  return out;
}

Vec3 place(const Vec2& a) {
  const double r = kLarge + kSmall * std::cos(a[1]);
  return {r * std::cos(a[0]), r * std::sin(a[0]), kSmall * std::sin(a[1])};
}

/// Vertices are moved by up to `jitter` cells.
Mesh torus_of(int n, double jitter) {
  Mesh mesh = torus(n, n, kLarge, kSmall);
  Random random(3);
  const double most = jitter * 2 * pi / n;
  for (Vec3& x : mesh.positions) {
    const Vec2 a = angles(x);
    x = place({a[0] + random(-most, most), a[1] + random(-most, most)});
  }
  return mesh;
}

RingedSurface seen(const Mesh& mesh, const VertexRings& rings) {
  IdVector<VertexId, Vec3> normals;
  for (const Vec3& x : mesh.positions)
    normals.push_back(directions(x).col(0).cross(directions(x).col(1)).normalized());
  return rings.surface(mesh.positions, normals);
}

/// The error after turns forth and back, root mean square, of one wavelength of height one.
double error(const Mesh& mesh, const Vec2& direction, Advection scheme, int turns = 1) {
  const VertexRings rings(mesh);
  const RingedSurface surface = seen(mesh, rings);
  const double cells = std::sqrt(mesh.vertex_count()), step = 0.3 * 2 * pi / cells;
  IdVector<VertexId, double> start;
  for (const Vec3& x : mesh.positions) start.push_back(std::sin(angles(x)[0]));
  IdVector<VertexId, double> values = start;
  for (int turn = 0; turn < 2 * turns; ++turn) {
    SkinAdvection::Vectors displacement;
    for (const Vec3& x : mesh.positions)
      displacement.push_back(directions(x) * (turn % 2 == 0 ? step : -step) * direction);
    SkinAdvection advection(rings, scheme, surface, surface);
    advection.set_displacement({displacement, Vec3::Zero(), {}, {}});
    for (int i = 0; i < cells / 0.3; ++i) values = advection(values);
  }
  double sum = 0;
  for (VertexId v : ids<VertexId>(values.size())) sum += std::pow(values[v] - start[v], 2);
  return std::sqrt(sum / static_cast<double>(values.size()));
}

TEST(SkinAdvection, SmearsLessThanSemiLagrangian) {
  for (const Vec2& direction : {Vec2(1, 0), Vec2(1, 1)})
    for (const int n : {24, 48}) {
      const Mesh mesh = torus_of(n, 0);
      const double first = error(mesh, direction, Advection::SemiLagrangian);
      const double second = error(mesh, direction, Advection::Quadratic);
      std::cout << n << " cells" << (direction[1] > 0 ? ", diagonally" : "") << ": semi-Lagrangian " << first
                << ", quadratic " << second << ", ratio " << second / first << "\n";
      EXPECT_LT(second, (n == 24 ? 0.25 : 0.1) * first);
    }
}

TEST(SkinAdvection, StaysStableOnIrregularTriangles) {
  for (const Vec2& direction : {Vec2(1, 0), Vec2(1, 1), Vec2(1, -1)})
    for (const int n : {24, 36}) {
      const double after = error(torus_of(n, 0.3), direction, Advection::Quadratic, 10);
      std::cout << n << " cells, jittered, ten turns: " << after << "\n";
      EXPECT_LT(after, n == 24 ? 0.25 : 0.15);  // all of it lost: 0.71
    }
}

TEST(SkinAdvection, LeavesWhatDoesNotMove) {
  const Mesh mesh = torus_of(12, 0);
  const VertexRings rings(mesh);
  const RingedSurface surface = seen(mesh, rings);
  SkinAdvection advection(rings, Advection::Quadratic, surface, surface);
  advection.set_displacement(
      {SkinAdvection::Vectors(mesh.vertex_count(), Vec3::Zero()), Vec3::Zero(), {}, {}});
  EXPECT_TRUE(advection.still());
  IdVector<VertexId, double> heights;
  for (const Vec3& x : mesh.positions) heights.push_back(x.z());
  EXPECT_EQ(advection(heights).raw(), heights.raw());
  EXPECT_EQ(advection.vectors(mesh.positions, Vec3::Zero()).raw(), mesh.positions.raw());
}

TEST(TangentCoordinates, AreArcsOnASphere) {
  const TangentPlane frame = tangent_plane(Vec3::UnitZ());
  for (const double angle : {1e-5, 0.1, 0.7, 1.5}) {
    const Vec3 to(std::sin(angle) * std::cos(1.2), std::sin(angle) * std::sin(1.2), std::cos(angle));
    EXPECT_NEAR(tangent_coordinates(frame, to - Vec3::UnitZ()).norm(), angle, 1e-9 * angle);
  }
}

}  // namespace
}  // namespace cutis
