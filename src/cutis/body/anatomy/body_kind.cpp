#include "cutis/body/anatomy/body_kind.h"

#include <algorithm>

#include "cutis/body/anatomy/body_parts.h"

namespace cutis {

BodyKind body_kind(const Body& body) {
  const auto anatomy = read_parts(body);
  if (!anatomy) return !body.skeleton() && !body.shape_lengths().empty() ? BodyKind::Face : BodyKind::Unknown;
  const std::vector<std::string> parts = body_parts(body).names;
  const auto has_any = [&](std::initializer_list<const char*> names) {
    return std::ranges::any_of(names, [&](const char* name) { return std::ranges::count(parts, name) > 0; });
  };
  if (has_any({"thighs", "shins", "feet"}))
    return anatomy->four_legged ? BodyKind::FourLegs : BodyKind::TwoLegs;
  if (has_any({"head"})) return has_any({"upper arms", "forearms"}) ? BodyKind::Unknown : BodyKind::Face;
  return has_any({"hands"}) ? BodyKind::Hand : BodyKind::Unknown;
}

}  // namespace cutis
