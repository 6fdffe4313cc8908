#include "cutis/skin/slide_limit.h"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "cutis/surface/map/surface_point.h"

namespace cutis {
namespace {

constexpr int kRows = 40;
constexpr double kEdge = 0.01;

/// A strip along x, three vertices wide.
Mesh strip() {
  Mesh mesh;
  for (int i = 0; i <= kRows; ++i)
    for (int k = 0; k < 3; ++k) mesh.positions.push_back(Vec3(kEdge * i, kEdge * k, 0));
  for (int i = 0; i < kRows; ++i)
    for (int k = 0; k < 2; ++k) {
      const VertexId a(3 * i + k), b(3 * (i + 1) + k), c(3 * (i + 1) + k + 1), d(3 * i + k + 1);
      mesh.add_face(std::array{a, b, c});
      mesh.add_face(std::array{a, c, d});
    }
  return mesh;
}

/// The same, folded in the middle into a cleft of two walls that are a millimetre apart at their tops.
Points folded(const Mesh& mesh) {
  Points out;
  const double half = kEdge * kRows / 2, lean = 0.0005 / half;
  for (const Vec3& x : mesh.positions) {
    const double s = x.x() - half;
    out.push_back(Vec3(lean * s, x.y(), std::abs(s)));
  }
  return out;
}

TEST(SlideLimit, WhatIsNotFurtherThanItsReachIsWhereItIs) {
  const Surface rest(strip());
  const SurfacePoint before = rest.point(VertexId(4)), p = rest.point(VertexId(7));
  EXPECT_EQ(moved_within(rest, rest.positions(), before, p, 1.001 * kEdge), p);
}

TEST(SlideLimit, AlongTheSurfaceAPointGoesAsFarAsItMay) {
  const Surface rest(strip());
  const VertexId from(4), to(34);
  for (const double reach : {1e-6, 0.003, 0.05}) {
    const SurfacePoint near = moved_within(rest, rest.positions(), rest.point(from), rest.point(to), reach);
    EXPECT_NEAR((rest.position(near) - rest.positions()[from]).norm(), reach, 1e-12);
  }
}

TEST(SlideLimit, APointDoesNotJumpAcrossACleft) {
  const Mesh mesh = strip();
  const Surface rest(mesh);
  const Points now = folded(mesh);
  const VertexId here(4), across(3 * (kRows - 1) + 1);
  const SurfacePoint near = moved_within(rest, now, rest.point(here), rest.point(across), 0.0004);
  const Vec3 way = interpolate(rest.mesh(), now, near) - now[here];
  EXPECT_LE(way.norm(), 0.0004 * (1 + 1e-12));
  EXPECT_LT(rest.position(near).x(), kEdge * kRows / 2) << "on the other wall";
}

TEST(SlideLimit, WhereTheWayIsMeasuredOtherwiseItIsKeptToo) {
  const Surface rest(strip());
  const SurfacePoint before = rest.point(VertexId(4));
  const auto stretched = [&](const SurfacePoint& p) {
    return 1.7 * (rest.position(p) - rest.position(before)).norm();
  };
  const double reach = 0.02;
  const SurfacePoint near =
      moved_within(rest, rest.positions(), before, rest.point(VertexId(34)), reach, stretched);
  EXPECT_LE(stretched(near), 1.01 * reach);
  EXPECT_GT(stretched(near), 0.5 * reach);
}

}  // namespace
}  // namespace cutis
