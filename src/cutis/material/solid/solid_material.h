#pragma once

#include "cutis/core/types.h"
#include "cutis/material/projection.h"
#include "cutis/material/scalar_jet.h"

namespace cutis {

using Mat9 = Eigen::Matrix<double, 9, 9>;

/// What a solid answers to a deformation gradient.
struct SolidStress {
  double energy = 0;           ///< W, per rest volume [J/m³]
  Mat3 stress = Mat3::Zero();  ///< P = dW/dF, first Piola-Kirchhoff [Pa]
};
struct SolidResponse : SolidStress {
  Mat9 hessian = Mat9::Zero();  ///< d vec(P) / d vec(F), vec() column by column [Pa]
};

/// The same, with the Hessian in the principal directions of F = U diag(stretches) Vᵀ: far fewer numbers.
struct SolidModes : SolidStress {
  Mat3 U = Mat3::Identity(), V = Mat3::Identity();
  Mat3 straight = Mat3::Zero();  ///< d²W/dF_ij dF_ij
  Mat3 coupled = Mat3::Zero();   ///< d²W/dF_ii dF_jj, zero where i = j
  Mat3 crossed = Mat3::Zero();   ///< d²W/dF_ij dF_ji, zero where i = j

  /// d²W/dx dy of W(F + x aᵀ + y bᵀ): row by x, column by y. `a` and `b` in the directions V.
  Mat3 block(const Vec3& a, const Vec3& b) const {
    const Mat3 ab = a * b.transpose();
    Mat3 M = coupled.cwiseProduct(ab) + crossed.cwiseProduct(ab.transpose());
    M.diagonal() = straight * ab.diagonal();
    return U * M * U.transpose();
  }
};

/// An elastic law of flesh: a pure function of a 3x3 deformation gradient from the element's rest frame to
/// space, defined for every F, also for inverted and collapsed elements.
class SolidMaterial {
 public:
  virtual ~SolidMaterial() = default;
  virtual double energy(const Mat3& F) const = 0;
  /// evaluate() without its Hessian, in less time.
  virtual SolidStress stress(const Mat3& F) const = 0;
  virtual SolidResponse evaluate(const Mat3& F, double projected_share) const = 0;

  // Linear tetrahedra that all keep their volume can hardly move (locking); where several share one mean
  // volume ratio they can. For them the part of the energy that is a function of the volume alone stands
  // apart.

  /// That part, with its derivatives by the volume ratio J; convex [J/m³].
  virtual ScalarJet volume(double J) const = 0;
  /// energy() - volume(det F).
  virtual double shape_energy(const Mat3& F) const = 0;
  /// evaluate() with pressure * J in the place of volume(J) [Pa].
  virtual SolidModes evaluate_shape(const Mat3& F, double pressure, double projected_share) const = 0;
};

}  // namespace cutis
