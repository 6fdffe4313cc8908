#include "cutis/surface/mesh/deformation.h"

#include <algorithm>
#include <cmath>

#include "cutis/core/parallel.h"

namespace cutis {
namespace {

struct Svd2 {
  double max, min;
  Vec2 left_max, left_min, right_max, right_min;
};

/// M = R(phi) diag(q + r, q - r) R(theta), with the angles of the parts of M that turn and that mirror
/// (Blinn 1996, "Consider the lowly 2x2 matrix"). Nothing is squared, so small stretches keep their digits.
Svd2 svd(const Mat2& M) {
  const double e = (M(0, 0) + M(1, 1)) / 2, f = (M(0, 0) - M(1, 1)) / 2;
  const double g = (M(1, 0) + M(0, 1)) / 2, h = (M(1, 0) - M(0, 1)) / 2;
  const double q = std::hypot(e, h), r = std::hypot(f, g);
  const double turn = std::atan2(h, e), mirror = std::atan2(g, f);
  const double phi = (turn + mirror) / 2, theta = (turn - mirror) / 2;
  Svd2 s;
  s.max = q + r;
  // q - r cancels where the smaller value is tiny; the determinant does not.
  s.min = s.max > 0 ? std::abs(M.determinant()) / s.max : 0;
  s.left_max = Vec2(std::cos(phi), std::sin(phi));
  s.right_max = Vec2(std::cos(theta), -std::sin(theta));
  s.left_min = Vec2(-s.left_max.y(), s.left_max.x());
  s.right_min = Vec2(-s.right_max.y(), s.right_max.x());
  if (q < r) s.left_min = -s.left_min;
  return s;
}

/// F = axes M: unit vectors at right angles that span the columns of F, and F within them. The first axis
/// lies along the longer column, so that it is there whenever F is not zero.
void flatten(const Mat32& F, Mat32& axes, Mat2& M) {
  const int first = F.col(0).squaredNorm() >= F.col(1).squaredNorm() ? 0 : 1, second = 1 - first;
  const double length = F.col(first).norm();
  axes.col(0) = length > 0 ? Vec3(F.col(first) / length) : Vec3::UnitX();
  // Taken twice: once leaves a part along the first axis where the columns are nearly parallel.
  Vec3 across = F.col(second);
  for (int pass = 0; pass < 2; ++pass) across -= axes.col(0) * axes.col(0).dot(across);
  const double height = across.norm();
  axes.col(1) = height > 0 ? Vec3(across / height) : axes.col(0).unitOrthogonal();
  M.col(first) = Vec2(length, 0);
  M.col(second) = Vec2(axes.col(0).dot(F.col(second)), axes.col(1).dot(F.col(second)));
}

}  // namespace

RestTriangle rest_triangle(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 u = b - a, v = c - a;
  const double twice_area = u.cross(v).norm();
  const double longest = std::max({u.squaredNorm(), v.squaredNorm(), (c - b).squaredNorm()});
  RestTriangle rest;
  if (!(twice_area > kFlatTriangle * longest)) return rest;
  rest.axes.col(0) = u.normalized();
  rest.axes.col(1) = (v - rest.axes.col(0) * rest.axes.col(0).dot(v)).normalized();
  // The sides are (l, 0) and (x, h): the inverse of that matrix, written out.
  const double l = u.norm(), x = rest.axes.col(0).dot(v), h = rest.axes.col(1).dot(v);
  rest.inverse << 1 / l, -x / (l * h), 0, 1 / h;
  rest.area = 0.5 * twice_area;
  return rest;
}

std::vector<RestTriangle> rest_triangles(std::span<const Vec3> points,
                                         std::span<const IndexTriangle> triangles) {
  std::vector<RestTriangle> rest(triangles.size());
  parallel_for(rest.size(), [&](std::size_t i) {
    rest[i] = rest_triangle(points[triangles[i][0]], points[triangles[i][1]], points[triangles[i][2]]);
  });
  return rest;
}

Mat32 deformation_gradient(const RestTriangle& rest, const Vec3& a, const Vec3& b, const Vec3& c) {
  Mat32 sides;
  sides << b - a, c - a;
  return sides * rest.inverse;
}

PrincipalStretches principal_stretches(const Mat32& F) {
  Mat32 axes;
  Mat2 M;
  flatten(F, axes, M);
  const Svd2 s = svd(M);
  return {s.max, s.min, s.right_max, s.right_min, axes * s.left_max, axes * s.left_min};
}

Mat2 green_strain(const Mat32& F) { return 0.5 * (F.transpose() * F - Mat2::Identity()); }

double green_strain_norm(const Mat32& F) { return green_strain(F).norm(); }

double tensile_strain(const Mat32& F) { return std::log(std::max(1.0, principal_stretches(F).max)); }

double compressive_strain(const Mat32& F) {
  constexpr double kCollapsed = 1e-12;
  return -std::log(std::clamp(principal_stretches(F).min, kCollapsed, 1.0));
}

double area_ratio(const Mat32& F) { return F.col(0).cross(F.col(1)).norm(); }

}  // namespace cutis
