// Skin that flows through a body's mesh: what the body's motion does to it, and where it settles.
#include "cutis/skin/eulerian/eulerian.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <numbers>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "cutis/skin/slide_surface.h"
#include "cutis/surface/mesh/deformation.h"
#include "skin/eulerian/eulerian_bodies.h"
#include "support/meshes.h"

namespace cutis {
namespace {

using namespace test;
using std::numbers::pi;

constexpr double kDensity = 1100;

/// From 0 to 1 in the first second, without a jump of its velocity.
double smooth_rise(double t) {
  const double s = std::clamp(t, 0.0, 1.0);
  return s * s * (3 - 2 * s);
}

Vec3 turned(const Vec3& x, double angle) {
  return {std::cos(angle) * x.x() - std::sin(angle) * x.y(),
          std::sin(angle) * x.x() + std::cos(angle) * x.y(), x.z()};
}

/// The way of the skin at a vertex of the body from where that was at rest to the point that is there now
/// [m].
class SlideMeter {
 public:
  explicit SlideMeter(const Body& body) : surface_(body, SlidesOn::Cage) {}
  Vec3 at(VertexId v, const EulerianSlide& skin) const {
    return surface_.evaluate(skin.skin_points()[v]).position - surface_.evaluate(surface_.home(v)).position;
  }
  double rms(const EulerianSlide& skin) const {
    double sum = 0;
    for (VertexId v : ids<VertexId>(skin.skin_points().size())) sum += at(v, skin).squaredNorm();
    return std::sqrt(sum / static_cast<double>(skin.skin_points().size()));
  }

