// Skin that is pulled, held and left alone: a strip over a bump, bodies that spin in their skin, ligaments, a
// band on the forearm, a curve.

#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "cutis/body/procedural/geometric/sphere.h"
#include "cutis/body/procedural/organic/arm.h"
#include "cutis/material/membrane/membrane_stress.h"
#include "cutis/surface/mesh/deformation.h"
#include "skin/lagrangian/lagrangian_bodies.h"
#include "support/meshes.h"
#include "support/polygon_meshes.h"

namespace cutis {
namespace {

using std::numbers::pi;
using namespace test;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Advances in equal steps from `begin`; every one must converge.
void play(LagrangianSlide& slide, double begin, double end, int steps) {
  for (int i = 0; i <= steps; ++i) {
    const StepReport report = slide.advance(begin + (end - begin) * i / steps);
    ASSERT_TRUE(report.converged) << i << ": " << report.reason;
  }
}

TEST(LagrangianSliding, AStripPulledOverABumpCarriesUniformTension) {
  // 1 m by 0.2 m, bent along x only, so that it can be laid flat: the pull goes around the bump unchanged.
  Mesh mesh = quad_sheet(40, 8, 0, 1);
  for (Vec3& x : mesh.positions) x.z() = 0.08 * std::exp(-std::pow((x.x() - 0.5) / 0.12, 2));
  const auto body = moving_body(mesh, hold_still);
  LagrangianOptions options;
  options.material = simple_material(MaterialModel::StableNeoHookean, 1e5, 0.3);
  options.fixed = vertices_where(mesh, [](const Vec3& x) { return x.x() < 1e-9; });
  options.paths = {{vertices_where(mesh, [](const Vec3& x) { return std::abs(x.x() - 0.9) < 1e-9; }),
                    {Vec3(0.9, 0, 0), Vec3(0.97, 0, 0)},
                    {0, 1}}};
  LagrangianSlide slide(*body, options);
  play(slide, 0, 1, 4);
  const Points skin = body->weld().gather(slide.positions());
  const Mesh triangles = triangulated(mesh).mesh;
  const std::vector<Mat32> stress = slide.skin().stress;
  // The force across each column of cells, over its width at rest: tension times how much narrower it is now.
  std::vector<double> pull(36, 0), area(36, 0);
  for (FaceId f : ids<FaceId>(triangles.face_count())) {
    const auto c = triangles.face(f);
    const Points& x = triangles.positions;
    const auto cell = static_cast<std::size_t>((x[c[0]].x() + x[c[1]].x() + x[c[2]].x()) / 3 * 40);
    if (cell >= pull.size()) continue;
    const RestTriangle rest = rest_triangle(x[c[0]], x[c[1]], x[c[2]]);
    const Mat32 F = deformation_gradient(rest, skin[c[0]], skin[c[1]], skin[c[2]]);
    pull[cell] +=
        rest.area * principal_values(tension(F, stress[f.index()]), F).max * principal_stretches(F).min;
    area[cell] += rest.area;
  }
  double mean = 0;
  for (std::size_t i = 0; i < pull.size(); ++i) mean += pull[i] / area[i] / 36;
  EXPECT_GT(mean, 1);  // about 1e5 Pa * 1.5 mm * 0.07 = 10 N/m
  for (std::size_t i = 2; i + 2 < pull.size(); ++i) EXPECT_NEAR(pull[i] / area[i], mean, 0.01 * mean) << i;
}

double worst_drift(const Mesh& mesh, const Vec3& axis, int steps) {
  const auto body = moving_body(
      mesh, [&](const Vec3& x, double t) -> Vec3 { return Eigen::AngleAxisd(t * pi / 2, axis) * x; });
  LagrangianOptions options;
  options.material = simple_material(MaterialModel::StableNeoHookean, 1e5, 0.3);
  LagrangianSlide slide(*body, options);
  play(slide, 0, 1, steps);
  const Points skin = body->weld().gather(slide.positions());
  double worst = 0;
  for (VertexId v : ids<VertexId>(mesh.vertex_count()))
    worst = std::max(worst, (skin[v] - mesh.positions[v]).norm());
  return worst;
}

TEST(LagrangianSliding, BodiesSpinInTheirOwnSkin) {
  // The way that the body makes under it: a quarter of its girth.
  const double ball = worst_drift(icosphere(3), Vec3::UnitZ(), 12) / (pi / 2);
  const double ring = worst_drift(quad_torus(40, 20, 1, 0.4), Vec3::UnitZ(), 12) / (1.4 * pi / 2);
  EXPECT_LT(ball, 0.01);
  EXPECT_LT(ring, 0.01);
  std::printf("  the ball takes its skin along by %.3f %% of its way, the ring by %.3f %%\n", 100 * ball,
              100 * ring);
}

/// A sheet whose body is stretched unevenly; ligaments hold back the skin that would even it out. Where a
/// line of points along the middle has slid to.
std::vector<double> held_back(int cells) {
  const Mesh mesh = quad_sheet(cells, cells / 4, 0, 1);
  const auto body = moving_body(mesh, [](const Vec3& x, double t) -> Vec3 {
    return x + Vec3(t * 0.1 * std::sin(2 * pi * x.x()) / (2 * pi) * 3, 0, 0);
  });
  LagrangianOptions options;
  options.material = simple_material(MaterialModel::StableNeoHookean, 1e5, 0.3);
  options.fixed = vertices_where(mesh, [](const Vec3& x) { return x.x() < 1e-9 || x.x() > 1 - 1e-9; });
  options.slide_limit = IdVector<VertexId, double>(mesh.vertex_count(), 0.01);
  options.ligament = {0, 0.5, 3e4, 0};
  options.tolerance = 1e-8;
  LagrangianSlide slide(*body, options);
  EXPECT_TRUE(slide.advance(1).converged);
  const Points skin = body->weld().gather(slide.positions()), under = body->positions(1);
  std::vector<double> slides;
  for (int i = 1; i < 8; ++i)
    for (VertexId v : vertices_where(mesh, [&](const Vec3& x) {
           return std::abs(x.x() - i / 8.0) < 1e-9 && std::abs(x.y() - 0.125) < 1e-9;
         }))
      slides.push_back((skin[v] - under[v]).x());
  return slides;
}

TEST(LagrangianSliding, LigamentsCountByArea) {
  const std::vector<double> coarse = held_back(16), fine = held_back(32);
  ASSERT_EQ(coarse.size(), 7u);
  ASSERT_EQ(fine.size(), 7u);
  double largest = 0;
  for (double s : fine) largest = std::max(largest, std::abs(s));
  EXPECT_GT(largest, 0.005);
  EXPECT_LT(largest, 0.02);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(coarse[i], fine[i], 0.02 * largest) << i;
}

/// How far skin has slid at the wrist and on the hand when a band around the forearm is pulled to the elbow.
struct BandSlides {
  double wrist = 0, palm = 0, palm_least = kInfinity;
};

BandSlides pulled_band(bool ligaments) {
  const Character arm = make_arm(0.012);
  const RigBody body(arm, RigChoice{{}, "none", "", 1, -1});
  const Mesh& mesh = body.mesh();
  LagrangianOptions options;
  options.material = simple_material(MaterialModel::StableNeoHookean, 1e5, 0.3);
  options.paths = {{vertices_where(mesh, [](const Vec3& x) { return x.x() > 0.455 && x.x() < 0.495; }),
                    {Vec3(0.475, 0, 0), Vec3(0.435, 0, 0)},
                    {0, 1}}};
  options.fixed = vertices_where(mesh, [](const Vec3& x) { return x.x() < 0.25; });
  const auto wrist = vertices_where(mesh, [](const Vec3& x) { return x.x() > 0.51 && x.x() < 0.545; });
  const auto palm = vertices_where(mesh, [](const Vec3& x) { return x.x() > 0.558 && x.x() < 0.575; });
  options.use_ligaments = ligaments;
  options.slide_limit = IdVector<VertexId, double>(mesh.vertex_count(), kInfinity);
  for (VertexId v : wrist) options.slide_limit[v] = 0.02;
  for (VertexId v : vertices_where(mesh, [](const Vec3& x) { return x.x() >= 0.56; }))
    options.slide_limit[v] = 0.002;
  options.ligament = {0, 2.5, 7e4, 0.02};
  LagrangianSlide slide(body, options);
  play(slide, 0, 1, 8);
  const Points skin = body.weld().gather(slide.positions());
  BandSlides out;
  for (VertexId v : wrist) out.wrist = std::max(out.wrist, (skin[v] - mesh.positions[v]).norm());
  for (VertexId v : palm) {
    const double s = (skin[v] - mesh.positions[v]).norm();
    out.palm = std::max(out.palm, s);
    out.palm_least = std::min(out.palm_least, s);
  }
  return out;
}

TEST(LagrangianSliding, ABandPulledAlongTheForearm) {
  const BandSlides held = pulled_band(true), glove = pulled_band(false);
  EXPECT_LT(held.wrist, 0.024);
  EXPECT_GT(held.wrist, 0.010);
  EXPECT_LT(held.palm, 0.0024);
  EXPECT_GT(glove.palm_least, 0.02);
  std::printf("  with ligaments: wrist %.1f mm, palm %.2f mm; without: palm %.1f mm and more\n",
              1e3 * held.wrist, 1e3 * held.palm, 1e3 * glove.palm_least);
}

TEST(LagrangianSliding, SkinOnACurveSlidesAlongItOnly) {
  const Mesh mesh = quad_sheet(10, 10, 0, 1);
  const auto body = moving_body(mesh, hold_still);
  LagrangianOptions options;
  options.material = simple_material(MaterialModel::StableNeoHookean, 1e5, 0.3);
  options.fixed = vertices_where(mesh, [](const Vec3& x) { return x.x() < 1e-9; });
  const auto middle = vertices_where(mesh, [](const Vec3& x) { return std::abs(x.x() - 0.5) < 1e-9; });
  options.curves = {{middle, {Vec3(0, 0, 0), Vec3(1, 0, 0)}}};
  options.paths = {
      {vertices_where(
           mesh, [](const Vec3& x) { return std::abs(x.x() - 0.8) < 1e-9 && x.y() > 0.25 && x.y() < 0.75; }),
       {Vec3(0.8, 0.5, 0), Vec3(0.88, 0.58, 0)},
       {0, 1}}};
  LagrangianSlide slide(*body, options);
  play(slide, 0, 1, 3);
  const Points skin = body->weld().gather(slide.positions());
  for (VertexId v : middle) {
    EXPECT_NEAR(skin[v].y(), mesh.positions[v].y(), 1e-9);
    EXPECT_GT(skin[v].x(), mesh.positions[v].x() + 0.003);
  }
}

}  // namespace
}  // namespace cutis
