#include "cutis/shot/methods.h"

#include <algorithm>
#include <initializer_list>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/shot/slide_factories.h"
#include "cutis/shot/spec/spec.h"

namespace cutis {
namespace {

bool in_any(const std::string& key, std::initializer_list<const char*> sections) {
  return std::any_of(sections.begin(), sections.end(),
                     [&](const char* section) { return key.starts_with(section); });
}

/// What is said of a key of a section that is not in use; empty where it is.
std::string idle_section(const Shot& shot, const std::string& key) {
  if (!shot.flesh.use && key.starts_with("flesh.") && key != "flesh.use")
    return "is no flesh: it is ignored; flesh.use = true makes some";
  if (!shot.wrinkle.use && key.starts_with("wrinkle.") && key != "wrinkle.use")
    return "are no wrinkles: it is ignored; wrinkle.use = true makes some";
  return "";
}

}  // namespace

const std::vector<Method>& methods() {
  static const std::vector<Method> all = {
      {SkinMethod::None, "none", "Plain skinning: the skin is the body itself.", no_slide},
      {SkinMethod::ForceDensity, "force_density", "Sliding in one sparse solve: a preview while posing.",
       force_density_slide},
      {SkinMethod::Eulerian, "eulerian", "Elastodynamic skin that flows through a fixed mesh.",
       eulerian_slide},
      {SkinMethod::Lagrangian, "lagrangian", "Quasi-static biomechanical skin, with strain to measure.",
       lagrangian_slide},
      {SkinMethod::Tracked, "tracked", "Ballistic skin that lags, overshoots and settles.", tracked_slide},
  };
  return all;
}

bool uses(const Method& method, const Key& key) {
  return std::find(key.used_by.begin(), key.used_by.end(), method.id) != key.used_by.end();
}

std::vector<std::string> methods_using(const Key& key) {
  std::vector<std::string> names;
  for (const Method& method : methods())
    if (method.implemented() && uses(method, key)) names.push_back(method.name);
  return names;
}

const Method& method_of(const Shot& shot) {
  const Method& method = methods()[static_cast<std::size_t>(shot.skin.method)];
  if (method.implemented()) return method;
  std::vector<std::string> names;
  for (const Method& other : methods())
    if (other.implemented()) names.push_back('"' + other.name + '"');
  throw InputError(fmt::format("{}skin.method: this build cannot compute it yet (\"{}\"); it has {}",
                               shot.place("skin.method"), method.name, fmt::join(names, ", ")));
}

SlidesOn slides_on(const Shot& shot) {
  if (shot.skin.method == SkinMethod::None || shot.skin.surface == SlidesOn::Polygon)
    return SlidesOn::Polygon;
  return shot.skin.method == SkinMethod::ForceDensity ? SlidesOn::Limit : SlidesOn::Cage;
}

bool read_by_flesh(const std::string& key) {
  return in_any(key, {"body.", "time.", "flesh.", "scene.", "skin.region"});
}

bool read_by_wrinkles(const std::string& key) {
  return in_any(key, {"time.", "wrinkle", "skin.region", "solver.on_failure", "output", "picture", "figure"});
}

std::vector<std::string> unused_keys(const Shot& shot) {
  const Method& method = method_of(shot);
  std::vector<std::pair<int, std::string>> found;
  for (const auto& [path, line] : shot.written) {
    const std::string name = without_indices(path);
    const Key* key = find_key(name);
    const std::string idle = key ? idle_section(shot, name) : "";
    if (!idle.empty())
      found.emplace_back(line, fmt::format("{}:{}: {}: there {}", shot.file.string(), line, name, idle));
    if ((shot.flesh.use && read_by_flesh(name)) || (shot.wrinkle.use && read_by_wrinkles(name))) continue;
    if (key && !uses(method, *key))
      found.emplace_back(line, fmt::format("{}:{}: {}: method \"{}\" cannot use it: it is ignored",
                                           shot.file.string(), line, name, method.name));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> messages;
  for (auto& [line, message] : found) messages.push_back(std::move(message));
  return messages;
}

}  // namespace cutis
