#pragma once

#include "cutis/core/id.h"
#include "cutis/core/types.h"
#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// A place on a triangle mesh: a face and barycentric coordinates that sum to one, in the order of the face's
/// corners.
struct SurfacePoint {
  FaceId face;
  Vec3 barycentric = Vec3(1, 0, 0);
  bool operator==(const SurfacePoint&) const = default;
};

/// Interpolates values at the corners' vertices.
template <class T>
T interpolate(const Mesh& triangles, const IdVector<VertexId, T>& values, const SurfacePoint& p) {
  const auto face = triangles.face(p.face);
  return p.barycentric[0] * values[face[0]] + p.barycentric[1] * values[face[1]] +
         p.barycentric[2] * values[face[2]];
}

}  // namespace cutis
