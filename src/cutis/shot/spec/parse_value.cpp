#include "cutis/shot/spec/parse_value.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "cutis/io/cache/mesh_sequence.h"
#include "cutis/run/result.h"

namespace cutis {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void wrong_type(const TomlNode& node, const std::string& wanted) {
  throw InputError(fmt::format("wrong type ({}); give {}", shown(node), wanted));
}

void check_range(double value, const std::string& text, const Key& key) {
  const bool too_low = key.low_open ? value <= key.low : value < key.low;
  const bool too_high = key.high_open ? value >= key.high : value > key.high;
  if (too_low || too_high)
    throw InputError(fmt::format("out of range ({}); must be {}", text, range_words(key)));
}

double plain_number(const TomlNode& node, const std::string& wanted) {
  if (node.kind == TomlNode::Kind::Integer) return static_cast<double>(node.integer);
  if (node.kind != TomlNode::Kind::Number) wrong_type(node, wanted);
  if (!std::isfinite(node.number)) throw InputError(fmt::format("not a finite number ({})", shown(node)));
  return node.number;
}

double number(const TomlNode& node, const Key& key) {
  const double value = plain_number(node, "a number");
  check_range(value, shown(node), key);
  return value;
}

double quantity(const TomlNode& node, const Key& key) {
  double value = 0;
  if (node.kind == TomlNode::Kind::String) {
    const auto units = accepted_units(key.dimension);
    const bool bare = key.bare_unit && std::find(units.begin(), units.end(), node.text) != units.end();
    if (node.text.size() > 60) wrong_type(node, "a number and a unit");
    value = parse_quantity(bare ? "1 " + node.text : node.text, key.dimension);
  } else if (key.dimension == Dimension::Ratio) {
    value = plain_number(node, "a number");
  } else {
    value = plain_number(node, fmt::format("a number in {}, or text such as {}", si_unit(key.dimension),
                                           in_quotes("2 " + accepted_units(key.dimension).back())));
  }
  check_range(value, shown(node), key);
  return value;
}

std::int64_t integer(const TomlNode& node, const Key& key) {
  if (node.kind != TomlNode::Kind::Integer) wrong_type(node, "a whole number");
  check_range(static_cast<double>(node.integer), shown(node), key);
  return node.integer;
}

const std::string& text(const TomlNode& node, const std::string& wanted = "text in quotes") {
  if (node.kind != TomlNode::Kind::String) wrong_type(node, wanted);
  return node.text;
}

std::string one_of(const TomlNode& node, const std::vector<std::string>& choices) {
  const std::string all = fmt::format("\"{}\"", fmt::join(choices, "\", \""));
  const std::string& word = text(node, "one of " + all);
  if (std::find(choices.begin(), choices.end(), word) == choices.end())
    throw InputError(
        fmt::format("unknown word ({}); give one of {}{}", shown(node), all, did_you_mean(word, choices)));
  return word;
}

std::string existing_file(const TomlNode& node, const fs::path& folder, bool moving = false) {
  const std::string& given = text(node, "the path of a file in quotes");
  if (given.empty() || given.find('\0') != std::string::npos)
    throw InputError(fmt::format("not a path ({})", shown(node)));
  const fs::path path = fs::absolute(folder / given).lexically_normal();
  std::error_code error;
  if (fs::is_directory(path, error) && !(moving && is_result(path)))
    throw InputError(
        fmt::format("a folder{} ({})", moving ? " without a result in it" : ", not a file", shown(node)));
  if (fs::exists(path, error)) return path.string();
  if (moving && is_sequence(path)) {
    sequence_files(path);
    return path.string();
  }
  std::vector<std::string> there;
  for (fs::directory_iterator it(path.parent_path(), error), end; !error && it != end && there.size() < 1000;
       it.increment(error))
    there.push_back(it->path().filename().string());
  std::sort(there.begin(), there.end());
  throw InputError(fmt::format("no such file ({}); looked for {}{}", shown(node), in_quotes(path.string()),
                               did_you_mean(path.filename().string(), there)));
}

void read_map(const TomlNode& node, Painted& painted, const fs::path& folder) {
  const std::string& map = text(node, "an image, \"vertex_color\" or a vertex group, in quotes");
  const std::string extension = lower_ending(map);
  const std::vector<std::string> others = {".jpg", ".jpeg", ".tif", ".tiff", ".tga", ".bmp", ".webp", ".psd"};
  if (is_map_image(map)) {
    painted.source = Painted::Source::Image;
    painted.image = existing_file(node, folder);
  } else if (std::find(others.begin(), others.end(), extension) != others.end()) {
    throw InputError(fmt::format("maps are .png or .exr ({})", shown(node)));
  } else if (map == "vertex_color") {
    painted.source = Painted::Source::VertexColor;
  } else if (map.empty()) {
    throw InputError("an empty name; give an image, \"vertex_color\" or a vertex group");
  } else {
    painted.source = Painted::Source::Group;
    painted.group = map;
  }
}

/// { map, channel, low, high }; a Map key has no low and high.
Painted painted_table(const TomlNode& node, const Key& key, const fs::path& folder) {
  std::vector<std::string> known = {"map", "channel"};
  if (key.type == KeyType::Painted) known.insert(known.end(), {"low", "high"});
  Painted painted;
  bool has_map = false, has_low = false, has_high = false;
  for (std::size_t i = 0; i < node.names.size(); ++i) {
    const std::string& name = node.names[i];
    const TomlNode& child = node.children[i];
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw InputError(fmt::format("unknown name {} in a painted value; it has {}{}", in_quotes(name),
                                   fmt::join(known, ", "), did_you_mean(name, known)));
    if (name == "map") {
      read_map(child, painted, folder);
      has_map = true;
    } else if (name == "channel") {
      const std::vector<std::string> channels = {"red", "green", "blue", "alpha"};
      const std::string channel = one_of(child, channels);
      painted.channel =
          static_cast<Channel>(std::find(channels.begin(), channels.end(), channel) - channels.begin());
    } else {
      (name == "low" ? has_low : has_high) = true;
      (name == "low" ? painted.low : painted.high) = quantity(child, key);
    }
  }
  if (!has_map)
    throw InputError("a painted value needs its map: { map = \"slide.png\", low = ..., high = ... }");
  if (key.type == KeyType::Painted && !(has_low && has_high))
    throw InputError("a painted value needs low and high: what 0 and 1 in the map stand for");
  return painted;
}

Painted painted(const TomlNode& node, const Key& key, const fs::path& folder) {
  if (node.kind == TomlNode::Kind::Table) return painted_table(node, key, folder);
  Painted result;
  if (key.type == KeyType::Map)
    read_map(node, result, folder);
  else
    result.value = quantity(node, key);
  return result;
}

Vec3 vector(const TomlNode& node, const Key& key) {
  if (node.kind != TomlNode::Kind::Array || node.children.size() != 3)
    wrong_type(node, "three numbers: [x, y, z]");
  Vec3 v;
  for (int i = 0; i < 3; ++i) v[i] = quantity(node.children[static_cast<std::size_t>(i)], key);
  return v;
}

FigureFrames frames(const TomlNode& node) {
  const std::vector<std::string> words = {"all", "least", "first", "last"};
  if (node.kind == TomlNode::Kind::Integer) {
    if (node.integer < 1 || node.integer > std::numeric_limits<int>::max())
      throw InputError(fmt::format("out of range ({}); frames count from 1", shown(node)));
    return {FigureFrames::Which::Number, static_cast<int>(node.integer)};
  }
  if (node.kind != TomlNode::Kind::String)
    wrong_type(node, "\"all\", \"least\", \"first\", \"last\" or a whole number");
  const std::string word = one_of(node, words);
  return {static_cast<FigureFrames::Which>(std::find(words.begin(), words.end(), word) - words.begin()), 0};
}

Parameters parameters(const TomlNode& node) {
  if (node.kind != TomlNode::Kind::Table) wrong_type(node, "a table: { percentile = 99 }");
  Parameters result;
  for (std::size_t i = 0; i < node.names.size(); ++i) {
    const TomlNode& child = node.children[i];
    auto& slot = result[node.names[i]];
    if (child.kind == TomlNode::Kind::Bool)
      slot = child.boolean;
    else if (child.kind == TomlNode::Kind::String)
      slot = child.text;
    else
      slot = plain_number(child, "a number, a text or a switch for " + in_quotes(node.names[i]));
  }
  return result;
}

/// Reads each item of a list by f; one item may stand alone where `alone` says so.
template <class F>
auto list(const TomlNode& node, const Key& key, bool alone, const F& f) {
  std::vector<std::decay_t<decltype(f(node))>> result;
  if (node.kind == TomlNode::Kind::Array) {
    for (const TomlNode& child : node.children) result.push_back(f(child));
  } else {
    if (!alone) wrong_type(node, "a list: [...]");
    result.push_back(f(node));
  }
  const auto min = static_cast<std::size_t>(key.min_count), max = static_cast<std::size_t>(key.max_count);
  const bool nothing = result.empty() && key.default_value == "[]";
  if (!nothing && (result.size() < min || result.size() > max))
    throw InputError(min == max
                         ? fmt::format("wrong length ({}); give {} values", result.size(), min)
                         : fmt::format("wrong length ({}); give {} to {} values", result.size(), min, max));
  return result;
}

}  // namespace

