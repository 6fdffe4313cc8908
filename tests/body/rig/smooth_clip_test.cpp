#include "cutis/body/rig/smooth_clip.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "cutis/body/rig/clip.h"

namespace cutis {
namespace {

using Values = Eigen::VectorXd;

Track linear(TrackPath path, std::vector<double> times, std::vector<double> values) {
  return {0, path, Interpolation::Linear, std::move(times), std::move(values)};
}

/// Of one number.
Track curve(std::vector<double> times, std::vector<double> values) {
  return linear(TrackPath::MorphWeights, std::move(times), std::move(values));
}

Track smooth(const Track& track) { return smoothed(Clip{"clip", {track}}).tracks[0]; }

Values at(const Track& track, double time) {
  Values out(static_cast<Eigen::Index>(component_count(track)));
  sample(track, time, {out.data(), component_count(track)});
  return out;
}

/// From one side of a time, with the sign of the step: fourth order, exact for cubics.
Values velocity(const Track& track, double time, double step) {
  Values sum = -25.0 / 12 * at(track, time);
  const double weights[] = {4, -3, 4.0 / 3, -1.0 / 4};
  for (int i = 0; i < 4; ++i) sum += weights[i] * at(track, time + (i + 1) * step);
  return sum / step;
}

/// Turns of up to 150 degrees at uneven times, as unit quaternions of either sign.
Track random_rotations(unsigned seed, int keys) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0, 1);
  Track track = linear(TrackPath::Rotation, {}, {});
  Quat q = Quat::Identity();
  for (int k = 0; k < keys; ++k) {
    const Vec3 axis = Vec3(normal(random), normal(random), normal(random)).normalized();
    q = q * Quat(Eigen::AngleAxisd(150 * kDegree * uniform(random), axis));
    const double sign = uniform(random) < 0.5 ? -1 : 1;
    for (double x : q.coeffs()) track.values.push_back(sign * x);
    track.times.push_back(k == 0 ? 0 : track.times.back() + 0.05 + 0.2 * uniform(random));
  }
  return track;
}

Track random_curve(unsigned seed, int keys) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  Track track = curve({}, {});
  for (int k = 0; k < keys; ++k) {
    track.values.push_back(uniform(random));
    track.times.push_back(k == 0 ? 0 : track.times.back() + 0.05 + 0.2 * uniform(random));
  }
  return track;
}

TEST(SmoothClip, MeetsTheKeysWithAContinuousVelocity) {
  for (unsigned seed = 0; seed < 20; ++seed)
    for (const Track& track : {random_curve(seed, 12), random_rotations(seed, 12)}) {
      const Track s = smooth(track);
      for (std::size_t k = 0; k < track.times.size(); ++k) {
        const Values key = at(track, track.times[k]), same = at(s, track.times[k]);
        EXPECT_NEAR(std::min((key - same).norm(), (key + same).norm()), 0,
                    track.path == TrackPath::Rotation ? 4e-16 : 0);
        if (k == 0 || k + 1 == track.times.size()) continue;
        const double step = 2e-5;
        const Values before = velocity(s, track.times[k], -step), after = velocity(s, track.times[k], step);
        EXPECT_NEAR((before - after).norm(), 0, 1e-9 * std::max(1.0, before.norm())) << k;
      }
    }
}

TEST(SmoothClip, KeysAlongALineStayALine) {
  const Track s = smooth(curve({0, 1, 4, 5}, {1, 3, 9, 11}));
  for (double t = 0; t <= 5; t += 0.1) EXPECT_NEAR(at(s, t)[0], 1 + 2 * t, 1e-14);
  const Track two = smooth(curve({1, 9}, {0, 4}));
  for (double t = 1; t <= 9; t += 0.1) EXPECT_NEAR(at(two, t)[0], (t - 1) / 2, 1e-14);
}

TEST(SmoothClip, ATurnBetweenTwoKeysIsNearlyEven) {
  const auto key = [](double angle) {
    return std::vector{0.0, 0.0, std::sin(angle / 2), std::cos(angle / 2)};
  };
  for (const double degrees : {30, 90, 170}) {
    std::vector<double> values = key(0), end = key(degrees * kDegree);
    values.insert(values.end(), end.begin(), end.end());
    const Track s = smooth(linear(TrackPath::Rotation, {0, 1}, values));
    double before = 0;
    for (double t = 0.05; t < 1; t += 0.05) {
      const Values q = at(s, t);
      const double angle = 2 * std::atan2(q[2], q[3]);
      EXPECT_NEAR(angle, degrees * kDegree * t, 5e-4 * std::pow(degrees / 90, 5)) << degrees << " at " << t;
      EXPECT_GT(angle, before);
      before = angle;
    }
  }
}

