#include "cutis/shot/pipeline.h"

#include <algorithm>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/run/result.h"

namespace cutis {
namespace fs = std::filesystem;
namespace {

/// The shot and those that lead to it, the first to run at the end.
std::vector<Shot> shots_back_from(const Shot& shot) {
  std::vector<Shot> shots{shot};
  std::vector<fs::path> files{fs::weakly_canonical(shot.file)};
  while (shots.back().body.shot) {
    const fs::path next = fs::weakly_canonical(*shots.back().body.shot);
    const auto met = std::find(files.begin(), files.end(), next);
    if (met != files.end()) {
      std::vector<std::string> cycle;
      for (auto file = met; file != files.end(); ++file) cycle.push_back(file->string());
      throw InputError(fmt::format("{}body.shot: a cycle, so that no shot could run first: {} -> {}",
                                   shots.back().place("body.shot"), fmt::join(cycle, " -> "), next.string()));
    }
    files.push_back(next);
    shots.push_back(read_shot(*shots.back().body.shot));
  }
  return shots;
}

/// The name of the shot's file, told apart from those of other shots that are called the same.
std::string stage_name(const Shot& shot, const std::vector<ShotStage>& others) {
  const std::string stem = shot.file.stem().string();
  std::string name = stem;
  const auto taken = [&](const ShotStage& other) { return other.name == name; };
  for (int i = 2; std::any_of(others.begin(), others.end(), taken); ++i) name = fmt::format("{}-{}", stem, i);
  return name;
}

}  // namespace

std::vector<ShotStage> stages_of(const Shot& shot, const fs::path& out) {
  std::vector<Shot> shots = shots_back_from(shot);
  std::vector<ShotStage> stages;
  for (std::size_t left = shots.size(); left-- > 0;) {
    ShotStage stage;
    stage.shot = std::move(shots[left]);
    const bool last = left == 0;
    if (!last) stage.name = stage_name(stage.shot, stages);
    stage.out = last ? out : out / kStagesFolder / stage.name;
    if (!stages.empty()) {
      stage.earlier_stage = fs::path(last ? kStagesFolder : "..") / stages.back().name;
      stage.shot.body.shot.reset();
      stage.shot.body.file = fs::absolute(stages.back().out).lexically_normal();
    }
    stages.push_back(std::move(stage));
  }
  return stages;
}

}  // namespace cutis
