#include "cutis/body/procedural/geometric/sheet.h"

#include <cmath>
#include <numbers>
#include <utility>

#include "cutis/body/procedural/bend.h"
#include "cutis/body/procedural/ease.h"
#include "cutis/body/procedural/geometric/grid.h"

namespace cutis {
namespace {

constexpr double kSheetSize = 0.2;  // [m]
constexpr double kBumpRadius = 0.04;
constexpr double kBumpHeight = kBumpRadius / 2;
constexpr double kBumpWay = 0.025;

SourceMesh square(double edge) {
  GridShape grid;
  grid.place = [](double u, double v) -> Vec3 { return kSheetSize * Vec3(u - 0.5, 0, 0.5 - v); };
  grid.columns = grid.rows = edges_along(kSheetSize, edge, 4);
  return make_grid(grid);
}

Vec3 stretch(const Vec3& p, double time) {
  const double factor = 1 + 0.4 * smooth_step(0, 1, time);
  return {factor * p.x(), p.y(), p.z() / std::sqrt(factor)};
}

Vec3 shear(const Vec3& p, double time) {
  return {p.x() + 0.5 * smooth_step(0, 1, time) * p.z(), p.y(), p.z()};
}

Vec3 roll(const Vec3& p, double time) { return bend(p, 1.5 * pi / kSheetSize * there_and_back(time, 2)); }

Vec3 wave(const Vec3& p, double time) {
  const double height = 0.012 * fade_in_and_out(time, 3, 0.75);
  return p + Vec3(0, height * std::sin(2 * pi * (p.x() / 0.1 - time)), 0);
}

double bump_height(double x, double z) {
  const double q2 = (x * x + z * z) / (kBumpRadius * kBumpRadius);
  return q2 < 1 ? kBumpHeight * (1 - q2) * (1 - q2) : 0;
}

double bump_place(double time) {
  return kBumpWay * (smooth_step(0, 0.5, time) - 2 * smooth_step(0.5, 1.5, time) + smooth_step(1.5, 2, time));
}

/// All of the bump moves as one; around it the way fades out to the border. The fade is nowhere steeper than
/// 1.875 / 60 mm, so that with a way of 25 mm no point overtakes another.
Vec3 carry(const Vec3& p, double time) {
  const double grip = 1 - smooth_step(kBumpRadius, kSheetSize / 2, std::hypot(p.x(), p.z()));
  return p + Vec3(grip * bump_place(time), 0, 0);
}

Vec3 pass(const Vec3& p, double time) { return {p.x(), bump_height(p.x() - bump_place(time), p.z()), p.z()}; }

}  // namespace

AnalyticShape make_sheet(double edge) {
  return {"sheet",
          square(edge),
          {{"stretch", 1, stretch}, {"shear", 1, shear}, {"roll", 2, roll}, {"wave", 3, wave}}};
}

AnalyticShape make_bump(double edge) {
  AnalyticShape bump{"bump", square(edge), {{"carry", 2, carry}, {"pass", 2, pass}}};
  for (Vec3& p : bump.mesh.positions) p.y() = bump_height(p.x(), p.z());
  return bump;
}

}  // namespace cutis
