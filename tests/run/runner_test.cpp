#include "cutis/run/runner.h"

#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/core/cancellation.h"
#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "cutis/run/result.h"
#include "cutis/skin/none.h"
#include "run/lagging.h"
#include "support/support.h"

namespace cutis {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class Runner : public testing::Test {
 protected:
  test::TemporaryFolder temporary_;
  test::WavingRing body_{10, 6, 0.5};
  RunPlan plan_;

  Runner() {
    plan_.times = frame_times(body_.duration(), 24);
    plan_.shot = "shot\n";
  }
  RunOptions into(const std::string& name, bool resume = false) const {
    return {temporary_ / name, resume, nullptr, nullptr};
  }
  Bytes frame_bytes(const std::string& name, int frame) const {
    return read_file(temporary_ / name / fmt::format("frames/{:06}.npz", frame));
  }
};

/// Goes wrong at the fourth frame, an eighth of a second in, in the way it is told to.
class FailingSlide final : public test::LaggingSlide {
 public:
  enum class Way { NotFinite, TooFast, NotConverged, NoState, TooMany, InputVanished, Folded, TooFar };
  FailingSlide(const Body& body, Way way) : LaggingSlide(body), way_(way) {}
  StepReport advance(double time) override {
    StepReport report = LaggingSlide::advance(time);
    if (way_ == Way::Folded && time >= 3.0 / 24 && time <= 5.0 / 24)
      report.folded.assign(static_cast<std::size_t>(std::lround(time * 24)) * 2, Vec3(1, 2, 3));
    if (time != 3.0 / 24) return report;
    if (way_ == Way::NotConverged) return {false, 17, 1e-3, "element 5 is inverted"};
    if (way_ == Way::NoState) return {false, 17, INFINITY, "element 5 is inverted"};
    if (way_ == Way::InputVanished) throw InputError("walk.pc2: no such file");
    if (way_ == Way::TooMany) positions_.push_back(Vec3::Zero());
    if (way_ == Way::TooFast) velocities_[SourceVertexId(8)].x() = INFINITY;
    if (way_ == Way::TooFar) positions_[SourceVertexId(9)].y() += 29000;
    if (way_ == Way::NotFinite) positions_[SourceVertexId(9)].y() = NAN;
    return report;
  }

 private:
  Way way_;
};

TEST(FrameTimes, IncludeBothEndsAndStayInside) {
  EXPECT_THAT(frame_times({1, 1.5}, 4), ElementsAre(1, 1.25, 1.5));
  EXPECT_THAT(frame_times({0, 0.3}, 4), ElementsAre(0, 0.25));
  EXPECT_THAT(frame_times({2, 2}, 24), ElementsAre(2));
  const auto third = frame_times({0, 0.1 * 3}, 10);  // 0.1 * 3 is a little more than 0.3
  EXPECT_EQ(third.size(), 4u);
  EXPECT_THROW(frame_times({0, 1e9}, 24), InputError);
  EXPECT_THROW(frame_times({0, 1}, 0), InputError);
  EXPECT_THROW(frame_times({1, 0}, 24), InputError);
}

TEST_F(Runner, NoSlideWritesTheBodyItself) {
  NoSlide slide(body_);
  const RunReport report = run(body_, slide, plan_, into("a"));
  EXPECT_EQ(report.outcome, RunOutcome::Complete);
  const ResultReader result(temporary_ / "a");
  ASSERT_EQ(result.frame_count(), 13);
  for (int i = 1; i <= 13; ++i) {
    const ResultFrame frame = result.frame(i);
    EXPECT_EQ(frame.time, (i - 1) / 24.0);
    EXPECT_EQ(frame.positions, body_.source_positions(frame.time));
  }
  EXPECT_TRUE(result.summary().complete);
  EXPECT_GT(result.summary().peak_memory, 1000000);
  EXPECT_EQ(result.summary().frame_times.count, 13);
}

TEST_F(Runner, TellsItsProgress) {
  NoSlide slide(body_);
  RunOptions options = into("a");
  std::vector<int> seen;
  double last_left = -1;
  options.progress = [&](const Progress& p) {
    EXPECT_EQ(p.frames, 13);
    EXPECT_GE(p.seconds, 0);
    seen.push_back(p.frame);
    last_left = p.seconds_left;
  };
  run(body_, slide, plan_, options);
  EXPECT_THAT(seen, ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13));
  EXPECT_EQ(last_left, 0);
}

