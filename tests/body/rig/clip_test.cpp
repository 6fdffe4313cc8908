#include "cutis/body/rig/clip.h"

#include <cmath>

#include <gtest/gtest.h>

namespace cutis {
namespace {

Track track(TrackPath path, Interpolation interpolation, std::vector<double> times,
            std::vector<double> values) {
  return {0, path, interpolation, std::move(times), std::move(values)};
}

std::vector<double> at(const Track& t, double time) {
  std::vector<double> out(component_count(t));
  sample(t, time, out);
  return out;
}

/// Unit quaternion x y z w of a turn about z.
std::vector<double> turn(double degrees) {
  const double half = degrees * M_PI / 360;
  return {0, 0, std::sin(half), std::cos(half)};
}

std::vector<double> operator+(std::vector<double> a, const std::vector<double>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance) << "component " << i;
}

TEST(Clip, LinearMeetsItsKeysAndTheStraightLineBetween) {
  const Track t =
      track(TrackPath::Translation, Interpolation::Linear, {1, 2, 4}, {0, 0, 0, 1, 2, 3, 5, 2, -1});
  expect_near(at(t, 1), {0, 0, 0}, 0);
  expect_near(at(t, 2), {1, 2, 3}, 0);
  expect_near(at(t, 1.25), {0.25, 0.5, 0.75}, 1e-15);
  expect_near(at(t, 3.5), {4, 2, 0}, 1e-15);
}

TEST(Clip, HoldsStillOutsideItsKeys) {
  for (const Interpolation i : {Interpolation::Step, Interpolation::Linear}) {
    const Track t = track(TrackPath::Scale, i, {1, 2}, {1, 2, 3, 4, 5, 6});
    expect_near(at(t, -10), {1, 2, 3}, 0);
    expect_near(at(t, 10), {4, 5, 6}, 0);
  }
  const Track t = track(TrackPath::MorphWeights, Interpolation::CubicSpline, {1, 2}, {9, 1, 9, 9, 4, 9});
  expect_near(at(t, 0), {1}, 0);
  expect_near(at(t, 3), {4}, 0);
}

TEST(Clip, StepKeepsAValueUntilTheNextKey) {
  const Track t = track(TrackPath::MorphWeights, Interpolation::Step, {0, 1}, {3, 4, 5, 6});
  expect_near(at(t, 0.999999), {3, 4}, 0);
  expect_near(at(t, 1), {5, 6}, 0);
}

TEST(Clip, EqualTimesJumpToTheLaterValue) {
  const Track t = track(TrackPath::MorphWeights, Interpolation::Linear, {0, 1, 1, 2}, {0, 1, 5, 6});
  expect_near(at(t, 1), {5}, 0);
  expect_near(at(t, 0.5), {0.5}, 1e-15);
  expect_near(at(t, 1.5), {5.5}, 1e-15);
}

TEST(Clip, LinearRotationTurnsEvenly) {
  const Track t = track(TrackPath::Rotation, Interpolation::Linear, {0, 3}, turn(10) + turn(100));
  expect_near(at(t, 1), turn(40), 1e-15);
  expect_near(at(t, 2.5), turn(85), 1e-15);
}

TEST(Clip, LinearRotationTakesTheShortArc) {
  std::vector<double> far = turn(50);
  for (double& x : far) x = -x;
  const Track t = track(TrackPath::Rotation, Interpolation::Linear, {0, 1}, turn(10) + far);
  expect_near(at(t, 0.25), turn(20), 1e-15);
}

TEST(Clip, TinyRotationsAndUnnormalisedKeysStayUnit) {
  std::vector<double> from = turn(10), to = turn(10 + 1e-6);
  for (double& x : to) x *= 1.5;
  const Track t = track(TrackPath::Rotation, Interpolation::Linear, {0, 1}, from + to);
  expect_near(at(t, 0.5), turn(10 + 5e-7), 1e-15);
  const Track same = track(TrackPath::Rotation, Interpolation::Linear, {0, 1}, from + from);
  expect_near(at(same, 0.3), from, 1e-15);
}

TEST(Clip, CubicSplineReproducesACubicOnUnevenKeys) {
  // p(t) = t³ - 2t: Hermite with the true derivatives, scaled by the time between keys, is exact.
  const auto p = [](double s) { return s * s * s - 2 * s; };
  const auto dp = [](double s) { return 3 * s * s - 2; };
  std::vector<double> times = {-1, 0.5, 3}, values;
  for (double s : times) values = values + std::vector<double>{dp(s), p(s), dp(s)};
  const Track t = track(TrackPath::MorphWeights, Interpolation::CubicSpline, times, values);
  for (double s = -1; s <= 3; s += 0.13) EXPECT_NEAR(at(t, s)[0], p(s), 1e-13) << "at " << s;
}

TEST(Clip, CubicSplineUsesTheOutTangentOfOneKeyAndTheInTangentOfTheNext) {
  // Values zero; out-tangent 3 at the first key, in-tangent -3 at the second, over two seconds: s(1-s)·2·3.
  const Track t = track(TrackPath::MorphWeights, Interpolation::CubicSpline, {0, 2}, {7, 0, 3, -3, 0, 7});
  for (double s : {0.1, 0.5, 0.8}) EXPECT_NEAR(at(t, 2 * s)[0], 6 * s * (1 - s), 1e-14);
}

TEST(Clip, CubicSplineRotationIsUnit) {
  const std::vector<double> none(4, 0);
  const Track t = track(TrackPath::Rotation, Interpolation::CubicSpline, {0, 1},
                        none + turn(0) + none + none + turn(90) + none);
  expect_near(at(t, 0.5), turn(45), 1e-15);  // by symmetry
  const std::vector<double> q = at(t, 0.3);
  EXPECT_NEAR(q[2] * q[2] + q[3] * q[3], 1, 1e-15);
  // With no tangents the Hermite weight of the second key is 3s² - 2s³.
  const double w = 3 * 0.09 - 2 * 0.027;
  EXPECT_NEAR(q[2] / q[3], w * turn(90)[2] / (1 - w + w * turn(90)[3]), 1e-15);
}

TEST(Clip, DurationSpansAllTracks) {
  Clip clip;
  EXPECT_EQ(clip.duration().length(), 0);
  clip.tracks.push_back(track(TrackPath::MorphWeights, Interpolation::Linear, {0.5, 2}, {0, 1}));
  clip.tracks.push_back(track(TrackPath::MorphWeights, Interpolation::Linear, {1, 3}, {0, 1}));
  EXPECT_EQ(clip.duration().begin, 0.5);
  EXPECT_EQ(clip.duration().end, 3);
}

}  // namespace
}  // namespace cutis
