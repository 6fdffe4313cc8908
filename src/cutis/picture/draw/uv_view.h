#pragma once

#include <span>

#include "cutis/picture/render/scene.h"

namespace cutis {

/// A picture of a mesh laid flat by its texture coordinates, in bare colours: wireframe, field, checker or
/// texture as the object's look says. All tiles that the mesh touches are shown, each with its frame.
/// `size` is the height in pixels; the width follows from the number of tiles. Throws InputError when there
/// are no texture coordinates, or when they span more than 64 tiles.
Image render_uv(const SceneObject& object, int size);

}  // namespace cutis
