#include "cutis/body/procedural/geometric/torus.h"

#include <cmath>
#include <numbers>

#include "cutis/body/procedural/bend.h"
#include "cutis/body/procedural/ease.h"
#include "cutis/body/procedural/geometric/grid.h"

namespace cutis {
namespace {

constexpr double kRing = 0.1;  // [m]
constexpr double kTube = 0.05;

/// From the x axis towards -z, so that the angle grows counter-clockwise seen from above.
Vec3 spoke(double theta) { return {std::cos(theta), 0, -std::sin(theta)}; }

/// Moves the cross-section at theta to another place on the ring and scales it there.
Vec3 along_ring(const Vec3& p, double strength, double narrowing) {
  const double theta = std::atan2(-p.z(), p.x());
  const double out = std::hypot(p.x(), p.z()) - kRing;
  const double moved = theta + 0.6 * strength * std::sin(theta);
  const double scale = 1 - narrowing * strength * 0.5 * (1 + std::cos(theta));
  return (kRing + scale * out) * spoke(moved) + Vec3(0, scale * p.y(), 0);
}

Vec3 stretch_torus(const Vec3& p, double time) { return along_ring(p, smooth_step(0, 1, time), 0); }

Vec3 squeeze(const Vec3& p, double time) { return along_ring(p, smooth_step(0, 1, time), 0.4); }

Vec3 bend_and_back(const Vec3& p, double time) { return bend(p, 6 * there_and_back(time, 2)); }

Vec3 shake(const Vec3& p, double time) {
  return p + Vec3(0.03 * fade_in_and_out(time, 4, 0.5) * std::sin(2 * pi * 2 * time), 0, 0);
}

Vec3 spin_torus(const Vec3& p, double time) {
  return Eigen::AngleAxisd(2 * pi * smooth_step(0, 2, time), Vec3::UnitY()) * p;
}

}  // namespace

AnalyticShape make_torus(double edge) {
  GridShape grid;
  grid.place = [](double u, double v) -> Vec3 {
    const double phi = 2 * pi * v - pi;  // the seam of the UVs lies on the inside
    return (kRing + kTube * std::cos(phi)) * spoke(2 * pi * u) + Vec3(0, kTube * std::sin(phi), 0);
  };
  grid.columns = edges_along(2 * pi * kRing, edge, 8);
  grid.rows = edges_along(2 * pi * kTube, edge, 6);
  grid.closes_in_u = grid.closes_in_v = true;
  grid.width = 2 * pi * kRing;
  grid.height = 2 * pi * kTube;
  return {"torus",
          make_grid(grid),
          {{"stretch", 1, stretch_torus},
           {"squeeze", 1, squeeze},
           {"bend", 2, bend_and_back},
           {"shake", 4, shake},
           {"spin", 2, spin_torus}}};
}

}  // namespace cutis
