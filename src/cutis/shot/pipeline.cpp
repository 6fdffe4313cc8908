#include "cutis/shot/pipeline.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/measure/fields.h"
#include "cutis/run/result.h"
#include "cutis/shot/methods.h"
#include "cutis/shot/settings/regions.h"
#include "cutis/shot/spec/spec.h"

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

/// The body of a stage that lies on the result of another. What was said of the character's file is done
/// with.
BodySection body_of_result(const Shot& shot) {
  BodySection body = default_shot().body;
  body.make.reset();
  body.weld = shot.body.weld;
  return body;
}

/// Whether what the region is painted with is a field of the skin below.
bool is_field(const RegionSection& region) {
  return region.map && region.map->source == Painted::Source::Group && field_info(region.map->group);
}

/// So that each keeps its name where one is taken out.
void name_regions(std::vector<RegionSection>& regions) {
  for (std::size_t i = 0; i < regions.size(); ++i)
    if (regions[i].name.empty()) regions[i].name = usual_region_name(i);
}

/// Takes a region out of the shot, with the lines that its keys and those of later ones stand in.
void remove_region(Shot& shot, std::size_t removed) {
  shot.skin.region.erase(shot.skin.region.begin() + static_cast<std::ptrdiff_t>(removed));
  const auto name = [](std::size_t i) { return fmt::format("skin.region[{}]", i); };
  std::erase_if(shot.written, [&](const auto& key) { return key.first.starts_with(name(removed)); });
  for (std::size_t i = removed; i < shot.skin.region.size(); ++i) {
    std::vector<std::pair<std::string, int>> moved;
    for (const auto& [key, line] : shot.written)
      if (key.starts_with(name(i + 1))) moved.emplace_back(name(i) + key.substr(name(i + 1).size()), line);
    std::erase_if(shot.written, [&](const auto& key) { return key.first.starts_with(name(i + 1)); });
    shot.written.insert(moved.begin(), moved.end());
  }
}

/// Takes the keys out of `written` that `keep` does not keep.
template <class Keep>
void keep_written(Shot& shot, const Keep& keep) {
  std::erase_if(shot.written, [&](const auto& written) { return !keep(written.first); });
}

/// The flesh of a shot alone. It has no other setting of the skin, so that changing one leaves it as it is.
Shot flesh_of(const Shot& shot) {
  Shot flesh = default_shot();
  flesh.file = shot.file;
  flesh.written = shot.written;
  keep_written(flesh, read_by_flesh);
  flesh.body = shot.body;
  flesh.time = shot.time;
  flesh.flesh = shot.flesh;
  flesh.scene = shot.scene;
  flesh.skin.method = SkinMethod::None;
  flesh.skin.region = shot.skin.region;
  return flesh;
}

/// The skin of a shot that lies on its flesh.
Shot skin_on_flesh(Shot shot) {
  const Method& method = method_of(shot);
  keep_written(shot, [&](const std::string& name) {
    const Key* key = find_key(without_indices(name));
    return !name.starts_with("flesh.") && (!read_by_flesh(name) || !key || uses(method, *key));
  });
  shot.flesh.use = false;
  shot.body = body_of_result(shot);
  return shot;
}

/// Whether a field is one of skin that slides or of flesh, which wrinkles on them have not.
bool is_below_wrinkles(const std::string& field) {
  const FieldInfo* info = field_info(field);
  return info && info->needs != FieldNeeds::Nothing && info->needs != FieldNeeds::Body &&
         info->needs != FieldNeeds::Below;
}

/// Whether a figure is taken from such a field.
bool measures_below_wrinkles(const FigureRequest& figure) {
  return std::any_of(figure.with.begin(), figure.with.end(), [](const auto& parameter) {
    const std::string* word = std::get_if<std::string>(&parameter.second);
    return word && is_below_wrinkles(*word);
  });
}

