#pragma once

#include "cutis/material/membrane/membrane_material.h"

namespace cutis {

/// A strip pulled lengthwise by a stretch, free to narrow; grips keep it straight, so that it does not shear.
struct UniaxialPull {
  double across = 1;   ///< the stretch across the strip at which no stress is left there
  double stress = 0;   ///< along it, first Piola-Kirchhoff [Pa]
  double tangent = 0;  ///< d stress / d stretch [Pa]
};

/// `angle` is that of the strip to the fibres [rad]. Needs stretch > 0.
UniaxialPull pull(const MembraneMaterial& material, double stretch, double angle);

/// Axes that lie at `angle` to the fibres, seen from the fibres: F in these axes times this matrix is what a
/// material takes, and its stress times the transpose is the stress in these axes.
Mat2 fibre_axes(double angle);

}  // namespace cutis
