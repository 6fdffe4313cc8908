#include "cutis/skin/problem/inversion_barrier.h"

#include <algorithm>

#include "cutis/core/parallel.h"
#include "cutis/energy/log_barrier.h"

namespace cutis {
namespace {

/// The s at which the barrier begins: a triangle that keeps its area stands 17 degrees from on edge there.
constexpr double kInversionOnset = 0.3;
/// Times the skin's stiffness: so low that the barrier holds little energy where plain skinning itself folds.
constexpr double kInversionStrength = 0.5;
/// Where normals are compared: corners, middles of sides and the middle of a triangle.
const std::array<Vec3, 7> kSamples = {Vec3(1, 0, 0),     Vec3(0, 1, 0),     Vec3(0, 0, 1),
                                      Vec3(0.5, 0.5, 0), Vec3(0, 0.5, 0.5), Vec3(0.5, 0, 0.5),
                                      Vec3(1, 1, 1) / 3};
/// Between these places normals may differ by so many times as much.
constexpr double kDeviationMargin = 1.5;

/// cross_matrix(u) v = u x v.
Mat3 cross_matrix(const Vec3& u) {
  Mat3 m;
  m << 0, -u.z(), u.y(), u.z(), 0, -u.x(), -u.y(), u.x(), 0;
  return m;
}

}  // namespace

InversionBarrier::InversionBarrier(const SlideSurface& at_rest, const std::vector<Corners>& triangles,
                                   double stiffness)
    : normals_(at_rest.blended_normals()), deviation_(at_rest.rest().mesh().face_count(), 0) {
  const Points& vertices = at_rest.rest().positions();
  parallel_for(deviation_.size(), [&](std::size_t i) {
    for (const Vec3& b : kSamples) {
      const SurfacePoint p{FaceId(i), b};
      deviation_[FaceId(i)] =
          std::max(deviation_[FaceId(i)], (at_rest.evaluate(p).normal - normals_.position(p)).norm());
    }
  });
  Places home(vertices.size());
  Points normals(vertices.size(), Vec3::Zero());
  offsets_.assign(vertices.size(), Vec3::Zero());
  for (VertexId v : ids<VertexId>(home.size())) {
    const SurfacePoint p = at_rest.home(v);
    if (!p.face.valid()) continue;
    home[v] = at_rest.evaluate(p);
    normals[v] = normals_.position(p);
    offsets_[v] = vertices[v] - home[v].position;
  }
  for (const Corners& c : triangles) {
    Triangle triangle{c, {}};
    const Vec3 n = (normals[c[0]] + normals[c[1]] + normals[c[2]]) / 3;
    for (std::size_t k = 0; k < 2; ++k) {
      const auto [e1, e2] = sides(c, home, k == 1);
      const double area = e1.cross(e2).norm(), s = e1.cross(e2).dot(n) / area;
      triangle.measures[k] = {area, s > 0 ? std::min(kInversionOnset, 0.5 * s) : 0,
                              kInversionStrength * stiffness * 0.5 * area};
    }
    triangles_.push_back(triangle);
  }
}

std::array<Vec3, 2> InversionBarrier::sides(const Corners& c, const Places& places, bool with_offsets) const {
  std::array<Vec3, 2> e = {places[c[1]].position - places[c[0]].position,
                           places[c[2]].position - places[c[0]].position};
  if (with_offsets) {
    e[0] += offsets_[c[1]] - offsets_[c[0]];
    e[1] += offsets_[c[2]] - offsets_[c[0]];
  }
  return e;
}

/// By the surface's own normals, which the skin knows anyway, and how far the blended ones can be from them.
bool InversionBarrier::far_from_folding(const Triangle& t, const SkinPoints& points,
                                        const Places& places) const {
  Vec3 n = Vec3::Zero();
  double away = 0;
  for (VertexId v : t.corners) {
    n += places[v].normal / 3;
    away += kDeviationMargin * deviation_[points[v].face] / 3;
  }
  for (std::size_t k = 0; k < 2; ++k) {
    const Measure& measure = t.measures[k];
    if (measure.onset == 0) continue;
    const auto [e1, e2] = sides(t.corners, places, k == 1);
    const Vec3 area = e1.cross(e2);
    if (area.dot(n) - away * area.norm() < measure.onset * measure.area) return false;
  }
  return true;
}

double InversionBarrier::energy(std::size_t i, const SkinPoints& points, const Places& places) const {
  const Triangle& t = triangles_[i];
  if (far_from_folding(t, points, places)) return 0;
  Vec3 n = Vec3::Zero();
  for (VertexId v : t.corners) n += normals_.position(points[v]) / 3;
  double sum = 0;
  for (std::size_t k = 0; k < 2; ++k) {
    const Measure& measure = t.measures[k];
    if (measure.onset == 0) continue;
    const auto [e1, e2] = sides(t.corners, places, k == 1);
    sum += measure.strength * log_barrier(e1.cross(e2).dot(n) / measure.area, measure.onset).value;
  }
  return sum;
}

InversionBarrier::Jet InversionBarrier::evaluate(std::size_t i, const SkinPoints& points,
                                                 const Places& places) const {
  Jet jet;
  const Triangle& t = triangles_[i];
  if (far_from_folding(t, points, places)) return jet;
  std::array<Normal, 3> normals;
  for (std::size_t a = 0; a < 3; ++a) normals[a] = normal(points[t.corners[a]], places[t.corners[a]]);
  for (std::size_t k = 0; k < 2; ++k) add(t, k, places, normals, jet);
  return jet;
}

/// Along a straight path the barycentrics b have b'' = -A Γ(b', b').
InversionBarrier::Normal InversionBarrier::normal(const SurfacePoint& p, const SurfaceJet& at) const {
  const LimitJet field = normals_.evaluate(p);
  const Mat2& A = at.to_barycentric;
  Normal n;
  n.value = field.position;
  n.first << field.d1, field.d2;
  n.first *= A;
  for (int k = 0; k < 3; ++k) {
    const Vec2 a = A.col(k / 2), b = A.col((k + 1) / 2);
    const double w11 = a[0] * b[0], w12 = a[0] * b[1] + a[1] * b[0], w22 = a[1] * b[1];
    n.second[static_cast<std::size_t>(k)] =
        w11 * field.d11 + w12 * field.d12 + w22 * field.d22 -
        n.first * (w11 * at.christoffel[0] + w12 * at.christoffel[1] + w22 * at.christoffel[2]);
  }
  return n;
}

/// s = (e1 x e2) . n / (2 A): the corners move in space by T q + m (qᵀ II q) / 2, m the surface's own normal,
/// so the area changes by T q x w, w the side across from the corner.
void InversionBarrier::add(const Triangle& triangle, std::size_t k, const Places& places,
                           const std::array<Normal, 3>& normals, Jet& jet) const {
  const Measure& measure = triangle.measures[k];
  if (measure.onset == 0) return;
  const Corners& c = triangle.corners;
  const Vec3 n = (normals[0].value + normals[1].value + normals[2].value) / 3;
  const auto [e1, e2] = sides(c, places, k == 1);
  const Vec3 area = e1.cross(e2);
  const double s = area.dot(n) / measure.area;
  if (s >= measure.onset) return;
  const ScalarJet barrier = log_barrier(s, measure.onset);
  const std::array<Vec3, 3> w = {e1 - e2, e2, -e1};
  Vec6 first;
  Mat6 second = Mat6::Zero();
  for (int a = 0; a < 3; ++a) {
    const SurfaceJet& at = places[c[a]];
    const Normal& normal = normals[static_cast<std::size_t>(a)];
    const Vec3 by = w[a].cross(n);
    first.segment<2>(2 * a) = at.tangent.transpose() * by + normal.first.transpose() * area / 3;
    Mat2 turn;
    turn << area.dot(normal.second[0]), area.dot(normal.second[1]), area.dot(normal.second[1]),
        area.dot(normal.second[2]);
    second.block<2, 2>(2 * a, 2 * a) += by.dot(at.normal) * at.curvature + turn / 3;
    for (int b = 0; b < 3; ++b) {
      // The area at one corner, the normal at the other.
      const Mat2 mixed =
          at.tangent.transpose() * cross_matrix(w[a]) * normals[static_cast<std::size_t>(b)].first / 3;
      second.block<2, 2>(2 * a, 2 * b) += mixed;
      second.block<2, 2>(2 * b, 2 * a) += mixed.transpose();
      if (b != (a + 1) % 3) continue;
      const Mat2 both = -(at.tangent.transpose() * cross_matrix(n) * places[c[b]].tangent);
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
