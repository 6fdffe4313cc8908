#include "cutis/body/anatomy/lay_strokes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "cutis/body/anatomy/human_bones.h"
#include "cutis/body/anatomy/human_joints.h"
#include "cutis/core/error.h"
#include "cutis/core/parallel.h"

namespace cutis {
namespace {

constexpr int kMostSteps = 4096;  // of a stroke around a bone, between two of its points

/// Points of a stroke around a bone, cut so finely that no face is stepped over.
std::vector<Vec2> refined(const std::vector<Vec2>& around, const HumanBone& bone, double step) {
  const double length = (bone.to - bone.from).norm();
  std::vector<Vec2> fine;
  for (std::size_t i = 0; i + 1 < around.size(); ++i) {
    const Vec2 way = around[i + 1] - around[i];
    const double metres = std::hypot(way.x() * length, way.y() * bone.reach / 2);
    const int n = static_cast<int>(std::clamp(std::ceil(metres / step), 1.0, double(kMostSteps)));
    for (int k = i == 0 ? 0 : 1; k <= n; ++k) fine.push_back(around[i] + (double(k) / n) * way);
  }
  return fine;
}

SurfaceStroke lay_around(const std::vector<Vec2>& around, const HumanBone& bone, const BoneRays& rays,
                         double step) {
  const std::vector<Vec2> fine = refined(around, bone, step);
  SurfaceStroke hits(fine.size());
  parallel_for(
      fine.size(), [&](std::size_t i) { hits[i] = rays(fine[i].x(), fine[i].y()); }, 8);
  std::erase_if(hits, [](const SurfacePoint& p) { return !p.face.valid(); });
  return hits;
}

/// Angles made to follow each other without jumps.
void unwind(std::vector<Vec2>& around) {
  for (std::size_t i = 1; i < around.size(); ++i)
    around[i].y() = around[i - 1].y() + std::remainder(around[i].y() - around[i - 1].y(), 2 * EIGEN_PI);
}

/// Of points on the skin to the bone, on average [m].
double mean_distance(const HumanBone& bone, std::span<const Vec3> points) {
  double sum = 0;
  for (const Vec3& p : points) sum += bone.distance(p);
  return sum / double(points.size());
}

}  // namespace

LaidStrokes lay_strokes(std::span<const Stroke> strokes, std::span<const SkeletonJoint> joints,
                        const Surface& surface) {
  LaidStrokes laid;
  const double step = mean_edge(surface) / 4;
  std::optional<ClosestPointTree> tree;
  std::map<std::string, BoneRays> rays;
  std::map<std::string, HumanBone> bones;
  if (std::ranges::any_of(strokes, [](const Stroke& s) { return !s.bone.empty(); }))
    bones = human_bones(human_joints(joints), surface);
  for (const Stroke& stroke : strokes) {
    SurfaceStroke& on_skin = laid.strokes.emplace_back();
    if (stroke.bone.empty()) {
      if (!tree) tree.emplace(surface.mesh());
      on_skin = lay_polyline(*tree, stroke.points, step);
    } else if (const auto bone = bones.find(stroke.bone); bone != bones.end()) {
      const BoneRays& around = rays.try_emplace(stroke.bone, surface, bone->second).first->second;
      on_skin = lay_around(stroke.around, bone->second, around, step);
    } else if (std::ranges::find(laid.missing, stroke.bone) == laid.missing.end()) {
      laid.missing.push_back(stroke.bone);
    }
  }
  // Over a gap of several faces the skin has turned away, or rays have jumped to another part.
  laid.samples = line_samples(surface, laid.strokes, 16 * step);
  return laid;
}

std::vector<Stroke> strokes_around_bones(std::span<const Stroke> strokes,
                                         std::span<const SkeletonJoint> joints, const Surface& surface) {
  const std::map<std::string, HumanBone> bones = human_bones(human_joints(joints), surface);
  if (bones.empty()) throw InputError("strokes can only be carried from a body with the joints of a human");
  const LaidStrokes laid = lay_strokes(strokes, joints, surface);
  std::vector<Stroke> carried;
  for (std::size_t i = 0; i < strokes.size(); ++i) {
    if (!strokes[i].bone.empty()) {
      carried.push_back(strokes[i]);
      continue;
    }
    std::vector<Vec3> points;
    for (const SurfacePoint& p : laid.strokes[i]) points.push_back(surface.position(p));
    const auto nearest = std::ranges::min_element(
        bones, {}, [&](const auto& bone) { return mean_distance(bone.second, points); });
    Stroke& stroke = carried.emplace_back();
    stroke.bone = nearest->first;
    for (const Vec3& p : points) stroke.around.push_back(nearest->second.coordinates(p));
    unwind(stroke.around);
  }
  return carried;
}

}  // namespace cutis
