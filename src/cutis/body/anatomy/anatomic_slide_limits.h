#pragma once

#include <optional>

#include "cutis/body/body.h"

namespace cutis {

/// How far the skin of a known rig may slide at each vertex [m], before smoothing; 0 is stuck. On a humanoid
/// it is stuck at eyes, lips, nose, ears, navel, nipples and gluteal cleft; short on head, hands, feet,
/// wrists, armpits, elbow and knee creases; loose on back, belly, forearm and thigh (where: Nash et al. 2004,
/// as ViSkin 5.3 uses it; lengths: docs/ligaments.md). Four-legged bodies are loose on trunk and neck and
/// tight on paws, muzzle and ears. Lengths grow with the body. Nothing where the rig is not known.
std::optional<IdVector<VertexId, double>> slide_map(const Body& body);

}  // namespace cutis
