// Skin that moves over its body by itself: its momentum, the order in time, and steps that it chooses itself.
#include <cmath>
#include <iostream>
#include <numbers>

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "cutis/skin/eulerian/eulerian.h"
#include "cutis/skin/slide_surface.h"
#include "cutis/surface/mesh/triangle_measures.h"
#include "skin/eulerian/eulerian_bodies.h"
#include "support/meshes.h"

namespace cutis {
namespace {

using namespace test;
using std::numbers::pi;

constexpr double kLarge = 0.2, kSmall = 0.08;  // radii of the torus [m]

Mesh sphere(int level) {
  Mesh mesh = icosphere(level);
  for (Vec3& x : mesh.positions) x *= kLarge;
  return mesh;
}

/// Of a field of velocities on vertices at `positions`, per area.
Vec3 angular_momentum(const Mesh& rest, const Points& positions, const IdVector<VertexId, Vec3>& velocities) {
  const IdVector<VertexId, double> areas = vertex_areas(rest);
  Vec3 sum = Vec3::Zero();
  for (VertexId v : ids<VertexId>(areas.size())) sum += areas[v] * positions[v].cross(velocities[v]);
  return sum;
}

IdVector<VertexId, Vec3> rotation(const Mesh& mesh, const Vec3& spin) {
  IdVector<VertexId, Vec3> out;
  for (const Vec3& x : mesh.positions) out.push_back(spin.cross(x));
  return out;
}

/// The angular momentum of skin that is started with a spin on a body at rest, over that at the start, after
/// so many frames, 24 a second.
Vec3 momentum_kept(const Mesh& mesh, EulerianOptions skin_options, const Vec3& spin, int frames) {
  const auto body = moving_body(mesh, hold_still);
  skin_options.start_velocity = rotation(mesh, spin);
  EulerianSlide skin(*body, skin_options);
  for (int i = 0; i <= frames; ++i) EXPECT_TRUE(skin.advance(i / 24.0).converged);
  return angular_momentum(mesh, mesh.positions, skin.slide_velocities()) /
         angular_momentum(mesh, mesh.positions, skin_options.start_velocity).norm();
}

/// A torus turns half a turn a second, then stops; its skin goes on.
TEST(EulerianCoasting, KeepsItsSpeedWhereTheBodyStops) {
  for (const int n : {24, 48}) {
    const Mesh mesh = torus(n, n * 5 / 12, kLarge, kSmall);
    const double stop = 0.25;
    const auto body = moving_body(
        mesh,
        [&](const Vec3& x, double t) -> Vec3 {
          return Eigen::AngleAxisd(pi * std::min(t, stop), Vec3::UnitZ()) * x;
        },
        2);
    EulerianSlide skin(*body, eulerian_options(0, mesh.vertex_count()));
    for (int i = 0; i <= 42; ++i) EXPECT_TRUE(skin.advance(i / 24.0).converged);
    const double kept = angular_momentum(mesh, body->positions(1.75), skin.slide_velocities()).z() /
                        angular_momentum(mesh, mesh.positions, rotation(mesh, pi * Vec3::UnitZ())).z();
    std::cout << n << " cells: 1.5 s after the stop skin has " << kept << " of its speed\n";
    EXPECT_GT(kept, n == 24 ? 0.96 : 0.98);
    EXPECT_LT(kept, 1.01);
  }
}

TEST(EulerianCoasting, KeepsItsMomentumOnATube) {
  const Mesh mesh = cylinder(16, 4, 0.2, 0.3);
  for (const Integrator integrator : {Integrator::Bdf2, Integrator::ImplicitEuler}) {
    EulerianOptions skin_options = eulerian_options(0, mesh.vertex_count());
    skin_options.free_border = true;
    skin_options.integrator = integrator;
    const Vec3 kept = momentum_kept(mesh, skin_options, pi * Vec3::UnitZ(), 12);
    std::cout << "tube, integrator " << int(integrator) << ": " << kept.z() << " of its momentum\n";
    EXPECT_NEAR(kept.z(), 1, 0.005);
    EXPECT_LT(kept.head<2>().norm(), 0.005);
  }
}

TEST(EulerianCoasting, KeepsTheVectorOfItsAngularMomentumOnASphere) {
  const Vec3 axis = Vec3(1, 0.3, 0.4).normalized();
  for (const int level : {3, 4}) {
    if (level > 3 && !std::getenv("CUTIS_LONG")) continue;
    const Mesh mesh = sphere(level);
    const Vec3 kept = momentum_kept(mesh, eulerian_options(0, mesh.vertex_count()), pi * axis, 36);
    std::cout << "sphere of level " << level << ": " << kept.dot(axis) << " of its momentum, "
              << kept.cross(axis).norm() << " off its axis\n";
    EXPECT_NEAR(kept.dot(axis), 1, 0.01);
    EXPECT_LT(kept.cross(axis).norm(), 0.002);
  }
}

/// Skin at the equator of its spin goes around a great circle.
TEST(EulerianCoasting, FollowsGreatCircles) {
  const Mesh mesh = sphere(3);
  const auto body = moving_body(mesh, hold_still);
  EulerianOptions skin_options = eulerian_options(0, mesh.vertex_count());
  const Vec3 axis = Vec3(1, 0.3, 0.4).normalized();
  skin_options.start_velocity = rotation(mesh, pi * axis);
  EulerianSlide skin(*body, skin_options);
  const double end = 0.75;
  for (int i = 0; i <= 18; ++i) EXPECT_TRUE(skin.advance(i / 24.0).converged);
  const SlideSurface surface(*body, SlidesOn::Cage);
  double worst = 0;
  for (VertexId v : ids<VertexId>(mesh.vertex_count())) {
    const Vec3 home = surface.evaluate(surface.home(v)).position;
    if (std::abs(home.normalized().dot(axis)) > 0.1) continue;
    const Vec3 from = surface.evaluate(skin.skin_points()[v]).position;
    worst = std::max(worst, (Eigen::AngleAxisd(pi * end, axis) * from - home).norm());
  }
  std::cout << "off the great circle by " << worst / (pi * end * kLarge) << " of the way\n";
  EXPECT_LT(worst, 0.02 * pi * end * kLarge);
}

/// What the skin at the vertices has slid by, over the body as it lies at rest [m].
Points slides(const SlideSurface& surface, const EulerianSlide& skin) {
  Points out;
  for (VertexId v : ids<VertexId>(skin.skin_points().size()))
    out.push_back(surface.evaluate(skin.skin_points()[v]).position -
                  surface.evaluate(surface.home(v)).position);
  return out;
}

double rms(const Points& a, const Points& b) {
  double sum = 0;
  for (VertexId v : ids<VertexId>(a.size())) sum += (a[v] - b[v]).squaredNorm();
  return std::sqrt(sum / static_cast<double>(a.size()));
}

double rms(const Points& a) { return rms(a, Points(a.size(), Vec3::Zero())); }

/// A piece of the torus swings from a start velocity, on a body that moves by a formula.
Points swung(const Mesh& mesh, const Motion& motion, EulerianOptions skin_options, int frames, double fps) {
  const auto body = moving_body(mesh, motion, 2);
  const SlideSurface surface(*body, SlidesOn::Cage);
  skin_options.fixed = vertices_where(mesh, [](const Vec3& x) { return x.x() < -0.2; });
  for (const Vec3& x : mesh.positions)
    skin_options.start_velocity.push_back(0.4 * std::sin(5 * x.y()) * Vec3(-x.y(), x.x(), 0.3));
  EulerianSlide skin(*body, skin_options);
  for (int i = 0; i <= frames; ++i) EXPECT_TRUE(skin.advance(i / fps).converged);
  return slides(surface, skin);
}

/// At zeta = 1 skin swings on a body that is moved as a whole as it does on one at rest; at zeta = 0 it does
/// on one that is moved at a steady speed.
TEST(EulerianCoasting, IsTheSameOnABodyThatMovesAsAWhole) {
  const Mesh mesh = quad_torus(20, 8, kLarge, kSmall);
  EulerianOptions skin_options = eulerian_options(1, mesh.vertex_count());
  skin_options.substeps = 2;
  const auto turned = [](const Vec3& x, double t) -> Vec3 {
    return Eigen::AngleAxisd(2 * pi * t, Vec3::UnitZ()) * x;
  };
  const Points still = swung(mesh, hold_still, skin_options, 12, 48);
  const double off = rms(swung(mesh, turned, skin_options, 12, 48), still) / rms(still);
  skin_options.stickiness.assign(mesh.vertex_count(), 0);
  const auto moved = [](const Vec3& x, double t) -> Vec3 { return x + t * Vec3(20, 5, -10); };
  const double off_moved = rms(swung(mesh, moved, skin_options, 12, 48), still) / rms(still);
  std::cout << "slides of " << rms(still) << " m, off by " << off << " on a body that turns, " << off_moved
            << " on one that moves\n";
  EXPECT_LT(off, 0.01);
  EXPECT_LT(off_moved, 1e-4);  // what Newton's method leaves open
}

TEST(EulerianCoasting, IsOfSecondOrderInTime) {
  const Mesh mesh = quad_torus(20, 8, kLarge, kSmall);
  EulerianOptions skin_options = eulerian_options(0, mesh.vertex_count());
  skin_options.material = simple_material(MaterialModel::StVenantKirchhoff, 0.1 * kYoung, kPoisson);
  const auto after = [&](int substeps) {
    skin_options.substeps = substeps;
    return swung(mesh, hold_still, skin_options, 6, 48);
  };
  const Points exact = after(48);
  double last = 0;
  for (const int substeps : {2, 4, 8}) {
    const double error = rms(after(substeps), exact) / rms(exact);
    std::cout << substeps << " substeps: off by " << error << "\n";
    if (last > 0) {
      EXPECT_LT(error, 0.35 * last);
    }
    last = error;
  }
}

/// A torus whose skin is held on one side stops at once; without damping the skin swings on.
TEST(EulerianSubsteps, FollowSkinThatIsNotDamped) {
  const Mesh mesh = quad_torus(20, 8, kLarge, kSmall);
  const auto body = moving_body(
      mesh, [](const Vec3& x, double t) -> Vec3 { return x + Vec3(std::min(t, 0.1), 0, 0); }, 2);
  const SlideSurface surface(*body, SlidesOn::Cage);
  const auto error_and_slide = [&](std::optional<int> substeps, const std::vector<Points>& exact) {
    EulerianOptions skin_options = eulerian_options(0, mesh.vertex_count());
    skin_options.fixed = vertices_where(mesh, [](const Vec3& x) { return x.x() < -0.2; });
    skin_options.substeps = substeps;
    EulerianSlide skin(*body, skin_options);
    std::vector<Points> out;
    double error = 0, slide = 0;
    for (std::size_t i = 0; i <= 20; ++i) {
      skin.advance(static_cast<double>(i) / 48);
      out.push_back(slides(surface, skin));
      if (exact.empty()) continue;
      error = std::max(error, rms(out[i], exact[i]));
      slide = std::max(slide, rms(exact[i]));
    }
    return std::pair(out, slide > 0 ? error / slide : 0);
  };
  const std::vector<Points> exact = error_and_slide(48, {}).first;
  const double whole = error_and_slide(1, exact).second, own = error_and_slide({}, exact).second;
  std::cout << "off by " << whole << " in whole frames, by " << own << " in substeps of its own choice\n";
  EXPECT_GT(whole, 0.3);
  EXPECT_LT(own, 0.04);
}

TEST(EulerianSubsteps, AreWholeFramesWhereSkinFollowsItsBody) {
  const Mesh mesh = quad_torus(20, 8, kLarge, kSmall);
  const auto body = moving_body(mesh, [](const Vec3& x, double t) -> Vec3 {
    return {x.x() * (1 + 0.1 * t * t), x.y(), x.z()};
  });
  std::array<SourcePoints, 2> written;
  for (const bool own : {false, true}) {
    EulerianOptions skin_options = eulerian_options(0.75, mesh.vertex_count());
    skin_options.fixed = vertices_where(mesh, [](const Vec3& x) { return x.x() < -0.2; });
    skin_options.damping = 10;
    if (!own) skin_options.substeps = 1;
    EulerianSlide skin(*body, skin_options);
    for (int i = 0; i <= 12; ++i) skin.advance(i / 24.0);
    written[own] = skin.positions();
  }
  EXPECT_EQ(written[0].raw(), written[1].raw());
}

}  // namespace
}  // namespace cutis
