#include <algorithm>

#include <fmt/format.h>

#include "commands.h"
#include "cutis/body/anatomy/joint_roles.h"
#include "cutis/body/anatomy/parts_of_body.h"
#include "cutis/body/rig/rig_body.h"
#include "cutis/core/error.h"
#include "cutis/core/quantity.h"
#include "cutis/core/words.h"
#include "cutis/io/cache/mdd.h"
#include "cutis/io/cache/pc2.h"
#include "cutis/run/result.h"
#include "cutis/shot/open_body.h"
#include "cutis/surface/field/uv_charts.h"
#include "cutis/surface/mesh/diagnose.h"
#include "units.h"

namespace cutis::app {
namespace fs = std::filesystem;
namespace {

void print_groups(const char* what, const FaceGroups& groups) {
  if (groups.empty()) return;
  std::vector<std::string> words;
  const std::vector<std::size_t> counts = groups.counts();
  for (std::size_t i = 0; i < groups.names.size(); ++i)
    words.push_back(fmt::format("{} ({})", groups.names[i], counted(counts[i], "face")));
  fmt::print("  {}: {}\n", what, fmt::join(words, ", "));
}

void print_mesh(const Character& character, const MeshInstance& instance, double metres) {
  Weld welded = weld(instance.mesh, default_weld_tolerance(instance.mesh));
  for (Vec3& p : welded.mesh.positions) p *= metres;
  const int charts = uv_charts(welded.mesh).count;
  fmt::print("\nmesh \"{}\": {} vertices ({} welded)\n", instance.name, instance.mesh.vertex_count(),
             welded.mesh.vertex_count());
  for (const std::string& line : diagnose(welded.mesh).lines()) fmt::print("  {}\n", line);
  if (welded.dropped_faces > 0)
    fmt::print("  {} faces have fewer than three places and are left out\n", welded.dropped_faces);
  for (const std::string& repair : instance.repairs) fmt::print("  {}\n", repair);
  fmt::print("  {}\n", charts == 0 ? "no UVs" : "UVs in " + counted(charts, "chart", "charts"));
  print_groups("materials", instance.materials);
  print_groups("parts", instance.parts);
  if (instance.skin >= 0) {
    std::int32_t most = 0;
    for (std::size_t v = 0; v + 1 < instance.influences.offsets.size(); ++v)
      most = std::max(most, instance.influences.offsets[v + 1] - instance.influences.offsets[v]);
    fmt::print("  skinned to {}, up to {} a vertex\n",
               counted(character.skins[instance.skin].joints.size(), "joint", "joints"),
               counted(most, "weight", "weights"));
    fmt::print("  {}\n", describe_joints(bind_skeleton(character, instance)));
  }
  if (!instance.morphs.empty()) {
    std::vector<std::string> names;
    for (const MorphTarget& morph : instance.morphs) names.push_back(morph.name);
    fmt::print("  {}: {}\n", counted(names.size(), "blend shape", "blend shapes"), fmt::join(names, ", "));
  }
}

/// Of the mesh that gets skin where nothing else is said, at the scale that the file seems to have.
void print_parts(const Character& character, double metres) {
  const MeshInstance* largest = &character.meshes.front();
  for (const MeshInstance& instance : character.meshes)
    if (instance.mesh.vertex_count() > largest->mesh.vertex_count()) largest = &instance;
  RigChoice choice;
  choice.meshes = {largest->name};
  choice.scale = metres;
  std::vector<PartOfBody> parts;
  try {
    parts = parts_of_body(RigBody(character, choice));
  } catch (const InputError&) {
    return;  // it cannot be played: what is in it can be said all the same
  }
  if (parts.empty()) return;
  fmt::print("\nparts of \"{}\", for skin.region.part and picture --zoom, with centres [m]\n", largest->name);
  for (const PartOfBody& part : parts)
    fmt::print("  {:<20} [{:.3f}, {:.3f}, {:.3f}]\n", part.name, part.centre.x(), part.centre.y(),
               part.centre.z());
}

void print_character(const fs::path& file) {
  const Character character = read_character(file);
  const UnitGuess unit = guess_unit(character);
  fmt::print("{}: {}, {}\n", file.string(), counted(character.meshes.size(), "mesh", "meshes"),
             counted(character.nodes.size(), "node", "nodes"));
  fmt::print(
      "size {:.4g} units across: looks like {} ({:.3g} m){}\n", unit.size, unit.name, unit.size * unit.metres,
      unit.metres == 1
          ? ""
          : fmt::format("; set body.scale = \"{}\"", format_naturally(unit.metres, Dimension::Length)));
  for (const MeshInstance& instance : character.meshes) print_mesh(character, instance, unit.metres);
  print_parts(character, unit.metres);
  if (character.clips.empty()) fmt::print("\nno clips: it holds still\n");
  for (const Clip& clip : character.clips) {
    const Interval time = clip.duration();
    fmt::print("\nclip \"{}\": {:.3f} s to {:.3f} s, {}\n", clip.name, time.begin, time.end,
               counted(clip.tracks.size(), "track", "tracks"));
  }
}

void print_cache(const fs::path& file) {
  const PointCache cache = file.extension() == ".mdd" ? read_mdd(file) : read_pc2(file);
  fmt::print("{}: point cache, {} vertices, {}, {:.3f} s to {:.3f} s{}\n", file.string(), cache.vertex_count,
             counted(cache.frame_count(), "frame"), cache.times.front(), cache.times.back(),
             file.extension() == ".mdd" ? "" : " (at 24 fps: the file does not say)");
}

std::vector<fs::path> stage_results(const fs::path& folder) {
  std::vector<fs::path> results;
  if (!fs::is_directory(folder / kStagesFolder)) return results;
  for (const auto& entry : fs::directory_iterator(folder / kStagesFolder))
    if (is_result(entry.path())) results.push_back(entry.path());
  std::sort(results.begin(), results.end());
  return results;
}

void print_result(const fs::path& folder) {
  const ResultReader result(folder);
  const Summary& summary = result.summary();
  fmt::print("{}: result, {} of {}, {} vertices{}\n", folder.string(), result.frame_count(),
             counted(summary.frames, "frame"), result.mesh().mesh.vertex_count(),
             summary.complete ? "" : ", not complete");
  for (const std::string& words : warnings(summary)) fmt::print("  {}\n", words);
  if (!summary.lag.empty()) fmt::print("  {}\n", lag_words(summary.lag));
  for (const std::string& words : note_words(summary.notes, summary.frames_written))
    fmt::print("  {}\n", words);
  for (const Figure& figure : summary.figures)
    fmt::print("  {} {}: {:.6g}{}\n", figure.holds ? "ok  " : "FAIL", figure.name, figure.value,
               figure.unit == "1" ? "" : " " + figure.unit);
  for (const fs::path& stage : stage_results(folder)) print_result(stage);
}

int info_command(const fs::path& file) {
  if (!fs::exists(file)) throw InputError(fmt::format("{}: no such file", file.string()));
  if (fs::is_directory(file))
    print_result(file);
  else if (file.extension() == ".pc2" || file.extension() == ".mdd")
    print_cache(file);
  else
    print_character(file);
  return 0;
}

}  // namespace

void add_info(CLI::App& app, Action& action) {
  auto file = std::make_shared<fs::path>();
  CLI::App* command = app.add_subcommand("info", "Say what is in a character, a point cache or a result");
  command
      ->add_option(
          "FILE", *file,
          "A character (.glb, .gltf, .usda, .obj, .ply, .npz), a cache (.pc2, .mdd) or a result folder")
      ->required();
  command->footer("Examples:\n  cutis info hero.glb\n  cutis info hero-result");
  command->callback([&action, file] { action = [file] { return info_command(*file); }; });
}

}  // namespace cutis::app
