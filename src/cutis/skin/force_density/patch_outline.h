#pragma once

#include <array>
#include <vector>

#include "cutis/skin/force_density/patch_disk.h"

namespace cutis {

/// Where the vertices of disk.outline go in the plane, in their order, counter-clockwise. `topology` belongs
/// to disk.mesh. A border that cannot be unrolled without crossing itself becomes a circle, with a word in
/// the log; sides of the square bow out by a fiftieth where an edge would lie flat on one.
std::vector<Vec2> lay_outline(const PatchDisk& disk, const Topology& topology, OutlineShape shape);

/// A circle as long as the border, by shares of length: convex, with no chord on a side.
std::vector<Vec2> circle_outline(const PatchDisk& disk);

/// Four places in disk.outline, in order, that make the sides most even in length, except that a place nearby
/// where the border turns a corner is taken instead. The outline has four vertices or more.
std::array<std::size_t, 4> find_corners(const PatchDisk& disk, const Topology& topology);

/// The border unrolled: its own edge lengths and turns, the turns corrected by length so that they make one
/// round, then the lengths so that it closes (the least change, relative to length). Empty when an edge would
/// vanish or the outline crosses itself.
std::vector<Vec2> developed_outline(const PatchDisk& disk, const Topology& topology);

}  // namespace cutis
