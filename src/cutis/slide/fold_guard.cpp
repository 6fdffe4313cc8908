#include "cutis/slide/fold_guard.h"

#include <algorithm>

#include "cutis/slide/log_barrier.h"

namespace cutis {
namespace {

constexpr double kOnset = 0.3;
constexpr double kStrength = 10;  ///< against the skin's stiffness

Vec3 mean_normal(const FoldGuard::Places& p, const FoldGuard::Corners& c) {
  return (p[c[0]].normal + p[c[1]].normal + p[c[2]].normal) / 3;
}

}  // namespace

FoldGuard::FoldGuard(const SkinSurface& at_rest, const std::vector<Corners>& triangles, double stiffness) {
  const Points& vertices = at_rest.rest().positions();
  Places home(vertices.size());
  offsets_.assign(vertices.size(), Vec3::Zero());
  for (VertexId v : ids<VertexId>(home.size())) {
    if (!at_rest.home(v).face.valid()) continue;
    home[v] = at_rest.evaluate(at_rest.home(v));
    offsets_[v] = vertices[v] - home[v].position;
  }
  for (const Corners& c : triangles) {
    Triangle triangle{c, {}};
    for (int with_offsets = 0; with_offsets < 2; ++with_offsets) {
      const auto [e1, e2] = sides(c, home, with_offsets);
      const double area = e1.cross(e2).norm(), s = e1.cross(e2).dot(mean_normal(home, c)) / area;
      triangle.measures[static_cast<std::size_t>(with_offsets)] = {
          area, s > 0 ? std::min(kOnset, 0.5 * s) : 0, kStrength * stiffness * 0.5 * area};
    }
    triangles_.push_back(triangle);
  }
}

std::array<Vec3, 2> FoldGuard::sides(const Corners& c, const Places& places, bool with_offsets) const {
  std::array<Vec3, 2> e = {places[c[1]].position - places[c[0]].position,
                           places[c[2]].position - places[c[0]].position};
  if (with_offsets) {
    e[0] += offsets_[c[1]] - offsets_[c[0]];
    e[1] += offsets_[c[2]] - offsets_[c[0]];
  }
  return e;
}

double FoldGuard::energy(std::size_t i, const Places& places) const {
  const Triangle& t = triangles_[i];
  const Vec3 n = mean_normal(places, t.corners);
  double sum = 0;
  for (std::size_t k = 0; k < 2; ++k) {
    const Measure& measure = t.measures[k];
    if (measure.onset == 0) continue;
    const auto [e1, e2] = sides(t.corners, places, k == 1);
    sum += measure.strength * log_barrier(e1.cross(e2).dot(n) / measure.area, measure.onset).value;
  }
  return sum;
}

/// s = (e1 x e2) . n / (2 A): the corners move in space by T q, their normals turn by -T II q.
std::array<FoldGuard::Jet, 2> FoldGuard::evaluate(std::size_t i, const Places& places) const {
  std::array<Jet, 2> jets;
  const Corners& c = triangles_[i].corners;
  const Vec3 n = mean_normal(places, c);
  for (std::size_t k = 0; k < 2; ++k) {
    const Measure& measure = triangles_[i].measures[k];
    const auto [e1, e2] = sides(c, places, k == 1);
    const Vec3 area = e1.cross(e2);
    const double s = area.dot(n) / measure.area;
    if (measure.onset == 0 || s >= measure.onset) continue;
    const LogBarrier barrier = log_barrier(s, measure.onset);
    jets[k].slope = measure.strength * barrier.first;
    jets[k].curvature = measure.strength * barrier.second;
    const Vec3 by1 = e2.cross(n), by2 = n.cross(e1);
    const std::array<Vec3, 3> by = {-by1 - by2, by1, by2};
    for (int a = 0; a < 3; ++a) {
      const SkinJet& at = places[c[a]];
      jets[k].direction.segment<2>(2 * a) =
          (at.tangent.transpose() * by[a] - at.curvature * (at.tangent.transpose() * area) / 3) /
          measure.area;
    }
  }
  return jets;
}

}  // namespace cutis