TEST_F(Runner, APrerollGivesTheFramesOfALongerRun) {
  test::LaggingSlide whole(body_), later(body_), sudden(body_);
  run(body_, whole, plan_, into("whole"));
  plan_.preroll.assign(plan_.times.begin(), plan_.times.end() - 4);
  plan_.times.erase(plan_.times.begin(), plan_.times.end() - 4);
  EXPECT_EQ(run(body_, later, plan_, into("later")).frames, 4);
  const ResultReader longer(temporary_ / "whole"), result(temporary_ / "later");
  for (int i = 1; i <= 4; ++i) EXPECT_EQ(result.frame(i).positions, longer.frame(9 + i).positions);
  plan_.preroll.clear();
  run(body_, sudden, plan_, into("sudden"));
  EXPECT_NE(ResultReader(temporary_ / "sudden").frame(1).positions, longer.frame(10).positions);
}

TEST_F(Runner, CanBeStoppedBeforeTheFirstFrame) {
  test::LaggingSlide slide(body_);
  plan_.preroll = {-0.1};
  const std::atomic<bool> stop = true;
  RunOptions options = into("a");
  options.stop = &stop;
  const RunReport report = run(body_, slide, plan_, options);
  EXPECT_EQ(report.outcome, RunOutcome::Stopped);
  EXPECT_THAT(report.reason, HasSubstr("before the first frame"));
}

TEST_F(Runner, StoppedAtEachFrameAndResumedGivesTheSameBits) {
  plan_.figures = {{"spread", "log_area_spread", 1.0, {}, {}, {}}};
  test::LaggingSlide undisturbed(body_);
  const RunReport whole = run(body_, undisturbed, plan_, into("whole"));
  RunReport report;
  int sessions = 0;
  do {
    // A new slide each time: all it knows of the past is what was saved.
    test::LaggingSlide slide(body_);
    std::atomic<bool> stop = false;
    RunOptions options = into("parts", sessions > 0);
    options.stop = &stop;
    options.progress = [&](const Progress& p) { stop = p.frame < p.frames; };
    report = run(body_, slide, plan_, options);
    ++sessions;
    ASSERT_LE(sessions, 13);
  } while (report.outcome == RunOutcome::Stopped);
  EXPECT_EQ(sessions, 13);
  for (int i = 1; i <= 13; ++i) EXPECT_EQ(frame_bytes("parts", i), frame_bytes("whole", i)) << i;
  EXPECT_EQ(report.figures[0].value, whole.figures[0].value);
  EXPECT_GT(whole.figures[0].value, 0);
}

/// Takes for ever over its fourth frame.
class EndlessSlide final : public test::LaggingSlide {
 public:
  EndlessSlide(const Body& body, std::atomic<bool>& stop) : LaggingSlide(body), stop_(stop) {}
  StepReport advance(double time) override {
    if (++steps_ == 4) {
      stop_ = true;
      for (;;) check_cancelled();
    }
    return LaggingSlide::advance(time);
  }

 private:
  std::atomic<bool>& stop_;
  int steps_ = 0;
};

TEST_F(Runner, AStopIsHeardInTheMidstOfAFrameAndTheFramesBeforeItStay) {
  std::atomic<bool> stop = false;
  EndlessSlide slide(body_, stop);
  RunOptions options = into("a");
  options.stop = &stop;
  const RunReport report = run(body_, slide, plan_, options);
  EXPECT_EQ(report.outcome, RunOutcome::Stopped);
  EXPECT_EQ(report.reason, "stopped as asked in frame 4 of 13");
  EXPECT_EQ(report.frames, 3);
  const ResultReader result(temporary_ / "a");
  EXPECT_EQ(result.frame_count(), 3);
  EXPECT_EQ(result.summary().stopped, report.reason);
  test::LaggingSlide again(body_);
  EXPECT_EQ(run(body_, again, plan_, into("a", true)).outcome, RunOutcome::Complete);
}

