#include "cutis/shot/spec/explain.h"

#include <algorithm>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/shot/methods.h"
#include "cutis/shot/spec/parse_value.h"

namespace cutis {
namespace {

constexpr const char* painted_words =
    "{ map = \"slide.png\", low = \"0 mm\", high = \"2 cm\" }: low where the map is 0, high where it is 1. A "
    "map is an "
    "image in UV space (.png, .exr), \"vertex_color\", or the name of a vertex group or attribute of the "
    "character; "
    "channel = \"green\" takes another channel than the red one";

std::string header(const Section& section) {
  return section.array ? fmt::format("[[{}]]", section.name) : fmt::format("[{}]", section.name);
}

std::string default_words(const Key& key) {
  if (key.required) return "none: it must be given";
  if (key.default_value.empty()) return key.default_words;
  if (key.default_words.empty()) return key.default_value;
  return fmt::format("{}: {}", key.default_value, key.default_words);
}

std::string used_by(const Key& key) {
  const std::vector<std::string> names = methods_using(key);
  const auto built =
      std::count_if(methods().begin(), methods().end(), [](const Method& m) { return m.implemented(); });
  if (names.empty()) return "no method of this build yet";
  if (static_cast<std::ptrdiff_t>(names.size()) == built) return "every method";
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string explain_key(const Section& section, const Key& key) {
  const std::string dotted = section.name + "." + key.name;
  std::string text = fmt::format("{}\n  {}\n\n", dotted, key.doc);
  const auto row = [&text](const char* label, const std::string& words) {
    if (!words.empty()) text += fmt::format("  {:<9}{}\n", label, words);
  };
  row("value", type_words(key));
  if (key.type == KeyType::Painted) row("painted", painted_words);
  row("default", default_words(key));
  row("range", range_words(key));
  row("usual", usual_words(key));
  row("used by", used_by(key));
  text += fmt::format("\n  {}\n  {} = {}\n", header(section), key.name, key.example);
  return text;
}

std::string explain_section(const Section& section) {
  std::string text = fmt::format("{}\n  {}\n\n", header(section), section.doc);
  for (const Key& key : section.keys) text += fmt::format("  {:<20}{}\n", key.name, key.doc);
  for (const Section& other : spec())
    if (other.name.starts_with(section.name + "."))
      text += fmt::format("  {:<20}{}\n", header(other), other.doc);
  return text + fmt::format("\n  `cutis explain {}.{}` says more about one key.\n", section.name,
                            section.keys.front().name);
}

std::string explain_all() {
  std::string text = "A shot file is TOML. Only [body] must be there; everything else has a default.\n\n";
  for (const Section& section : spec()) text += fmt::format("  {:<20}{}\n", header(section), section.doc);
  return text +
         "\n  Lengths, times and the like are SI numbers, or text with a unit: thickness = \"1.5 mm\".\n"
         "  `cutis explain skin` lists the keys of a section, `cutis explain skin.thickness` explains one.\n";
}

std::string in_cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
    text.replace(at, 1, "\\|");
  return text;
}

std::string reference_section(const Section& section) {
  std::string text = fmt::format("## `{}`\n\n{}\n\n", header(section), section.doc);
  text += "| key | what it is | value | default | used by |\n|---|---|---|---|---|\n";
  for (const Key& key : section.keys) {
    const std::string range = range_words(key);
    const std::string usual = usual_words(key);
    const std::string value =
        type_words(key) + (range.empty() ? "" : "; " + range) + (usual.empty() ? "" : "; usually " + usual);
    const std::string standard = key.default_value.empty()
                                     ? default_words(key)
                                     : fmt::format("`{}`{}", key.default_value,
                                                   key.default_words.empty() ? "" : ": " + key.default_words);
    text += fmt::format("| `{}` | {} | {} | {} | {} |\n", key.name, in_cell(key.doc), in_cell(value),
                        in_cell(standard), used_by(key));
  }
  text += fmt::format("\n```toml\n{}\n", header(section));
  for (const Key& key : section.keys) text += fmt::format("{} = {}\n", key.name, key.example);
  return text + "```\n\n";
}

}  // namespace

std::string explain(const std::string& what) {
  if (what.empty()) return explain_all();
  const std::string name = without_indices(what);
  if (const Section* section = find_section(name)) return explain_section(*section);
  std::string text;
  std::vector<std::string> names;
  for (const Section& section : spec()) {
    names.push_back(section.name);
    for (const Key& key : section.keys) {
      const std::string dotted = section.name + "." + key.name;
      names.push_back(dotted);
      if (dotted != name && key.name != name) continue;
      if (!text.empty()) text += '\n';
      text += explain_key(section, key);
    }
  }
  if (!text.empty()) return text;
  std::string hint = did_you_mean(name, names);
  if (hint.empty()) {  // a slip in a bare name, "thicknes"
    for (std::string& candidate : names) candidate.erase(0, candidate.rfind('.') + 1);
    hint = did_you_mean(name, names);
  }
  throw InputError(fmt::format("no key or section is called {}{}", shortened(what),
                               hint.empty() ? "; `cutis explain` lists them" : hint));
}

std::string reference_page() {
  std::string text =
      "# The shot file\n\n"
      "A shot is a TOML file. Only `[body]` must be there; everything else has a default. Unknown keys, "
      "wrong types and "
      "wrong units are errors, all reported at once. `cutis new CHARACTER.glb` writes a first shot, `cutis "
      "explain KEY` "
      "shows what is below for one key.\n\n"
      "**Quantities** are numbers in SI units, or text with a unit: `thickness = 0.0015` and `thickness = "
      "\"1.5 mm\"` are "
      "the same. **Paths** start at the folder of the shot file.\n\n"
      "**Painted** values are one quantity for all of the skin, or a map:\n"
      "`slide_limit = { map = \"slide.png\", low = \"0 mm\", high = \"2 cm\" }` is `low` where the map is 0 "
      "and `high` where "
      "it is 1. A map is an image in UV space (`.png`, `.exr`), `\"vertex_color\"`, or the name of a vertex "
      "group or "
      "attribute of the character. `channel = \"green\"` takes another channel than the red one.\n\n";
  text +=
      "`skin.method` chooses how the skin is computed:\n\n| method | what it is | in this build "
      "|\n|---|---|---|\n";
  for (const Method& method : methods())
    text += fmt::format("| `{}` | {} | {} |\n", method.name, method.doc,
                        method.implemented() ? "yes" : "not yet");
  text +=
      "\nA key that the method cannot use is ignored, and the program says so. The examples below show how "
      "each key is "
      "written; they are not one working shot.\n\n";
  for (const Section& section : spec()) text += reference_section(section);
  text.pop_back();
  return text;
}

}  // namespace cutis
