#include "cutis/flesh/flesh.h"

#include <cmath>

#include <gtest/gtest.h>

#include "cutis/body/analytic_body.h"
#include "cutis/body/procedural/procedural_bodies.h"
#include "cutis/core/parallel.h"

namespace cutis {
namespace {

FleshOptions soft(std::size_t tetrahedra = 2000) {
  FleshOptions options;
  options.tetrahedra = tetrahedra;
  options.law.young = 1e4;
  options.law.poisson = 0.45;
  options.law.viscosity = 60;
  return options;
}

double furthest(const SourcePoints& a, const SourcePoints& b) {
  double most = 0;
  for (SourceVertexId v : ids<SourceVertexId>(a.size())) most = std::max(most, (a[v] - b[v]).norm());
  return most;
}

/// An arm that bends, and what its flesh does up to a time.
std::unique_ptr<Body> arm() { return open_cast_member("arm"); }

TEST(Flesh, WithoutGainItIsTheAnimation) {
  const auto body = arm();
  FleshOptions options = soft();
  options.gain = IdVector<VertexId, double>(body->mesh().vertex_count(), 0);
  Flesh flesh(*body, options);
  for (int i = 0; i <= 6; ++i) flesh.advance(i / 24.0);
  EXPECT_LE(furthest(flesh.positions(), body->smooth_positions(0.25)), 1e-12);
}

TEST(Flesh, LagsBehindAndFollows) {
  const auto body = arm();
  Flesh flesh(*body, soft());
  double lag = 0;
  const Interval motion = body->duration();
  for (double t = motion.begin; t < motion.end; t += 1 / 24.0) {
    EXPECT_TRUE(flesh.advance(t).converged) << t;
    lag = std::max(lag, furthest(flesh.positions(), body->smooth_positions(t)));
  }
  EXPECT_GT(lag, 1e-3);
  // A second after the motion has ended it is where the animation is.
  for (int i = 0; i <= 24; ++i) flesh.advance(motion.end + i / 24.0);
  EXPECT_LT(furthest(flesh.positions(), body->smooth_positions(motion.end)), 0.1 * lag);
}

TEST(Flesh, AStillBodyDoesNotSag) {
  const auto body = arm();
  const double begin = body->duration().begin;
  const auto sag = [&](bool compensation) {
    FleshOptions options = soft();
    options.gravity = Vec3(0, -9.81, 0);
    options.gravity_compensation = compensation;
    options.law.viscosity = 300;
    Flesh flesh(*body, options);
    for (int i = 0; i <= 12; ++i) flesh.advance(begin - 1 + i / 24.0);  // before the motion
    return furthest(flesh.positions(), body->smooth_positions(begin));
  };
  const double plain = sag(false);
  EXPECT_GT(plain, 1e-4);
  EXPECT_LT(sag(true), 0.1 * plain);
}

TEST(Flesh, GoesOnWithTheSameBitsAtAnyNumberOfThreads) {
  const auto body = arm();
  FleshOptions options = soft();
  options.gravity = Vec3(0, -9.81, 0);
  Flesh whole(*body, options), first(*body, options), second(*body, options);
  for (int i = 0; i <= 4; ++i) {
    whole.advance(i / 24.0);
    first.advance(i / 24.0);
  }
  second.restore(first.save());
  set_threads(1);
  second.advance(5 / 24.0);
  set_threads(0);
  whole.advance(5 / 24.0);
  EXPECT_EQ(second.positions(), whole.positions());
  EXPECT_EQ(second.velocities(), whole.velocities());
}

TEST(Flesh, ABallWithoutJointsHasACore) {
  const auto body = open_cast_member("sphere");
  Flesh flesh(*body, soft());
  for (int i = 0; i <= 12; ++i) {
    flesh.advance(i / 24.0);
    for (const Vec3& x : flesh.positions()) ASSERT_TRUE(x.allFinite() && x.norm() < 1);
  }
}

}  // namespace
}  // namespace cutis
