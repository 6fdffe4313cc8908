#include "cutis/flesh/flesh.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include <gtest/gtest.h>

#include "cutis/body/analytic_body.h"
#include "cutis/body/procedural/ease.h"
#include "cutis/body/procedural/geometric/sphere.h"
#include "cutis/body/procedural/procedural_bodies.h"
#include "cutis/core/parallel.h"
#include "cutis/surface/mesh/triangle_measures.h"

namespace cutis {
namespace {

using std::numbers::pi;

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
  EXPECT_LE(furthest(flesh.positions(), body->source_positions(0.25)), 1e-12);
}

TEST(Flesh, AGainOfTwoIsTwiceTheAmplitude) {
  const auto body = arm();
  FleshOptions options = soft();
  const auto lag = [&](double gain) {
    options.gain.assign(body->mesh().vertex_count(), gain);
    Flesh flesh(*body, options);
    for (int i = 0; i <= 6; ++i) flesh.advance(i / 24.0);
    return furthest(flesh.positions(), body->source_positions(0.25));
  };
  const double once = lag(1);
  EXPECT_GT(once, 1e-3);
  EXPECT_NEAR(lag(2), 2 * once, 0.1 * once);
}

TEST(Flesh, LagsBehindAndFollows) {
  const auto body = arm();
  Flesh flesh(*body, soft());
  double lag = 0;
  const Interval motion = body->duration();
  for (double t = motion.begin; t < motion.end; t += 1 / 24.0) {
    EXPECT_TRUE(flesh.advance(t).converged) << t;
    lag = std::max(lag, furthest(flesh.positions(), body->source_positions(t)));
  }
  EXPECT_GT(lag, 1e-3);
  // A second after the motion has ended it is where the animation is.
  for (int i = 0; i <= 24; ++i) flesh.advance(motion.end + i / 24.0);
  EXPECT_LT(furthest(flesh.positions(), body->source_positions(motion.end)), 0.1 * lag);
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
    return furthest(flesh.positions(), body->source_positions(begin));
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

TEST(Flesh, TouchingPartsGoOnWithTheSameBitsAtAnyNumberOfThreads) {
  RigChoice squat;
  squat.clip = "squat";
  const auto body = open_cast_member("heavy", 0.02, squat);
  FleshOptions options = soft(4000);
  options.retarget_time = 0.1;
  Flesh apart(*body, options);
  options.contact = true;
  options.plastic_yield = 0.02;
  options.keep_volume = true;
  Flesh whole(*body, options), resumed(*body, options);
  State middle;
  // He goes down for a second and a half.
  for (int i = 26; i <= 32; ++i) {
    whole.advance(i / 24.0);
    apart.advance(i / 24.0);
    if (i == 30) middle = whole.save();
  }
  set_threads(1);
  resumed.restore(middle);
  for (int i = 31; i <= 32; ++i) resumed.advance(i / 24.0);
  set_threads(0);
  EXPECT_EQ(resumed.positions(), whole.positions());
  EXPECT_TRUE(resumed.save() == whole.save());
  EXPECT_NE(apart.positions(), whole.positions());
}

TEST(Flesh, ABallWithoutJointsHasACore) {
  const auto body = open_cast_member("sphere");
  Flesh flesh(*body, soft());
  for (int i = 0; i <= 12; ++i) {
    flesh.advance(i / 24.0);
    for (const Vec3& x : flesh.positions()) ASSERT_TRUE(x.allFinite() && x.norm() < 1);
  }
}

/// A ball of 100 mm radius that is moved by `motion`.
std::unique_ptr<Body> moved_ball(const std::function<Vec3(const Vec3&, double)>& motion, double seconds) {
  AnalyticShape ball = make_sphere(0.02);
  ball.motions = {{"motion", seconds, motion}};
  return std::make_unique<AnalyticBody>(std::move(ball));
}

TEST(Flesh, BeginsWithTheSpeedOfItsBody) {
  const auto body = moved_ball([](const Vec3& p, double time) { return Vec3(p + time * Vec3(3, 2, 1)); }, 4);
  Flesh flesh(*body, soft());
  for (int i = 24; i <= 30; ++i) flesh.advance(i / 24.0);
  EXPECT_LT(furthest(flesh.positions(), body->source_positions(30 / 24.0)), 1e-6);
}

/// How far flesh gets from the animation, at the most and in the last frame, in a second.
std::pair<double, double> survived(const std::function<Vec3(const Vec3&, double)>& motion,
                                   int substeps = FleshOptions().substeps) {
  const auto body = moved_ball(motion, 4);
  FleshOptions options = soft();
  options.gravity = Vec3(0, -9.81, 0);
  options.contact = true;
  options.retarget_time = 0.1;
  options.substeps = substeps;
  Flesh flesh(*body, options);
  std::pair<double, double> lag;
  for (int i = 0; i <= 24; ++i) {
    flesh.advance(i / 24.0);
    lag.second = 0;
    const SourcePoints animated = body->source_positions(i / 24.0);
    for (SourceVertexId v : ids<SourceVertexId>(animated.size())) {
      EXPECT_TRUE(flesh.positions()[v].allFinite()) << i;
      lag.second = std::max(lag.second, (flesh.positions()[v] - animated[v]).norm());
    }
    lag.first = std::max(lag.first, lag.second);
  }
  return lag;
}

TEST(Flesh, NothingThatAnAnimatorAsksForMakesItExplode) {
  const double radius = 0.1;
  // 100 g for a tenth of a second, then on at that speed: several times its own radius behind, as finer steps
  // say too, and it comes back.
  const auto throws = [](const Vec3& p, double time) {
    const double on = std::clamp(time - 0.2, 0.0, 0.1);
    return Vec3(p + 981 * on * (std::max(time - 0.2, on) - on / 2) * Vec3::UnitX());
  };
  const auto thrown = survived(throws);
  EXPECT_GT(thrown.first, radius);
  EXPECT_NEAR(thrown.first, survived(throws, 8).first, 0.03 * thrown.first);
  EXPECT_LT(thrown.second, 0.1 * thrown.first);
  // Elsewhere from one frame to the next: it begins anew there.
  const auto teleported =
      survived([](const Vec3& p, double time) { return Vec3(p + (time < 0.48 ? 0 : 50) * Vec3::UnitX()); });
  EXPECT_LT(teleported.first, 0.01 * radius);
  // One half into the other and out again.
  const auto folded = survived([](const Vec3& p, double time) {
    const double share = smooth_step(0.1, 0.3, time) - smooth_step(0.5, 0.7, time);
    return Vec3(p.x() < 0 ? (1 - 2 * share) * p.x() : p.x(), p.y(), p.z());
  });
  EXPECT_LT(folded.first, 2 * radius);
  EXPECT_LT(folded.second, 0.1 * radius);
}

/// How many frames after the first one begin anew: those without a step. The ball of 5 cm also shivers, so
/// that a step always has something to solve for.
int restarts(const std::function<double(double)>& way) {
  const auto body = moved_ball(
      [&](const Vec3& p, double time) {
        return Vec3(0.25 * p + Vec3(way(time), 0.001 * std::sin(50 * time), 0));
      },
      4);
  Flesh flesh(*body, soft());
  int count = 0;
  for (int i = 0; i <= 12; ++i) count += flesh.advance(i / 24.0).iterations == 0 && i > 0;
  return count;
}

TEST(Flesh, OnlyALeapBeginsAnew) {
  EXPECT_EQ(restarts([](double time) { return 6 * time; }), 0);
  EXPECT_EQ(restarts([](double time) {
              const double on = std::min(time, 0.1);
              return 981 * on * (time - on / 2);
            }),
            0);
  EXPECT_EQ(restarts([](double time) { return 6 * time + (time < 0.27 ? 0 : 50); }), 1);
}

/// How far the surface is from the animation at each frame from `begin` on, along a direction, as a mean.
std::vector<double> mean_lags(const Body& body, const FleshOptions& options, double begin, double end,
                              const Vec3& direction) {
  Flesh flesh(body, options);
  std::vector<double> out;
  for (int i = 0; i / 48.0 <= end; ++i) {
    const double time = i / 48.0;
    EXPECT_TRUE(flesh.advance(time).converged) << time;
    const SourcePoints animated = body.source_positions(time);
    double sum = 0;
    for (SourceVertexId v : ids<SourceVertexId>(animated.size()))
      sum += direction.dot(flesh.positions()[v] - animated[v]);
    if (time >= begin) out.push_back(sum / static_cast<double>(animated.size()));
  }
  return out;
}

TEST(Flesh, TurnedUpsideDownItSagsByTwiceItsPlainSag) {
  const auto body = moved_ball(
      [](const Vec3& p, double time) {
        return Vec3(Eigen::AngleAxisd(pi * smooth_step(0, 1, time), Vec3::UnitZ()) * p);
      },
      4);
  FleshOptions options = soft();
  options.gravity = Vec3(0, -9.81, 0);
  options.law.viscosity = 300;
  const double turned = mean_lags(*body, options, 3.5, 3.5, Vec3::UnitY()).back();
  options.gravity_compensation = false;
  const double plain = mean_lags(*body, options, 3.5, 3.5, Vec3::UnitY()).back();
  EXPECT_LT(plain, -1e-4);
  EXPECT_NEAR(turned / plain, 2, 0.1);
}

TEST(Flesh, ComesToTheTargetAndWithoutRetargetingDoesNot) {
  RigChoice flatten;
  flatten.clip = "flatten";
  const auto body = open_cast_member("sphere", 0, flatten);
  FleshOptions options = soft();
  const auto error = [&] {
    Flesh flesh(*body, options);
    for (int i = 0; i <= 96; ++i) flesh.advance(i / 24.0);
    const SourcePoints animated = body->source_positions(4);
    double sum = 0;
    for (SourceVertexId v : ids<SourceVertexId>(animated.size()))
      sum += (flesh.positions()[v] - animated[v]).squaredNorm();
    return std::sqrt(sum / static_cast<double>(animated.size())) / 0.35;  // of its size
  };
  options.retarget_time = 0.1;
  const double with = error();
  EXPECT_LT(with, 5e-4);
  options.retarget_time = 0;
  EXPECT_GT(error(), 10 * std::max(with, 5e-4));
}

TEST(Flesh, RingsOnWhileItsTargetChanges) {
  // A jerk along x; then the target grows by 5 % along y within a second, or not.
  const auto amplitude = [](double growth) {
    const auto body = moved_ball(
        [growth](const Vec3& p, double time) {
          return Vec3(p.x() + 0.01 * smooth_step(0, 0.05, time),
                      p.y() * (1 + growth * smooth_step(0.1, 1.1, time)), p.z());
        },
        2);
    FleshOptions options = soft();
    options.retarget_time = 0.1;
    options.law.viscosity = 5;
    double most = 0;
    for (double lag : mean_lags(*body, options, 0.8, 1.8, Vec3::UnitX()))
      most = std::max(most, std::abs(lag));
    return most;
  };
  const double still = amplitude(0);
  EXPECT_GT(still, 2e-4);
  EXPECT_NEAR(amplitude(0.05) / still, 1, 0.05);
}

TEST(Flesh, KeyedForcesPushIt) {
  const auto body = moved_ball([](const Vec3& p, double) { return p; }, 4);
  FleshOptions options = soft();
  options.law.viscosity = 300;
  const auto pushed = [&](double force) {
    options.forces = {{{}, {0.0, 0.5}, {Vec3::Zero(), Vec3(force, 0, 0)}}};
    return mean_lags(*body, options, 3, 3, Vec3::UnitX()).back();
  };
  const double once = pushed(0.5);
  EXPECT_GT(once, 1e-5);
  EXPECT_NEAR(pushed(-0.5), -once, 1e-3 * once);
  EXPECT_NEAR(pushed(1) / once, 2, 0.1);
}

TEST(Flesh, BeginsAnewWhereItIsKeyed) {
  const auto body = arm();
  FleshOptions options = soft();
  options.resets = {0.5};
  Flesh flesh(*body, options);
  for (double time : {0.0, 0.25, 0.4, 0.45}) flesh.advance(time);
  EXPECT_GT(furthest(flesh.positions(), body->source_positions(0.45)), 1e-3);
  flesh.advance(0.5);
  EXPECT_LT(furthest(flesh.positions(), body->source_positions(0.5)), 1e-9);
  flesh.advance(0.55);
  EXPECT_GT(furthest(flesh.positions(), body->source_positions(0.55)), 1e-6);
}

TEST(Flesh, SamplesAreWhatItDoesBetweenFrames) {
  const auto body = arm();
  FleshOptions options = soft();
  Flesh plain(*body, options);
  options.samples = 2;
  Flesh sampled(*body, options);
  options.samples = 1;
  options.substeps = 2;
  Flesh twice_as_often(*body, options);
  std::vector<SourcePoints> between;
  for (int i = 0; i <= 4; ++i) {
    plain.advance(i / 24.0);
    sampled.advance(i / 24.0);
    EXPECT_EQ(plain.positions(), sampled.positions());
    EXPECT_EQ(sampled.samples().size(), i == 0 ? 0 : 1);
    EXPECT_TRUE(plain.samples().empty());
  }
  for (int i = 0; i <= 7; ++i) twice_as_often.advance(i / 48.0);
  const SurfaceSample sample = sampled.samples().front();
  EXPECT_NEAR(sample.time, 7 / 48.0, 1e-12);
  EXPECT_LT(furthest(sample.positions, twice_as_often.positions()), 1e-9);
  EXPECT_LT(furthest(sample.velocities, twice_as_often.velocities()), 1e-6);
  EXPECT_GT(furthest(sample.positions, sampled.positions()), 1e-4);
}

TEST(Flesh, InertiaIsFeltWhenItIsKeyed) {
  // A body that falls for a second: without inertia it does not feel that it does.
  const auto body =
      moved_ball([](const Vec3& p, double time) { return Vec3(p - 4.9 * time * time * Vec3::UnitY()); }, 1);
  FleshOptions options = soft();
  options.law.viscosity = 300;
  const auto lag = [&](double time) {
    return std::abs(mean_lags(*body, options, time, time, Vec3::UnitY()).front());
  };
  const double felt = lag(0.5);
  EXPECT_GT(felt, 1e-4);
  options.inertia = {0};
  EXPECT_LT(lag(0.5), 0.05 * felt);
  options.inertia_times = {0.4, 0.45};
  options.inertia = {0, 1};
  EXPECT_LT(lag(0.375), 0.05 * felt);
  EXPECT_GT(lag(0.75), 0.8 * felt);
}

TEST(Flesh, ACoreOnSpringsLagsAndOnStiffOnesIsFixed) {
  const auto body = arm();
  FleshOptions options = soft();
  const auto at_half = [&](double stiffness) {
    options.core_stiffness = stiffness;
    Flesh flesh(*body, options);
    for (int i = 0; i <= 12; ++i) EXPECT_TRUE(flesh.advance(i / 24.0).converged);
    return flesh.positions();
  };
  const SourcePoints fixed = at_half(0);
  EXPECT_GT(furthest(at_half(2e4), fixed), 1e-3);
  EXPECT_LT(furthest(at_half(1e7), fixed), 1e-4);
}

TEST(Flesh, SaysHowItIsStrained) {
  const auto body = arm();
  FleshOptions options = soft();
  options.law.phases = {{1e5, 0.02, 0.1, std::nullopt, 0}};
  Flesh flesh(*body, options);
  flesh.advance(0);
  const FleshStrain still = flesh.flesh_strain();
  ASSERT_EQ(still.phase.size(), body->mesh().vertex_count());
  for (std::size_t v = 0; v < still.phase.size(); ++v) {
    EXPECT_NEAR(still.stretch[v], 1, 1e-6);
    EXPECT_EQ(still.phase[v], 0);
  }
  for (int i = 1; i <= 12; ++i) flesh.advance(i / 24.0);
  const FleshStrain bent = flesh.flesh_strain();
  EXPECT_GT(*std::ranges::max_element(bent.stretch), 1.02);
  EXPECT_GT(*std::ranges::max_element(bent.phase), 0.01);
  EXPECT_LE(*std::ranges::max_element(bent.phase), 1);
  // The lattice knows the same of its tetrahedra, and more of them.
  const LayerMesh lattice = flesh.layer_meshes().front();
  ASSERT_EQ(lattice.fields[0].values.size(), lattice.mesh.vertex_count());
  ASSERT_EQ(lattice.tet_fields[0].values.size(), lattice.tets.size());
  EXPECT_GT(*std::ranges::max_element(lattice.fields[0].values), 1e-3);
  EXPECT_GE(*std::ranges::max_element(lattice.tet_fields[0].values), *std::ranges::max_element(bent.stretch));
  EXPECT_EQ(*std::ranges::max_element(lattice.fields[1].values), 1);
}

double enclosed(const Body& body, const SourcePoints& positions) {
  return enclosed_volume(body.weld().gather(positions).raw(), index_triangles(body.triangles().mesh));
}

TEST(Flesh, KeepsItsVolumeWhereItIsAskedTo) {
  // One side of a ball is pinched.
  const auto body = moved_ball(
      [](const Vec3& p, double time) {
        const double width = 1 - 0.12 * smooth_step(0, 0.06, p.x()) * smooth_step(0, 0.5, time);
        return Vec3(p.x(), width * p.y(), width * p.z());
      },
      2);
  const double rest = enclosed(*body, body->source().positions);
  const auto ratio = [&](bool keep) {
    FleshOptions options = soft(4000);
    options.law.viscosity = 300;
    options.keep_volume = keep;
    Flesh flesh(*body, options);
    for (int i = 0; i <= 36; ++i) EXPECT_TRUE(flesh.advance(i / 24.0).converged);
    return enclosed(*body, flesh.positions()) / rest;
  };
  EXPECT_LT(ratio(false), 0.96);
  EXPECT_NEAR(ratio(true), 1, 0.01);
}

TEST(Flesh, KeepsADentWhereItYields) {
  const auto body = moved_ball([](const Vec3& p, double) { return p; }, 4);
  FleshOptions options = soft();
  options.law.viscosity = 300;
  options.forces = {{{}, {0.0, 0.1, 1.0, 1.1}, {Vec3::Zero(), Vec3(30, 0, 0), Vec3(30, 0, 0), Vec3::Zero()}}};
  const auto left = [&] { return std::abs(mean_lags(*body, options, 2.5, 2.5, Vec3::UnitX()).back()); };
  const double elastic = left();
  options.plastic_yield = 0.02;
  options.plastic_rate = 5;
  EXPECT_LT(elastic, 1e-5);
  EXPECT_GT(left(), 20 * std::max(elastic, 1e-5));
}

}  // namespace
}  // namespace cutis
