#include <fmt/format.h>

#include "commands.h"
#include "cutis/shot/export_formats.h"
#include "cutis/shot/export_result.h"
#include "terminal.h"

namespace cutis::app {
namespace {

struct ExportOptions {
  std::filesystem::path result, out;
  std::string format;
  int map_size = 1024;
};

}  // namespace

void add_export(CLI::App& app, Action& action) {
  auto options = std::make_shared<ExportOptions>();
  CLI::App* command = app.add_subcommand("export", "Write a result as a file that other programs read");
  command->add_option("RESULT", options->result, "The folder of a result")->required();
  command->add_option("--to", options->format, fmt::format("Format: {}", fmt::join(export_formats(), ", ")))
      ->required();
  command->add_option("--out,-o", options->out,
                      "The file or folder to write (default: skin.FORMAT in the result; obj, vtk, exr and "
                      "png make a folder)");
  command->add_option("--size", options->map_size, "Pixels each way of maps (exr, png; default 1024)")
      ->check(CLI::Range(1, 16384));
  command->footer(
      "Examples:\n  cutis export hero-result --to glb\n  cutis export hero-result --to pc2 --out hero.pc2");
  command->callback([&action, options] {
    action = [options] {
      const std::filesystem::path file =
          export_result(options->result, options->format, options->out, options->map_size);
      if (!quiet()) fmt::print("{}\n", file.string());
      return 0;
    };
  });
}

}  // namespace cutis::app
