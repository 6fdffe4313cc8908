#include <algorithm>

#include <fmt/format.h>

#include "character_shot.h"
#include "commands.h"
#include "cutis/core/file.h"
#include "cutis/shot/methods.h"
#include "terminal.h"

namespace cutis::app {
namespace fs = std::filesystem;
namespace {

struct NewOptions {
  fs::path character, out;
  std::string method = "lagrangian";
  bool force = false;
};

int new_command(const NewOptions& options) {
  const fs::path shot =
      options.out.empty() ? fs::path(options.character.stem().string() + ".toml") : options.out;
  refuse_to_replace(shot, options.force);
  const auto method = std::ranges::find(methods(), options.method, &Method::name);
  write_file_whole(shot, character_shot_text(options.character, shot, method->id));
  if (!quiet()) fmt::print("{}: written; run it with: cutis simulate {}\n", shot.string(), shot.string());
  return 0;
}

}  // namespace

void add_new(CLI::App& app, Action& action) {
  auto options = std::make_shared<NewOptions>();
  CLI::App* command = app.add_subcommand("new", "Write a commented shot file for a character");
  command->add_option("CHARACTER", options->character, "A character (.glb, .gltf, .usda, .obj, .ply, .npz)")
      ->required();
  command->add_option("--out,-o", options->out, "The shot file (default: NAME.toml here)");
  std::vector<std::string> names;
  for (const Method& method : methods())
    if (method.implemented()) names.push_back(method.name);
  command->add_option("--method,-m", options->method, "How the skin is computed; cutis list methods")
      ->check(CLI::IsMember(names))
      ->capture_default_str();
  command->add_flag("--force", options->force, "Replace a shot file that is there already");
  command->footer(
      "Examples:\n  cutis new hero.glb\n  cutis new hero.glb --out shots/hero.toml\n  cutis new hero.glb "
      "--method tracked --out jiggle.toml");
  command->callback([&action, options] { action = [options] { return new_command(*options); }; });
}

}  // namespace cutis::app
