// A character in slow motion and at its own speed: biphasic flesh ripples as soft flesh does where little
// happens, and stays on where much does.
#include <algorithm>
#include <iostream>

#include <gtest/gtest.h>

#include "cutis/body/procedural/procedural_bodies.h"
#include "cutis/flesh/flesh.h"

namespace cutis {
namespace {

/// A body whose time goes by so many times as slowly.
class SlowBody final : public Body {
 public:
  SlowBody(const Body& body, double times) : body_(body), times_(times) { set_rest(body.source()); }
  Interval duration() const override {
    return {times_ * body_.duration().begin, times_ * body_.duration().end};
  }
  SourcePoints smooth_positions(double time) const override { return body_.smooth_positions(time / times_); }
  std::optional<Skeleton> skeleton() const override { return body_.skeleton(); }
  std::vector<JointTransform> joint_transforms(double time) const override {
    return body_.joint_transforms(time / times_);
  }

 private:
  SourcePoints compute_positions(double time) const override { return body_.source_positions(time / times_); }
  const Body& body_;
  double times_;
};

/// How far the flesh of a heavy man gets from the animation at the most, while a fall ends at 20 g, so many
/// times slowed down.
double amplitude(double times, bool biphasic) {
  RigChoice fall;
  fall.clip = "fall";
  const auto body = open_cast_member("heavy", 0.02, fall);
  const SlowBody slow(*body, times);
  FleshOptions options;
  options.tetrahedra = 5000;
  options.law.young = 1e4;
  options.law.poisson = 0.45;
  options.law.viscosity = 150;
  options.retarget_time = 0.1;
  if (biphasic) options.law.phases.push_back({10 * options.law.young, 0.1, 0.3, std::nullopt, 0});
  Flesh flesh(slow, options);
  double most = 0;
  // He is stopped from 1.25 s on, within 43 ms.
  for (double time = 1.15 * times; time < 1.45 * times; time += 1 / 48.0) {
    EXPECT_TRUE(flesh.advance(time).converged) << time;
    const SourcePoints animated = slow.smooth_positions(time);
    for (SourceVertexId v : ids<SourceVertexId>(animated.size()))
      most = std::max(most, (flesh.positions()[v] - animated[v]).norm());
  }
  return most;
}

TEST(SlowMotion, BiphasicFleshRipplesAsSoftFleshDoesAndStaysOnWhenItIsFast) {
  const double slow_soft = amplitude(8, false), slow_biphasic = amplitude(8, true);
  const double fast_soft = amplitude(1, false), fast_biphasic = amplitude(1, true);
  std::cout << "a stop by 20 g, eight times slower: linear " << slow_soft << " m, biphasic " << slow_biphasic
            << " m; as it is: " << fast_soft << ", " << fast_biphasic << " m\n";
  EXPECT_GT(slow_soft, 1e-3);
  EXPECT_NEAR(slow_biphasic / slow_soft, 1, 0.1);
  EXPECT_GT(fast_soft, 1.5 * fast_biphasic);
}

/// From 0.4 s on, in the air and on the ground, four times slowed down.
TEST(SlowMotion, TheFleshOfARunningBeastRipples) {
  RigChoice run;
  run.clip = "run";
  const auto body = open_cast_member("beast", 0.027, run);
  const SlowBody slow(*body, 4);
  FleshOptions options;
  options.tetrahedra = 8000;
  options.law.young = 4e4;
  options.law.poisson = 0.45;
  options.law.viscosity = 150;
  options.law.phases.push_back({10 * options.law.young, 0.1, 0.3, std::nullopt, 0});
  options.retarget_time = 0.1;
  Flesh flesh(slow, options);
  double most = 0;
  for (double time = 1.6; time < 3.2; time += 1 / 24.0) {
    EXPECT_TRUE(flesh.advance(time).converged) << time;
    const SourcePoints animated = slow.smooth_positions(time);
    for (SourceVertexId v : ids<SourceVertexId>(animated.size()))
      most = std::max(most, (flesh.positions()[v] - animated[v]).norm());
  }
  std::cout << "a beast that runs, four times slower: its flesh ripples by " << 1000 * most << " mm\n";
  EXPECT_GT(most, 1e-3);
  EXPECT_LT(most, 0.05);
}

}  // namespace
}  // namespace cutis
