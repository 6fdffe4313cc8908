#include "cutis/shot/values.h"

#include <cctype>
#include <string_view>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "cutis/core/error.h"
#include "cutis/core/quantity.h"

namespace cutis {
namespace {

// toml++ destroys nested tables by recursion and bounds the nesting of values but not of dotted keys.
constexpr int deepest_key = 32;

/// Dots between the parts of one dotted key, found without parsing: anything that cannot stand in a key ends
/// the count. Lines of comment may hold as many dots as they like.
void refuse_deep_keys(const std::string& text, const std::string& file) {
  int line = 1, dots = 0;
  bool comment = false, line_empty = true;
  for (const char c : text) {
    if (c == '\n') {
      ++line;
      dots = 0;
      comment = false;
      line_empty = true;
      continue;
    }
    if (line_empty && c == '#') comment = true;
    if (c != ' ' && c != '\t') line_empty = false;
    if (comment) continue;
    if (c == '.')
      ++dots;
    else if (std::string_view(",=[]{}/#").find(c) != std::string_view::npos)
      dots = 0;
    if (dots > deepest_key)
      throw InputError(
          fmt::format("{}:{}: a key of more than {} parts; no shot has one", file, line, deepest_key));
  }
}

/// Words without quotes are the commonest slip, and the parser's own message hardly says so.
std::string quotes_hint(const std::string& text, std::size_t line) {
  std::size_t begin = 0;
  for (std::size_t i = 1; i < line && begin != std::string::npos; ++i) {
    begin = text.find('\n', begin);
    if (begin != std::string::npos) ++begin;
  }
  if (begin == std::string::npos) return "";
  const std::size_t equals = text.find_first_of("=\n", begin);
  if (equals == std::string::npos || text[equals] == '\n') return "";
  const std::size_t value = text.find_first_not_of(" \t", equals + 1);
  const bool word = value != std::string::npos && std::isalpha(static_cast<unsigned char>(text[value]));
  return word ? "; text stands in \"quotes\"" : "";
}

int line_of(const toml::source_region& source) { return static_cast<int>(source.begin.line); }

TomlNode convert(const toml::node& from, int line) {
  TomlNode node;
  node.line = line;
  if (const auto* table = from.as_table()) {
    node.kind = TomlNode::Kind::Table;
    for (const auto& [key, child] : *table) {
      node.names.emplace_back(key.str());
      node.children.push_back(convert(child, line_of(key.source())));
    }
  } else if (const auto* array = from.as_array()) {
    node.kind = TomlNode::Kind::Array;
    for (const toml::node& child : *array) node.children.push_back(convert(child, line_of(child.source())));
  } else if (const auto* boolean = from.as_boolean()) {
    node.kind = TomlNode::Kind::Bool;
    node.boolean = boolean->get();
  } else if (const auto* integer = from.as_integer()) {
    node.kind = TomlNode::Kind::Integer;
    node.integer = integer->get();
  } else if (const auto* number = from.as_floating_point()) {
    node.kind = TomlNode::Kind::Number;
    node.number = number->get();
  } else if (const auto* string = from.as_string()) {
    node.kind = TomlNode::Kind::String;
    node.text = string->get();
  } else {
    node.kind = TomlNode::Kind::Date;
  }
  return node;
}

}  // namespace

TomlNode parse_toml(const std::string& text, const std::string& file) {
  if (text.size() > largest_shot)
    throw InputError(
        fmt::format("{}: {} MiB is too large for a shot; is it another file?", file, text.size() >> 20));
  refuse_deep_keys(text, file);
  try {
    return convert(toml::parse(text), 1);
  } catch (const toml::parse_error& error) {
    const auto& at = error.source().begin;
    throw InputError(fmt::format("{}:{}:{}: not TOML: {}{}", file, at.line, at.column, error.description(),
                                 quotes_hint(text, at.line)));
  }
}

std::string in_quotes(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      (out += '\\') += c;
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      out += fmt::format("\\u{:04X}", static_cast<int>(c));
    else
      out += c;
  }
  return out + '"';
}

std::string shortened(const std::string& text) {
  constexpr std::size_t longest = 60;
  if (text.size() <= longest) return in_quotes(text);
  std::size_t cut = longest;  // never inside a UTF-8 sequence
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) --cut;
  return in_quotes(text.substr(0, cut) + "...");
}

std::string shown(const TomlNode& node) {
  switch (node.kind) {
    case TomlNode::Kind::Bool:
      return node.boolean ? "true" : "false";
    case TomlNode::Kind::Integer:
      return fmt::format("{}", node.integer);
    case TomlNode::Kind::Number:
      return format_number(node.number);
    case TomlNode::Kind::String:
      return shortened(node.text);
    case TomlNode::Kind::Array:
      return node.children.empty() ? "an empty list" : fmt::format("a list of {}", node.children.size());
    case TomlNode::Kind::Table:
      return "a table";
    case TomlNode::Kind::Date:
      return "a date or time";
  }
  return "";
}

}  // namespace cutis
