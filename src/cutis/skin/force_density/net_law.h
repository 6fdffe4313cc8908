#pragma once

#include "cutis/surface/mesh/deformation.h"

namespace cutis {

/// What one triangle of a net pulls with.
struct NetPull {
  Mat32 forces = Mat32::Zero();  ///< on the second and the third corner; the first has the opposite of both
  double stiffness = 0;          ///< bounds the second derivative of its energy over |change of F|²
};

/// Force densities of a net over a body, from how far it is stretched over its shape at rest. A triangle with
/// principal stretches λ_i along m_i at rest has the tensor S = Σ w(λ_i - 1) (λ_i - 1) / λ_i m_i m_iᵀ, and
/// the branch between its corners a and b the density q = -A ∇a · S ∇b: cotangent weights, where S is the
/// identity. At rest all are zero. w grows with tension, up to a bound: as in the second solve of a patch,
/// what is stretched most pulls hardest, so that strain is spread and its peaks fall.
///
/// `by_strain`: 1 / s², with s the strain at which that begins to count.
NetPull net_pull(const RestTriangle& rest, const Mat32& F, double by_strain);

/// Of the greater stretch minus one; 0 where that is below, or not finite.
double net_strain(const Mat32& F);

}  // namespace cutis
