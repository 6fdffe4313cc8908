#pragma once

#include <cmath>
#include <limits>

#include <Eigen/Dense>

#include "cutis/material/membrane/membrane_material.h"

namespace cutis::test {

/// W = mu / 2 (I1 - 2 - 2 ln J) + lambda / 2 (ln J)²: a law of the tests' own, whose principal stresses are
/// easily written down. Projection by eigenvalues; never relaxed.
class PlainNeoHookean final : public MembraneMaterial {
 public:
  PlainNeoHookean(double mu, double lambda) : mu_(mu), lambda_(lambda) {}
  using MembraneMaterial::energy;
  using MembraneMaterial::stress;
  double energy(const Mat32& F, double) const override {
    const double det = (F.transpose() * F).determinant();
    if (!(det > 0)) return std::numeric_limits<double>::infinity();
    const double log_J = std::log(det) / 2;
    return mu_ / 2 * (F.squaredNorm() - 2 - 2 * log_J) + lambda_ / 2 * log_J * log_J;
  }
  MembraneStress stress(const Mat32& F, double) const override {
    const Mat2 C = F.transpose() * F;
    return {energy(F), mu_ * F + (lambda_ * std::log(C.determinant()) / 2 - mu_) * F * C.inverse()};
  }
  MembraneResponse evaluate(const Mat32& F, double projected_share, double) const override {
    MembraneResponse response{stress(F), Mat6::Zero()};
    for (int j = 0; j < 6; ++j) {
      Mat32 dF = Mat32::Zero();
      dF(j) = 1;
      response.hessian.col(j) = stress_change(F, dF).reshaped();
    }
    if (projected_share > 0) {
      const Eigen::SelfAdjointEigenSolver<Mat6> eigen(response.hessian);
      const Eigen::Matrix<double, 6, 1> negative = eigen.eigenvalues().cwiseMin(0);
      response.hessian -=
          projected_share * eigen.eigenvectors() * negative.asDiagonal() * eigen.eigenvectors().transpose();
    }
    return response;
  }
  double slack(const Mat32&) const override { return 0; }

 private:
  Mat32 stress_change(const Mat32& F, const Mat32& dF) const {
    const Mat2 C = F.transpose() * F, inverse = C.inverse();
    const double log_J = std::log(C.determinant()) / 2, dlog_J = (inverse * F.transpose() * dF).trace();
    const Mat32 d =
        dF * inverse - F * inverse * (F.transpose() * dF + dF.transpose() * F) * inverse;  // d(F C⁻¹)
    return mu_ * dF + lambda_ * dlog_J * F * inverse + (lambda_ * log_J - mu_) * d;
  }

  double mu_, lambda_;
};

}  // namespace cutis::test
