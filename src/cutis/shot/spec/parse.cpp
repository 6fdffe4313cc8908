#include <algorithm>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "cutis/shot/spec/parse_rules.h"
#include "cutis/shot/spec/parse_value.h"

namespace cutis {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_tables = 1000;   // of one array section
constexpr std::size_t most_mistakes = 100;  // that one error lists

void set_defaults(Shot& shot, const Section& section, std::size_t index) {
  for (const Key& key : section.keys) {
    const Value value = default_value(key);
    if (!std::holds_alternative<std::monostate>(value)) key.set(shot, index, value);
  }
}

/// Fills a Shot from a tree of TOML and collects every mistake on the way.
class Reader {
 public:
  explicit Reader(fs::path file) {
    shot_.file = std::move(file);
    for (const Section& section : spec())
      if (!section.array) set_defaults(shot_, section, 0);
  }

  Shot read(const TomlNode& root) {
    read_children(root, nullptr, "", 0);
    for (Mistake& mistake : check_rules(shot_, mistakes_)) mistakes_.push_back(std::move(mistake));
    report();
    return std::move(shot_);
  }

 private:
  /// `section` is the table that `node` is, null for the whole file; `path` is its name with indices.
  void read_children(const TomlNode& node, const Section* section, const std::string& path,
                     std::size_t index) {
    if (section) apply_presets(node, *section);
    for (std::size_t i = 0; i < node.names.size(); ++i) {
      const TomlNode& child = node.children[i];
      const std::string dotted = (section ? section->name + "." : "") + node.names[i];
      const std::string child_path = (path.empty() ? "" : path + ".") + node.names[i];
      if (const Section* inner = find_section(dotted))
        read_section(child, *inner, child_path);
      else if (const Key* key = find_key(dotted))
        read_key(child, *key, child_path, index);
      else
        wrong(child.line, child_path, unknown(node.names[i], section, child));
    }
    if (section) check_required(node, *section, path);
  }

  void read_section(const TomlNode& node, const Section& section, const std::string& path) {
    shot_.written[path] = node.line;
    if (!section.array) {
      if (node.kind != TomlNode::Kind::Table)
        return wrong(node.line, path,
                     fmt::format("wrong type ({}); write it as a table, [{}]", shown(node), section.name));
      return read_children(node, &section, path, 0);
    }
    if (node.kind != TomlNode::Kind::Array)
      return wrong(
          node.line, path,
          fmt::format("wrong type ({}); there may be several: write [[{}]]", shown(node), section.name));
    if (node.children.size() > most_tables)
      return wrong(node.line, path,
                   fmt::format("{} tables; give at most {}", node.children.size(), most_tables));
    for (const TomlNode& child : node.children) {
      if (child.kind != TomlNode::Kind::Table) {
        wrong(child.line, path,
              fmt::format("wrong type ({}); write it as [[{}]]", shown(child), section.name));
        continue;
      }
      const std::size_t index = section.count(shot_);
      section.append(shot_);
      set_defaults(shot_, section, index);
      const std::string item = fmt::format("{}[{}]", path, index);
      shot_.written[item] = child.line;
      read_children(child, &section, item, index);
    }
  }

  /// Before anything else of the section is read, so that keys that are given win.
  void apply_presets(const TomlNode& node, const Section& section) {
    for (std::size_t i = 0; i < node.names.size(); ++i) {
      const Key* key = find_key(section.name + "." + node.names[i]);
      if (!key) continue;
      for (const Preset& preset : key->presets) {
        if (preset.word != node.children[i].text) continue;
        for (const auto& [name, toml] : preset.values) {
          const Key& set = *find_key(name);
          set.set(shot_, 0, parse_value(parse_toml("value = " + toml, name).children.front(), set, {}));
        }
      }
    }
  }

