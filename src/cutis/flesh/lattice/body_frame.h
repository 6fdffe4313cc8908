#pragma once

#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// A place and three directions that go with a body: those of a copy that is turned, mirrored, moved, scaled
/// or permuted are turned with it, but for the sign and the order of the axes.
struct BodyFrame {
  Vec3 origin = Vec3::Zero();    ///< centroid of the surface [m]
  Mat3 axes = Mat3::Identity();  ///< a rotation; columns are the directions
};

/// The principal axes of the surface. Where two moments are equal (a cube, a square bar) the fourth moments
/// decide; a surface of revolution has no directions across its axis of its own.
BodyFrame body_frame(const Mesh& triangles);

}  // namespace cutis
