#include <fmt/format.h>

#include "commands.h"
#include "cutis/picture/result_pictures.h"
#include "examples.h"
#include "pictures.h"
#include "run_shot.h"
#include "terminal.h"

namespace cutis::app {
namespace {

struct DemoOptions {
  std::string name = kDefaultExample;
  std::filesystem::path out;
  bool resume = false;
  bool no_pictures = false;
};

int demo_command(const DemoOptions& options) {
  const Example example = find_example(options.name);
  const std::filesystem::path out =
      options.out.empty() ? std::filesystem::path("results") / example.name : options.out;
  if (!quiet()) fmt::print("{}: {}\n", example.name, example.description);
  const Shot shot = read_shot(example.shot);
  const int code = run_shot(shot, out, options.resume);
  // A figure that does not hold is easier to understand with its picture; a run that did not end has none to
  // show.
  if (code <= 1 && !options.no_pictures) make_pictures(out, shot.picture);
  return code;
}

}  // namespace

void add_demo(CLI::App& app, Action& action) {
  auto options = std::make_shared<DemoOptions>();
  CLI::App* command = app.add_subcommand("demo", "Run an example, make its pictures, check its figures");
  command->add_option("NAME", options->name, "The example; see: cutis list examples")->capture_default_str();
  command->add_option("--out,-o", options->out, "Where the result goes (default: results/NAME)");
  command->add_flag("--resume", options->resume, "Go on after the last finished frame");
  command->add_flag("--no-pictures", options->no_pictures, "Leave the pictures out");
  command->footer("Examples:\n  cutis demo\n  cutis demo arm-bend --out my-arm");
  command->callback([&action, options] { action = [options] { return demo_command(*options); }; });
}

}  // namespace cutis::app
