#include "cutis/surface/mesh/triangle_measures.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cutis/core/parallel.h"
#include "cutis/surface/mesh/triangulate.h"

namespace cutis {
namespace {

constexpr double kCollapsed = 1e-12;  ///< the smallest area ratio that is told apart

/// Twice the area, along the normal.
Vec3 area_vector(std::span<const Vec3> points, const IndexTriangle& t) {
  return (points[t[1]] - points[t[0]]).cross(points[t[2]] - points[t[0]]);
}

double ordered_sum(std::span<const double> values) {
  double sum = 0;
  for (double value : values) sum += value;
  return sum;
}

double square(double x) { return x * x; }
double square(const Vec3& x) { return x.squaredNorm(); }

template <class T>
double energy_of(std::span<const Vec3> points, std::span<const IndexTriangle> triangles,
                 std::span<const T> field) {
  std::vector<double> energies(triangles.size());
  parallel_for(triangles.size(), [&](std::size_t i) {
    const IndexTriangle& t = triangles[i];
    const double twice_area = area_vector(points, t).norm();
    const double longest =
        std::max({(points[t[1]] - points[t[0]]).squaredNorm(), (points[t[2]] - points[t[1]]).squaredNorm(),
                  (points[t[0]] - points[t[2]]).squaredNorm()});
    if (twice_area <= kFlatTriangle * longest) return;
    // Pinkall and Polthier 1993: the integral of |grad f|² over a triangle is the sum over its corners of
    // cot(angle) / 2 times the squared difference of f along the edge opposite.
    for (int k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3], c = t[(k + 2) % 3];
      const double cotangent = (points[b] - points[a]).dot(points[c] - points[a]) / twice_area;
      energies[i] += 0.5 * cotangent * square(T(field[c] - field[b]));
    }
  });
  return ordered_sum(energies);
}

}  // namespace

std::vector<IndexTriangle> index_triangles(const Mesh& mesh) {
  std::vector<IndexTriangle> triangles;
  for (const TriangleCorners& t : triangulate(mesh))
    triangles.push_back({mesh.corners[t.corners[0]].value, mesh.corners[t.corners[1]].value,
                         mesh.corners[t.corners[2]].value});
  return triangles;
}

std::vector<double> triangle_areas(std::span<const Vec3> points, std::span<const IndexTriangle> triangles) {
  std::vector<double> areas(triangles.size());
  parallel_for(areas.size(),
               [&](std::size_t i) { areas[i] = 0.5 * area_vector(points, triangles[i]).norm(); });
  return areas;
}

IdVector<VertexId, double> vertex_areas(const Mesh& triangles) {
  const std::vector<double> areas = triangle_areas(triangles.positions.raw(), index_triangles(triangles));
  IdVector<VertexId, double> out(triangles.vertex_count(), 0);
  for (FaceId f : ids<FaceId>(triangles.face_count()))
    for (VertexId v : triangles.face(f)) out[v] += areas[f.index()] / 3;
  return out;
}

double total_area(std::span<const Vec3> points, std::span<const IndexTriangle> triangles) {
  return ordered_sum(triangle_areas(points, triangles));
}

double enclosed_volume(std::span<const Vec3> points, std::span<const IndexTriangle> triangles) {
  if (triangles.empty()) return 0;
  // Cones to a point near the surface instead of the origin: a body far away loses no digits.
  const Vec3 apex = points[triangles[0][0]];
  double sum = 0;
  for (const IndexTriangle& t : triangles)
    sum += (points[t[0]] - apex).dot((points[t[1]] - apex).cross(points[t[2]] - apex));
  return sum / 6;
}

bool is_closed(std::span<const IndexTriangle> triangles) {
  std::vector<std::array<std::int32_t, 2>> forwards, backwards;
  for (const IndexTriangle& t : triangles)
    for (int k = 0; k < 3; ++k) {
      forwards.push_back({t[k], t[(k + 1) % 3]});
      backwards.push_back({t[(k + 1) % 3], t[k]});
    }
  std::sort(forwards.begin(), forwards.end());
  std::sort(backwards.begin(), backwards.end());
  return !triangles.empty() && forwards == backwards;
}

std::vector<double> log_area_ratios(std::span<const double> rest_areas, std::span<const double> areas) {
  std::vector<double> ratios(areas.size());
  for (std::size_t i = 0; i < areas.size(); ++i)
    if (rest_areas[i] > 0) ratios[i] = std::log(std::max(areas[i] / rest_areas[i], kCollapsed));
  return ratios;
}

double weighted_deviation(std::span<const double> values, std::span<const double> weights) {
  const double weight = ordered_sum(weights);
  if (weight == 0) return 0;
  double mean = 0, variance = 0;
  for (std::size_t i = 0; i < values.size(); ++i) mean += weights[i] * values[i];
  mean /= weight;
  for (std::size_t i = 0; i < values.size(); ++i) variance += weights[i] * square(values[i] - mean);
  return std::sqrt(variance / weight);
}

double weighted_percentile(std::span<const double> values, std::span<const double> weights, double share) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  const double weight = ordered_sum(weights);
  if (weight == 0) return 0;
  // The slack keeps rounding from skipping to the next value where the sum meets the share exactly.
  const double wanted = share * weight * (1 - 1e-12);
  double sum = 0;
  for (std::size_t i : order) {
    sum += weights[i];
    if (weights[i] > 0 && sum >= wanted) return values[i];
  }
  return values[order.back()];
}

double dirichlet_energy(std::span<const Vec3> points, std::span<const IndexTriangle> triangles,
                        std::span<const double> field) {
  return energy_of(points, triangles, field);
}

double dirichlet_energy(std::span<const Vec3> points, std::span<const IndexTriangle> triangles,
                        std::span<const Vec3> field) {
  return energy_of(points, triangles, field);
}

}  // namespace cutis
