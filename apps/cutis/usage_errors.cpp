#include "usage_errors.h"

#include <regex>
#include <sstream>
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

/// "0.500000" as "0.5".
std::string short_number(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text;
}

/// What the parser says of a value that an option cannot have, in the words of this program.
std::string value_words(const std::string& what) {
  static const std::regex choice("(.*): (.*) not in \\{(.*)\\}"),
      range("(.*): Value (.*) not in range (?:\\[)?(\\S+) (?:to|-) ([^\\]\\s]+).*");
  std::smatch found;
  if (std::regex_match(what, found, choice)) {
    std::vector<std::string> words;
    std::istringstream list(found[3]);
    for (std::string word; std::getline(list, word, ',');) words.push_back(word);
    return fmt::format("{}: there is no \"{}\"{} (one of {})", found[1].str(),
                       one_line(found[2].str(), 60), hint(found[2], words), fmt::join(words, ", "));
  }
  if (std::regex_match(what, found, range))
    return fmt::format("{}: \"{}\": give a number from {} to {}", found[1].str(),
                       one_line(found[2].str(), 60), short_number(found[3]), short_number(found[4]));
  return one_line(what);
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
  return fmt::format("{}: {}; {} --help says more\n", place, value_words(error.what()), place);
}

}  // namespace cutis::app
