#include <fmt/format.h>

#include "character_shot.h"
#include "commands.h"
#include "cutis/core/error.h"
#include "cutis/shot/open_body.h"
#include "run_shot.h"

namespace cutis::app {
namespace fs = std::filesystem;
namespace {

struct SimulateOptions {
  fs::path input, out;
  bool resume = false;
};

int simulate_command(const SimulateOptions& options) {
  const bool character = can_open_as_character(options.input);
  if (!character && options.input.extension() != ".toml")
    throw InputError(
        fmt::format("{}: give a shot file (.toml) or a character (.glb, .gltf, .usda, .obj, .ply, .npz)",
                    options.input.string()));
  const Shot shot = character ? character_shot(options.input) : read_shot(options.input);
  const fs::path out =
      options.out.empty() ? fs::path(options.input.stem().string() + "-result") : options.out;
  return run_shot(shot, out, options.resume);
}

}  // namespace

void add_simulate(CLI::App& app, Action& action) {
  auto options = std::make_shared<SimulateOptions>();
  CLI::App* command = app.add_subcommand("simulate", "Run a shot, or a character with default settings");
  command
      ->add_option("SHOT", options->input,
                   "A shot file (.toml) or a character (.glb, .gltf, .usda, .obj, .ply, .npz)")
      ->required();
  command->add_option("--out,-o", options->out, "Where the result goes (default: NAME-result here)");
  command->add_flag("--resume", options->resume, "Go on after the last finished frame");
  command->footer("Examples:\n  cutis simulate hero.toml\n  cutis simulate hero.glb --out hero-result");
  command->callback([&action, options] { action = [options] { return simulate_command(*options); }; });
}

}  // namespace cutis::app
