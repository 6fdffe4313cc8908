#include "cutis/picture/draw/line_pattern.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "cutis/core/parallel.h"
#include "cutis/surface/field/smooth_lines.h"
#include "cutis/surface/geodesic/closest_point.h"
#include "cutis/surface/geodesic/trace.h"

namespace cutis {
namespace {

constexpr double kCellsPerWidth = 1.5;  // grid points across a streak
constexpr int kMostCells = 64;          // along a side of one triangle
constexpr int kStepsEachWay = 13;
constexpr double kStep = 0.85;     // of the width
constexpr double kContrast = 1.9;  // standard deviations to either side that span dark to light

/// A number in [0, 1) for each point of a lattice.
double lattice_value(std::int64_t x, std::int64_t y, std::int64_t z) {
  std::uint64_t h = std::uint64_t(x) * 0x9E3779B97F4A7C15ull ^ std::uint64_t(y) * 0xC2B2AE3D27D4EB4Full ^
                    std::uint64_t(z) * 0x165667B19E3779F9ull;
  h = (h ^ (h >> 29)) * 0xBF58476D1CE4E5B9ull;
  h = (h ^ (h >> 32)) * 0x94D049BB133111EBull;
  return double((h ^ (h >> 29)) >> 11) * 0x1p-53;
}

/// Smooth noise with blobs about one unit wide.
double noise(const Vec3& p) {
  const Vec3 base = p.array().floor();
  const Vec3 t = p - base;
  const Vec3 s = t.array() * t.array() * (3 - 2 * t.array());
  const std::array<std::int64_t, 3> i{std::int64_t(base.x()), std::int64_t(base.y()), std::int64_t(base.z())};
  double sum = 0;
  for (int k = 0; k < 8; ++k) {
    const double weight =
        (k & 1 ? s.x() : 1 - s.x()) * (k & 2 ? s.y() : 1 - s.y()) * (k & 4 ? s.z() : 1 - s.z());
    sum += weight * lattice_value(i[0] + (k & 1), i[1] + (k >> 1 & 1), i[2] + (k >> 2 & 1));
  }
  return sum;
}

/// Smears noise along the lines through a place.
class Smear {
 public:
  Smear(const Surface& surface, const LineDirections& directions, double width)
      : surface_(surface), lines_(surface, directions), width_(width) {}

  double operator()(const SurfacePoint& p) const {
    const Vec3 any = lines_(p, Vec3::UnitX());
    double sum = noise(surface_.position(p) / width_), weights = 1;
    add_one_way(p, any, sum, weights);
    add_one_way(p, -any, sum, weights);
    return sum / weights;
  }

 private:
  const Surface& surface_;
  SmoothLines lines_;
  double width_;

  void add_one_way(SurfacePoint p, Vec3 along, double& sum, double& weights) const {
    for (int i = 1; i <= kStepsEachWay; ++i) {
      const TraceResult walked =
          trace(surface_.topology(), surface_.positions(), p, kStep * width_ * lines_(p, along));
      if (walked.reason != TraceEnd::Arrived || walked.length == 0) return;
      p = walked.end;
      along = walked.direction;
      // Fades towards the ends (Hann), which keeps streaks from ending in dots.
      const double weight = 0.5 + 0.5 * std::cos(EIGEN_PI * i / (kStepsEachWay + 1));
      sum += weight * noise(surface_.position(p) / width_);
      weights += weight;
    }
  }
};

/// Where point k of a triangle's grid lies: rows of falling length from the first corner's side.
Vec3 grid_barycentric(int row, int column, int cells) {
  const double u = double(column) / cells, v = double(row) / cells;
  return {1 - u - v, u, v};
}

std::size_t grid_index(int row, int column, int cells) {
  return std::size_t(row * (cells + 1) - row * (row - 1) / 2 + column);
}

/// Spreads values so that most of them fill 0 to 1.
void stretch_contrast(std::vector<float>& values) {
  double sum = 0, squares = 0;
  for (float v : values) sum += double(v);
  const double mean = values.empty() ? 0 : sum / double(values.size());
  for (float v : values) squares += (double(v) - mean) * (double(v) - mean);
  const double deviation = values.empty() ? 0 : std::sqrt(squares / double(values.size()));
  for (float& v : values) {
    const double z = deviation > 0 ? (double(v) - mean) / (kContrast * deviation) : 0;
    const double t = std::clamp(0.5 + 0.5 * z, 0.0, 1.0);
    v = float(t * t * (3 - 2 * t));
  }
}

}  // namespace

LinePattern::LinePattern(const Surface& surface, const LineDirections& directions, const DrawMesh& mesh,
                         std::span<const Vec3> positions, double width) {
  std::vector<std::array<Vec3, 3>> corners;
  std::size_t count = 0;
  for (const DrawMesh::Triangle& t : mesh.triangles()) {
    auto& c = corners.emplace_back();
    for (std::size_t i = 0; i < 3; ++i) c[i] = positions[std::size_t(t.vertices[i])];
    const double longest = std::max({(c[1] - c[0]).norm(), (c[2] - c[1]).norm(), (c[0] - c[2]).norm()});
    const int cells =
        static_cast<int>(std::clamp(std::ceil(kCellsPerWidth * longest / width), 1.0, double(kMostCells)));
    grids_.push_back({count, cells});
    count += std::size_t((cells + 1) * (cells + 2) / 2);
  }
  values_.resize(count);
  const ClosestPointTree closest(surface.mesh());
  const Smear smear(surface, directions, width);
  parallel_for(
      grids_.size(),
      [&](std::size_t i) {
        const auto [first, cells] = grids_[i];
        for (int row = 0; row <= cells; ++row)
          for (int column = 0; column + row <= cells; ++column) {
            const Vec3 b = grid_barycentric(row, column, cells);
            const Vec3 p = b[0] * corners[i][0] + b[1] * corners[i][1] + b[2] * corners[i][2];
            values_[first + grid_index(row, column, cells)] = float(smear(closest(p).point));
          }
      },
      16);
  stretch_contrast(values_);
}

float LinePattern::operator()(std::size_t triangle, const std::array<float, 3>& b) const {
  const auto [first, cells] = grids_[triangle];
  const float x = std::clamp(b[1], 0.0f, 1.0f) * float(cells),
              y = std::clamp(b[2], 0.0f, 1.0f) * float(cells);
  const int column = std::min(int(x), cells - 1), row = std::min(int(y), cells - 1 - column);
  const float s = x - float(column), t = y - float(row);
  const auto at = [&, first = first, cells = cells](int i, int j) {
    return values_[first + grid_index(row + j, column + i, cells)];
  };
  if (s + t <= 1 || row + column + 2 > cells)
    return at(0, 0) + s * (at(1, 0) - at(0, 0)) + t * (at(0, 1) - at(0, 0));
  return at(1, 1) + (1 - s) * (at(0, 1) - at(1, 1)) + (1 - t) * (at(1, 0) - at(1, 1));
}

}  // namespace cutis
