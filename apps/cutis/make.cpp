#include <fmt/format.h>

#include "commands.h"
#include "cutis/body/procedural/procedural_bodies.h"
#include "cutis/core/error.h"
#include "cutis/io/gltf/glb_character.h"
#include "length_argument.h"
#include "terminal.h"

namespace cutis::app {
namespace fs = std::filesystem;
namespace {

struct MakeOptions {
  std::string name, resolution;
  fs::path out;
  bool force = false;
};

int make_command(const MakeOptions& options) {
  const fs::path file = options.out.empty() ? fs::path(options.name + ".glb") : options.out;
  refuse_to_replace(file, options.force);
  const double edge = options.resolution.empty() ? 0 : length_argument("--resolution", options.resolution);
  const ProceduralShape shape = make_cast_member(options.name, edge);
  const Character* character = std::get_if<Character>(&shape);
  if (!character)
    throw InputError(
        fmt::format("body \"{0}\": moves by formulas, without joints that a GLB could hold; a shot "
                    "plays it: body.make = \"{0}\"",
                    options.name));
  write_glb_character(file, *character);
  if (!quiet())
    fmt::print("{0}: written, a character in metres; a shot for it: cutis new {0}\n", file.string());
  return 0;
}

}  // namespace

void add_make(CLI::App& app, Action& action) {
  auto options = std::make_shared<MakeOptions>();
  CLI::App* command =
      app.add_subcommand("make", "Write a body that Cutis makes itself as a rigged character");
  command->add_option("NAME", options->name, "The body; see: cutis list bodies")->required();
  command->add_option("--out,-o", options->out, "The file (default: NAME.glb here)");
  command->add_option("--resolution", options->resolution, "Typical edge length, such as \"20 mm\"");
  command->add_flag("--force", options->force, "Replace a file that is there already");
  command->footer("Examples:\n  cutis make male\n  cutis make hand --resolution \"2 mm\" --out my-hand.glb");
  command->callback([&action, options] { action = [options] { return make_command(*options); }; });
}

}  // namespace cutis::app
