#include "cutis/shot/methods.h"

#include <algorithm>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/shot/spec/spec.h"

namespace cutis {
namespace {

/// What the program itself uses, whatever the method.
std::vector<std::string> with_common(std::vector<std::string> own) {
  const std::vector<std::string> common = {
      "body.*", "time.start", "time.end", "time.fps", "skin.method", "output.formats", "output.precision",
      "output.storage", "output.fields", "picture.*", "figure.*", "skin.region.*",
      // Pictures show directions, whatever moves the skin.
      "skin.direction.langer", "skin.direction.axis", "skin.direction.file"};
  own.insert(own.end(), common.begin(), common.end());
  return own;
}

}  // namespace

const std::vector<Method>& methods() {
  static const std::vector<Method> all = {
      {SkinMethod::None, "none", "Plain skinning: the skin is the body itself.", true, with_common({})},
      {SkinMethod::ForceDensity, "force_density", "Sliding in one sparse solve: a preview while posing.",
       true,
       with_common({"skin.surface", "skin.resolution", "skin.slide_limit", "skin.tightness",
                    "solver.edge_weights", "solver.patch_outline"})},
      {SkinMethod::Eulerian, "eulerian", "Elastodynamic skin that flows through a fixed mesh.", false, {}},
      {SkinMethod::Lagrangian, "lagrangian", "Quasi-static biomechanical skin, with strain to measure.", true,
       with_common({"skin.surface",
                    "skin.resolution",
                    "skin.thickness",
                    "skin.slide_limit",
                    "skin.rest_from",
                    "skin.material.model",
                    "skin.material.preset",
                    "skin.material.young",
                    "skin.material.poisson",
                    "skin.material.fung_stiffness",
                    "skin.material.fung_exponent",
                    "skin.material.fibres",
                    "skin.material.fibre_angle",
                    "skin.material.fibre_linear",
                    "skin.material.fibre_stiffness",
                    "skin.material.fibre_exponent",
                    "skin.material.biphasic",
                    "skin.material.biphasic_young",
                    "skin.material.biphasic_start",
                    "skin.material.biphasic_end",
                    "skin.direction.*",
                    "skin.ligament.*",
                    "skin.constraint.*",
                    "solver.tolerance",
                    "solver.max_iterations",
                    "solver.substeps"})},
      {SkinMethod::Tracked, "tracked", "Ballistic skin that lags, overshoots and settles.", false, {}},
  };
  return all;
}

bool honours(const Method& method, const std::string& key) {
  return std::any_of(method.honours.begin(), method.honours.end(), [&](const std::string& pattern) {
    if (pattern.ends_with(".*")) return key.starts_with(pattern.substr(0, pattern.size() - 1));
    return key == pattern;
  });
}

std::vector<std::string> methods_honouring(const std::string& key) {
  std::vector<std::string> names;
  for (const Method& method : methods())
    if (method.implemented && honours(method, key)) names.push_back(method.name);
  return names;
}

const Method& method_of(const Shot& shot) {
  const Method& method = methods()[static_cast<std::size_t>(shot.skin.method)];
  if (method.implemented) return method;
  std::vector<std::string> names;
  for (const Method& other : methods())
    if (other.implemented) names.push_back('"' + other.name + '"');
  throw InputError(fmt::format("{}skin.method: this build cannot compute it yet (\"{}\"); it has {}",
                               shot.place("skin.method"), method.name, fmt::join(names, ", ")));
}

SlidesOn slides_on(const Shot& shot) {
  if (shot.skin.method == SkinMethod::None || shot.skin.surface == SurfaceKind::Polygon)
    return SlidesOn::Polygon;
  return shot.skin.method == SkinMethod::Lagrangian ? SlidesOn::Cage : SlidesOn::Limit;
}

std::vector<std::string> unhonoured(const Shot& shot) {
  const Method& method = method_of(shot);
  std::vector<std::pair<int, std::string>> found;
  for (const auto& [path, line] : shot.written) {
    const std::string key = without_indices(path);
    if (find_key(key) && !honours(method, key))
      found.emplace_back(line, fmt::format("{}:{}: {}: method \"{}\" cannot use it: it is ignored",
                                           shot.file.string(), line, key, method.name));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> messages;
  for (auto& [line, message] : found) messages.push_back(std::move(message));
  return messages;
}

}  // namespace cutis