bool is_map_image(const fs::path& file) {
  const std::string ending = lower_ending(file);
  return ending == ".png" || ending == ".exr";
}

Value parse_value(const TomlNode& node, const Key& key, const fs::path& folder) {
  switch (key.type) {
    case KeyType::Bool:
      if (node.kind != TomlNode::Kind::Bool) wrong_type(node, "true or false");
      return node.boolean;
    case KeyType::Integer:
      return integer(node, key);
    case KeyType::Number:
      return number(node, key);
    case KeyType::Quantity:
      return quantity(node, key);
    case KeyType::String:
      return text(node);
    case KeyType::Choice:
      return one_of(node, key.choices);
    case KeyType::Path:
      return existing_file(node, folder, key.moving_files);
    case KeyType::Vector:
      return vector(node, key);
    case KeyType::Painted:
    case KeyType::Map:
      return painted(node, key, folder);
    case KeyType::Frames:
      return frames(node);
    case KeyType::Integers:
      return list(node, key, false, [&](const TomlNode& n) { return integer(n, key); });
    case KeyType::Quantities:
      return list(node, key, true, [&](const TomlNode& n) { return quantity(n, key); });
    case KeyType::Strings:
      return list(node, key, true, [](const TomlNode& n) { return text(n); });
    case KeyType::Choices:
      return list(node, key, true, [&](const TomlNode& n) { return one_of(n, key.choices); });
    case KeyType::Vectors:
      return list(node, key, false, [&](const TomlNode& n) { return vector(n, key); });
    case KeyType::Parameters:
      return parameters(node);
  }
  return {};
}

Value default_value(const Key& key) {
  if (key.default_value.empty()) return {};
  return parse_value(parse_toml("x = " + key.default_value, "default of " + key.name).children.front(), key,
                     {});
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates) {
  constexpr std::size_t longest = 60;  // the search costs the product of the lengths
  const std::string near = word.size() > longest ? "" : nearest_word(word, candidates);
  return near.empty() ? "" : fmt::format("; did you mean {}?", in_quotes(near));
}

}  // namespace cutis