/// Between keys that rise, fall or hold the curve does too: nothing swings beyond a stop.
TEST(SmoothClip, NothingOvershootsAHoldOrAStop) {
  const std::vector<std::vector<double>> curves = {{0, 1, 2, 3, 3, 3, 3},
                                                   {3, 3, 3, 2, 0, 0},
                                                   {0, 0, 5, 5},
                                                   {0, 1, 1, 4, 4, 4, 2, 2},
                                                   {0, 10, 10.01, 10.02}};
  for (const std::vector<double>& values : curves) {
    std::vector<double> times;
    for (std::size_t k = 0; k < values.size(); ++k) times.push_back(0.1 * static_cast<double>(k * k + k));
    const Track s = smooth(curve(times, values));
    for (std::size_t k = 0; k + 1 < values.size(); ++k) {
      double last = values[k];
      const double way = values[k + 1] - values[k];
      for (int i = 1; i <= 50; ++i) {
        const double now = at(s, times[k] + (times[k + 1] - times[k]) * i / 50)[0];
        if (way == 0)
          EXPECT_NEAR(now, values[k], 1e-14);
        else
          EXPECT_GE((now - last) * (way > 0 ? 1 : -1), -1e-14) << "between keys " << k << " and " << k + 1;
        last = now;
      }
    }
  }
}

/// Rotations about one axis: none goes back while its keys go on, none moves while they hold.
TEST(SmoothClip, RotationsDoNotOvershootEither) {
  const std::vector<double> degrees = {0, 0, 150, 150, 160, 300, 300, 300, 290};
  Track track = linear(TrackPath::Rotation, {}, {});
  for (std::size_t k = 0; k < degrees.size(); ++k) {
    track.times.push_back(static_cast<double>(k));
    const double half = degrees[k] * kDegree / 2;
    track.values.insert(track.values.end(), {std::sin(half), 0.0, 0.0, std::cos(half)});
  }
  const Track s = smooth(track);
  for (std::size_t k = 0; k + 1 < degrees.size(); ++k)
    for (double u = 0; u <= 1; u += 0.02) {
      const Values q = at(s, static_cast<double>(k) + u);
      const Values from = at(s, static_cast<double>(k)), to = at(s, static_cast<double>(k + 1));
      const auto angle = [](const Values& a, const Values& b) {
        return 2 * std::acos(std::min(1.0, std::abs(a.dot(b))));
      };
      EXPECT_NEAR(angle(from, q) + angle(q, to), angle(from, to), 1e-7) << degrees[k] << " at " << u;
    }
}

/// Catmull and Rom's tangents, not cut off where the wave turns: of third order in the step everywhere.
TEST(SmoothClip, KeepsTheCrestsOfASmoothMotion) {
  const auto error = [](double step) {
    Track track = curve({}, {});
    for (double t = 0.123; t < 12; t += step) {
      track.times.push_back(t);
      track.values.push_back(std::sin(t));
    }
    const Track s = smooth(track);
    double worst = 0;
    for (double t = 1; t < 11; t += 0.003) worst = std::max(worst, std::abs(at(s, t)[0] - std::sin(t)));
    return worst;
  };
  EXPECT_LT(error(0.2), 0.0004);  // the polyline: 0.005
  EXPECT_LT(error(0.1), error(0.2) / 7);
}

TEST(SmoothClip, ATrackThatEndsEarlyComesToRestThere) {
  const Clip clip = smoothed({"clip", {curve({0, 1, 2}, {0, 1, 2}), curve({0, 3}, {0, 1})}});
  EXPECT_NEAR(velocity(clip.tracks[0], 2, -1e-2)[0], 0, 1e-9);
  EXPECT_NEAR(at(clip.tracks[0], 2.5)[0], 2, 1e-15);
  EXPECT_NEAR(velocity(clip.tracks[1], 3, -1e-2)[0], 1.0 / 3, 1e-9);
  const Clip late = smoothed({"clip", {curve({1, 2}, {0, 1}), curve({0, 3}, {0, 1})}});
  EXPECT_NEAR(velocity(late.tracks[0], 1, 1e-2)[0], 0, 1e-9);
}

TEST(SmoothClip, JumpsStepsAndSplinesStayAsTheyAre) {
  const Track jump = smooth(curve({0, 1, 2, 2, 3}, {0, 1, 2, 7, 7}));
  EXPECT_EQ(at(jump, 2)[0], 7);
  EXPECT_NEAR(at(jump, 2 - 1e-9)[0], 2, 1e-8);
  EXPECT_NEAR(at(jump, 0.3)[0], 0.3, 1e-15);
  EXPECT_NEAR(at(jump, 2.5)[0], 7, 1e-15);
  for (const Interpolation kept : {Interpolation::Step, Interpolation::CubicSpline}) {
    Track track = curve({0, 1, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8});
    track.interpolation = kept;
    const Clip clip = smoothed({"clip", {track, curve({0, 9}, {0, 1})}});
    EXPECT_EQ(clip.tracks[0].interpolation, kept);
    EXPECT_EQ(clip.tracks[0].times, track.times);
    EXPECT_EQ(clip.tracks[0].values, track.values);
  }
}

}  // namespace
}  // namespace cutis
