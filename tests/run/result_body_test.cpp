#include "cutis/run/result_body.h"

#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "cutis/body/procedural/procedural_bodies.h"
#include "cutis/run/runner.h"
#include "cutis/skin/none.h"
#include "run/lagging.h"
#include "support/skinned.h"
#include "support/support.h"

namespace cutis {
namespace {

constexpr double kFps = 24;

/// A motion along z by a formula, the same for all vertices.
struct Formula {
  std::function<double(double)> height;    ///< [m]
  std::function<double(double)> velocity;  ///< [m/s]
};

/// Knows its velocity, or keeps it to itself; and some instants of each frame.
class FormulaSlide final : public Slide {
 public:
  FormulaSlide(const Body& body, Formula formula, bool tells, int samples)
      : rest_(body.source().positions), formula_(std::move(formula)), tells_(tells), samples_(samples) {}
  StepReport advance(double time) override {
    before_ = std::exchange(time_, time);
    positions_ = at(time);
    return {};
  }
  const SourcePoints& positions() const override { return positions_; }
  SourcePoints velocities() const override { return velocities_at(time_); }
  std::vector<SurfaceSample> samples() const override {
    std::vector<SurfaceSample> out;
    for (int i = 1; i < samples_; ++i) {
      const double time = before_ + (time_ - before_) * i / samples_;
      out.push_back({time, at(time), velocities_at(time)});
    }
    return out;
  }
  State save() const override { return {}; }
  void restore(const State&) override {}

 private:
  SourcePoints rest_, positions_;
  Formula formula_;
  bool tells_;
  int samples_;
  double time_ = 0, before_ = 0;

  SourcePoints at(double time) const {
    SourcePoints points = rest_;
    for (Vec3& p : points) p.z() += formula_.height(time);
    return points;
  }
  SourcePoints velocities_at(double time) const {
    return tells_ ? SourcePoints(rest_.size(), Vec3(0, 0, formula_.velocity(time))) : SourcePoints();
  }
};

/// A ring that somebody painted on.
class PaintedRing final : public Body {
 public:
  PaintedRing() {
    set_rest(test::WavingRing(8, 6, 1).source());
    std::vector<double> colours(4 * source().vertex_count()), load(source().vertex_count(), 0.5);
    for (std::size_t i = 0; i < colours.size(); ++i) colours[i] = 0.01 * static_cast<double>(i);
    load.front() = std::numeric_limits<double>::quiet_NaN();
    set_attributes({{vertex_color_name, 4, colours}, {"_Load", 1, load}});
  }
  Interval duration() const override { return {0, 0}; }
  SourcePoints compute_positions(double) const override { return source().positions; }
};

class ResultBodyTest : public testing::Test {
 protected:
  test::TemporaryFolder temporary_;
  test::WavingRing ring_{8, 6, 1};

