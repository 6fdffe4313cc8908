#pragma once

#include <optional>

#include "cutis/body/body.h"
#include "cutis/skin/slides_on.h"
#include "cutis/surface/limit/limit_cage.h"
#include "cutis/surface/map/surface_map.h"

namespace cutis {

/// From where the skin lies on its body to where it is in space, one way for all methods: a vertex that comes
/// from v and lies at p is at own + S(p) - S(v), with S the surface and `own` where plain skinning puts the
/// vertex. So it keeps its own offset from the limit surface, nothing shrinks, the two sides of a seam stay
/// as they were, and a vertex that has not moved is where plain skinning puts it, to the bit.
class SkinPlacement {
 public:
  /// The body must outlive it. Throws InputError when its mesh has no limit surface (see LimitSurface).
  SkinPlacement(const Body& body, SlidesOn on);

  const TriangleMesh& triangles() const { return triangles_; }

  /// Moves the surface to where the body's welded vertices are.
  void update(const Points& body);
  /// S(to) - S(v) on the surface as it is now; zero to the bit where `to` is v itself.
  Vec3 slide(VertexId v, const SurfacePoint& to) const;

  /// All of a skin at once. `now`: the body's vertices. `points`: one a welded vertex, on
  /// triangulated(body.mesh()). In parallel, the same bits at any number of threads.
  SourcePoints operator()(const SourcePoints& now, const SurfaceMap::Points& points);

 private:
  const Body& body_;
  TriangleMesh triangles_;
  std::optional<LimitSurface> limit_;  ///< none on polygons
  std::optional<LimitCage> cage_;
  Points now_;  ///< of the body's welded vertices
};

}  // namespace cutis
