#pragma once

#include <string>

#include "cutis/skin/slide.h"
#include "cutis/skin/slide_surface.h"

namespace cutis {

/// Points of vertices in what a stage remembers, as two arrays whose names begin with `name`.
void save_points(const SkinPoints& points, const std::string& name, State& state);
/// Throws InputError where they are not points on `mesh`, one for each of its vertices.
SkinPoints saved_points(const State& state, const std::string& name, const Mesh& mesh);

}  // namespace cutis
