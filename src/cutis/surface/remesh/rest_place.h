#pragma once

#include <optional>

#include "cutis/surface/mesh/surface.h"

namespace cutis {

/// A vertex of a mesh that lies on a surface at rest.
struct RestPlace {
  SurfacePoint point;
  Vec3 position = Vec3::Zero();  ///< of the point, to the bit [m]
  Vec3 normal = Vec3::Zero();    ///< the surface's smooth unit normal there
};

RestPlace rest_place(const Surface& rest, const SurfacePoint& p);

/// Cosine between a triangle and the surface's smooth normals at its corners; 0 when it has no area. This,
/// and not the triangle's own normal before a change, says what is up: a sliver's own normal is noise.
double upright(const RestPlace& a, const RestPlace& b, const RestPlace& c);
/// Whether triangles may change from one least cosine to another: within 72 degrees of the surface's normals
/// they are upright, and where they were not they get no worse.
bool stays_upright(double before, double after);

/// The place of the surface nearest to x among those reached from `a` or from `b` without leaving the sheet.
RestPlace place_between(const Surface& rest, const RestPlace& a, const RestPlace& b, const Vec3& x);

/// The place nearest to x on the surface's border near `a`, for two places on it; nothing when one of them
/// lies inside.
std::optional<RestPlace> border_place_between(const Surface& rest, const RestPlace& a, const RestPlace& b,
                                              const Vec3& x);

}  // namespace cutis