TEST_F(Runner, AStopBeforeTheFirstFrameWritesNone) {
  NoSlide slide(body_);
  const std::atomic<bool> stop = true;
  RunOptions options = into("a");
  options.stop = &stop;
  const RunReport report = run(body_, slide, plan_, options);
  EXPECT_EQ(report.outcome, RunOutcome::Stopped);
  EXPECT_EQ(report.frames, 0);
  EXPECT_FALSE(ResultReader(temporary_ / "a").summary().complete);
}

TEST_F(Runner, AFrameThatFailsIsNotWrittenAndTheOthersStay) {
  using Way = FailingSlide::Way;
  for (const auto& [way, words] : {std::pair(Way::NotFinite, "vertex 9"),
                                   {Way::TooFast, "vertex 8 has a velocity that is no number"},
                                   {Way::TooMany, "78 vertices"},
                                   {Way::NoState, "17 iterations: element 5 is inverted"},
                                   {Way::NotConverged, "17 iterations: element 5 is inverted"}}) {
    FailingSlide slide(body_, way);
    plan_.on_failure = way == Way::NotConverged ? OnFailure::Stop : OnFailure::Continue;
    const RunReport report = run(body_, slide, plan_, into("a"));
    EXPECT_EQ(report.outcome, RunOutcome::Failed);
    EXPECT_EQ(report.frames, 3);
    EXPECT_THAT(report.reason, testing::AllOf(HasSubstr("frame 4"), HasSubstr(words)));
    const ResultReader result(temporary_ / "a");
    EXPECT_EQ(result.frame_count(), 3);
    EXPECT_FALSE(fs::exists(temporary_ / "a/frames/000004.npz"));
    EXPECT_EQ(result.summary().stopped, report.reason);
    EXPECT_TRUE(report.figures.empty());
  }
}

TEST_F(Runner, AFrameFarFromItsBodyHasNotConverged) {
  FailingSlide slide(body_, FailingSlide::Way::TooFar);
  const RunReport report = run(body_, slide, plan_, into("a"));
  EXPECT_EQ(report.outcome, RunOutcome::Complete);
  ASSERT_FALSE(report.unconverged.empty());  // it comes back slowly
  EXPECT_EQ(report.unconverged[0].frame, 4);
  EXPECT_THAT(report.unconverged[0].reason, HasSubstr("vertex 9 is 2.9e+04 m from where the body has it"));
}

TEST_F(Runner, AFrameThatDoesNotConvergeIsWrittenAndNamed) {
  plan_.figures = {{"residual", "residual", 1.0, {}, {}, {}}};
  FailingSlide slide(body_, FailingSlide::Way::NotConverged);
  const RunReport report = run(body_, slide, plan_, into("whole"));
  EXPECT_EQ(report.outcome, RunOutcome::Complete);
  const std::vector<UnconvergedFrame> expected{{4, 1e-3, "element 5 is inverted"}};
  EXPECT_EQ(report.unconverged, expected);
  EXPECT_EQ(report.figures.at(0).value, 1e-3);
  const ResultReader result(temporary_ / "whole");
  EXPECT_EQ(result.frame(4).residual, 1e-3);
  EXPECT_EQ(result.summary().unconverged, expected);
  EXPECT_THAT(unconverged_words(result.summary()),
              testing::AllOf(HasSubstr("1 of 13 frames did not converge: 4 "), HasSubstr("residual 0.001"),
                             HasSubstr("solver.substeps")));

  // A run that was stopped after it still names it, with the same bits in its frames.
  std::atomic<bool> stop = false;
  RunOptions options = into("parts");
  options.stop = &stop;
  options.progress = [&](const Progress& p) { stop = p.frame == 6; };
  FailingSlide first(body_, FailingSlide::Way::NotConverged), second(body_, FailingSlide::Way::NotConverged);
  EXPECT_EQ(run(body_, first, plan_, options).outcome, RunOutcome::Stopped);
  EXPECT_EQ(run(body_, second, plan_, into("parts", true)).unconverged, expected);
  for (int i = 1; i <= 13; ++i) EXPECT_EQ(frame_bytes("parts", i), frame_bytes("whole", i)) << i;
}

