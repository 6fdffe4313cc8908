#include <fmt/format.h>

#include "commands.h"
#include "cutis/shot/export_formats.h"
#include "cutis/shot/export_result.h"
#include "length_argument.h"
#include "terminal.h"

namespace cutis::app {
namespace {

struct ExportArguments {
  std::filesystem::path result;
  std::string format, reach;
  ExportOptions options;
};

}  // namespace

void add_export(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<ExportArguments>();
  CLI::App* command = app.add_subcommand("export", "Write a result as a file that other programs read");
  command->add_option("RESULT", arguments->result, "The folder of a result")->required();
  command->add_option("--to", arguments->format, fmt::format("Format: {}", fmt::join(export_formats(), ", ")))
      ->required();
  command->add_option("--out,-o", arguments->options.file,
                      "The file or folder to write (default: skin.FORMAT in the result; obj, vtk, exr, "
                      "png and st make a folder)");
  command
      ->add_option("--size", arguments->options.map_size,
                   "Pixels each way of maps (exr, png, st; default 1024)")
      ->check(CLI::Range(1, 16384));
  command->add_flag(
      "--moving-uvs", arguments->options.moving_uvs,
      "Leave the mesh on the body and move its texture coordinates over it (usda, glb, obj, npz; st "
      "always does): what slides is the texture");
  command->add_option(
      "--reach", arguments->reach,
      "How far the texture goes on past its charts (cutis extend-texture --reach): so far faces "
      "stay in their own chart when coordinates move (a length, \"2 cm\"; default 0)");
  command->add_option("--uvs", arguments->options.uvs,
                      "Texture coordinates to write instead of the character's own: the OBJ that cutis "
                      "extend-texture --repack wrote");
  command->footer(
      "Examples:\n  cutis export hero-result --to glb\n  cutis export hero-result --to pc2 --out hero.pc2\n"
      "  cutis export hero-result --to usda --moving-uvs --reach \"1 cm\"\n"
      "  cutis export hero-result --to st --size 512");
  command->callback([&action, arguments] {
    action = [arguments] {
      if (!arguments->reach.empty()) arguments->options.reach = length_argument("--reach", arguments->reach);
      const std::filesystem::path file =
          export_result(arguments->result, arguments->format, arguments->options);
      if (!quiet()) fmt::print("{}\n", file.string());
      return 0;
    };
  });
}

}  // namespace cutis::app
