#pragma once

#include "cutis/body/body.h"

namespace cutis::test {

/// Linear blend skinning of the rest shape by the body's joints: where a body without blend shapes is.
inline SourcePoints skinned(const Body& body, double time) {
  const std::vector<JointTransform> transforms = body.joint_transforms(time);
  const Influences w = body.skeleton()->influences;
  SourcePoints points = body.source().positions;
  for (std::size_t v = 0; v < points.size(); ++v) {
    const Vec4 rest = points.raw()[v].homogeneous();
    points.raw()[v].setZero();
    for (auto k = w.offsets[v]; k < w.offsets[v + 1]; ++k)
      points.raw()[v] += w.weights[k] * (transforms[w.joints[k]] * rest);
  }
  return points;
}

/// How far the furthest two are apart [m].
inline double largest_distance(const SourcePoints& a, const SourcePoints& b) {
  double most = 0;
  for (SourceVertexId v : ids<SourceVertexId>(a.size())) most = std::max(most, (a[v] - b[v]).norm());
  return most;
}

}  // namespace cutis::test
