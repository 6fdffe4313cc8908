#pragma once

#include <array>
#include <optional>
#include <vector>

#include "cutis/surface/map/surface_point.h"
#include "cutis/surface/mesh/topology.h"

namespace cutis {

/// A triangle mesh where it is now, with the normals at its vertices that it is extruded along.
struct LayerShape {
  const Topology& topology;
  const Points& positions;
  const IdVector<VertexId, Vec3>& normals;  ///< unit
};

/// A point above a layer, in the prism of a triangle extruded along its normals: p = Σ b_i (x_i + h n_i).
struct PrismPlace {
  SurfacePoint foot;             ///< the triangle and b
  double height = 0;             ///< h [m], negative below the layer
  Vec3 gradient = Vec3::Zero();  ///< of the height by p
};

/// Where p lies above the layer, sought from triangle to triangle from `start` on. Beyond the border the last
/// triangle's prism goes on. Nothing where prisms are turned inside out, as in a valley narrower than p is
/// high, or the search does not end.
std::optional<PrismPlace> prism_place(const LayerShape& lower, const Vec3& p, const SurfacePoint& start);

/// The same in the prism of one triangle, which goes on beyond its sides: smooth, where the height from prism
/// to prism has kinks.
std::optional<PrismPlace> prism_place(const LayerShape& lower, const Vec3& p, FaceId face);

/// Where the line from a point of the lower layer along its normal n meets the upper layer:
/// q + h n = Σ b_i y_i.
struct LineTriangleHit {
  SurfacePoint point;            ///< the triangle of the upper layer and b
  double height = 0;             ///< h [m], negative where the upper layer lies below q
  std::array<Vec3, 3> gradient;  ///< of the height by the corners y_i
};

/// Sought in the same way. Nothing where the upper layer stands upright along the line or the search does not
/// end.
std::optional<LineTriangleHit> line_triangle_hit(const Topology& upper, const Points& positions,
                                                 const Vec3& q, const Vec3& normal,
                                                 const SurfacePoint& start);

/// The same in the plane of one triangle.
std::optional<LineTriangleHit> line_triangle_hit(const Topology& upper, const Points& positions,
                                                 const Vec3& q, const Vec3& normal, FaceId face);

/// An edge of the upper layer over one of the lower, seen along a normal of the lower layer.
struct EdgeCrossing {
  std::array<VertexId, 2> upper, lower;
  Vec3 normal = Vec3::Zero();  ///< unit, where they cross
};

/// Where the edge y_0 y_1 of the upper layer crosses the edge x_0 x_1 of the lower, both of which go on
/// beyond their ends: y_0 + s (y_1 - y_0) = x_0 + t (x_1 - x_0) + h n.
struct CrossingPlace {
  double on_upper = 0, on_lower = 0;  ///< s and t
  double height = 0;                  ///< h [m], negative where the upper edge lies below
  std::array<Vec3, 2> gradient;       ///< of the height by y_0 and y_1
  double sine = 0;                    ///< of the angle between the edges, as seen along n
};

/// Nothing where they are parallel, as seen along the normal.
std::optional<CrossingPlace> crossing_place(const std::array<Vec3, 2>& upper,
                                            const std::array<Vec3, 2>& lower, const Vec3& normal);

/// The edges of the lower layer that an edge of the upper one crosses on its way from the triangle below its
/// first end to that below its other end, in this order.
std::vector<EdgeCrossing> edge_crossings(const LayerShape& lower, const Points& upper,
                                         const std::array<VertexId, 2>& edge, FaceId first, FaceId last);

}  // namespace cutis
