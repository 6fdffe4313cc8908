#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "cutis/core/types.h"
#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// Measures of triangles over any array of points; docs/figures.md defines the words. Sums run in the order
/// of the triangles, so a measure has the same bits at any number of threads.

/// Height over longest edge below which a triangle has no area.
constexpr double kFlatTriangle = 1e-12;

/// Three indices into the points that come with it, counter-clockwise seen from outside.
using IndexTriangle = std::array<std::int32_t, 3>;

/// The triangles a welded mesh is cut into at rest, as vertex indices.
std::vector<IndexTriangle> index_triangles(const Mesh& mesh);

std::vector<double> triangle_areas(std::span<const Vec3> points, std::span<const IndexTriangle> triangles);
/// A third of the area of the triangles around each vertex of a mesh of triangles [m²].
IdVector<VertexId, double> vertex_areas(const Mesh& triangles);
double total_area(std::span<const Vec3> points, std::span<const IndexTriangle> triangles);
/// Volume enclosed, positive when the triangles face outwards; means something only when is_closed().
double enclosed_volume(std::span<const Vec3> points, std::span<const IndexTriangle> triangles);
/// Whether each edge is run through as often one way as the other.
bool is_closed(std::span<const IndexTriangle> triangles);

/// ln(area / rest area) of each triangle. A triangle that has collapsed counts as 1e-12 of its rest area; one
/// without rest area gives 0.
std::vector<double> log_area_ratios(std::span<const double> rest_areas, std::span<const double> areas);
/// Weighted standard deviation; 0 when the weights are all zero. Of log area ratios, weighted by rest area,
/// it is the spread of log area.
double weighted_deviation(std::span<const double> values, std::span<const double> weights);
/// The smallest value that `share` (0 to 1) of the weight does not exceed; 0 when the weights are all zero.
double weighted_percentile(std::span<const double> values, std::span<const double> weights, double share);

/// Dirichlet energy of a field given at the points, linear on each triangle: the integral of |grad f|²
/// [field unit squared], by cotangent weights. Triangles without area (a height
/// below 1e-12 of the longest edge) are left out.
double dirichlet_energy(std::span<const Vec3> points, std::span<const IndexTriangle> triangles,
                        std::span<const double> field);
/// The sum over the three components of a vector field.
double dirichlet_energy(std::span<const Vec3> points, std::span<const IndexTriangle> triangles,
                        std::span<const Vec3> field);

}  // namespace cutis
