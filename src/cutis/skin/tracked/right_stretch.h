#pragma once

#include <algorithm>
#include <cmath>

#include "cutis/core/types.h"

namespace cutis {

/// U of F = R U: how a triangle is stretched, however it is turned. In closed form,
/// U = (C + sqrt(det C) I) / sqrt(tr C + 2 sqrt(det C)) with C = FᵀF (Hoger and Carlson 1984).
inline Mat2 right_stretch(const Mat32& F) {
  const Mat2 C = F.transpose() * F;
  const double J = std::sqrt(std::max(0.0, C.determinant()));
  const double trace = std::sqrt(C.trace() + 2 * J);
  if (!(trace > 0)) return Mat2::Zero();
  return (C + J * Mat2::Identity()) / trace;
}

/// How far the eigenvalues of a symmetric matrix are from their mean.
inline double eigenvalue_radius(const Mat2& S) {
  const double half = (S(0, 0) - S(1, 1)) / 2;
  return std::sqrt(half * half + S(0, 1) * S(0, 1));
}
/// Of a symmetric matrix.
inline double least_eigenvalue(const Mat2& S) { return S.trace() / 2 - eigenvalue_radius(S); }
/// The largest absolute eigenvalue of a symmetric matrix.
inline double spectral_norm(const Mat2& S) { return std::abs(S.trace() / 2) + eigenvalue_radius(S); }

}  // namespace cutis
