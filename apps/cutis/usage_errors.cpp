#include "usage_errors.h"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cutis/core/error.h"
#include "cutis/core/one_line.h"

namespace cutis::app {
namespace {

std::string hint(const std::string& word, const std::vector<std::string>& known) {
  const std::string near = nearest_word(word, known);
  return near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near);
}

std::string unknown_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> commands;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    commands.push_back(command->get_name());
  const std::string list = fmt::format("{}", fmt::join(commands, ", "));
  if (word.empty()) return fmt::format("cutis: give a command: {}; cutis --help says more\n", list);
  return fmt::format("cutis: no command is called \"{}\"{}; there are: {}\n", one_line(word, 60),
                     hint(word, commands), list);
}

std::string unknown_word(const std::string& place, const std::vector<const CLI::App*>& apps,
                         const std::string& word) {
  if (!word.starts_with("-"))
    return fmt::format("{}: \"{}\" is one word too many; {} --help says what it takes\n", place,
                       one_line(word, 60), place);
  std::vector<std::string> options;
  for (const CLI::App* app : apps)
    for (const CLI::Option* option : app->get_options())
      for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  const std::string bare = word.substr(0, word.find('='));
  return fmt::format("{}: no option is called \"{}\"{}; {} --help lists them\n", place, one_line(bare, 60),
                     hint(bare, options), place);
}

}  // namespace

std::string usage_error(const CLI::App* app, const CLI::Error& error) {
  const std::vector<CLI::App*> chosen = app->get_subcommands();
  const std::vector<std::string> left = app->remaining(true);
  const std::string word = left.empty() ? "" : left.front();
  if (chosen.empty() && !word.starts_with("-") &&
      (error.get_name() == "RequiredError" || error.get_name() == "ExtrasError"))
    return unknown_command(*app, word);
  const std::string place = chosen.empty() ? "cutis" : "cutis " + chosen.front()->get_name();
  if (!word.empty()) {
    std::vector<const CLI::App*> apps{app};
    if (!chosen.empty()) apps.push_back(chosen.front());
    return unknown_word(place, apps, word);
  }
  return fmt::format("{}: {}; {} --help says more\n", place, one_line(error.what()), place);
}

}  // namespace cutis::app
