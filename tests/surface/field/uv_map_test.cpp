#include <cmath>

#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/surface/field/uv_map.h"

namespace cutis {
namespace {

/// A square of two triangles that covers [lo, hi] squared of texture space.
SourceMesh chart(double lo, double hi) {
  SourceMesh mesh;
  for (const Vec2& p : {Vec2(lo, lo), Vec2(hi, lo), Vec2(hi, hi), Vec2(lo, hi)})
    mesh.positions.push_back(Vec3(p.x(), p.y(), 0));
  mesh.add_face(std::vector{SourceVertexId(0), SourceVertexId(1), SourceVertexId(2), SourceVertexId(3)});
  for (SourceVertexId v : mesh.corners) mesh.uvs.push_back(mesh.positions[v].head<2>());
  return mesh;
}

std::vector<double> linear(const SourceMesh& mesh) {
  std::vector<double> values;
  for (const Vec2& uv : mesh.uvs) {
    values.push_back(3 + 2 * uv.x() - 5 * uv.y());
    values.push_back(uv.y());
  }
  return values;
}

TEST(UvMap, IsExactForALinearFieldAtPixelCentres) {
  const SourceMesh mesh = chart(0.25, 0.75);
  const int w = 64, h = 32;
  const FloatImage map = draw_uv_map(mesh, linear(mesh), 2, w, h, 0);
  int covered = 0;
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      const double u = (x + 0.5) / w, v = 1 - (y + 0.5) / h;
      const bool inside = u > 0.25 && u < 0.75 && v > 0.25 && v < 0.75;
      covered += inside;
      EXPECT_NEAR(map.pixel(x, y)[0], inside ? 3 + 2 * u - 5 * v : 0, 1e-6);
      EXPECT_NEAR(map.pixel(x, y)[1], inside ? v : 0, 1e-6);
    }
  EXPECT_EQ(covered, 32 * 16);
}

TEST(UvMap, GutterReachesSoFarAndNoFurther) {
  const SourceMesh mesh = chart(0.25, 0.75);
  const std::vector<double> ones(8, 1);
  const FloatImage map = draw_uv_map(mesh, ones, 2, 32, 32, 3);
  for (int y = 0; y < 32; ++y)
    for (int x = 0; x < 32; ++x) {
      const auto away = [](int i) { return i < 8 ? 8 - i : i > 23 ? i - 23 : 0; };
      const bool filled = std::max(away(x), away(y)) <= 3;
      EXPECT_EQ(map.pixel(x, y)[0], filled ? 1.0f : 0.0f) << x << " " << y;
    }
}

TEST(UvMap, SamplesBackWhatWasDrawn) {
  const SourceMesh mesh = chart(0.25, 0.75);
  const FloatImage map = draw_uv_map(mesh, linear(mesh), 2, 128, 128, 4);
  for (double u : {0.3, 0.41, 0.7})
    for (double v : {0.27, 0.5, 0.72}) {
      EXPECT_NEAR(sample_uv_map(map, Vec2(u, v), 0), 3 + 2 * u - 5 * v, 1e-5);
      EXPECT_NEAR(sample_uv_map(map, Vec2(u + 2, v - 3), 1), v, 1e-5);  // repeats
    }
}

TEST(UvMap, OutsideOfTheUnitSquareIsLeftOut) {
  const SourceMesh mesh = chart(-1e9, 1e9);
  const std::vector<double> ones(8, 1);
  const FloatImage map = draw_uv_map(mesh, ones, 2, 8, 8, 0);
  for (float x : map.data) EXPECT_NEAR(x, 1, 1e-6);
}

TEST(UvMap, RefusesWhatCannotBe) {
  SourceMesh mesh = chart(0, 1);
  EXPECT_THROW(draw_uv_map(mesh, linear(mesh), 2, 0, 8, 0), InputError);
  EXPECT_THROW(draw_uv_map(mesh, linear(mesh), 2, 8, 1 << 20, 0), InputError);
  mesh.uvs = {};
  EXPECT_THROW(draw_uv_map(mesh, {}, 2, 8, 8, 0), InputError);
}

}  // namespace
}  // namespace cutis
