#include "cutis/shot/shot.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cutis/shot/spec/spec.h"

namespace cutis {
namespace {

using Json = nlohmann::ordered_json;

const char* channel_name(Channel channel) {
  constexpr const char* names[] = {"red", "green", "blue", "alpha"};
  return names[static_cast<int>(channel)];
}

std::string map_name(const Painted& painted) {
  switch (painted.source) {
    case Painted::Source::Image:
      return painted.image.string();
    case Painted::Source::VertexColor:
      return "vertex_color";
    default:
      return painted.group;
  }
}

/// Writes a Value as TOML; quantities with their SI unit.
class TomlWriter {
 public:
  explicit TomlWriter(const Key& key) : key_(key) {}

  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return fmt::format("{}", value); }
  std::string operator()(double value) const {
    return key_.dimension == Dimension::Ratio ? format_number(value)
                                              : in_quotes(format_quantity(value, key_.dimension));
  }
  std::string operator()(const std::string& value) const { return in_quotes(value); }
  std::string operator()(const Vec3& v) const {
    return fmt::format("[{}, {}, {}]", (*this)(v[0]), (*this)(v[1]), (*this)(v[2]));
  }
  std::string operator()(const FigureFrames& frames) const {
    constexpr const char* words[] = {"\"all\"", "\"least\"", "\"first\"", "\"last\""};
    if (frames.which == FigureFrames::Which::Number) return fmt::format("{}", frames.number);
    return words[static_cast<int>(frames.which)];
  }
  std::string operator()(const Painted& painted) const {
    if (painted.source == Painted::Source::Constant) return (*this)(painted.value);
    const std::string map = fmt::format("map = {}, channel = \"{}\"", in_quotes(map_name(painted)),
                                        channel_name(painted.channel));
    if (key_.type == KeyType::Map) return fmt::format("{{ {} }}", map);
    return fmt::format("{{ {}, low = {}, high = {} }}", map, (*this)(painted.low), (*this)(painted.high));
  }
  std::string operator()(const Parameters& parameters) const {
    std::vector<std::string> items;
    for (const auto& [name, value] : parameters)
      items.push_back(fmt::format("{} = {}", in_quotes(name), std::visit(*this, value)));
    return items.empty() ? "{}" : fmt::format("{{ {} }}", fmt::join(items, ", "));
  }
  template <class T>
  std::string operator()(const std::vector<T>& list) const {
    std::vector<std::string> items;
    for (const T& item : list) items.push_back((*this)(item));
    return fmt::format("[{}]", fmt::join(items, ", "));
  }

 private:
  const Key& key_;
};

struct JsonWriter {
  Json operator()(std::monostate) const { return nullptr; }
  Json operator()(const Vec3& v) const { return {v[0], v[1], v[2]}; }
  Json operator()(const FigureFrames& frames) const {
    constexpr const char* words[] = {"all", "least", "first", "last"};
    if (frames.which == FigureFrames::Which::Number) return frames.number;
    return words[static_cast<int>(frames.which)];
  }
  Json operator()(const Painted& painted) const {
    if (painted.source == Painted::Source::Constant) return painted.value;
    return {{"map", map_name(painted)},
            {"channel", channel_name(painted.channel)},
            {"low", painted.low},
            {"high", painted.high}};
  }
  Json operator()(const Parameters& parameters) const {
    Json object = Json::object();
    for (const auto& [name, value] : parameters) object[name] = std::visit(*this, value);
    return object;
  }
  Json operator()(const std::vector<Vec3>& list) const {
    Json array = Json::array();
    for (const Vec3& v : list) array.push_back((*this)(v));
    return array;
  }
  template <class T>
  Json operator()(const T& value) const {
    return value;
  }
};

Json& json_at(Json& root, const std::string& dotted) {
  Json* at = &root;
  for (std::size_t begin = 0; begin <= dotted.size();) {
    const std::size_t end = std::min(dotted.find('.', begin), dotted.size());
    at = &(*at)[dotted.substr(begin, end - begin)];
    begin = end + 1;
  }
  return *at;
}

}  // namespace

bool Shot::operator==(const Shot& other) const {
  return body == other.body && time == other.time && flesh == other.flesh && skin == other.skin &&
         wrinkle == other.wrinkle && scene == other.scene && solver == other.solver &&
         output == other.output && picture == other.picture && figure == other.figure;
}

std::string Shot::place(const std::string& key) const {
  const auto at = written.find(key);
  return at == written.end() ? fmt::format("{}: ", file.string())
                             : fmt::format("{}:{}: ", file.string(), at->second);
}

std::string to_toml(const Shot& shot) {
  std::string text;
  for (const Section& section : spec())
    for (std::size_t i = 0; i < section.count(shot); ++i) {
      text += section.array ? fmt::format("[[{}]]\n", section.name) : fmt::format("[{}]\n", section.name);
      for (const Key& key : section.keys) {
        const std::string value = std::visit(TomlWriter(key), key.get(shot, i));
        if (!value.empty()) text += fmt::format("{} = {}\n", key.name, value);
      }
      text += '\n';
    }
  text.pop_back();
  return text;
}

std::string to_json(const Shot& shot) {
  Json root = Json::object();
  for (const Section& section : spec()) {
    Json& place = json_at(root, section.name);
    if (section.array) place = Json::array();
    for (std::size_t i = 0; i < section.count(shot); ++i) {
      Json& table = section.array ? place.emplace_back(Json::object()) : place;
      for (const Key& key : section.keys) {
        Json value = std::visit(JsonWriter(), key.get(shot, i));
        if (!value.is_null()) table[key.name] = std::move(value);
      }
    }
  }
  return root.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace cutis
