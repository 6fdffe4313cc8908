#include "cutis/skin/force_density/layout_locator.h"

#include <algorithm>
#include <cmath>

#include "cutis/core/parallel.h"
#include "cutis/surface/geodesic/closest_point.h"

namespace cutis {
namespace {

constexpr int kMostLocatorSteps = 1000;
// A target this share of a triangle's area beyond an edge still counts as inside: rounding.
constexpr double slack = 1e-9;
constexpr std::size_t serial_below = 2000;  // threads cost more than the walks of a small patch

Vec3 flat(const Vec2& p) { return {p.x(), p.y(), 0}; }

/// None negative, sum one.
Vec3 made_inside(const Vec3& barycentric) {
  const Vec3 positive = barycentric.cwiseMax(0.0);
  return positive / positive.sum();
}

}  // namespace

LayoutLocator::LayoutLocator(const Mesh& triangles, const Topology& topology)
    : mesh_(triangles), topology_(topology) {}

bool LayoutLocator::walk(const Layout& layout, const Vec2& target, SurfacePoint& point) const {
  FaceId f = point.face;
  int came_over = -1;
  for (int step = 0; step < kMostLocatorSteps; ++step) {
    const VertexId* face = mesh_.corners.data() + 3 * f.index();
    const Vec2 a = layout[face[0]] - target, b = layout[face[1]] - target, c = layout[face[2]] - target;
    // Twice the areas of the triangles that the target makes with the sides that face the corners. With the
    // target at a corner two of them are zero to the bit.
    const Vec3 area(cross(b, c), cross(c, a), cross(a, b));
    const double whole = area.sum();
    const double least = -slack * std::abs(whole);
    if (whole > 0 && area[0] >= least && area[1] >= least && area[2] >= least) {
      point = {f, made_inside(area / whole)};
      return true;
    }
    // Over the side that the target lies farthest beyond, and not back over the one just crossed.
    int over = -1;
    double farthest = 0;
    for (int k = 0; k < 3; ++k) {
      const int side = (k + 1) % 3;  // runs from corner k + 1 to corner k + 2, faces corner k
      if (side == came_over || area[k] >= least) continue;
      const HalfedgeId h(3 * f.index() + static_cast<std::size_t>(side));
      if (topology_.is_border(topology_.twin(h))) continue;
      if (over < 0 || area[k] < farthest) {
        over = side;
        farthest = area[k];
      }
    }
    if (over < 0) return false;
    const HalfedgeId twin = topology_.twin(HalfedgeId(3 * f.index() + static_cast<std::size_t>(over)));
    f = topology_.face(twin);
    came_over = static_cast<int>(twin.index() % 3);
  }
  return false;
}

void LayoutLocator::locate(const Layout& layout, const Layout& targets,
                           IdVector<VertexId, SurfacePoint>& result) const {
  std::vector<char> lost(targets.size(), 0);
  const auto one = [&](std::size_t i) { lost[i] = !walk(layout, targets[VertexId(i)], result[VertexId(i)]); };
  if (targets.size() < serial_below)
    for (std::size_t i = 0; i < targets.size(); ++i) one(i);
  else
    parallel_for(targets.size(), one);
  if (std::find(lost.begin(), lost.end(), 1) == lost.end()) return;
  Points flat_layout;
  flat_layout.reserve(layout.size());
  for (const Vec2& p : layout) flat_layout.push_back(flat(p));
  const ClosestPointTree tree(mesh_, flat_layout);
  parallel_for(targets.size(), [&](std::size_t i) {
    if (lost[i]) result[VertexId(i)] = tree(flat(targets[VertexId(i)])).point;
  });
}

}  // namespace cutis
