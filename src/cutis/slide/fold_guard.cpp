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

/// cross_matrix(u) v = u x v.
Mat3 cross_matrix(const Vec3& u) {
  Mat3 m;
  m << 0, -u.z(), u.y(), u.z(), 0, -u.x(), -u.y(), u.x(), 0;
  return m;
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

FoldGuard::Jet FoldGuard::evaluate(std::size_t i, const Places& places) const {
  Jet jet;
  for (std::size_t k = 0; k < 2; ++k) add(triangles_[i], k, places, jet);
  return jet;
}

/// s = (e1 x e2) . n / (2 A): the corners move in space by T q + n (qᵀ II q) / 2, their normals turn by
/// -T II q - n |II q|² / 2. The area changes by T q x w, w the side across from the corner.
void FoldGuard::add(const Triangle& triangle, std::size_t k, const Places& places, Jet& jet) const {
  const Measure& measure = triangle.measures[k];
  if (measure.onset == 0) return;
  const Corners& c = triangle.corners;
  const Vec3 n = mean_normal(places, c);
  const auto [e1, e2] = sides(c, places, k == 1);
  const Vec3 area = e1.cross(e2);
  const double s = area.dot(n) / measure.area;
  if (s >= measure.onset) return;
  const ScalarJet barrier = log_barrier(s, measure.onset);
  const std::array<Vec3, 3> w = {e1 - e2, e2, -e1};
  Vec6 first;
  Mat6 second = Mat6::Zero();
  for (int a = 0; a < 3; ++a) {
    const SkinJet& at = places[c[a]];
    const Vec3 by = w[a].cross(n);
    first.segment<2>(2 * a) =
        at.tangent.transpose() * by - at.curvature * (at.tangent.transpose() * area) / 3;
    second.block<2, 2>(2 * a, 2 * a) +=
        by.dot(at.normal) * at.curvature - area.dot(at.normal) / 3 * at.curvature * at.curvature;
    for (int b = 0; b < 3; ++b) {
      const SkinJet& other = places[c[b]];
      // (T q x w) . (-T II q) / 3, from each side.
      const Mat2 turning = at.tangent.transpose() * cross_matrix(w[a]) * other.tangent * other.curvature / -3;
      second.block<2, 2>(2 * a, 2 * b) += turning;
      second.block<2, 2>(2 * b, 2 * a) += turning.transpose();
      if (b != (a + 1) % 3) continue;
      const Mat2 both = -(at.tangent.transpose() * cross_matrix(n) * other.tangent);
      second.block<2, 2>(2 * a, 2 * b) += both;
      second.block<2, 2>(2 * b, 2 * a) += both.transpose();
    }
  }
  first /= measure.area;
  second /= measure.area;
  jet.active = true;
  jet.gradient += measure.strength * barrier.first * first;
  jet.hessian += measure.strength * (barrier.first * second + barrier.second * first * first.transpose());
}

}  // namespace cutis
