#include "cutis/flesh/lattice/lattice_cell.h"

#include <cmath>

#include "cutis/flesh/distance/outward_triangles.h"

namespace cutis {
namespace {

constexpr double kTetsPerCell = 12;
// Tetrahedra that the surface cuts reach beyond it by this share of a cell, in the mean over all directions.
constexpr double kOvershoot = 0.36;

}  // namespace

double cell_across(const Mesh& triangles, double cells) {
  return bounding_diagonal(triangles.positions.raw()) / cells;
}

double cell_for_tets(const Mesh& triangles, std::size_t tets) {
  const auto outward = outward_triangles(triangles);
  const double volume = std::abs(enclosed_volume(triangles.positions.raw(), outward));
  const double area = total_area(triangles.positions.raw(), outward);
  const auto count = [&](double cell) {
    return kTetsPerCell * (volume + kOvershoot * area * cell) / (cell * cell * cell);
  };
  // The number falls as the cell grows: halve the interval in which it is met, on a logarithmic scale.
  double low = 1e-6 * bounding_diagonal(triangles.positions.raw()), high = 1e6 * low;
  for (int i = 0; i < 60; ++i) {
    const double middle = std::sqrt(low * high);
    (count(middle) > static_cast<double>(tets) ? low : high) = middle;
  }
  return high;
}

}  // namespace cutis
