#include "cutis/shot/spec/explain.h"

#include <fmt/format.h>

#include "commands.h"

namespace cutis::app {

void add_explain(CLI::App& app, Action& action) {
  auto key = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("explain", "Say what a key or a section of the shot file means");
  command->add_option("KEY", *key, "A key (skin.thickness), a section (skin), or nothing for an overview");
  command->footer("Examples:\n  cutis explain\n  cutis explain body\n  cutis explain skin.thickness");
  command->callback([&action, key] {
    action = [key] {
      fmt::print("{}", explain(*key));
      return 0;
    };
  });
}

}  // namespace cutis::app
