#include "run_shot.h"

#include <fmt/format.h>

#include "cutis/core/words.h"
#include "cutis/shot/simulate.h"
#include "terminal.h"

namespace cutis::app {
namespace {

void print_figures(const std::vector<Figure>& figures) {
  for (const Figure& figure : figures)
    fmt::print("  {} {:<44} {:>12.6g} {:<6} {}\n", figure.holds ? "ok  " : "FAIL", figure.name, figure.value,
               figure.unit == "1" ? "" : figure.unit, bound_words(figure));
}

std::string stage_words(const std::string& stage) {
  return stage.empty() ? "" : fmt::format("stage {}: ", stage);
}

/// "; 3 of 24 frames did not converge", of the stages below, too; "" where all did.
std::string unconverged_words(const RunReport& report) {
  std::string words;
  if (!report.unconverged.empty())
    words = fmt::format("; {} of {} did not converge", report.unconverged.size(),
                        counted(report.frames, "frame"));
  for (const EarlierStage& stage : report.stages)
    if (!stage.name.empty() && stage.unconverged > 0)
      words += fmt::format("; {} of stage {} did not converge", stage.unconverged, stage.name);
  return words;
}

/// Where there are several stages, what each took.
void print_costs(const RunReport& report) {
  if (report.stages.size() < 2) return;
  for (const EarlierStage& stage : report.stages)
    fmt::print("  stage {:<9} {}\n", stage.name.empty() ? "last" : stage.name, cost_words(stage));
}

}  // namespace

int run_shot(const Shot& shot, const std::filesystem::path& out, bool resume) {
  ProgressLine line;
  RunOptions options;
  options.out = out;
  options.resume = resume;
  options.stop = &stop_requested();
  options.progress = [&](const Progress& p) {
    const bool last = p.frame == p.frames;
    line.show(fmt::format("{}frame {}/{}  {:.0f} ms a frame{}", stage_words(p.stage), p.frame, p.frames,
                          1000 * p.seconds, last ? "" : "  " + duration_words(p.seconds_left) + " left"),
              last);
  };
  const RunReport report = simulate(shot, options);
  if (report.outcome == RunOutcome::Failed) {
    fmt::print(stderr, "{}{}\n", stage_words(report.stage), report.reason);
    return 3;
  }
  if (report.outcome == RunOutcome::Stopped) {
    if (!quiet())
      fmt::print(stderr, "{}{}{}; go on with --resume\n", stage_words(report.stage), report.reason,
                 report.frames == 0 ? "" : "; " + counted(report.frames, "frame is", "frames are") + " kept");
    return 130;
  }
  if (!quiet()) {
    print_figures(report.figures);
    if (!report.lag.empty()) fmt::print("  {}\n", lag_words(report.lag));
    print_costs(report);
    fmt::print("{} in {}: {}{}; look with: cutis picture {}\n", counted(report.frames, "frame"), out.string(),
               report.made, unconverged_words(report), out.string());
  }
  return report.figures_hold() ? 0 : 1;
}

}  // namespace cutis::app
