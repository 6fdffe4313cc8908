#pragma once

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "cutis/body/analytic_body.h"
#include "cutis/body/procedural/geometric/grid.h"
#include "cutis/surface/geodesic/closest_point.h"
#include "cutis/surface/mesh/triangle_measures.h"
#include "cutis/wrinkle/critical_wavelength.h"
#include "cutis/wrinkle/wrinkles.h"
#include "wrinkle/wave_spectrum.h"

namespace cutis {

/// A strip of skin of the given size in the plane of x and z, y up, that is compressed along a direction by a
/// share which grows evenly to `strain` within a second and shrinks again within another.
struct Strip {
  double length = 0.05, width = 0.03;  ///< [m]
  double strain = 0.2;
  double direction = 0;          ///< of the compression, from x [rad]
  Mat3 turn = Mat3::Identity();  ///< of all that moves
  double held_after = 0;         ///< above 0: compressed within so long, and held [s]
  Mat3 rest_turn = Mat3::Identity();
  Vec3 velocity = Vec3::Zero();  ///< of all of it [m/s]

  AnalyticShape shape(double edge) const {
    GridShape grid;
    grid.place = [size = *this](double u, double v) -> Vec3 {
      return size.rest_turn * Vec3(size.length * (u - 0.5), 0, size.width * (0.5 - v));
    };
    grid.columns = edges_along(length, edge, 2);
    grid.rows = edges_along(width, edge, 2);
    const Vec3 along = rest_turn * Vec3(std::cos(direction), 0, std::sin(direction));
    const auto share = [hold = held_after](double time) {
      return hold > 0 ? std::min(time / hold, 1.0) : time < 1 ? time : 2 - time;
    };
    const auto compressed = [=, most = strain, turn = turn, way = velocity](const Vec3& p,
                                                                            double time) -> Vec3 {
      return turn * (p - most * share(time) * along.dot(p) * along + time * way);
    };
    return {"strip", make_grid(grid), {{"compress", 2, compressed}}};
  }
};

inline const WrinkleLayer kDermis{{4e6, 1.3e-3, 0}, 0.5, 1100, 1, {}},
    kEpidermis{{600e6, 0.12e-3, 0}, 0.5, 1100, 1, {}};

inline WrinkleOptions one_layer(const WrinkleLayer& layer = kDermis) {
  WrinkleOptions options;
  options.layers = {layer};
  options.edge = 0.125;
  options.load_step = 0.03;
  options.adaptive = false;
  return options;
}

/// Root mean square of a height that is given at points [m].
inline double mean_height(std::span<const Vec3> points, std::span<const IndexTriangle> triangles,
                          std::span<const double> heights) {
  const std::vector<double> areas = triangle_areas(points, triangles);
  double sum = 0, squares = 0, area = 0;
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (const std::int32_t v : triangles[t]) {
      const double h = heights[static_cast<std::size_t>(v)];
      sum += areas[t] / 3 * h;
      squares += areas[t] / 3 * h * h;
      area += areas[t] / 3;
    }
  return std::sqrt(squares / area - sum / area * sum / area);
}

/// Its mean wavelength on the shape at rest, of heights with this root mean square [m]: of a sine wave |∇h|²
/// is on average (2 π / λ)² h².
inline double mean_wavelength(std::span<const Vec3> points, std::span<const IndexTriangle> triangles,
                              std::span<const double> heights, double mean) {
  return 2 * pi * mean *
         std::sqrt(total_area(points, triangles) / dirichlet_energy(points, triangles, heights));
}
inline double mean_wavelength(std::span<const Vec3> points, std::span<const IndexTriangle> triangles,
                              std::span<const double> heights) {
  return mean_wavelength(points, triangles, heights, mean_height(points, triangles, heights));
}

/// At each time, in equilibrium.
inline void advance(Wrinkles& wrinkles, std::initializer_list<double> times) {
  for (const double time : times) {
    const StepReport report = wrinkles.advance(time);
    EXPECT_TRUE(report.converged) << time << " s: " << report.reason;
  }
}

/// The strain at which wrinkles begin: the square of their height grows in proportion to what lies beyond, so
/// that a line through the squares (least squares) leads to it.
inline double onset(const std::vector<double>& strains, const std::vector<double>& heights) {
  const double count = static_cast<double>(heights.size());
  double x = 0, y = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < heights.size(); ++i) {
    const double strain = strains[i], square = heights[i] * heights[i];
    x += strain / count;
    y += square / count;
    xx += strain * strain / count;
    xy += strain * square / count;
  }
  return x - y * (xx - x * x) / (xy - x * y);
}

/// A strip with skin on it, shown on a mesh of the given edge [m].
class WrinkledStrip {
 public:
  WrinkledStrip(const Strip& strip, const WrinkleOptions& options, double body_edge = 5e-3,
                double shown_edge = 5e-4)
      : body_(strip.shape(body_edge)),
        shown_(strip.shape(shown_edge)),
        wrinkles(body_, shown_, places(), options),
        strip_(strip),
        shown_edge_(shown_edge) {}

  /// Height over the body at each vertex that is shown [m].
  std::vector<double> heights() const {
    const Vec3 up = strip_.turn * strip_.rest_turn * Vec3::UnitY();
    std::vector<double> out;
    for (const Vec3& x : wrinkles.positions()) out.push_back(up.dot(x));
    return out;
  }
  /// Root mean square of the height, and its mean wavelength on the shape at rest.
  double height() const {
    return mean_height(shown_.mesh().positions.raw(), index_triangles(shown_.mesh()), heights());
  }
  double wavelength() const {
    return mean_wavelength(shown_.mesh().positions.raw(), index_triangles(shown_.mesh()), heights());
  }
  const SourcePoints& rest() const { return shown_.source().positions; }
  /// The heights on the mesh that is shown, whose edges are shown_edge long [m].
  HeightGrid grid() const {
    return {heights(), static_cast<std::size_t>(edges_along(strip_.length, shown_edge_, 2)) + 1, shown_edge_};
  }

 private:
  AnalyticBody body_, shown_;

  IdVector<VertexId, SurfacePoint> places() const {
    const ClosestPointTree tree(body_.triangles().mesh);
    IdVector<VertexId, SurfacePoint> out;
    for (const Vec3& x : shown_.mesh().positions) out.push_back(tree(x).point);
    return out;
  }

 public:
  Wrinkles wrinkles;

 private:
  Strip strip_;
  double shown_edge_;
};

}  // namespace cutis
