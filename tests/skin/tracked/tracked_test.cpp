// Skin that tracks its body: its forces against their closed forms, and what it must never do.
#include "cutis/skin/tracked/tracked.h"

#include <cmath>
#include <iostream>

#include <gtest/gtest.h>

#include "cutis/core/parallel.h"
#include "cutis/skin/skin_tissue.h"
#include "skin/tracked/tracked_bodies.h"
#include "support/meshes.h"

namespace cutis {
namespace {

using namespace test;

/// A flat sheet that is carried along itself: its skin moves as one mass.
std::unique_ptr<Body> carried_sheet(const std::function<double(double)>& way) {
  return moving_body(
      sheet(6, 6, 0.1, 1), [=](const Vec3& x, double t) -> Vec3 { return x + way(t) * Vec3::UnitX(); }, 100);
}

/// How far the skin is ahead of its body, in the middle of the sheet, frame by frame.
std::vector<double> lags(const Body& body, const TrackedOptions& options, int frames, double fps) {
  TrackedSlide skin(body, options);
  std::vector<double> out;
  for (int i = 0; i <= frames; ++i) {
    EXPECT_TRUE(skin.advance(i / fps).converged);
    const VertexId middle(std::size_t{24});
    out.push_back(skin.nodes()[middle].x() - body.positions(i / fps)[middle].x());
  }
  return out;
}

/// Natural frequency [Hz] and overshoot of a damped oscillation from samples of it:
/// y[n+1] = 2 e cos(w dt) y[n] - e² y[n-1] with e = exp(-a dt), by least squares.
struct Oscillation {
  double frequency, overshoot;
};
Oscillation fitted(const std::vector<double>& y, std::size_t from, double dt) {
  Mat2 A = Mat2::Zero();
  Vec2 b = Vec2::Zero();
  for (std::size_t i = from + 1; i + 1 < y.size(); ++i) {
    const Vec2 row(y[i], y[i - 1]);
    A += row * row.transpose();
    b += row * y[i + 1];
  }
  const Vec2 x = A.inverse() * b;
  const double e = std::sqrt(-x[1]), a = -std::log(e) / dt, w = std::acos(x[0] / (2 * e)) / dt;
  return {std::hypot(a, w) / (2 * pi), std::exp(-pi * a / w)};
}

TEST(Tracked, AMassOnItsTargetingSpringSwingsAsTheClosedFormSays) {
  const auto body = carried_sheet([](double t) { return 0.02 * rise(t, 0.125); });
  for (const double frequency : {1.0, 2.0, 4.0})
    for (const double ratio : {0.1, 0.3}) {
      TrackedOptions options = tracked_options();
      options.targeting = DampedSpring::of(frequency, ratio);
      const Oscillation seen = fitted(lags(*body, options, 48, 24), 4, 1.0 / 24);
      const double overshoot = std::exp(-pi * ratio / std::sqrt(1 - ratio * ratio));
      std::cout << frequency << " Hz, damping " << ratio << ": " << seen.frequency << " Hz, overshoot "
                << seen.overshoot << " for " << overshoot << "\n";
      EXPECT_NEAR(seen.frequency, frequency, 0.05 * frequency);
      EXPECT_NEAR(seen.overshoot, overshoot, 0.05 * overshoot);
    }
}

TEST(Tracked, TheLagFollowsAMovingBodyAsTheClosedFormSays) {
  // y'' + 2 z w y' + w² y = -a(t) of a body that is shaken at 1 Hz, with a spring of 4 Hz: the settled motion
  // has the amplitude a / |w² - p² + 2 i z w p|.
  const double amplitude = 0.01, p = 2 * pi, w = 8 * pi, z = 0.5;
  const auto body = carried_sheet([=](double t) { return amplitude * std::cos(p * t); });
  TrackedOptions options = tracked_options();
  options.targeting = DampedSpring::of(4, z);
  const std::vector<double> y = lags(*body, options, 96, 24);
  const double exact = amplitude * p * p / std::hypot(w * w - p * p, 2 * z * w * p);
  double seen = 0;
  for (std::size_t i = 72; i < y.size(); ++i) seen = std::max(seen, std::abs(y[i]));
  EXPECT_NEAR(seen, exact, 0.05 * exact);
}

TEST(Tracked, UnderAConstantAccelerationSkinLagsAsFarAsItsSpringSays) {
  // a / w² once it has settled, at 24 frames a second, whatever the frequency.
  for (const double frequency : {1.0, 3.0, 10.0, 30.0}) {
    const double acceleration = 2;
    const auto body = carried_sheet([=](double t) { return acceleration * t * t / 2; });
    TrackedOptions options = tracked_options();
    options.targeting = DampedSpring::of(frequency, 1);
    const std::vector<double> y = lags(*body, options, 48, 24);
    const double exact = -acceleration / std::pow(2 * pi * frequency, 2);
    std::cout << frequency << " Hz: lag over its closed form " << y.back() / exact << "\n";
    EXPECT_NEAR(y.back(), exact, 0.01 * std::abs(exact));
  }
}

/// Times at which skin begins anew: where its lag is gone at once.
int restarts(const std::function<double(double)>& way, double fps, double seconds) {
  const auto ball = moving_body(
      torus(8, 6, 0.02, 0.01), [=](const Vec3& x, double t) -> Vec3 { return x + way(t) * Vec3::UnitX(); },
      100);
  TrackedOptions options = tracked_options();
  options.targeting = DampedSpring::of(3, 0.3);
  TrackedSlide skin(*ball, options);
  int count = 0;
  for (int i = 0; i / fps <= seconds; ++i) {
    const StepReport report = skin.advance(i / fps);
    EXPECT_TRUE(report.converged);
    // A frame that begins anew has no substeps.
    count += i > 0 && report.iterations == 0;
  }
  return count;
}

TEST(Tracked, OnlyALeapBeginsAnew) {
  const auto thrown = [](double t) {
    const double on = std::min(t, 0.1);
    return 981 * on * (t - on / 2);
  };
  for (const double fps : {24.0, 240.0}) {
    EXPECT_EQ(restarts([](double t) { return 6 * t; }, fps, 12 / fps), 0) << fps;
    EXPECT_EQ(restarts(thrown, fps, 15 / fps), 0) << fps;
    // Within a frame, and just at the end of one, by a body that stands and one that runs.
    for (const double speed : {0.0, 6.0})
      for (const double when : {7.5, 8.0}) {
        const auto leap = [=](double t) { return speed * t + (t < when / fps ? 0 : 50); };
        EXPECT_EQ(restarts(leap, fps, 15 / fps), 1) << fps << " " << speed << " " << when;
      }
  }
}

TEST(Tracked, OnceAFrameTheTargetingForceIsItsOwnRecurrence) {
  const auto way = [](double t) { return 0.02 * rise(t, 0.2); };
  const auto body = carried_sheet(way);
  TrackedOptions options = tracked_options();
  options.targeting = DampedSpring::of(3, 0.2);
  options.targeting_step = TargetingStep::Frame;
  const std::vector<double> seen = lags(*body, options, 48, 24);
  const double dt = 1.0 / 24, k = options.targeting.stiffness, c = options.targeting.damping;
  double x = 0, v = 0;
  for (int i = 1; i <= 48; ++i) {
    const double target = way(i * dt), velocity = (target - way((i - 1) * dt)) / dt;
    // x' = x + dt v', v' = v - dt (k (x' - target) + c (v' - velocity)).
    v = (v - dt * k * (x - target) + dt * c * velocity) / (1 + dt * c + dt * dt * k);
    x += dt * v;
    EXPECT_NEAR(seen[std::size_t(i)], x - target, 1e-10);
  }
}

TEST(Tracked, RestingSkinIsStill) {
  const Mesh mesh = torus(24, 12, 0.2, 0.08);
  const auto body = moving_body(mesh, hold_still, 10);
  TrackedSlide skin(*body, tracked_options());
  double strain = 0;
  for (int i = 0; i <= 240; ++i) {
    skin.advance(i / 24.0);
    for (const Mat32& F : skin.skin().deformation) strain = std::max(strain, green_strain_norm(F));
  }
  std::cout << "strain of resting skin within 10 s: " << strain << "\n";
  EXPECT_LT(strain, 1e-5);
}

TEST(Tracked, SkinThatWasShakenComesToRest) {
  const Mesh mesh = torus(24, 12, 0.2, 0.08);
  const auto body = moving_body(
      mesh,
      [](const Vec3& x, double t) -> Vec3 { return x + Vec3(0.1 * rise(t, 0.2), 0.05 * rise(t, 0.1), 0); },
      20);
  TrackedSlide skin(*body, tracked_options());
  for (int i = 0; i <= 24 * 6; ++i) skin.advance(i / 24.0);
  double strain = 0;
  for (int i = 24 * 6; i <= 24 * 16; ++i) {
    skin.advance(i / 24.0 + 1e-3);
    for (const Mat32& F : skin.skin().deformation) strain = std::max(strain, green_strain_norm(F));
  }
  std::cout << "strain of skin that was shaken, from 6 to 16 s: " << strain << "\n";
  EXPECT_LT(strain, 1e-5);
}

TEST(Tracked, RigidMotionAtAConstantSpeedLeavesSkinWhereItIs) {
  const Mesh mesh = torus(24, 12, 0.2, 0.08);
  const auto body = moving_body(mesh, [](const Vec3& x, double t) -> Vec3 { return x + t * Vec3(3, -1, 2); });
  TrackedSlide skin(*body, tracked_options());
  for (int i = 0; i <= 24; ++i) skin.advance(i / 24.0);
  const Points now = body->positions(1);
  for (VertexId v : ids<VertexId>(now.size())) EXPECT_LT((skin.nodes()[v] - now[v]).norm(), 1e-9);
}

}  // namespace
}  // namespace cutis