/// What a shot with wrinkles has below them. Of the result it has the fields and figures that are below them;
/// no other setting of wrinkles or of the result, so that changing one leaves it as it is. A field that the
/// wrinkles' region is painted with is among its own.
Shot below_wrinkles(Shot shot) {
  const std::string region = shot.wrinkle.region;
  std::vector<std::string> fields = std::move(shot.output.fields);
  std::erase_if(fields, [](const std::string& field) { return !is_below_wrinkles(field); });
  shot.wrinkle = default_shot().wrinkle;
  shot.output = default_shot().output;
  shot.output.fields = std::move(fields);
  shot.picture = default_shot().picture;
  std::erase_if(shot.figure, [](const FigureRequest& figure) { return !measures_below_wrinkles(figure); });
  keep_written(shot, [](const std::string& name) {
    return !read_by_wrinkles(name) || read_by_flesh(name) || name == "solver.on_failure";
  });
  for (std::size_t i = 0; i < shot.skin.region.size(); ++i)
    if (shot.skin.region[i].name == region && is_field(shot.skin.region[i])) {
      if (const std::string& field = shot.skin.region[i].map->group;
          !std::count(shot.output.fields.begin(), shot.output.fields.end(), field))
        shot.output.fields.push_back(field);
      remove_region(shot, i);
      break;
    }
  return shot;
}

bool has_fibres(const WrinkleSection& wrinkle) {
  return std::any_of(wrinkle.layer.begin(), wrinkle.layer.end(),
                     [](const WrinkleLayerSection& layer) { return layer.fibre_ratio != 1; });
}

/// The wrinkles of a shot, on the skin or flesh that it has, too.
Shot wrinkles_on_skin(const Shot& shot) {
  Shot wrinkles = default_shot();
  wrinkles.file = shot.file;
  wrinkles.written = shot.written;
  keep_written(wrinkles, read_by_wrinkles);
  wrinkles.body = body_of_result(shot);
  wrinkles.time = shot.time;
  wrinkles.skin.method = SkinMethod::None;
  if (has_fibres(shot.wrinkle)) wrinkles.skin.direction = shot.skin.direction;
  wrinkles.skin.region = shot.skin.region;
  wrinkles.wrinkle = shot.wrinkle;
  wrinkles.solver.on_failure = shot.solver.on_failure;
  wrinkles.output = shot.output;
  wrinkles.picture = shot.picture;
  wrinkles.figure = shot.figure;
  std::erase_if(wrinkles.output.fields, is_below_wrinkles);
  std::erase_if(wrinkles.figure, measures_below_wrinkles);
  return wrinkles;
}

struct NamedShot {
  Shot shot;
  std::string stage;  ///< what its stage is called
};

/// A shot as its stages, the first to run at the end.
std::vector<NamedShot> stages_apart(Shot shot) {
  std::vector<NamedShot> out;
  std::string name = shot.file.stem().string();
  const bool has_skin = shot.skin.method != SkinMethod::None, has_flesh = shot.flesh.use;
  const bool has_wrinkles_on_them = shot.wrinkle.use && (has_skin || has_flesh);
  if (has_wrinkles_on_them) {
    name_regions(shot.skin.region);
    out.push_back({wrinkles_on_skin(shot), name});
    shot = below_wrinkles(std::move(shot));
    name = "skin";
  }
  if (has_flesh && has_skin) {
    Shot flesh = flesh_of(shot);
    out.push_back({skin_on_flesh(std::move(shot)), name});
    shot = std::move(flesh);
  }
  out.push_back({std::move(shot), has_flesh ? "flesh" : name});
  return out;
}

/// The name, told apart from those of other stages that are called the same.
std::string unique_name(const std::string& stem, const std::vector<ShotStage>& others) {
  std::string name = stem;
  const auto taken = [&](const ShotStage& other) { return other.name == name; };
  for (int i = 2; std::any_of(others.begin(), others.end(), taken); ++i) name = fmt::format("{}-{}", stem, i);
  return name;
}

}  // namespace

std::vector<ShotStage> stages_of(const Shot& shot, const fs::path& out) {
  std::vector<NamedShot> shots;
  for (Shot& each : shots_back_from(shot))
    std::ranges::move(stages_apart(std::move(each)), std::back_inserter(shots));
  std::vector<ShotStage> stages;
  for (std::size_t left = shots.size(); left-- > 0;) {
    ShotStage stage;
    stage.shot = std::move(shots[left].shot);
    const bool last = left == 0;
    if (!last) stage.name = unique_name(shots[left].stage, stages);
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
