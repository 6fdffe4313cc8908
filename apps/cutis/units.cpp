#include "units.h"

#include "cutis/body/rig/rig_body.h"
#include "cutis/shot/plausible.h"

namespace cutis::app {

UnitGuess guess_unit(const Character& character) {
  RigChoice all;
  all.meshes = {"*"};
  const RigBody body(character, all);
  const double size = bounding_diagonal(body.source().positions.raw());
  const FileUnit unit = likely_unit(size);
  return {unit.metres, unit.name, size};
}

}  // namespace cutis::app
