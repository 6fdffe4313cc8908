#pragma once

#include <array>
#include <functional>
#include <vector>

#include "cutis/skin/slide_surface.h"

namespace cutis {

/// Triangles of skin that lie on their backs where it is written on a body whose own do not: where skin was
/// solved on other triangles, or on another surface.
class InvertedTriangles {
 public:
  /// `body`: welded vertices now [m]. The surface, at rest, must outlive it.
  InvertedTriangles(const Surface& rest, const Points& body);

  /// Of skin that lies at `points` of the body, and so at `skin` [m].
  std::vector<FaceId> find(const SkinPoints& points, const Points& skin) const;

  /// Slides of their corners become means over their surroundings, then less, until none is left, or
  /// the fewest that can be. `moved(v, p)` is where vertex v lies that is to lie at p: within its limit, or
  /// where it was; `position(v, p)` is its place then. Whether anything changed.
  bool turn(const std::function<SurfacePoint(VertexId, const SurfacePoint&)>& moved,
            const std::function<Vec3(VertexId, const SurfacePoint&)>& position, SkinPoints& points,
            Points skin) const;

 private:
  const Surface& rest_;
  IdVector<VertexId, Vec3> normals_;  ///< of the body
  IdVector<FaceId, char> folded_;     ///< triangles that the body itself inverts

  bool is_inverted(FaceId f, const Points& x, const std::array<Vec3, 3>& normals) const;
};

/// `move` takes the vertices that `corners` gives, those of inverted triangles, to a share of the mean slides
/// around them: first to means, then to halves of them, until there are none, or all but no slide is left.
void turn_in_rounds(const std::function<std::vector<VertexId>()>& corners,
                    const std::function<void(const std::vector<VertexId>&, double share)>& move);

/// Where vertex v lies when it slides, at rest, by a share of the mean slide of itself and its neighbours.
SurfacePoint mean_slide(const Surface& rest, VertexId v, const SkinPoints& points, double share);

}  // namespace cutis
