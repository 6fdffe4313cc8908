#include "cutis/body/procedural/procedural_bodies.h"

#include <fmt/format.h>

#include "cutis/body/procedural/geometric/geometric.h"
#include "cutis/body/procedural/organic/arm.h"
#include "cutis/body/procedural/organic/organic.h"
#include "cutis/core/error.h"

namespace cutis {

const std::vector<ProceduralBody>& cast() {
  static const std::vector<ProceduralBody> members = [] {
    std::vector<ProceduralBody> all = geometric_bodies();
    all.push_back({"arm",
                   "an arm with elbow and biceps that bends by 120 degrees and stretches again",
                   0.008,
                   0.0005,
                   make_arm,
                   {"bend"}});
    all.insert(all.end(), organic_bodies().begin(), organic_bodies().end());
    return all;
  }();
  return members;
}

ProceduralShape make_cast_member(const std::string& name, double edge) {
  std::vector<std::string> names;
  for (const ProceduralBody& member : cast()) {
    names.push_back(member.name);
    if (member.name != name) continue;
    const double length = edge == 0 ? member.default_edge : edge;
    if (!(length >= member.finest_edge && length <= 10 * member.default_edge))
      throw InputError(
          fmt::format("body \"{}\": an edge length of {} m cannot be made; give one from {} m to {} m", name,
                      length, member.finest_edge, 10 * member.default_edge));
    return member.make(length);
  }
  const std::string near = nearest_word(name, names);
  throw InputError(fmt::format("body \"{}\": no such body{}; there are: {}", name,
                               near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near),
                               fmt::join(names, ", ")));
}

std::unique_ptr<Body> open_cast_member(const std::string& name, double edge, const RigChoice& choice) {
  ProceduralShape shape = make_cast_member(name, edge);
  if (const auto* character = std::get_if<Character>(&shape))
    return std::make_unique<RigBody>(*character, choice);
  return std::make_unique<AnalyticBody>(std::get<AnalyticShape>(std::move(shape)), choice);
}

}  // namespace cutis
