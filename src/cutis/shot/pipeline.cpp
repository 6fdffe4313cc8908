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

/// Every key at its default; which body does not matter.
const Shot& default_shot() {
  static const Shot shot = parse_shot("body.make = \"sphere\"\n", {});
  return shot;
}

/// The flesh of a shot alone. It has no other setting of the skin, so that changing one leaves it as it is.
Shot flesh_of(const Shot& shot) {
  Shot flesh = default_shot();
  flesh.file = shot.file;
  flesh.written.clear();
  flesh.body = shot.body;
  flesh.time = shot.time;
  flesh.flesh = shot.flesh;
  flesh.scene = shot.scene;
  flesh.skin.method = SkinMethod::None;
  flesh.skin.region = shot.skin.region;
  for (const auto& [key, line] : shot.written)
    if (read_by_flesh(key)) flesh.written[key] = line;
  return flesh;
}

/// The skin of a shot that lies on its flesh. What was said of the character's file is done with.
Shot skin_on_flesh(Shot shot) {
  const Method& method = method_of(shot);
  std::erase_if(shot.written, [&](const auto& written) {
    const Key* key = find_key(without_indices(written.first));
    return written.first.starts_with("flesh.") ||
           (read_by_flesh(written.first) && key && !uses(method, *key));
  });
  shot.flesh.use = false;
  BodySection body = default_shot().body;
  body.make.reset();
  body.weld = shot.body.weld;
  shot.body = std::move(body);
  return shot;
}

/// Each shot that has both, as two.
std::vector<Shot> with_flesh_apart(std::vector<Shot> shots) {
  std::vector<Shot> out;
  for (Shot& shot : shots) {
    if (!shot.flesh.use || shot.skin.method == SkinMethod::None) {
      out.push_back(std::move(shot));
      continue;
    }
    Shot flesh = flesh_of(shot);
    out.push_back(skin_on_flesh(std::move(shot)));
    out.push_back(std::move(flesh));
  }
  return out;
}

/// The name of the shot's file, told apart from those of other shots that are called the same.
std::string stage_name(const Shot& shot, const std::vector<ShotStage>& others) {
  const std::string stem = shot.flesh.use ? "flesh" : shot.file.stem().string();
  std::string name = stem;
  const auto taken = [&](const ShotStage& other) { return other.name == name; };
  for (int i = 2; std::any_of(others.begin(), others.end(), taken); ++i) name = fmt::format("{}-{}", stem, i);
  return name;
}

}  // namespace

std::vector<ShotStage> stages_of(const Shot& shot, const fs::path& out) {
  std::vector<Shot> shots = with_flesh_apart(shots_back_from(shot));
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
