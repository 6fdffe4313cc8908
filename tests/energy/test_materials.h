#pragma once

#include <cmath>
#include <functional>
#include <limits>

#include <Eigen/Dense>

#include "cutis/material/membrane_material.h"

namespace cutis::test {

/// A membrane given by its stress and the change of it; the rest follows. Projection by eigenvalues.
class PlainMaterial : public MembraneMaterial {
 public:
  MembraneResponse evaluate(const Mat32& F, HessianKind kind) const override {
    MembraneResponse response;
    response.energy = energy(F);
    response.stress = stress(F);
    for (int j = 0; j < 6; ++j) {
      Mat32 dF = Mat32::Zero();
      dF(j) = 1;
      response.hessian.col(j) = stress_change(F, dF).reshaped();
    }
    if (kind == HessianKind::Projected) {
      const Eigen::SelfAdjointEigenSolver<Mat6> eigen(response.hessian);
      response.hessian = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() *
                         eigen.eigenvectors().transpose();
    }
    return response;
  }
  virtual Mat32 stress(const Mat32& F) const = 0;
  virtual Mat32 stress_change(const Mat32& F, const Mat32& dF) const = 0;
};

/// W = mu tr(E²) + lambda / 2 tr(E)²
class PlainStVenantKirchhoff final : public PlainMaterial {
 public:
  PlainStVenantKirchhoff(double mu, double lambda) : mu_(mu), lambda_(lambda) {}
  double energy(const Mat32& F) const override {
    const Mat2 E = strain(F);
    return mu_ * (E * E).trace() + lambda_ / 2 * E.trace() * E.trace();
  }
  Mat32 stress(const Mat32& F) const override { return F * second_stress(strain(F)); }
  Mat32 stress_change(const Mat32& F, const Mat32& dF) const override {
    const Mat2 dE = (F.transpose() * dF + dF.transpose() * F) / 2;
    return dF * second_stress(strain(F)) + F * second_stress(dE);
  }

 private:
  static Mat2 strain(const Mat32& F) { return (F.transpose() * F - Mat2::Identity()) / 2; }
  Mat2 second_stress(const Mat2& E) const { return 2 * mu_ * E + lambda_ * E.trace() * Mat2::Identity(); }
  double mu_, lambda_;
};

/// W = mu / 2 (I1 - 2 - 2 ln J) + lambda / 2 (ln J)²
class PlainNeoHookean final : public PlainMaterial {
 public:
  PlainNeoHookean(double mu, double lambda) : mu_(mu), lambda_(lambda) {}
  double energy(const Mat32& F) const override {
    const double det = (F.transpose() * F).determinant();
    if (!(det > 0)) return std::numeric_limits<double>::infinity();
    const double log_J = std::log(det) / 2;
    return mu_ / 2 * (F.squaredNorm() - 2 - 2 * log_J) + lambda_ / 2 * log_J * log_J;
  }
  Mat32 stress(const Mat32& F) const override {
    const Mat2 C = F.transpose() * F;
    return mu_ * F + (lambda_ * std::log(C.determinant()) / 2 - mu_) * F * C.inverse();
  }
  Mat32 stress_change(const Mat32& F, const Mat32& dF) const override {
    const Mat2 C = F.transpose() * F, inverse = C.inverse();
    const double log_J = std::log(C.determinant()) / 2, dlog_J = (inverse * F.transpose() * dF).trace();
    const Mat32 d =
        dF * inverse - F * inverse * (F.transpose() * dF + dF.transpose() * F) * inverse;  // d(F C⁻¹)
    return mu_ * dF + lambda_ * dlog_J * F * inverse + (lambda_ * log_J - mu_) * d;
  }

 private:
  double mu_, lambda_;
};

}  // namespace cutis::test
