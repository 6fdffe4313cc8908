/// lagging_run OUT FRAMES [--resume] [--float32] [--fields] [--pause MS] [--shot TEXT] [--at-most TRAVEL]: a
/// run with hidden state, for the tests that kill it; --fields stores fields and measures all that needs
/// them. Exits as the command line does: 0, 1 (a figure does not hold), 2, 3, and 4 when stopped by SIGINT.
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <thread>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/measure/measures.h"
#include "cutis/run/runner.h"
#include "run/lagging.h"

namespace {

using namespace cutis;

std::atomic<bool> stop{false};

class PausingSlide final : public test::LaggingSlide {
 public:
  PausingSlide(const Body& body, int milliseconds) : LaggingSlide(body), pause_(milliseconds) {}
  StepReport advance(double time) override {
    std::this_thread::sleep_for(pause_);
    return LaggingSlide::advance(time);
  }
  /// Untold, so that frames are smaller than the state: a test has room for the one and not for the other.
  SourcePoints velocities() const override { return {}; }

 private:
  std::chrono::milliseconds pause_;
};

/// A line field that turns from triangle to triangle, and strokes that it does not meet.
void set_directions(const Body& body, RunPlan& plan) {
  const ResultMesh mesh = result_mesh(body);
  for (const IndexTriangle& t : mesh.triangles) {
    const auto at = [&](int k) {
      return mesh.mesh.positions[SourceVertexId(t[static_cast<std::size_t>(k)])];
    };
    const Vec3 side = at(1) - at(0), other = at(2) - at(0);
    plan.directions.push_back((side + at(0).x() * other).normalized());
    if (plan.directions.size() % 7 == 0)
      plan.strokes.push_back({FaceId(plan.directions.size() - 1), side + at(1).x() * other});
  }
}

int run_tool(int argc, char** argv) {
  if (argc < 3) return 2;
  const int frames = std::atoi(argv[2]);
  RunPlan plan;
  RunOptions options;
  options.out = argv[1];
  options.stop = &stop;
  plan.shot = "method = \"lagging\"\n";
  int pause = 0;
  bool fields = false;
  double at_most = 10;
  for (int i = 3; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--resume")) options.resume = true;
    fields |= !std::strcmp(argv[i], "--fields");
    if (!std::strcmp(argv[i], "--float32")) plan.precision = FramePrecision::Float32;
    if (!std::strcmp(argv[i], "--pause")) pause = std::atoi(argv[++i]);
    if (!std::strcmp(argv[i], "--shot")) plan.shot = argv[++i];
    if (!std::strcmp(argv[i], "--at-most")) at_most = std::atof(argv[++i]);
  }
  const test::WavingRing body(24, 12, (frames - 1) / 24.0);
  plan.times = frame_times(body.duration(), 24);
  plan.inputs = {{"ring", std::string(64, '0')}};
  if (fields) plan.fields = {"body", "stretch_max"};
  std::vector<char> half(body.source().vertex_count());
  for (std::size_t v = 0; v < half.size(); ++v) half[v] = body.source().positions[SourceVertexId(v)].x() > 0;
  plan.regions = {{"half", half}};
  set_directions(body, plan);
  for (const MeasureInfo& m : measures()) {
    const std::string name = m.name;
    using Which = FigureFrames::Which;
    Parameters with;
    if (!fields && (name.starts_with("field_") || name == "motion_share")) continue;
    if (name.starts_with("field_")) with["field"] = "stretch_max";
    if (name == "motion_share") with = {{"axis", "x"}, {"radius", 0.8}, {"share", 0.9}};
    plan.figures.push_back({name + " over all", name, {}, {}, {}, with});
    plan.figures.push_back({name + " in frame 3", name, {}, {}, {Which::Number, 3}, with});
    plan.figures.push_back({"least " + name, name, {}, {}, {Which::Least, 0}, with});
    if (!fields) continue;
    for (const auto& [key, value] : Parameters{{"of", "body"}, {"against", "body"}, {"region", "half"}}) {
      Parameters more = with;
      more[key] = value;
      plan.figures.push_back({fmt::format("{} {}", name, key), name, {}, {}, {}, more});
    }
    with.insert({{"where", "stretch_max"}, {"above", 1.01}});
    plan.figures.push_back({name + " where stretched", name, {}, {}, {}, with});
  }
  plan.figures.push_back({"stays near", "travel", at_most, 0.0, {FigureFrames::Which::Last, 0}, {}});
  options.progress = [](const Progress& p) {
    std::printf("%d/%d\n", p.frame, p.frames);
    std::fflush(stdout);
  };
  PausingSlide slide(body, pause);
  const RunReport report = run(body, slide, plan, options);
  if (report.outcome == RunOutcome::Stopped) return 4;
  if (report.outcome == RunOutcome::Failed) return 3;
  return report.figures_hold() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try {
  std::signal(SIGINT, [](int) { stop = true; });
  return run_tool(argc, argv);
} catch (const InputError& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
} catch (const IoError& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 3;
}
