#include "cutis/body/procedural/geometric/cylinder.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "cutis/body/procedural/ease.h"
#include "cutis/body/procedural/geometric/grid.h"

namespace cutis {
namespace {

constexpr double kLength = 0.4;  // [m]
constexpr double kCylinderRadius = 0.06;

Vec3 turned(const Vec3& p, double angle) { return Eigen::AngleAxisd(angle, Vec3::UnitX()) * p; }

Vec3 twist(const Vec3& p, double time) {
  return turned(p, pi / 2 * smooth_step(0, 1, time) * std::max(0.0, p.x() / (kLength / 2)));
}

Vec3 wring(const Vec3& p, double time) {
  return turned(p, pi / 3 * there_and_back(time, 2) * p.x() / (kLength / 2));
}

/// With its volume kept.
Vec3 press(const Vec3& p, double time) {
  const double length = 1 - 0.2 * there_and_back(time, 2), width = 1 / std::sqrt(length);
  return {length * p.x(), width * p.y(), width * p.z()};
}

Vec3 spin_cylinder(const Vec3& p, double time) { return turned(p, 2 * pi * smooth_step(0, 2, time)); }

}  // namespace

AnalyticShape make_cylinder(double edge) {
  GridShape grid;
  grid.place = [](double u, double v) -> Vec3 {
    const double angle = 2 * pi * v - pi / 2;  // the seam of the UVs lies below
    return {kLength * (u - 0.5), kCylinderRadius * std::sin(angle), kCylinderRadius * std::cos(angle)};
  };
  grid.columns = 2 * edges_along(kLength / 2, edge, 2);  // a ring lies where the twist begins
  grid.rows = edges_along(2 * pi * kCylinderRadius, edge, 6);
  grid.closes_in_v = true;
  grid.width = kLength;
  grid.height = 2 * pi * kCylinderRadius;
  return {"cylinder",
          make_grid(grid),
          {{"twist", 1, twist}, {"wring", 2, wring}, {"press", 2, press}, {"spin", 2, spin_cylinder}}};
}

}  // namespace cutis