  void read_key(const TomlNode& node, const Key& key, const std::string& path, std::size_t index) {
    shot_.written[path] = node.line;
    try {
      key.set(shot_, index, parse_value(node, key, shot_.file.parent_path()));
    } catch (const InputError& error) {
      wrong(node.line, path, error.what());
    }
  }

  void check_required(const TomlNode& node, const Section& section, const std::string& path) {
    for (const Key& key : section.keys)
      if (key.required && !shot_.written.contains(path + "." + key.name))
        wrong(node.line, path + "." + key.name,
              fmt::format("missing; add for instance {} = {}", key.name, key.example));
  }

  std::string unknown(const std::string& name, const Section* section, const TomlNode& node) const {
    const std::string kind = node.kind == TomlNode::Kind::Table ? "unknown section" : "unknown key";
    std::vector<std::string> near;
    for (const Section& other : spec()) {
      const auto dot = other.name.rfind('.');
      const std::string parent = dot == std::string::npos ? "" : other.name.substr(0, dot);
      if (parent == (section ? section->name : "")) near.push_back(other.name.substr(dot + 1));
    }
    if (section)
      for (const Key& key : section->keys) near.push_back(key.name);
    std::string hint = did_you_mean(name, near);
    if (hint.empty()) hint = elsewhere(name);
    if (hint.empty() && section) hint = fmt::format("; `cutis explain {}` lists the keys", section->name);
    if (hint.empty()) hint = "; `cutis explain` lists the sections";
    return kind + hint;
  }

  /// A key that is right but stands in the wrong section.
  static std::string elsewhere(const std::string& name) {
    for (const Section& section : spec())
      for (const Key& key : section.keys)
        if (key.name == name) return fmt::format("; did you mean \"{}.{}\"?", section.name, name);
    return "";
  }

  void wrong(int line, const std::string& path, const std::string& what) {
    mistakes_.push_back({line, path, what});
  }

  /// The key as a message shows it: short, on one line.
  static std::string shown_key(const std::string& path) {
    const std::string key = without_indices(path);
    const bool odd =
        key.size() > 100 || std::any_of(key.begin(), key.end(), [](unsigned char c) { return c <= ' '; });
    return odd ? shortened(key) : key;
  }

  void report() {
    if (mistakes_.empty()) return;
    std::stable_sort(mistakes_.begin(), mistakes_.end(),
                     [](const Mistake& a, const Mistake& b) { return a.line < b.line; });
    std::vector<std::string> texts;
    for (const Mistake& mistake : mistakes_) {
      if (texts.size() == most_mistakes) break;
      const std::string line = mistake.line == 0 ? "" : fmt::format(":{}", mistake.line);
      texts.push_back(
          fmt::format("{}{}: {}: {}", shot_.file.string(), line, shown_key(mistake.key), mistake.what));
    }
    if (mistakes_.size() > most_mistakes)
      texts.push_back(
          fmt::format("{}: and {} more mistakes", shot_.file.string(), mistakes_.size() - most_mistakes));
    throw InputError(texts);
  }

  Shot shot_;
  std::vector<Mistake> mistakes_;
};

}  // namespace

Shot read_shot(const fs::path& file) {
  std::error_code error;
  const auto size = fs::file_size(file, error);
  if (!error && size > largest_shot)
    throw InputError(
        fmt::format("{}: {} MiB is too large for a shot; is it another file?", file.string(), size >> 20));
  const Bytes bytes = read_file(file);
  return parse_shot(std::string(bytes.begin(), bytes.end()), file);
}

Shot parse_shot(const std::string& text, const fs::path& file) {
  return Reader(file).read(parse_toml(text, file.string()));
}

Shot default_shot_for(const fs::path& character) {
  std::error_code error;
  if (!fs::exists(character, error)) throw InputError(fmt::format("{}: no such file", character.string()));
  Shot shot = parse_shot("body.file = " + in_quotes(fs::absolute(character).string()), character);
  shot.written.clear();
  return shot;
}

}  // namespace cutis
