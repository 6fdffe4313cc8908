#pragma once

#include <optional>
#include <span>

namespace cutis {

/// Which joints of a limb begin its upper part, its lower part and its end (hand or foot). What comes before
/// `upper` belongs to the girdle (clavicle, hip), what comes after `end` to fingers or toes. A limb of fewer
/// than three joints has no end: -1.
struct LimbParts {
  int upper = 0, lower = -1, end = -1;
};

/// Lengths of a limb's parts over that of its upper part.
struct LimbProportions {
  double girdle, lower, end;
};
inline constexpr LimbProportions human_arm{0.5, 0.9, 0.5}, human_leg{0.25, 0.93, 0.35};

/// The parts whose lengths come nearest to the proportions; `bones` are the lengths between a limb's joints
/// from the trunk on, `end` its hand or foot where that is known.
LimbParts limb_parts(std::span<const double> bones, const LimbProportions& proportions,
                     std::optional<int> end = {});

}  // namespace cutis