TEST_F(Runner, FoldedTrianglesAreCountedAndPlaced) {
  std::atomic<bool> stop = false;
  RunOptions options = into("a");
  options.stop = &stop;
  options.progress = [&](const Progress& p) { stop = p.frame == 5; };
  FailingSlide first(body_, FailingSlide::Way::Folded), second(body_, FailingSlide::Way::Folded);
  EXPECT_EQ(run(body_, first, plan_, options).outcome, RunOutcome::Stopped);
  EXPECT_EQ(run(body_, second, plan_, into("a", true)).outcome, RunOutcome::Complete);
  const Summary summary = ResultReader(temporary_ / "a").summary();
  const auto places = [](std::size_t count) { return std::vector<Vec3>(count, Vec3(1, 2, 3)); };
  const std::vector<FoldedFrame> expected{{4, 6, places(5)}, {5, 8, places(5)}, {6, 10, places(5)}};
  EXPECT_EQ(summary.folded, expected);
  EXPECT_THAT(
      folded_words(summary),
      HasSubstr("3 of 13 frames have folded triangles: 4-6 (most in frame 6: 10, near 1.000 2.000 3.000"));
  EXPECT_THAT(warnings(summary), ElementsAre(folded_words(summary)));
}

TEST(UnconvergedWords, NamesFramesInRanges) {
  Summary s;
  s.frames = 40;
  EXPECT_EQ(unconverged_words(s), "");
  for (int i : {2, 3, 4, 9, 12, 13}) s.unconverged.push_back({i, 0.1 * i, "slow"});
  EXPECT_THAT(unconverged_words(s),
              HasSubstr("6 of 40 frames did not converge: 2-4, 9, 12-13 (largest residual "
                        "1.3, in frame 13: slow)"));
  EXPECT_THAT(unconverged_words(s), HasSubstr("solver.max_iterations"));
  s.remedy = "take more care";
  EXPECT_THAT(unconverged_words(s), testing::AllOf(HasSubstr("slow); take more care; solver.on_failure"),
                                                   testing::Not(HasSubstr("max_iterations"))));
  for (int i = 15; i < 40; i += 2) s.unconverged.push_back({i, 0, "slow"});
  EXPECT_THAT(unconverged_words(s), HasSubstr("21, 23 and 8 more (largest"));
}

TEST_F(Runner, AVanishedInputEndsInItsOwnErrorWithTheFramesIntact) {
  FailingSlide slide(body_, FailingSlide::Way::InputVanished);
  EXPECT_THROW(run(body_, slide, plan_, into("a")), InputError);
  const ResultReader result(temporary_ / "a");
  EXPECT_EQ(result.frame_count(), 3);
  EXPECT_EQ(result.summary().stopped, "walk.pc2: no such file");
  EXPECT_EQ(result.frame(3).number, 3);
}

TEST_F(Runner, CoordinatesTooLargeToReadAgainAreRefused) {
  class Far final : public Slide {
   public:
    explicit Far(std::size_t n) : positions_(n, Vec3(1e13, 0, 0)) {}
    StepReport advance(double) override { return {}; }
    const SourcePoints& positions() const override { return positions_; }
    State save() const override { return {}; }
    void restore(const State&) override {}

   private:
    SourcePoints positions_;
  } slide(body_.source().vertex_count());
  for (FramePrecision precision : {FramePrecision::Float32, FramePrecision::Float64}) {
    plan_.precision = precision;
    EXPECT_EQ(run(body_, slide, plan_, into("a")).outcome, RunOutcome::Failed);
  }
}

