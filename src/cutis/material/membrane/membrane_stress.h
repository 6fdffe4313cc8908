#pragma once

#include "cutis/core/types.h"

namespace cutis {

/// What a membrane's stress is in the skin as it lies now, for any material; docs/fields.md. A material
/// gives P = dW/dF, its energy W taken per rest area [J/m²], so P is in N/m. F is 3x2 and elastic: from skin
/// without stress to now, pre-stretch included.

/// The two principal values of a symmetric tensor that acts in the plane of the skin.
struct PrincipalValues {
  double max = 0, min = 0;
};

/// Tension: force over length across a cut through the skin as it lies now, T = P Fᵀ / J with J the area
/// ratio of F [N/m]. Symmetric for any material that does not care how it is turned, and tangent to the
/// skin. Zero where F has no area.
Mat3 tension(const Mat32& F, const Mat32& P);

/// Cauchy stress σ = T / t [Pa], with t the thickness now [m].
Mat3 cauchy_stress(const Mat32& F, const Mat32& P, double thickness);

/// The thickness now of skin that keeps its volume: rest thickness over J.
double thickness_now(const Mat32& F, double rest_thickness);

/// Principal values of a tension or stress within the plane that F spans; compression is negative.
PrincipalValues principal_values(const Mat3& tensor, const Mat32& F);

}  // namespace cutis
