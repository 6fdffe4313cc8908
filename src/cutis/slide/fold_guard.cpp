#include "cutis/slide/fold_guard.h"

#include <algorithm>

#include "cutis/slide/log_barrier.h"

namespace cutis {
namespace {

constexpr double kOnset = 0.3;
constexpr double kStrength = 10;  ///< against the skin's stiffness

Vec3 area_vector(const FoldGuard::Places& p, const FoldGuard::Corners& c) {
  return (p[c[1]].position - p[c[0]].position).cross(p[c[2]].position - p[c[0]].position);
}

Vec3 mean_normal(const FoldGuard::Places& p, const FoldGuard::Corners& c) {
  return (p[c[0]].normal + p[c[1]].normal + p[c[2]].normal) / 3;
}

}  // namespace

FoldGuard::FoldGuard(const SkinSurface& at_rest, const std::vector<Corners>& triangles, double stiffness) {
  Places home(at_rest.rest().mesh().vertex_count());
  for (VertexId v : ids<VertexId>(home.size()))
    if (at_rest.home(v).face.valid()) home[v] = at_rest.evaluate(at_rest.home(v));
  for (const Corners& c : triangles) {
    const Vec3 area = area_vector(home, c);
    const double s = area.dot(mean_normal(home, c)) / area.norm();
    triangles_.push_back(
        {c, area.norm(), s > 0 ? std::min(kOnset, 0.5 * s) : 0, kStrength * stiffness * 0.5 * area.norm()});
  }
}

double FoldGuard::energy(std::size_t i, const Places& places) const {
  const Triangle& t = triangles_[i];
  if (t.onset == 0) return 0;
  const double s = area_vector(places, t.corners).dot(mean_normal(places, t.corners)) / t.area;
  return t.strength * log_barrier(s, t.onset).value;
}

/// s = (e1 x e2) . n / (2 A): the corners move in space by T q, their normals turn by -T II q.
FoldGuard::Jet FoldGuard::evaluate(std::size_t i, const Places& places) const {
  Jet jet;
  const Triangle& t = triangles_[i];
  const Corners& c = t.corners;
  const Vec3 area = area_vector(places, c), n = mean_normal(places, c);
  const double s = area.dot(n) / t.area;
  if (t.onset == 0 || s >= t.onset) return jet;
  const LogBarrier barrier = log_barrier(s, t.onset);
  jet.slope = t.strength * barrier.first;
  jet.curvature = t.strength * barrier.second;
  const Vec3 e1 = places[c[1]].position - places[c[0]].position,
             e2 = places[c[2]].position - places[c[0]].position;
  const Vec3 by1 = e2.cross(n), by2 = n.cross(e1);
  const std::array<Vec3, 3> by = {-by1 - by2, by1, by2};
  for (int k = 0; k < 3; ++k) {
    const SkinJet& at = places[c[k]];
    jet.direction.segment<2>(2 * k) =
        (at.tangent.transpose() * by[k] - at.curvature * (at.tangent.transpose() * area) / 3) / t.area;
  }
  return jet;
}

}  // namespace cutis
