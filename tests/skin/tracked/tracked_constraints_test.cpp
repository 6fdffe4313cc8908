// What acts on tracked skin besides its body: gravity and keyed forces, curves, paths, limits; and skin that
// keeps its area.
#include <cmath>
#include <iostream>

#include <gtest/gtest.h>

#include "cutis/skin/skin_tissue.h"
#include "skin/tracked/tracked_bodies.h"
#include "support/meshes.h"

namespace cutis {
namespace {

using namespace test;

constexpr double kThickness = 0.0015, kDensity = 1100;

double area_of(const Mesh& mesh) {
  double sum = 0;
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    const auto v = mesh.face(f);
    const Points& x = mesh.positions;
    sum += 0.5 * (x[v[1]] - x[v[0]]).cross(x[v[2]] - x[v[0]]).norm();
  }
  return sum;
}

/// How far the skin of a sheet that holds still has gone at last, on average.
Vec3 settled_slide(const Mesh& mesh, const TrackedOptions& options) {
  const auto body = moving_body(mesh, hold_still, 10);
  TrackedSlide skin(*body, options);
  for (int i = 0; i <= 48; ++i) skin.advance(i / 24.0);
  Vec3 sum = Vec3::Zero();
  for (VertexId v : ids<VertexId>(mesh.vertex_count())) sum += skin.nodes()[v] - mesh.positions[v];
  return sum / static_cast<double>(mesh.vertex_count());
}

TEST(TrackedConstraints, GravityAndForcesMoveItAsFarAsItsSpringGives) {
  // a / w² along the sheet and nothing across it, whatever mass small triangles are given.
  const Mesh mesh = sheet(8, 8, 0.2, 1);
  const double mass = kDensity * kThickness * area_of(mesh);
  TrackedOptions options = tracked_options();
  options.targeting = DampedSpring::of(4, 0.7);
  const double w = options.targeting.angular_frequency();
  options.gravity = Vec3(0, -9.81, 2);
  const Vec3 sag = settled_slide(mesh, options);
  EXPECT_NEAR(sag.y(), -9.81 / (w * w), 5e-3 * 9.81 / (w * w));
  EXPECT_NEAR(sag.z(), 0, 1e-6);
  options.gravity.setZero();
  options.forces = {{{}, {0, 1}, {Vec3(0, 0, 0), Vec3(5 * mass, 0, 0)}}};
  const Vec3 pulled = settled_slide(mesh, options);
  EXPECT_NEAR(pulled.x(), 5 / (w * w), 5e-3 * 5 / (w * w));
}

TEST(TrackedConstraints, OnACurveSkinGoesAlongItAndNoOtherWay) {
  const Mesh mesh = sheet(10, 10, 0, 1);
  const double width = mesh.positions.raw().back().x();
  const auto body = moving_body(mesh, shaken(Vec3(0.05 * width, 0.05 * width, 0), 2), 10);
  TrackedOptions options = tracked_options();
  options.targeting = DampedSpring::of(4, 0.3);
  const double middle = width / 2;
  options.curves.push_back(
      {vertices_where(mesh, [=](const Vec3& x) { return std::abs(x.y() - middle) < 0.15 * width; }),
       {Vec3(-0.1 * width, middle, 0), Vec3(1.1 * width, middle, 0)}});
  TrackedSlide skin(*body, options);
  double along = 0, across = 0, others = 0;
  for (int i = 0; i <= 24; ++i) {
    EXPECT_TRUE(skin.advance(i / 24.0).converged);
    const Points now = body->positions(i / 24.0);
    for (VertexId v : options.curves[0].vertices) {
      along = std::max(along, std::abs(skin.nodes()[v].x() - now[v].x()));
      across = std::max(across, std::abs(skin.nodes()[v].y() - now[v].y()));
    }
    for (VertexId v : ids<VertexId>(now.size()))
      others = std::max(others, std::abs(skin.nodes()[v].y() - now[v].y()));
  }
  std::cout << "along its curve " << along / width << " of the width, across " << across / width
            << "; other skin " << others / width << "\n";
  EXPECT_LT(across, 1e-9 * width);
  EXPECT_GT(along, 1e-3 * width);
  EXPECT_GT(others, 1e-3 * width);
}

TEST(TrackedConstraints, APathCarriesSkinOverAMovingBody) {
  const Mesh mesh = sheet(12, 12, 0, 1);
  const double width = mesh.positions.raw().back().x(), middle = width / 2;
  const auto body = moving_body(mesh, shaken(Vec3(0, 0, 0.1 * width), 2), 10);
  TrackedOptions options = tracked_options();
  options.free_border = false;
  const Vec3 home(middle, middle, 0), way(0.1 * width, 0.05 * width, 0);
  options.paths.push_back(
      {vertices_where(mesh, [&](const Vec3& x) { return (x - home).norm() < 0.15 * width; }),
       {home, home + way},
       {0.2, 0.7}});
  TrackedSlide skin(*body, options);
  for (int i = 0; i <= 24; ++i) {
    EXPECT_TRUE(skin.advance(i / 24.0).converged);
    const Points now = body->positions(i / 24.0);
    const double share = std::clamp((i / 24.0 - 0.2) / 0.5, 0.0, 1.0);
    for (VertexId v : options.paths[0].vertices)
      EXPECT_LT((skin.nodes()[v] - now[v] - share * way).norm(), 1e-6 * width);
  }
  // Skin beside it goes along, less the further away it is, and none at the border.
  const Points now = body->positions(1);
  double beside = 0;
  for (VertexId v : ids<VertexId>(now.size())) {
    const double far = (mesh.positions[v] - home).norm();
    const double gone = (skin.nodes()[v] - now[v]).norm();
    if (far > 0.16 * width && far < 0.25 * width) beside = std::max(beside, gone);
    if (body->surface()->topology().is_border(v)) {
      EXPECT_EQ(gone, 0);
    }
  }
  EXPECT_GT(beside, 0.2 * way.norm());
  EXPECT_LT(beside, way.norm());
}

TEST(TrackedConstraints, LigamentsHoldItWithinItsSlideLimit) {
  const Mesh mesh = sheet(8, 8, 0, 1);
  TrackedOptions options = tracked_options();
  options.targeting = DampedSpring::of(1, 0.7);
  options.gravity = Vec3(5, 0, 0);
  options.slide_limit.assign(mesh.vertex_count(), 0.02);
  EXPECT_NEAR(settled_slide(mesh, options).x(), 0.02, 5e-4);
  options.use_ligaments = false;
  EXPECT_GT(settled_slide(mesh, options).x(), 0.1);
}

TEST(TrackedConstraints, SkinThatKeepsItsAreaDoes) {
  // A tube that swells on one half and shrinks on the other.
  const double length = 0.2;
  const auto body = moving_body(
      cylinder(12, 20, 0.05, length),
      [=](const Vec3& x, double t) -> Vec3 {
        const double wide = 1 + 0.2 * rise(t, 0.2) * std::sin(2 * pi * x.z() / length);
        return {wide * x.x(), wide * x.y(), x.z()};
      },
      10);
  double change[2];
  for (int keeps = 0; keeps < 2; ++keeps) {
    TrackedOptions options = tracked_options();
    options.material = simple_material(MaterialModel::StableNeoHookean, 3e4, 0.3);
    options.free_border = false;
    options.targeting = DampedSpring::of(0, 0);
    options.retarget_time = 0;
    options.viscosity = 60;
    options.area_preserving = keeps;
    TrackedSlide skin(*body, options);
    for (int i = 0; i <= 10; ++i) EXPECT_TRUE(skin.advance(i / 24.0).converged);
    const SkinState state = skin.skin();
    double sum = 0;
    for (const Mat32& F : state.deformation)
      sum += std::pow(std::log(F.col(0).cross(F.col(1)).norm()), 2) / double(state.deformation.size());
    change[keeps] = std::sqrt(sum);
  }
  std::cout << "ln J, root mean square: " << change[0] << "; of skin that keeps its area " << change[1]
            << "\n";
  EXPECT_GT(change[0], 0.08);
  EXPECT_LT(change[1], 0.2 * change[0]);
}

}  // namespace
}  // namespace cutis
