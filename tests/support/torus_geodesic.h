#pragma once

#include "cutis/surface/mesh/mesh.h"

namespace cutis::test {

/// A torus around the z axis whose vertices lie on it exactly, at jittered parameters, cut along random
/// diagonals.
struct TorusMesh {
  /// `jitter` as a share of a cell.
  TorusMesh(int n, int m, double R, double r, double jitter, unsigned seed);
  double R, r;
  Mesh mesh;
  IdVector<VertexId, Vec2> uv;  ///< angles along the large and the small circle [rad]
};

struct TorusLog {
  double distance;
  Vec3 direction;  ///< unit tangent at the first vertex
};

/// The geodesic of the smooth torus between two vertices, found by shooting: the geodesic equation integrated
/// to about 1e-11 and the end met by Newton's method from the straight line in parameters, scaled to the
/// length `guess`. Right for pairs well within the cut locus. Throws when Newton does not get there.
TorusLog torus_log(const TorusMesh& torus, VertexId a, VertexId b, double guess);

}  // namespace cutis::test
