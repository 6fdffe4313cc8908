#pragma once

#include <string>
#include <vector>

#include "cutis/body/body.h"
#include "cutis/shot/shot.h"

namespace cutis {

/// A unit that a character's file may be in.
struct FileUnit {
  double metres = 1;
  std::string name = "m";  ///< "m", "cm", "mm", "in", "dm" or "ft"; "" for one without a name
};

/// The unit in which something of this size, in its own units, is as large as people and animals usually are:
/// the metre where that is plausible, else that which makes it most nearly 1.7 m across.
FileUnit likely_unit(double size);

/// Questions, each of which names the key, what is usual for such a body, and the unit that would fit: of a
/// body whose size is unusual for what its rig shows it to be, and of values that the user wrote and that are
/// far from the usual ones (Key::usual_low, usual_high; lengths and speeds grow with the body).
std::vector<std::string> unusual_sizes(const Shot& shot, const Body& body);

/// That a body holds still.
struct Stillness {
  std::string words;          ///< with what to do about it; "" where it moves
  bool despite_clip = false;  ///< a clip is played that moves other parts of the file
};

/// Whether the body is the same at all of these times; not where something else moves the skin: forces,
/// gravity, keyed constraints or pre-stretch.
Stillness stillness(const Shot& shot, const Body& body, const std::vector<double>& times);

}  // namespace cutis
