#pragma once

#include <string>

#include "cutis/body/rig/character.h"

namespace cutis::app {

/// What one unit of a character file is likely to be.
struct UnitGuess {
  double metres = 1;
  std::string name;  ///< as in likely_unit()
  double size = 0;   ///< of everything in the file, in its own units
};

/// Compares the size of the character in the file's own pose with people and animals; see likely_unit().
UnitGuess guess_unit(const Character& character);

}  // namespace cutis::app
