#pragma once

#include <vector>

#include "cutis/skin/force_density/net_equilibrium.h"
#include "cutis/surface/mesh/mesh.h"
#include "cutis/surface/mesh/topology.h"

namespace cutis {

/// Triangles that a layout turns over or flattens.
std::vector<FaceId> folded_faces(const Mesh& triangles, const Layout& places);

/// Relaxes folds away: moves the free vertices around the folded triangles, as few as will do, towards the
/// shapes that the triangles have at `positions` until none is turned over (a foldover-free map by a
/// regularised determinant: Garanzha et al. 2021). Returns the triangles that stay folded. Same input, same
/// bits.
std::vector<FaceId> unfold(const Mesh& triangles, const Topology& topology, const Points& positions,
                           const std::vector<char>& pinned, Layout& places);

}  // namespace cutis