  std::unique_ptr<ResultBody> made_by(const Formula& formula, bool tells, int samples = 1) {
    RunPlan plan;
    plan.times = frame_times(ring_.duration(), kFps);
    FormulaSlide slide(ring_, formula, tells, samples);
    run(ring_, slide, plan, {temporary_ / "out", false, nullptr, nullptr});
    return std::make_unique<ResultBody>(temporary_ / "out");
  }
  double height(const Body& body, double time) const {
    return body.source_positions(time)[SourceVertexId(0)].z() -
           body.source().positions[SourceVertexId(0)].z();
  }
  /// Within one stretch between frames, where the motion is a cubic.
  double acceleration(const Body& body, double time) const {
    const double h = 1e-3;
    return (height(body, time + h) + height(body, time - h) - 2 * height(body, time)) / (h * h);
  }
};

TEST_F(ResultBodyTest, VelocitiesKeepTheAccelerationOfAJiggle) {
  const double w = test::kTurn * 4;
  const Formula jiggle{[=](double t) { return 0.01 * std::sin(w * t); },
                       [=](double t) { return 0.01 * w * std::cos(w * t); }};
  const auto error = [&](bool tells) {
    const auto body = made_by(jiggle, tells);
    double off = 0, all = 0;
    for (int frame = 4; frame < 20; ++frame)
      for (double u = 0.05; u < 1; u += 0.05) {
        const double t = (frame + u) / kFps, truth = -w * w * jiggle.height(t);
        off += std::pow(acceleration(*body, t) - truth, 2);
        all += truth * truth;
      }
    return std::sqrt(off / all);
  };
  const double with = error(true), without = error(false);
  RecordProperty("with_velocities", std::to_string(with));
  RecordProperty("without", std::to_string(without));
  EXPECT_LT(with, 0.05);
  EXPECT_GT(without, 0.3);
}

TEST_F(ResultBodyTest, SamplesKeepAJiggleThatIsFasterThanFrames) {
  const double w = test::kTurn * 15;
  const Formula jiggle{[=](double t) { return 0.01 * std::sin(w * t); },
                       [=](double t) { return 0.01 * w * std::cos(w * t); }};
  const auto error = [&](int samples) {
    const auto body = made_by(jiggle, true, samples);
    EXPECT_EQ(body->frame_rate(), 24);
    EXPECT_EQ(body->duration().begin, 0);
    double off = 0;
    for (double t = 0.1; t < 0.9; t += 1e-3)
      off = std::max(off, std::abs(height(*body, t) - jiggle.height(t)));
    return off / 0.01;
  };
  EXPECT_GT(error(1), 0.2);
  EXPECT_LT(error(4), 0.01);
}

TEST_F(ResultBodyTest, KeepsWhatIsPaintedThroughEveryStage) {
  const PaintedRing painted;
  RunPlan plan;
  plan.times = {0, 0.5};
  NoSlide first(painted);
  run(painted, first, plan, {temporary_ / "first", false, nullptr, nullptr});
  const ResultBody once(temporary_ / "first");
  NoSlide second(once);
  run(once, second, plan, {temporary_ / "second", false, nullptr, nullptr});
  const ResultBody twice(temporary_ / "second");
  for (const char* name : {vertex_color_name, "load"}) {
    const auto truth = painted.attribute(name), kept = twice.attribute(name);
    ASSERT_TRUE(truth && kept) << name;
    EXPECT_EQ(kept->components, truth->components);
    ASSERT_EQ(kept->values.size(), truth->values.size());
    for (std::size_t i = 1; i < kept->values.size(); ++i) EXPECT_EQ(kept->values[i], truth->values[i]);
  }
  EXPECT_TRUE(std::isnan(twice.attribute("load")->values.front()));
}

TEST_F(ResultBodyTest, AnImpactIsNotKnownBeforeItsFrame) {
  const double hit = 10.5 / kFps;
  const Formula bounce{[=](double t) { return t < hit ? t : 2 * hit - t; },
                       [=](double t) { return t < hit ? 1.0 : -1.0; }};
  const auto furthest_off = [&](const Body& body, double from, double to) {
    double off = 0;
    for (double t = from; t < to; t += 1e-3)
      off = std::max(off, std::abs(height(body, t) - bounce.height(t)));
    return off;
  };
  const auto body = made_by(bounce, true);
  EXPECT_LT(furthest_off(*body, 0, 10 / kFps), 1e-14);
  EXPECT_LT(furthest_off(*body, 11 / kFps, 1), 1e-14);
  // In between a cubic rounds the corner off, by less than half of its height.
  EXPECT_LT(furthest_off(*body, 10 / kFps, 11 / kFps), 0.26 / kFps);
  const auto blind = made_by(bounce, false);
  EXPECT_GT(furthest_off(*blind, 0, 10 / kFps), 0.05 / kFps);
}

class StoredAs : public ResultBodyTest, public testing::WithParamInterface<FrameStorage> {};
INSTANTIATE_TEST_SUITE_P(Storages, StoredAs, testing::Values(FrameStorage::Positions, FrameStorage::Map));

TEST_P(StoredAs, KeepsTheSkeletonOfItsSource) {
  const auto open = [] { return open_cast_member("arm", 0.05); };
  const std::unique_ptr<Body> arm = open();
  RunPlan plan;
  plan.storage = GetParam();
  plan.times = frame_times(arm->duration(), kFps);
  NoSlide slide(*arm);
  run(*arm, slide, plan, {temporary_ / "arm", false, nullptr, nullptr});
  const double scale = 2;
  const ResultBody body(
      temporary_ / "arm", [&](const auto&, const auto&) { return open(); }, scale);
  const Skeleton from = *arm->skeleton(), to = *body.skeleton();
  ASSERT_EQ(to.joints.size(), from.joints.size());
  for (std::size_t j = 0; j < to.joints.size(); ++j) {
    EXPECT_EQ(to.joints[j].name, from.joints[j].name);
    EXPECT_EQ(to.joints[j].parent, from.joints[j].parent);
    EXPECT_EQ(to.joints[j].position, scale * from.joints[j].position);
  }
  EXPECT_EQ(to.influences.offsets, from.influences.offsets);
  EXPECT_EQ(to.influences.joints, from.influences.joints);
  EXPECT_EQ(to.influences.weights, from.influences.weights);
  EXPECT_EQ(body.attribute(from.joints[1].name)->values, arm->attribute(from.joints[1].name)->values);
  const auto off = [&](double time) {
    double most = 0;
    for (std::size_t j = 0; j < to.joints.size(); ++j) {
      JointTransform expected = arm->joint_transforms(time)[j];
      expected.col(3) *= scale;
      most = std::max(most, (body.joint_transforms(time)[j] - expected).norm());
    }
    return most;
  };
  for (const double time : plan.times) EXPECT_EQ(off(time), 0) << time;
  for (std::size_t i = 0; i + 1 < plan.times.size(); ++i)
    EXPECT_LT(off((plan.times[i] + plan.times[i + 1]) / 2), 1e-5);
}

/// As versions before wrote it.
TEST_F(ResultBodyTest, AResultWithoutJointsOpens) {
  const std::unique_ptr<Body> arm = open_cast_member("arm", 0.05);
  RunPlan plan;
  plan.times = {0, 0.5};
  NoSlide slide(*arm);
  run(*arm, slide, plan, {temporary_ / "arm", false, nullptr, nullptr});
  for (const char* name : {"mesh.npz", "frames/000001.npz", "frames/000002.npz"}) {
    Npz arrays = read_npz(temporary_ / "arm" / name);
    std::erase_if(arrays, [](const auto& array) {
      return array.first.starts_with("joint_") || array.first.starts_with("influence_");
    });
    write_npz(temporary_ / "arm" / name, arrays);
  }
  const ResultBody body(temporary_ / "arm");
  EXPECT_FALSE(body.skeleton());
  EXPECT_TRUE(body.joint_transforms(0.2).empty());
  EXPECT_EQ(body.source_positions(0.5), arm->source_positions(0.5));
}

}  // namespace
}  // namespace cutis
