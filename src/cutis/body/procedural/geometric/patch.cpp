#include "cutis/body/procedural/geometric/patch.h"

#include <cmath>
#include <numbers>
#include <utility>

#include "cutis/body/procedural/ease.h"
#include "cutis/body/procedural/geometric/grid.h"

namespace cutis {
namespace {

constexpr double kPatchSize = 0.1;            // [m]
constexpr double kReach = 0.45 * kPatchSize;  // how far from the middle the local shapes are felt

/// How strongly a point feels what is done to the middle: 1 there, 0 beyond the reach, smooth between.
double nearness(const Vec3& p) {
  const double q = std::hypot(p.x(), p.z()) / kReach;
  return q < 1 ? std::pow(1 - q * q, 3) : 0;
}

Vec3 compress(const Vec3& p) { return {0.7 * p.x(), p.y(), p.z()}; }

Vec3 twist(const Vec3& p) {
  const double grip = 1 - smooth_step(0.2 * kReach, kReach, std::hypot(p.x(), p.z()));
  return Eigen::AngleAxisd(pi / 4 * grip, Vec3::UnitY()) * p;
}

/// x (1 - a (1 - q^2)^3) grows with x for every a below 1: nothing folds.
Vec3 pinch(const Vec3& p) {
  const double near = nearness(p);
  return {p.x() * (1 - 0.65 * near), p.y() + 0.008 * near, p.z()};
}

Vec3 pull_up(const Vec3& p) {
  const double near = nearness(p), drawn = 1 - 0.3 * near;
  return {drawn * p.x(), p.y() + 0.03 * near, drawn * p.z()};
}

MorphTarget target(const char* name, const SourceMesh& mesh, Vec3 (*shape)(const Vec3&)) {
  MorphTarget result{name, {}};
  for (const Vec3& p : mesh.positions) result.offsets.push_back(shape(p) - p);
  return result;
}

/// Brings on one of `count` blend shapes and takes it back; cubic splines with tangents of zero ease it.
Clip clip_of(const std::string& name, std::size_t shape, std::size_t count) {
  Track track{0, TrackPath::MorphWeights, Interpolation::CubicSpline, {0, 1, 2}, {}};
  track.values.assign(3 * 3 * count, 0.0);
  track.values[(3 * 1 + 1) * count + shape] = 1;  // the value (not a tangent) of the middle key
  return {name, {track}};
}

}  // namespace

Character make_patch(double edge) {
  Character patch;
  patch.name = "patch";
  patch.nodes.emplace_back().name = "patch";
  MeshInstance& instance = patch.meshes.emplace_back();
  instance.name = "patch";
  instance.node = 0;
  GridShape grid;
  grid.place = [](double u, double v) -> Vec3 { return kPatchSize * Vec3(u - 0.5, 0, 0.5 - v); };
  grid.columns = grid.rows = edges_along(kPatchSize, edge, 4);
  instance.mesh = make_grid(grid);
  instance.morphs = {target("compress", instance.mesh, compress), target("twist", instance.mesh, twist),
                     target("pinch", instance.mesh, pinch), target("pull_up", instance.mesh, pull_up)};
  const std::size_t count = instance.morphs.size();
  instance.morph_weights.assign(count, 0.0);
  for (std::size_t i = 0; i < count; ++i) patch.clips.push_back(clip_of(instance.morphs[i].name, i, count));
  return patch;
}

}  // namespace cutis
