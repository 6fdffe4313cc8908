#pragma once

#include <functional>
#include <vector>

#include "cutis/surface/mesh/mesh.h"

namespace cutis::test {

/// The surface, in triangles, of those boxes of a rectangular grid that `filled` names by their numbers along
/// x, y and z. `xs`, `ys` and `zs` are the planes of the grid, rising.
Mesh blocks(const std::vector<double>& xs, const std::vector<double>& ys, const std::vector<double>& zs,
            const std::function<bool(int, int, int)>& filled);

/// Planes from `low` to `high` with `parts` steps between them.
std::vector<double> planes(double low, double high, int parts);

/// Two bars along y from 0 to `length`, `width` wide and `gap` apart, which a bar as wide joins below y = 0.
Mesh tuning_fork(double width, double gap, double length);

}  // namespace cutis::test
