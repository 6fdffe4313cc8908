#include "cutis/wrinkle/contact/contact_distance.h"

#include <algorithm>
#include <limits>

#include <Eigen/LU>

#include "cutis/core/id.h"
#include "cutis/surface/geodesic/closest_point.h"

namespace cutis {
namespace {

/// Square of the sine between two edges below which the common perpendicular of their lines is rounding.
constexpr double kParallelSineSquared = 1e-12;

/// The way between the closest points, r = Σ w_i x_i, and the directions in which these points are free to
/// move within the corner, edge or face that they lie in.
struct ClosestWay {
  Vec4 weights = Vec4::Zero();
  Eigen::Matrix<double, 4, 2> freedom = Eigen::Matrix<double, 4, 2>::Zero();  ///< change of the weights
  int free = 0;                                                               ///< columns that count
};

Vec3 combined(const Vec4& weights, const ContactPoints& x) {
  // About the first point: what is far from the origin loses no digits.
  return weights[1] * (x[1] - x[0]) + weights[2] * (x[2] - x[0]) + weights[3] * (x[3] - x[0]);
}

ClosestWay point_triangle_way(const ContactPoints& x) {
  const Vec3 barycentric = closest_in_triangle(x[0], x[1], x[2], x[3]);
  ClosestWay way;
  way.weights << 1, -barycentric;
  int base = -1;
  for (int k = 0; k < 3; ++k) {
    if (barycentric[k] == 0) continue;
    if (base < 0) {
      base = k;
      continue;
    }
    way.freedom(1 + base, way.free) = 1;
    way.freedom(1 + k, way.free) = -1;
    ++way.free;
  }
  return way;
}

ClosestWay edge_edge_way(const ContactPoints& x) {
  const Vec2 along = closest_on_edges(x);
  ClosestWay way;
  way.weights << 1 - along[0], along[0], along[1] - 1, -along[1];
  for (int edge = 0; edge < 2; ++edge) {
    if (along[edge] == 0 || along[edge] == 1) continue;
    const double sign = edge == 0 ? 1 : -1;
    way.freedom(2 * edge, way.free) = -sign;
    way.freedom(2 * edge + 1, way.free) = sign;
    ++way.free;
  }
  return way;
}

ClosestWay closest_way(ContactKind kind, const ContactPoints& x) {
  return kind == ContactKind::PointTriangle ? point_triangle_way(x) : edge_edge_way(x);
}

/// w ⊗ direction: one after the other, the direction times the weight of each point.
Vec12 spread(const Vec4& weights, const Vec3& direction) {
  Vec12 out;
  for (int i = 0; i < 4; ++i) out.segment<3>(3 * i) = weights[i] * direction;
  return out;
}

/// Where one of the two closest points is an end of its edge.
Vec2 closest_with_an_end(const ContactPoints& x) {
  Vec2 best = Vec2::Zero();
  double nearest = std::numeric_limits<double>::infinity();
  const auto consider = [&](double s, double t) {
    const double d2 = combined(Vec4(1 - s, s, t - 1, -t), x).squaredNorm();
    if (!(d2 < nearest)) return;
    nearest = d2;
    best = Vec2(s, t);
  };
  for (const int end : {0, 1}) {
    consider(end, closest_in_segment(x[at(end)], x[2], x[3]));
    consider(closest_in_segment(x[at(2 + end)], x[0], x[1]), end);
  }
  return best;
}

}  // namespace

Vec2 closest_on_edges(const ContactPoints& x) {
  const Vec3 a = x[1] - x[0], b = x[3] - x[2], between = x[0] - x[2];
  const double aa = a.squaredNorm(), bb = b.squaredNorm(), ab = a.dot(b);
  // |a x b|², which aa bb - ab² would lose to rounding.
  const double area2 = a.cross(b).squaredNorm();
  if (area2 > kParallelSineSquared * aa * bb) {
    const double s = (ab * b.dot(between) - bb * a.dot(between)) / area2;
    const double t = (aa * b.dot(between) - ab * a.dot(between)) / area2;
    // A convex function has its minimum inside or on the border.
    if (s > 0 && s < 1 && t > 0 && t < 1) return {s, t};
  }
  return closest_with_an_end(x);
}

double squared_distance(ContactKind kind, const ContactPoints& points) {
  return combined(closest_way(kind, points).weights, points).squaredNorm();
}

/// The Hessian below is made of w ⊗ e for any direction e and of w_θ ⊗ r.
Eigen::Matrix<double, 12, 5> squared_distance_span(ContactKind kind, const ContactPoints& points) {
  const ClosestWay way = closest_way(kind, points);
  const Vec3 normal = combined(way.weights, points).normalized();
  Eigen::Matrix<double, 4, 3> orthonormal = Eigen::Matrix<double, 4, 3>::Zero();
  orthonormal.col(0) = way.weights.normalized();
  Eigen::Matrix<double, 12, 5> span = Eigen::Matrix<double, 12, 5>::Zero();
  for (int axis = 0; axis < 3; ++axis) span.col(axis) = spread(orthonormal.col(0), Vec3::Unit(axis));
  for (int k = 0; k < way.free; ++k) {
    Vec4 next = way.freedom.col(k);
    for (int before = 0; before <= k; ++before)
      next -= orthonormal.col(before).dot(next) * orthonormal.col(before);
    orthonormal.col(k + 1) = next.normalized();
    span.col(3 + k) = spread(orthonormal.col(k + 1), normal);
  }
  return span;
}

/// With θ the places of the closest points in their corner, edge or face, d²(x) = min_θ |r(x, θ)|². At the
/// minimum d²_θ = 0, so that the gradient is that at fixed θ, 2 w_i r, and the Hessian
/// d²_xx - d²_xθ (d²_θθ)⁻¹ d²_θx, with d²_θθ = 2 EᵀE, d²_xθ = 2 (w_θ ⊗ r + w ⊗ E) and E = dr/dθ.
ContactJet squared_distance_jet(ContactKind kind, const ContactPoints& points) {
  const ClosestWay way = closest_way(kind, points);
  const Vec3 r = combined(way.weights, points);
  ContactJet jet;
  jet.value = r.squaredNorm();
  jet.gradient = spread(way.weights, 2 * r);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      jet.hessian.block<3, 3>(3 * i, 3 * j).diagonal().setConstant(2 * way.weights[i] * way.weights[j]);
  Mat32 E = Mat32::Zero();
  Eigen::Matrix<double, 12, 2> mixed = Eigen::Matrix<double, 12, 2>::Zero();
  for (int k = 0; k < way.free; ++k) {
    E.col(k) = combined(way.freedom.col(k), points);
    mixed.col(k) = 2 * (spread(way.freedom.col(k), r) + spread(way.weights, E.col(k)));
  }
  Mat2 along = 2 * E.transpose() * E;
  for (int k = way.free; k < 2; ++k) along(k, k) = 1;
  jet.hessian -= mixed * along.inverse() * mixed.transpose();
  return jet;
}

}  // namespace cutis
