#include "cutis/io/array/strokes_file.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cutis/body/anatomy/human_bone_names.h"
#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "cutis/core/one_line.h"
#include "cutis/io/gltf/json_depth.h"
#include "cutis/io/json_words.h"

namespace cutis {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::json;

constexpr std::uintmax_t kMostBytes = std::uintmax_t(1) << 26;
constexpr int kDeepest = 8;
constexpr double kFurthest = 1e6;  // [m]
constexpr double kMostDegrees = 36000;

Json parsed(const std::string& file, const Bytes& bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (json_nests_deeper(text, kDeepest))
    throw InputError(fmt::format("{}: brackets lie more than {} deep; strokes need four", file, kDeepest));
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {
    throw InputError(fmt::format("{}: not JSON: {}", file, one_line(json_words(error.what()))));
  }
}

void check_keys(const Json& object, const std::vector<std::string>& known, const std::string& place) {
  for (const auto& [key, value] : object.items()) {
    if (std::ranges::find(known, key) != known.end()) continue;
    const std::string near = nearest_word(key, known);
    throw InputError(fmt::format("{}: unknown key \"{}\"; {}", place, one_line(key, 40),
                                 near.empty() ? fmt::format("there are {}", fmt::join(known, ", "))
                                              : fmt::format("did you mean \"{}\"?", near)));
  }
}

double number(const Json& value, double largest, const std::string& place) {
  if (value.is_number() && std::abs(value.get<double>()) <= largest) return value.get<double>();
  throw InputError(fmt::format("{}: {} is not a number between {:g} and {:g}", place,
                               one_line(value.dump(), 40), -largest, largest));
}

/// A list of at least two lists of `size` numbers.
const Json& point_list(const Json& stroke, const char* key, std::size_t size, const std::string& place) {
  const Json& list = stroke[key];
  if (!list.is_array() || list.size() < 2)
    throw InputError(
        fmt::format("{}: {}: give at least two points, each a list of {} numbers", place, key, size));
  for (std::size_t i = 0; i < list.size(); ++i)
    if (!list[i].is_array() || list[i].size() != size)
      throw InputError(fmt::format("{}: {}: point {} is not a list of {} numbers", place, key, i + 1, size));
  return list;
}

Stroke read_stroke(const Json& json, const std::string& place) {
  if (!json.is_object())
    throw InputError(fmt::format("{}: not an object such as {{\"points\": [[x, y, z], ...]}}", place));
  check_keys(json, {"points", "bone", "around"}, place);
  Stroke stroke;
  if (json.contains("points") == json.contains("around"))
    throw InputError(fmt::format("{}: give either \"points\", or \"bone\" and \"around\"", place));
  if (json.contains("points")) {
    if (json.contains("bone"))
      throw InputError(fmt::format("{}: \"points\" lie in space; a \"bone\" goes with \"around\"", place));
    for (const Json& p : point_list(json, "points", 3, place))
      stroke.points.emplace_back(number(p[0], kFurthest, place), number(p[1], kFurthest, place),
                                 number(p[2], kFurthest, place));
    return stroke;
  }
  const std::vector<std::string> bones = human_bone_names();
  if (json.contains("bone") && json["bone"].is_string()) stroke.bone = json["bone"].get<std::string>();
  if (std::ranges::find(bones, stroke.bone) == bones.end())
    throw InputError(fmt::format("{}: \"{}\" is no bone; there are {}", place, one_line(stroke.bone, 40),
                                 fmt::join(bones, ", ")));
  for (const Json& p : point_list(json, "around", 2, place))
    stroke.around.emplace_back(number(p[0], 10, place),
                               number(p[1], kMostDegrees, place) * std::numbers::pi / 180);
  return stroke;
}

}  // namespace

StrokesFile read_strokes(const fs::path& path) {
  const std::string file = path.string();
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  if (!error && size > kMostBytes)
    throw InputError(fmt::format("{}: {} bytes; strokes may have {} at most", file, size, kMostBytes));
  const Json json = parsed(file, read_file(path));
  if (!json.is_object() || !json.contains("strokes") || !json["strokes"].is_array())
    throw InputError(fmt::format("{}: not an object with a list of strokes: {{\"strokes\": [...]}}", file));
  check_keys(json, {"strokes", "body"}, file);
  StrokesFile result;
  if (json.contains("body")) {
    if (!json["body"].is_string())
      throw InputError(fmt::format("{}: body: not the name of a file in quotes", file));
    result.drawn_on = fs::absolute(path).parent_path() / json["body"].get<std::string>();
  }
  for (const Json& stroke : json["strokes"])
    result.strokes.push_back(
        read_stroke(stroke, fmt::format("{}: stroke {}", file, result.strokes.size() + 1)));
  if (result.strokes.empty()) throw InputError(fmt::format("{}: holds no stroke", file));
  return result;
}

}  // namespace cutis