TEST_F(Runner, MistakesInThePlanAreFoundBeforeAnythingIsWritten) {
  NoSlide slide(body_);
  plan_.figures = {{"a", "travle", {}, {}, {}, {}},
                   {"b", "travel", {}, {}, {FigureFrames::Which::Number, 99}, {}}};
  try {
    run(body_, slide, plan_, into("a"));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                testing::AllOf(HasSubstr("did you mean \"travel\""), HasSubstr("frames 1 to 13")));
  }
  EXPECT_FALSE(fs::exists(temporary_ / "a"));
  plan_.figures.clear();
  plan_.times = {0, 0};
  EXPECT_THROW(run(body_, slide, plan_, into("a")), InputError);
  plan_.times.clear();
  EXPECT_THROW(run(body_, slide, plan_, into("a")), InputError);
}

/// Grows uniformly, by a tenth a frame: every figure has a closed form.
class GrowingSlide final : public Slide {
 public:
  explicit GrowingSlide(const Body& body) : rest_(body.source().positions), positions_(rest_) {}
  StepReport advance(double) override {
    for (SourceVertexId v : ids<SourceVertexId>(rest_.size())) positions_[v] = (1 + 0.1 * frame_) * rest_[v];
    ++frame_;
    return {};
  }
  const SourcePoints& positions() const override { return positions_; }
  State save() const override { return {}; }
  void restore(const State&) override {}

 private:
  SourcePoints rest_, positions_;
  int frame_ = 0;
};

TEST_F(Runner, FiguresOfAGrowingBodyAreTheClosedForms) {
  plan_.times = {0, 1, 2, 3};
  const auto ask = [&](const char* measure, FigureFrames frames) {
    plan_.figures.push_back({measure, measure, {}, {}, frames, {}});
  };
  using Which = FigureFrames::Which;
  ask("area_ratio", {Which::All, 0});
  ask("volume_ratio", {Which::Last, 0});
  ask("volume_ratio", {Which::Least, 0});
  ask("log_area_p50", {Which::Number, 2});
  ask("log_area_spread", {Which::All, 0});
  ask("travel", {Which::First, 0});
  ask("frame_step", {Which::Number, 3});
  ask("displacement_roughness", {Which::Last, 0});
  GrowingSlide slide(body_);
  const auto figures = run(body_, slide, plan_, into("a")).figures;
  ASSERT_EQ(figures.size(), 8u);
  const double size = bounding_diagonal(body_.source().positions.raw());
  EXPECT_NEAR(figures[0].value, 1.69, 1e-13);
  EXPECT_NEAR(figures[1].value, 2.197, 1e-12);
  EXPECT_NEAR(figures[2].value, 1, 1e-15);
  EXPECT_NEAR(figures[3].value, 2 * std::log(1.1), 1e-13);
  EXPECT_NEAR(figures[4].value, 0, 1e-13);
  EXPECT_EQ(figures[5].value, 0);
  EXPECT_NEAR(figures[6].value, 0.1 * 1.3 / size, 1e-13);  // the ring's outer radius is 1.3
  // The gradient of 0.3 x along the surface is 0.3 times the tangent projector, whose square sums to 2.
  EXPECT_NEAR(figures[7].value,
              0.09 * 2 * total_area(body_.mesh().positions.raw(), index_triangles(body_.mesh())), 1e-12);
}

TEST_F(Runner, BoundsAreJudged) {
  plan_.times = {0, 1};
  plan_.figures = {{"in", "area_ratio", 1.3, 1.2, {}, {}},
                   {"low", "area_ratio", {}, 1.3, {}, {}},
                   {"high", "area_ratio", 1.2, {}, {}, {}},
                   {"free", "area_ratio", {}, {}, {}, {}}};
  GrowingSlide slide(body_);
  const RunReport report = run(body_, slide, plan_, into("a"));
  EXPECT_TRUE(report.figures[0].holds);
  EXPECT_FALSE(report.figures[1].holds);
  EXPECT_FALSE(report.figures[2].holds);
  EXPECT_TRUE(report.figures[3].holds);
  EXPECT_FALSE(report.figures_hold());
}

}  // namespace
}  // namespace cutis
