// Skin that curves lead: around bodies, around bends, up to the ends.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>

#include <gtest/gtest.h>

#include "cutis/core/parallel.h"
#include "skin/lagrangian/lagrangian_bodies.h"
#include "support/meshes.h"

namespace cutis {
namespace {

using std::numbers::pi;
using namespace test;

LagrangianOptions plain_options() {
  LagrangianOptions options;
  options.material = simple_material(MaterialModel::StableNeoHookean, 1e5, 0.3);
  options.tolerance = 1e-9;
  return options;
}

/// Advances in equal steps to 1 s; every one must converge. Newton's steps in all.
int play(LagrangianSlide& slide, int steps) {
  int iterations = 0;
  for (int i = 0; i <= steps; ++i) {
    const StepReport report = slide.advance(static_cast<double>(i) / steps);
    EXPECT_TRUE(report.converged) << i << ": " << report.reason << ", " << report.residual;
    iterations += report.iterations;
  }
  return iterations;
}

double angle(const Vec3& x) { return std::atan2(x.y(), x.x()); }

/// a - b, in (-pi, pi].
double turn(double a, double b) { return std::remainder(a - b, 2 * pi); }

std::vector<Vec3> circle(double radius, double height) {
  std::vector<Vec3> points;
  for (int i = 0; i <= 8; ++i)
    points.push_back({radius * std::cos(i * pi / 4), radius * std::sin(i * pi / 4), height});
  return points;
}

std::vector<VertexId> all(const Mesh& mesh) {
  return vertices_where(mesh, [](const Vec3&) { return true; });
}

/// Keys that lead a point on the x axis around z by `whole` [rad] in one second, in legs of the polygon with
/// `cells` corners that the body is cut into.
SkinPath around(std::vector<VertexId> vertices, double radius, int cells, double whole) {
  SkinPath path{std::move(vertices), {}, {}};
  const double side = 2 * pi / cells;
  const int legs = static_cast<int>(std::lround(whole / side));
  for (int i = 0; i <= legs; ++i) {
    path.points.push_back({radius * std::cos(i * side), radius * std::sin(i * side), 0});
    path.times.push_back(static_cast<double>(i) / legs);
  }
  return path;
}

/// Of quads around z: `around` by `along` cells.
Mesh quad_tube(int around, int along, double radius, double height) {
  Mesh mesh;
  for (int j = 0; j <= along; ++j)
    for (int i = 0; i < around; ++i)
      mesh.positions.push_back({radius * std::cos(2 * pi * i / around),
                                radius * std::sin(2 * pi * i / around), height * j / along});
  const auto at = [&](int i, int j) { return VertexId(j * around + i % around); };
  for (int j = 0; j < along; ++j)
    for (int i = 0; i < around; ++i)
      mesh.add_face(std::array{at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
  return mesh;
}

/// How far skin is from where it should be when all of it is led around z, one vertex of the equator, at
/// (radius, 0, 0), is moved by half a turn, and the rest follows without friction: off its height and behind
/// in angle.
struct HalfTurn {
  double off_height = 0, behind = 0;
};

HalfTurn half_turn(const Mesh& mesh, double radius, int cells, double highest) {
  const auto body = moving_body(mesh, hold_still);
  LagrangianOptions options = plain_options();
  options.tolerance = 1e-8;
  options.curves = {{all(mesh), circle(radius, 0)}};
  const auto pulled =
      vertices_where(mesh, [=](const Vec3& x) { return std::hypot(x.x() - radius, x.y()) < 1e-9; });
  EXPECT_FALSE(pulled.empty());
  options.paths = {around(pulled, radius, cells, pi)};
  LagrangianSlide slide(*body, options);
  play(slide, 12);
  const Points skin = body->weld().gather(slide.positions());
  HalfTurn out;
  for (VertexId v : ids<VertexId>(mesh.vertex_count())) {
    const Vec3& home = mesh.positions[v];
    if (std::abs(home.z()) > highest) continue;
    if (std::find(pulled.begin(), pulled.end(), v) != pulled.end()) continue;
    out.off_height = std::max(out.off_height, std::abs(skin[v].z() - home.z()));
    out.behind = std::max(out.behind, std::abs(turn(angle(skin[v]), angle(home) + pi)));
  }
  return out;
}

TEST(LagrangianCurve, SkinTurnsAroundASphereAndATubeByHalfATurn) {
  // Up to a latitude of 65 degrees: further up, the planes of the parallels hardly cut the surface.
  const HalfTurn sphere = half_turn(uv_sphere(12, 24), 1, 24, 0.9);
  const HalfTurn tube = half_turn(quad_tube(24, 6, 0.5, 0.8), 0.5, 24, 1);
  EXPECT_LT(sphere.off_height, 1e-12);
  EXPECT_LT(sphere.behind, 0.01);  // vertices keep their offset from the smooth surface, here 4e-3, as it is
  EXPECT_LT(tube.off_height, 1e-12);
  EXPECT_LT(tube.behind, 1e-9);
  std::printf("  half a turn: sphere off its latitudes by %.1e, behind by %.1e rad; tube %.1e, %.1e rad\n",
              sphere.off_height, sphere.behind, tube.off_height, tube.behind);
}

TEST(LagrangianCurve, ABandPulledAroundACylinderIsStretchedEvenly) {
  // One meridian is fixed, the one beside it, a quarter on, goes on by 75 degrees: between them skin that
  // keeps its height is stretched evenly on one side, pressed together evenly on the other.
  const int cells = 24;
  const Mesh mesh = quad_tube(cells, 4, 0.5, 0.4);
  const auto body = moving_body(mesh, hold_still);
  LagrangianOptions options = plain_options();
  options.curves = {{all(mesh), circle(0.5, 0.2)}};
  const auto meridian = [&](double at) {
    return vertices_where(mesh, [=](const Vec3& x) { return std::abs(turn(angle(x), at)) < 1e-6; });
  };
  const double fixed = -pi / 2, moved = 75 * pi / 180;
  options.fixed = meridian(fixed);
  options.paths = {around(meridian(0), 0.5, cells, moved)};
  LagrangianSlide slide(*body, options);
  play(slide, 5);
  const Points skin = body->weld().gather(slide.positions());
  for (VertexId v : ids<VertexId>(mesh.vertex_count())) {
    const double home = std::fmod(turn(angle(mesh.positions[v]), fixed) + 2 * pi, 2 * pi);
    const double front = pi / 2 + moved, back = 2 * pi - front;
    const double place =
        home <= pi / 2 + 1e-9 ? home * front / (pi / 2) : front + (home - pi / 2) * back / (1.5 * pi);
    EXPECT_NEAR(turn(angle(skin[v]), fixed + place), 0, 1e-4) << home;  // the smooth body is not quite round
    EXPECT_NEAR(skin[v].z(), mesh.positions[v].z(), 1e-12);
    EXPECT_NEAR(skin[v].head<2>().norm(), 0.5, 1e-4);
  }
}

TEST(LagrangianCurve, TheSameBitsAfterARestoreAndOnOneThread) {
  const Mesh mesh = uv_sphere(8, 16);
  const auto body = moving_body(mesh, [](const Vec3& x, double t) -> Vec3 {
    return {(1 + 0.3 * t * x.z()) * x.x(), x.y(), x.z() + 0.2 * t * x.x() * x.x()};
  });
  LagrangianOptions options = plain_options();
  options.tolerance = 1e-6;
  options.curves = {
      {vertices_where(mesh, [](const Vec3& x) { return std::abs(x.z()) < 0.6; }), circle(1, 0)}};
  options.fixed = vertices_where(mesh, [](const Vec3& x) { return x.x() < -0.8; });
  LagrangianSlide whole(*body, options), half(*body, options), rest(*body, options);
  for (double t : {0.0, 0.4, 0.7, 1.0}) whole.advance(t);
  set_threads(1);
  for (double t : {0.0, 0.4, 0.7}) half.advance(t);
  set_threads(0);
  rest.restore(half.save());
  rest.advance(1);
  double slid = 0;
  for (SourceVertexId v : ids<SourceVertexId>(mesh.vertex_count())) {
    ASSERT_EQ(whole.positions()[v], rest.positions()[v]) << v.value;
    slid = std::max(slid, (whole.positions()[v] - body->source_positions(1)[v]).norm());
  }
  EXPECT_GT(slid, 0.01);
}

TEST(LagrangianCurve, TheEndsOfACurveHoldSkin) {
  const Mesh mesh = quad_sheet(20, 6, 0, 1);
  const auto body = moving_body(mesh, hold_still);
  LagrangianOptions options = plain_options();
  const auto column = [&](double at) {
    return vertices_where(mesh, [=](const Vec3& x) { return std::abs(x.x() - at) < 1e-9; });
  };
  // The curve ends at 0.53. Skin at 0.5 would follow the pull by 0.06.
  options.fixed = column(0);
  options.curves = {{column(0.5), {Vec3(0.4, 0, 0), Vec3(0.53, 0, 0)}}};
  options.paths = {{column(0.8), {Vec3(0.8, 0, 0), Vec3(0.9, 0, 0), Vec3(0.8, 0, 0)}, {0, 0.5, 1}}};
  LagrangianSlide slide(*body, options);
  for (int i = 0; i <= 10; ++i) {
    ASSERT_TRUE(slide.advance(0.1 * i).converged) << i;
    const Points skin = body->weld().gather(slide.positions());
    for (VertexId v : column(0.5)) {
      EXPECT_LT(skin[v].x(), 0.53 + 1e-12);
      EXPECT_NEAR(skin[v].y(), mesh.positions[v].y(), 1e-12);
      if (i == 5) {
        EXPECT_NEAR(skin[v].x(), 0.53, 1e-12);
      }
      if (i == 10) {
        EXPECT_NEAR(skin[v].x(), 0.5, 1e-6);  // back home
      }
    }
  }
}

TEST(LagrangianCurve, SkinThatPullsAcrossABendIsHeldAndConvergesFast) {
  // A ring of a sheet led around its middle, while the skin outside of it is pulled away: large forces across
  // the parallels, which bend.
  Mesh mesh = quad_sheet(20, 20, 0, 1);
  for (Vec3& x : mesh.positions) x -= Vec3(0.5, 0.5, 0);
  const auto body = moving_body(mesh, hold_still);
  LagrangianOptions options = plain_options();
  const auto within = [&](double least, double most) {
    return vertices_where(mesh, [=](const Vec3& x) { return x.norm() > least && x.norm() < most; });
  };
  options.curves = {{within(0.19, 0.31), {}}};
  for (int i = 0; i <= 64; ++i)
    options.curves[0].points.push_back({0.25 * std::cos(i * pi / 32), 0.25 * std::sin(i * pi / 32), 0});
  options.fixed = vertices_where(mesh, [](const Vec3& x) { return x.x() < -0.49; });
  options.paths = {
      {vertices_where(mesh,
                      [](const Vec3& x) { return std::abs(x.x() - 0.4) < 1e-9 && std::abs(x.y()) < 0.21; }),
       {Vec3(0.4, 0, 0), Vec3(0.43, 0.04, 0)},
       {0, 1}}};
  LagrangianSlide slide(*body, options);
  const int iterations = play(slide, 3);
  const Points skin = body->weld().gather(slide.positions());
  double off = 0, way = 0;
  for (VertexId v : options.curves[0].vertices) {
    off = std::max(off, std::abs(skin[v].norm() - mesh.positions[v].norm()));
    way = std::max(way, (skin[v] - mesh.positions[v]).norm());
  }
  EXPECT_LT(off, 1e-5);  // the curve through 64 points is a circle to about this
  EXPECT_GT(way, 0.01);
  std::printf("  pulled across a bend: %d steps of Newton for 4 frames, slid by %.3f m, off by %.1e m\n",
              iterations, way, off);
}

}  // namespace
}  // namespace cutis
