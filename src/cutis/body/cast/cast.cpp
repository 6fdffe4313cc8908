#include "cutis/body/cast/cast.h"

#include <fmt/format.h>

#include "cutis/body/cast/arm.h"
#include "cutis/body/cast/cylinder.h"
#include "cutis/body/cast/patch.h"
#include "cutis/body/cast/sheet.h"
#include "cutis/body/cast/sphere.h"
#include "cutis/body/cast/torus.h"
#include "cutis/core/error.h"

namespace cutis {

const std::vector<CastMember>& cast() {
  static const std::vector<CastMember> members = {
      {"sheet",
       "a flat square of 200 mm that is stretched, sheared, rolled and waved",
       0.005,
       0.0002,
       make_sheet,
       {"stretch", "shear", "roll", "wave"}},
      {"bump",
       "a sheet of 200 mm with a bump of 40 mm radius that travels under it",
       0.005,
       0.0002,
       make_bump,
       {"carry", "pass"}},
      {"patch",
       "a square of skin of 100 mm with the blend shapes that wrinkle it",
       0.002,
       0.0001,
       make_patch,
       {"compress", "twist", "pinch", "pull_up"}},
      {"sphere",
       "a ball of 100 mm radius that is squashed, pulses and spins",
       0.01,
       0.0003,
       make_sphere,
       {"squash", "pulse", "spin"}},
      {"cylinder",
       "an open tube of 60 mm radius whose right half twists and keeps its radius",
       0.01,
       0.0003,
       make_cylinder,
       {"twist", "wring", "spin"}},
      {"torus",
       "a ring of 100 mm radius that is stretched unevenly, squeezed, bent and shaken",
       0.0131,
       0.0004,
       make_torus,
       {"stretch", "squeeze", "bend", "shake", "spin"}},
      {"arm",
       "an arm with elbow and biceps that bends by 120 degrees and stretches again",
       0.008,
       0.0005,
       make_arm,
       {"bend"}},
  };
  return members;
}

CastShape make_cast_member(const std::string& name, double edge) {
  std::vector<std::string> names;
  for (const CastMember& member : cast()) {
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
  CastShape shape = make_cast_member(name, edge);
  if (const auto* character = std::get_if<Character>(&shape))
    return std::make_unique<RigBody>(*character, choice);
  return std::make_unique<AnalyticBody>(std::get<AnalyticShape>(std::move(shape)), choice);
}

}  // namespace cutis
