#include "cutis/flesh/lattice/body_frame.h"

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

namespace cutis {
namespace {

/// Principal moments that differ by less than this share of the largest leave their axes to the fourth
/// moments.
constexpr double kEqualMoments = 1e-3;
/// Sweeps over the pairs of axes; each pair is turned to its maximum in closed form.
constexpr int kSweeps = 8;

struct WeightedPoint {
  Vec3 position;
  double weight;
};

/// The middles of the edges of each triangle with a third of its area: exact for second moments.
std::vector<WeightedPoint> edge_middles(const Mesh& triangles) {
  std::vector<WeightedPoint> out;
  for (FaceId f : ids<FaceId>(triangles.face_count())) {
    const auto v = triangles.face(f);
    const Vec3 &a = triangles.positions[v[0]], &b = triangles.positions[v[1]], &c = triangles.positions[v[2]];
    const double third = (b - a).cross(c - a).norm() / 6;
    for (const Vec3& sum : {Vec3(a + b), Vec3(b + c), Vec3(c + a)}) out.push_back({sum / 2, third});
  }
  return out;
}

/// The angle by which axes x, y are turned towards each other so that the sum of their fourth moments is
/// largest: it varies as a cos 4θ + b sin 4θ.
double turn_to_largest_fourth_moments(const std::vector<WeightedPoint>& points, const Vec3& axis_x,
                                      const Vec3& axis_y) {
  double a = 0, b = 0;
  for (const WeightedPoint& p : points) {
    const double x = p.position.dot(axis_x), y = p.position.dot(axis_y);
    a += p.weight * (x * x * x * x + y * y * y * y - 6 * x * x * y * y);
    b += p.weight * 4 * (x * x * x * y - x * y * y * y);
  }
  return std::atan2(b, a) / 4;
}

}  // namespace

BodyFrame body_frame(const Mesh& triangles) {
  std::vector<WeightedPoint> points = edge_middles(triangles);
  BodyFrame frame;
  double area = 0;
  const Vec3 from = points.empty() ? Vec3::Zero().eval() : points[0].position;
  for (const WeightedPoint& p : points) {
    area += p.weight;
    frame.origin += p.weight * (p.position - from);
  }
  if (!(area > 0)) return {from, Mat3::Identity()};
  frame.origin = from + frame.origin / area;
  Mat3 moments = Mat3::Zero();
  for (WeightedPoint& p : points) {
    p.position -= frame.origin;
    moments += p.weight * p.position * p.position.transpose();
  }
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(moments);
  const Vec3& sizes = eigen.eigenvalues();
  frame.axes = eigen.eigenvectors();
  for (int sweep = 0; sweep < kSweeps; ++sweep)
    for (const auto& [i, j] : {std::pair{0, 1}, {1, 2}, {0, 2}}) {
      if (!(sizes[j] - sizes[i] < kEqualMoments * sizes[2])) continue;
      const Vec3 x = frame.axes.col(i), y = frame.axes.col(j);
      const double angle = turn_to_largest_fourth_moments(points, x, y);
      frame.axes.col(i) = std::cos(angle) * x + std::sin(angle) * y;
      frame.axes.col(j) = std::cos(angle) * y - std::sin(angle) * x;
    }
  frame.axes.col(2) = frame.axes.col(0).cross(frame.axes.col(1));
  return frame;
}

}  // namespace cutis