 private:
  SlideSurface surface_;
};

TEST(Eulerian, SkinThatSticksIsNotMovedByRigidMotion) {
  const Mesh mesh = quad_torus(24, 12, 0.2, 0.08);
  const auto body = moving_body(mesh, [](const Vec3& x, double t) -> Vec3 {
    return turned(x, 2 * t * t) + Vec3(0.3 * t * t, 0.1 * std::sin(4 * t) - 0.4 * t, 0.2 * t);
  });
  EulerianSlide skin(*body, eulerian_options(1, mesh.vertex_count()));
  for (int i = 0; i <= 24; ++i) EXPECT_TRUE(skin.advance(i / 24.0).converged);
  EXPECT_LT(skin.energy().elastic, 1e-20);
  EXPECT_EQ(SlideMeter(*body).rms(skin), 0);
  const SkinState state = skin.skin();
  for (const Mat32& F : state.deformation) EXPECT_LT(green_strain_norm(F), 1e-10);
}

TEST(Eulerian, WithoutStickinessSkinStaysWhereItWasInSpace) {
  const double turn = 2 * pi;
  Mesh mesh = torus(48, 20, 0.2, 0.08);
  // Jittered along the surface, in its angles.
  Random random(3);
  for (Vec3& x : mesh.positions) {
    const double far = std::hypot(x.x(), x.y());
    const double large = std::atan2(x.y(), x.x()) + 0.02 * random(-1, 1);
    const double small = std::atan2(x.z(), far - 0.2) + 0.05 * random(-1, 1);
    const double r = 0.2 + 0.08 * std::cos(small);
    x = Vec3(r * std::cos(large), r * std::sin(large), 0.08 * std::sin(small));
  }
  const auto body =
      moving_body(mesh, [&](const Vec3& x, double t) { return turned(x, turn * smooth_rise(t)); });
  EulerianSlide skin(*body, eulerian_options(0, mesh.vertex_count()));
  for (int i = 0; i <= 384; ++i) EXPECT_TRUE(skin.advance(i / 384.0).converged);
  double worst = 0, mean = 0;
  const SourcePoints& now = skin.positions();
  for (VertexId v : ids<VertexId>(mesh.vertex_count())) {
    const Vec3& x = mesh.positions[v];
    const double off = (now[SourceVertexId(v.index())] - x).norm() / (turn * std::hypot(x.x(), x.y()));
    worst = std::max(worst, off);
    mean += off / static_cast<double>(mesh.vertex_count());
  }
  std::cout << "skin is off by " << mean << " of the way of the body below it on average, " << worst
            << " at most\n";
  EXPECT_LT(mean, 0.004);
  EXPECT_LT(worst, 0.005);
}

TEST(Eulerian, TheMoreItSticksTheLessSkinLags) {
  const Mesh mesh = quad_torus(24, 10, 0.2, 0.08);
  const auto body = moving_body(mesh, [](const Vec3& x, double t) -> Vec3 {
    return x + Vec3(0.03 * (1 - std::cos(2 * pi * 4 * t)), 0, 0);
  });
  double last = std::numeric_limits<double>::infinity();
  for (const double zeta : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    EulerianOptions skin_options = eulerian_options(zeta, mesh.vertex_count());
    skin_options.fixed = vertices_where(mesh, [](const Vec3& x) { return x.x() < -0.2; });
    EulerianSlide skin(*body, skin_options);
    double sum = 0;
    for (int i = 0; i <= 24; ++i) {
      skin.advance(i / 48.0);
      sum += SlideMeter(*body).rms(skin);
    }
    std::cout << "zeta " << zeta << ": lag " << sum / 25 << " m\n";
    EXPECT_LT(sum, last);
    last = sum;
    if (zeta == 1) {
      EXPECT_EQ(sum, 0);
    }
  }
}

TEST(Eulerian, AShakenTubeLagsAsTheClosedFormSays) {
  const double length = 0.2, c = std::sqrt(kYoung / (1 - kPoisson * kPoisson) / kDensity);
  // Its lowest vibration is at 13.7 Hz: close to that the lag takes long to build up, and grows.
  struct Shake {
    double hertz, amplitude, ramp;
    int steps;  ///< a period
  };
  std::vector<Shake> shakes = {{4, 0.004, 1, 60}, {8, 0.004, 1, 60}};
  if (std::getenv("CUTIS_LONG")) shakes.push_back({12, 0.0003, 3, 120});
  for (const auto& [hertz, amplitude, ramp, per_period] : shakes) {
    const double omega = 2 * pi * hertz;
    const Mesh mesh = cylinder(16, 16, 0.05, length);
    // Shaken more and more, so that its own vibrations are hardly started.
    const auto body = moving_body(
        mesh,
        [&, most = amplitude, rise = ramp](const Vec3& x, double t) -> Vec3 {
          return x + Vec3(0, 0, most * smooth_rise(t / rise) * std::sin(omega * t));
        },
        2 * ramp);
    EulerianOptions skin_options = eulerian_options(0, mesh.vertex_count());
    skin_options.time_step = 1 / (hertz * per_period);
    EulerianSlide skin(*body, skin_options);
    const VertexId middle =
        vertices_where(mesh, [&](const Vec3& x) { return std::abs(x.z() - length / 2) < 1e-6; }).front();
    const SlideMeter slide(*body);
    double furthest = 0;
    const int steps = static_cast<int>((ramp + 0.6) * hertz * per_period);
    for (int i = 0; i <= steps; ++i) {
      const double t = i / (hertz * per_period);
      skin.advance(t);
      const double lag = slide.at(middle, skin).z();
      if (t > ramp + 0.1) furthest = std::max(furthest, std::abs(lag));
    }
    const double expected = amplitude * std::abs(1 / std::cos(omega * length / (2 * c)) - 1);
    std::cout << hertz << " Hz: lag " << furthest << " m, closed form " << expected << " m\n";
    EXPECT_NEAR(furthest, expected, 0.05 * expected);
  }
}

TEST(Eulerian, HangsUnderGravityAsTheClosedFormSays) {
  const double length = 0.3, gravity = 2;
  const Mesh mesh = cylinder(16, 30, 0.05, length);
  const auto body = moving_body(mesh, hold_still);
  EulerianOptions skin_options = eulerian_options(1, mesh.vertex_count());
  skin_options.gravity = Vec3(0, 0, -gravity);
  EulerianSlide skin(*body, skin_options);
  skin.advance(0);
  const SlideMeter slide(*body);
  // u'' = rho g (1 - nu²) / E between two ends that hold: half way the skin has sunk by L² / 8 times that.
  const double expected = kDensity * gravity * (1 - kPoisson * kPoisson) / kYoung * length * length / 8;
  for (VertexId v : vertices_where(mesh, [&](const Vec3& x) { return std::abs(x.z() - length / 2) < 1e-6; }))
    EXPECT_NEAR(slide.at(v, skin).z(), expected, 0.02 * expected);
}

/// Heavy skin on a body whose vertices are far apart sinks to where limits are higher.
TEST(Eulerian, KeepsToLimitsBetweenVerticesThatAreFarApart) {
  const Mesh mesh = quad_torus(16, 8, 0.2, 0.08);
  const auto body = moving_body(mesh, hold_still);
  EulerianOptions skin_options = eulerian_options(1, mesh.vertex_count());
  skin_options.gravity = Vec3(0, 0, -200);
  skin_options.ligament = {0, 2.5, 7e4, 0.02};
  for (VertexId v : ids<VertexId>(mesh.vertex_count()))
    skin_options.slide_limit.push_back(mesh.positions[v].z() < -0.01 ? 0.030 : 0.015);
  EulerianSlide skin(*body, skin_options);
  EXPECT_TRUE(skin.advance(0).converged);
  const SlideSurface surface(*body, SlidesOn::Cage);
  const SurfaceMap on_body = *skin.skin().map;
  double most = 0;
  for (VertexId v : ids<VertexId>(mesh.vertex_count()))
    most = std::max(most, surface.slide(v, on_body[v]).norm() / skin_options.slide_limit[v]);
  std::cout << "slide over its limit: " << most << '\n';
  EXPECT_LT(most, 1);  // 1.09 where limits are not lowered for what lies between
  EXPECT_GT(most, 0.8);
}

TEST(Eulerian, SettlesWhereLagrangianSkinDoes) {
  double last = 0;
  for (const int n : {24, 48}) {
    const Mesh mesh = quad_torus(n, n / 2, 0.2, 0.08);
    // Stretched, and most on one side.
    const auto body = moving_body(mesh, [](const Vec3& x, double t) -> Vec3 {
      const double angle = std::atan2(x.y(), x.x());
      return turned(x, 0.25 * t * std::sin(angle)).cwiseProduct(Vec3(1 + 0.3 * t, 1 + 0.1 * t, 1));
    });
    const std::vector<VertexId> fixed = vertices_where(mesh, [](const Vec3& x) { return x.x() < -0.22; });
    EulerianOptions flowing = eulerian_options(1, mesh.vertex_count());
    flowing.fixed = fixed;
    flowing.integrator = Integrator::Static;
    EulerianSlide eulerian(*body, flowing);
    LagrangianOptions sliding;
    sliding.material = flowing.material;
    sliding.fixed = fixed;
    LagrangianSlide lagrangian(*body, sliding);
    for (int i = 0; i <= 4; ++i) {
      EXPECT_TRUE(eulerian.advance(i / 4.0).converged);
      EXPECT_TRUE(lagrangian.advance(i / 4.0).converged);
    }
    double worst = 0;
    for (std::size_t i = 0; i < mesh.vertex_count(); ++i)
      worst = std::max(
          worst,
          (eulerian.positions()[SourceVertexId(i)] - lagrangian.positions()[SourceVertexId(i)]).norm());
    const double edge = 2 * pi * 0.2 / n;
    std::cout << n << " cells: apart by up to " << worst / edge << " edges\n";
    EXPECT_LT(worst, 0.25 * edge);
    if (last > 0) {
      EXPECT_LT(worst, last);
    }
    last = worst;
  }
}

/// By how much the stretch of an edge along a tube differs from the mean of all, at most.
double ring_unevenness(const Mesh& tube, const SourcePoints& positions, int along) {
  const std::size_t around = tube.vertex_count() / static_cast<std::size_t>(along + 1);
  std::vector<double> stretches;
  for (std::size_t v = 0; v + around < tube.vertex_count(); ++v)
    stretches.push_back((positions[SourceVertexId(v + around)] - positions[SourceVertexId(v)]).norm() /
                        (tube.positions[VertexId(v + around)] - tube.positions[VertexId(v)]).norm());
  const double mean =
      std::accumulate(stretches.begin(), stretches.end(), 0.0) / static_cast<double>(stretches.size());
  double most = 0;
  for (const double stretch : stretches) most = std::max(most, std::abs(stretch / mean - 1));
  return most;
}

/// A tube with held ends that is stretched to 1.3 times its length, by 30 % more here and less there: the
/// skin evens it out, whichever way the vertices went, in what is solved and in what is written.
TEST(Eulerian, SettlesToEvenStretchOnAnUnevenTube) {
  const double length = 0.4, net = 1.3;
  for (const int along : {40, 80})
    for (const bool quads : {true, false})
      for (const double uneven : {0.3, -0.3}) {
        const Mesh mesh = quads ? quad_cylinder(24, along, 0.05, length) : cylinder(24, along, 0.05, length);
        const auto body = moving_body(mesh, [&](const Vec3& x, double t) -> Vec3 {
          const double wave = uneven * length / (2 * pi) * std::sin(2 * pi * x.z() / length);
          return {x.x(), x.y(), x.z() + t * (net * (x.z() + wave) - x.z())};
        });
        EulerianOptions skin_options = eulerian_options(1, mesh.vertex_count());
        skin_options.integrator = Integrator::Static;
        EulerianSlide skin(*body, skin_options);
        LagrangianOptions sliding;
        sliding.material = skin_options.material;
        sliding.fixed =
            vertices_where(mesh, [&](const Vec3& x) { return x.z() < 1e-6 || x.z() > length - 1e-6; });
        LagrangianSlide lagrangian(*body, sliding);
        for (int i = 0; i <= 4; ++i) {
          EXPECT_TRUE(skin.advance(i / 4.0).converged);
          EXPECT_TRUE(lagrangian.advance(i / 4.0).converged);
        }
        double worst = 0;
        for (VertexId v : ids<VertexId>(mesh.vertex_count()))
          worst = std::max(
              worst, std::abs(skin.positions()[SourceVertexId(v.index())].z() - net * mesh.positions[v].z()));
        Mat32 F = Mat32::Zero();
        F(0, 0) = 1;
        F(1, 1) = net;
        const double area = 48 * 0.05 * std::sin(pi / 24) * length, thickness = 1.5e-3;  // 24 flat sides
        const double energy = area * thickness * skin_options.material->energy(F);
        const double rings = ring_unevenness(mesh, skin.positions(), along);
        std::cout << along + 1 << " rings" << (quads ? " of quads" : " of triangles") << ", uneven by "
                  << uneven << ": off by up to " << worst / (net * length)
                  << " of the length; energy over the closed form's " << skin.energy().elastic / energy
                  << "; stretches of rings uneven by " << rings << ", lagrangian "
                  << ring_unevenness(mesh, lagrangian.positions(), along) << "\n";
        EXPECT_LT(worst, 0.01 * length);
        EXPECT_NEAR(skin.energy().elastic / energy, 1, 0.001);
        EXPECT_LT(rings, along == 40 ? 0.01 : 0.003);
      }
}

void expect_same_bits_after_a_save(const Body& body, const EulerianOptions& skin_options) {
  EulerianSlide whole(body, skin_options), first(body, skin_options), second(body, skin_options);
  for (int i = 0; i <= 6; ++i) whole.advance(i / 24.0);
  for (int i = 0; i <= 3; ++i) first.advance(i / 24.0);
  second.restore(first.save());
  for (int i = 4; i <= 6; ++i) second.advance(i / 24.0);
  EXPECT_EQ(whole.positions().raw(), second.positions().raw());
  EXPECT_EQ(whole.save(), second.save());
}

TEST(Eulerian, GoesOnWithTheSameBits) {
  const Mesh mesh = quad_torus(16, 8, 0.2, 0.08);
  const auto body = moving_body(mesh, [](const Vec3& x, double t) -> Vec3 {
    return turned(x, t * t) + Vec3(0.1 * std::sin(9 * t), 0.05 * t * x.z(), 0);
  });
  EulerianOptions skin_options = eulerian_options(0.3, mesh.vertex_count());
  skin_options.fixed = vertices_where(mesh, [](const Vec3& x) { return x.x() < -0.2; });
  expect_same_bits_after_a_save(*body, skin_options);
  skin_options.viscosity = 20;
  expect_same_bits_after_a_save(*body, skin_options);
}

TEST(Eulerian, GoesOnWithTheSameBitsAlongABorder) {
  const Mesh mesh = cylinder(16, 8, 0.05, 0.1);
  const auto body =
      moving_body(mesh, [](const Vec3& x, double t) -> Vec3 { return turned(x, 20 * t * t * x.z()); });
  EulerianOptions skin_options = eulerian_options(0.3, mesh.vertex_count());
  skin_options.free_border = true;
  expect_same_bits_after_a_save(*body, skin_options);
  // Also where skin starts somewhere else and is not settled first.
  const SlideSurface surface(*body, SlidesOn::Cage);
  for (VertexId v : ids<VertexId>(mesh.vertex_count())) skin_options.start.push_back(surface.home(v));
  expect_same_bits_after_a_save(*body, skin_options);
}

TEST(Eulerian, ThicknessBelongsToTheSkin) {
  const double length = 0.4, pull = 0.03;
  const Mesh mesh = cylinder(16, 40, 0.05, length);
  // The upper half of the body slides up below its skin; the upper half of the skin is twice as thick.
  const auto body = moving_body(
      mesh, [&](const Vec3& x, double t) -> Vec3 { return x + Vec3(0, 0, pull * t * x.z() / length); });
  EulerianOptions skin_options = eulerian_options(1, mesh.vertex_count());
  skin_options.integrator = Integrator::Static;
  for (const Vec3& x : mesh.positions) skin_options.thickness.push_back(x.z() > length / 2 ? 3e-3 : 1.5e-3);
  EulerianSlide skin(*body, skin_options);
  for (int i = 0; i <= 4; ++i) EXPECT_TRUE(skin.advance(i / 4.0).converged);
  // The tension is the same along the tube, so the thin half is stretched twice as much: two thirds of the
  // pull.
  double thin = 0;
  int count = 0;
  for (VertexId v :
       vertices_where(mesh, [&](const Vec3& x) { return std::abs(x.z() - length / 2) < 1e-6; })) {
    thin += skin.positions()[SourceVertexId(v.index())].z() - length / 2;
    ++count;
  }
  EXPECT_NEAR(thin / count, pull * 2 / 3, 0.04 * pull);
}

}  // namespace
}  // namespace cutis
