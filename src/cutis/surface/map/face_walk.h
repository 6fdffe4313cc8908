#pragma once

#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "cutis/core/types.h"
#include "cutis/surface/mesh/surface.h"

namespace cutis {

/// How far outside a triangle (in barycentric coordinates) still counts as inside: room for rounding, far
/// below the 1e-9 that maps promise.
inline constexpr double kInsideTriangle = 1e-12;
inline constexpr int kLongestWalk = 200;  ///< [faces]

inline bool is_inside_triangle(const Vec3& barycentric) { return barycentric.minCoeff() >= -kInsideTriangle; }

inline Vec3 clamped_barycentric(const Vec3& barycentric) {
  const Vec3 positive = barycentric.cwiseMax(0.0);
  return positive / positive.sum();
}

/// Of the faces around a vertex, the one whose middle, with its corners at `corners`, is nearest to x: a
/// start that does not hang on the order of faces, as in a fold the place that is found hangs on the start.
/// An invalid face where the vertex has none.
inline FaceId nearest_face_around(const Surface& surface, VertexId v, const Points& corners, const Vec3& x) {
  const Topology& topology = surface.topology();
  FaceId best;
  double least = std::numeric_limits<double>::infinity();
  const HalfedgeId first = topology.halfedge(v);
  if (!first.valid()) return best;
  HalfedgeId h = first;
  do {
    if (const FaceId f = topology.face(h); f.valid()) {
      const auto c = surface.mesh().face(f);
      const double away = ((corners[c[0]] + corners[c[1]] + corners[c[2]]) / 3 - x).squaredNorm();
      if (away < least) {
        least = away;
        best = f;
      }
    }
    h = topology.rotate(h);
  } while (h != first);
  return best;
}

/// Walks from face to face over the side that the target lies furthest beyond, until `locate(face)` is
/// is_inside_triangle(). Turns away from borders and from the face it came from; gives up when it runs in
/// circles.
template <class Locate>
auto walk_faces(const Topology& topology, FaceId start, const Locate& locate)
    -> std::optional<std::pair<FaceId, typename decltype(locate(start))::value_type>> {
  FaceId face = start, previous;
  for (int step = 0; step < kLongestWalk && face.valid(); ++step) {
    const auto hit = locate(face);
    if (!hit) return std::nullopt;
    if (is_inside_triangle(hit->barycentric)) return std::pair(face, *hit);
    const HalfedgeId first = topology.halfedge(face);
    // The side opposite corner i leaves from corner i + 1.
    const std::array<HalfedgeId, 3> opposite = {topology.next(first), topology.prev(first), first};
    FaceId best;
    double furthest = -kInsideTriangle;
    for (int pass = 0; pass < 2 && !best.valid(); ++pass)
      for (int i = 0; i < 3; ++i) {
        const FaceId neighbour = topology.face(topology.twin(opposite[i]));
        if (!neighbour.valid() || (pass == 0 && neighbour == previous)) continue;
        if (hit->barycentric[i] < furthest) {
          furthest = hit->barycentric[i];
          best = neighbour;
        }
      }
    previous = std::exchange(face, best);
  }
  return std::nullopt;
}

}  // namespace cutis
