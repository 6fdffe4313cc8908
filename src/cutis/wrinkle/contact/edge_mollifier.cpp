#include "cutis/wrinkle/contact/edge_mollifier.h"

#include "cutis/material/scalar_jet.h"

namespace cutis {
namespace {

/// Square of the sine between the edges, at their rest lengths, below which they are nearly parallel (Li et
/// al. 2020, Eq. 24).
constexpr double kNearlyParallelSineSquared = 1e-3;

/// m(c) = c / e (2 - c / e) up to e, then 1.
ScalarJet smooth_rise(double c, double e) {
  if (c >= e) return {1, 0, 0};
  return {c / e * (2 - c / e), 2 / e * (1 - c / e), -2 / (e * e)};
}

/// c = |a x b|² of the edges a = x1 - x0 and b = x3 - x2.
double squared_cross(const ContactPoints& x) { return (x[1] - x[0]).cross(x[3] - x[2]).squaredNorm(); }

/// c = |a|² |b|² - (a.b)², first by (a, b), then by the four points.
ContactJet squared_cross_jet(const ContactPoints& x) {
  const Vec3 a = x[1] - x[0], b = x[3] - x[2];
  const double aa = a.squaredNorm(), bb = b.squaredNorm(), ab = a.dot(b);
  Eigen::Matrix<double, 6, 1> first;
  first << 2 * (bb * a - ab * b), 2 * (aa * b - ab * a);
  Eigen::Matrix<double, 6, 6> second;
  second.topLeftCorner<3, 3>() = 2 * (bb * Mat3::Identity() - b * b.transpose());
  second.bottomRightCorner<3, 3>() = 2 * (aa * Mat3::Identity() - a * a.transpose());
  second.topRightCorner<3, 3>() = 2 * (2 * a * b.transpose() - b * a.transpose() - ab * Mat3::Identity());
  second.bottomLeftCorner<3, 3>() = second.topRightCorner<3, 3>().transpose();
  Eigen::Matrix<double, 6, 12> edges = Eigen::Matrix<double, 6, 12>::Zero();  // (a, b) by the points
  for (int edge = 0; edge < 2; ++edge) {
    edges.block<3, 3>(3 * edge, 6 * edge) = -Mat3::Identity();
    edges.block<3, 3>(3 * edge, 6 * edge + 3) = Mat3::Identity();
  }
  return {a.cross(b).squaredNorm(), edges.transpose() * first, edges.transpose() * second * edges};
}

}  // namespace

double edge_mollifier(const ContactPoints& points, double rest_lengths_squared) {
  return smooth_rise(squared_cross(points), kNearlyParallelSineSquared * rest_lengths_squared).value;
}

ContactJet edge_mollifier_jet(const ContactPoints& points, double rest_lengths_squared) {
  const double e = kNearlyParallelSineSquared * rest_lengths_squared;
  if (squared_cross(points) >= e) return {1, Vec12::Zero(), Mat12::Zero()};
  const ContactJet c = squared_cross_jet(points);
  const ScalarJet m = smooth_rise(c.value, e);
  return {m.value, m.first * c.gradient,
          m.second * c.gradient * c.gradient.transpose() + m.first * c.hessian};
}

}  // namespace cutis
