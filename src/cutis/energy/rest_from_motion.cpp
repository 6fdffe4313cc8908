#include "cutis/energy/rest_from_motion.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "cutis/core/log.h"
#include "cutis/core/parallel.h"

namespace cutis {
namespace {

/// The upper triangular E with EᵀE = C, for c = (C11, C12, C22); zero when C is a degenerate triangle's.
Mat2 upper_factor(const Vec3& c) {
  const double largest = std::max(c[0], c[2]);
  const double area2 = c[0] * c[2] - c[1] * c[1];
  Mat2 E = Mat2::Zero();
  // As in rest_triangle(): twice the area over the longest side squared; squared itself here, and rounding
  // leaves 1e-16 of it.
  if (!(c[0] > 0) || !(area2 > 1e-15 * largest * largest)) return E;
  E(0, 0) = std::sqrt(c[0]);
  E(0, 1) = c[1] / E(0, 0);
  E(1, 1) = std::sqrt(area2 / c[0]);
  return E;
}

/// The linear map from C to Yᵀ C Y on (C11, C12, C22), for Y = [h k; 0 m].
Mat3 change_of_sides(double h, double k, double m) {
  Mat3 B;
  B << h * h, 0, 0, h * k, h * m, 0, k * k, 2 * k * m, m * m;
  return B;
}

/// Eq. 9 for one triangle: the mean over poses of |Yᵀ C Y - I|², with its derivatives by y = (h, k, m).
struct MeanStrain {
  Vec3 first;   ///< mean of c
  Mat3 second;  ///< mean of c cᵀ

  double value = 0;
  Vec3 gradient = Vec3::Zero();
  Mat3 hessian = Mat3::Zero();

  void evaluate(const Vec3& y) {
    const auto [h, k, m] = std::array{y[0], y[1], y[2]};
    const Mat3 B = change_of_sides(h, k, m);
    // dB[i].row(j) is the derivative of row i of B by y[j]
    Mat3 dB[3];
    dB[0] << 2 * h, 0, 0, 0, 0, 0, 0, 0, 0;
    dB[1] << k, m, 0, h, 0, 0, 0, h, 0;
    dB[2] << 0, 0, 0, 2 * k, 2 * m, 0, 0, 2 * k, 2 * m;
    const Vec3 weight(1, 2, 1), identity(1, 0, 1);  // the entry off the diagonal stands for two
    value = 0;
    gradient.setZero();
    hessian.setZero();
    for (int i = 0; i < 3; ++i) {
      const Vec3 b = B.row(i).transpose(), pull = second * b - identity[i] * first;
      value += weight[i] * (b.dot(pull) - identity[i] * (b.dot(first) - 1));
      gradient += 2 * weight[i] * (dB[i] * pull);
      hessian += 2 * weight[i] * (dB[i] * second * dB[i].transpose());
      hessian += 2 * weight[i] * second_part(i, pull);
    }
  }

  /// pull · d²(row i of B) / dy²
  static Mat3 second_part(int i, const Vec3& pull) {
    Mat3 S = Mat3::Zero();
    if (i == 0) S(0, 0) = 2 * pull[0];
    if (i == 1) {
      S(0, 1) = S(1, 0) = pull[0];
      S(0, 2) = S(2, 0) = pull[1];
    }
    if (i == 2) {
      S(1, 1) = 2 * pull[0];
      S(1, 2) = S(2, 1) = 2 * pull[1];
      S(2, 2) = 2 * pull[2];
    }
    return S;
  }
};

/// A step downhill: Newton's, with curvature taken by its size where it is negative.
Vec3 downhill(const MeanStrain& strain) {
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(strain.hessian);
  const Vec3 curvature = eigen.eigenvalues().cwiseAbs().cwiseMax(1e-12);
  return -eigen.eigenvectors() *
         (eigen.eigenvectors().transpose() * strain.gradient).cwiseQuotient(curvature);
}

/// Y = [h k; 0 m] with the least strain, from the identity, which is near it.
Mat2 least_strain(MeanStrain strain) {
  Vec3 y(1, 0, 1);
  strain.evaluate(y);
  for (int iteration = 0; iteration < 100; ++iteration) {
    const Vec3 step = downhill(strain);
    const double before = strain.value, rounding = 1e-14 * (1 + std::abs(before));
    double factor = 1;
    for (; factor > 1e-9; factor /= 2) {
      const Vec3 tried = y + factor * step;
      if (!(tried[0] > 0 && tried[2] > 0)) continue;
      strain.evaluate(tried);
      if (strain.value <= before + rounding) {
        y = tried;
        break;
      }
    }
    if (factor <= 1e-9 || step.norm() < 1e-15) break;
  }
  Mat2 Y;
  Y << y[0], y[1], 0, y[2];
  return Y;
}

}  // namespace

RestFromMotion::RestFromMotion(std::vector<IndexTriangle> triangles)
    : triangles_(std::move(triangles)), moments_(triangles_.size()) {}

void RestFromMotion::add(const Points& positions) {
  parallel_for(triangles_.size(), [&](std::size_t t) {
    const auto& [a, b, c] = triangles_[t];
    const Vec3 u = positions[VertexId(b)] - positions[VertexId(a)];
    const Vec3 v = positions[VertexId(c)] - positions[VertexId(a)];
    const Vec3 metric(u.squaredNorm(), u.dot(v), v.squaredNorm());
    moments_[t].first += metric;
    moments_[t].second += metric * metric.transpose();
  });
  ++poses_;
}

std::vector<Mat2> RestFromMotion::sides() const {
  std::vector<Mat2> all(triangles_.size(), Mat2::Zero());
  parallel_for(all.size(), [&](std::size_t t) {
    const Vec3 mean = moments_[t].first / std::max(poses_, 1);
    // Seen from the mean metric C = EᵀE the shapes are near the identity: rest sides = Y⁻¹ E.
    const Mat2 E = upper_factor(mean);
    if (E.isZero(0)) return;
    const Mat2 X = E.inverse();
    const Mat3 T = change_of_sides(X(0, 0), X(0, 1), X(1, 1));
    const Mat3 second = T * (moments_[t].second / poses_) * T.transpose();
    all[t] = least_strain({T * mean, second}).inverse() * E;
  });
  const auto empty = std::ranges::count_if(all, [](const Mat2& sides) { return sides.isZero(0); });
  if (empty > 0) log().warn("{} triangles have no area in any pose and get no rest shape", empty);
  return all;
}

}  // namespace cutis
