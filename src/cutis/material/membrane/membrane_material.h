#pragma once

#include "cutis/core/types.h"
#include "cutis/material/projection.h"

namespace cutis {

using Mat6 = Eigen::Matrix<double, 6, 6>;

/// What a membrane answers to a deformation gradient.
struct MembraneStress {
  double energy = 0;             ///< W, per rest volume [J/m³]
  Mat32 stress = Mat32::Zero();  ///< P = dW/dF, first Piola-Kirchhoff [Pa]
};
/// What an explicit step asks for.
struct StiffStress {
  Mat32 stress = Mat32::Zero();
  double stiffness = 0;  ///< the largest eigenvalue of the Hessian, or more; 0 where none is above it [Pa]
};
struct MembraneResponse : MembraneStress {
  Mat6 hessian = Mat6::Zero();  ///< d vec(P) / d vec(F), vec() column by column [Pa]
};

/// An elastic law of thin skin: a pure function of a 3x2 deformation gradient from the element's rest frame,
/// whose x axis lies along the fibres, to space. Thickness is the caller's.
///
/// `compression`, 0 to 1, is the share of its stiffness that the skin keeps where it would wrinkle: its
/// energy is that share of the law's and the rest of the relaxed law's (Wrinkling). 1, the law itself, where
/// it is left out.
class MembraneMaterial {
 public:
  virtual ~MembraneMaterial() = default;
  virtual double energy(const Mat32& F, double compression) const = 0;
  /// evaluate() without its Hessian, in less time.
  virtual MembraneStress stress(const Mat32& F, double compression) const = 0;
  virtual MembraneResponse evaluate(const Mat32& F, double projected_share, double compression) const = 0;
  virtual StiffStress stiff_stress(const Mat32& F, double compression) const {
    const MembraneResponse exact = evaluate(F, kExact, compression);
    return {exact.stress, exact.hessian.norm()};
  }
  /// What a relaxed law leaves to wrinkles: the largest ln of the material's own stretch over the sheet's.
  virtual double slack(const Mat32& F) const = 0;

  double energy(const Mat32& F) const { return energy(F, 1); }
  MembraneStress stress(const Mat32& F) const { return stress(F, 1); }
  MembraneResponse evaluate(const Mat32& F, double projected_share) const {
    return evaluate(F, projected_share, 1);
  }
};

}  // namespace cutis
