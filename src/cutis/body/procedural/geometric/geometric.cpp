#include "cutis/body/procedural/geometric/geometric.h"

#include "cutis/body/procedural/geometric/cylinder.h"
#include "cutis/body/procedural/geometric/patch.h"
#include "cutis/body/procedural/geometric/sheet.h"
#include "cutis/body/procedural/geometric/sphere.h"
#include "cutis/body/procedural/geometric/torus.h"

namespace cutis {

const std::vector<ProceduralBody>& geometric_bodies() {
  static const std::vector<ProceduralBody> members = {
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
       "a ball of 100 mm radius that is squashed, flattened, pinched, pulses and spins",
       0.01,
       0.0003,
       make_sphere,
       {"squash", "flatten", "pinch", "pulse", "spin"}},
      {"cylinder",
       "an open tube of 60 mm radius that is twisted, wrung, pressed together and spins",
       0.01,
       0.0003,
       make_cylinder,
       {"twist", "wring", "press", "spin"}},
      {"torus",
       "a ring of 100 mm radius that is stretched unevenly, squeezed, bent and shaken",
       0.0131,
       0.0004,
       make_torus,
       {"stretch", "squeeze", "bend", "shake", "spin"}},
  };
  return members;
}

}  // namespace cutis
