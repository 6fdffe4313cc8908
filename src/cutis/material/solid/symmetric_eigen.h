#pragma once

#include "cutis/core/types.h"

namespace cutis {

/// The turn in the plane of two axes p, q that makes [a b; b d] diagonal, by less than an eighth of a full
/// one: p' = c p + s q, q' = c q - s p.
struct JacobiTurn {
  double c = 1, s = 0;
  /// b must not be 0.
  static JacobiTurn diagonalise(double a, double b, double d);
};

/// Turns columns p and q of a matrix.
inline void turn_columns(Mat3& A, int p, int q, JacobiTurn turn) {
  const Vec3 old = A.col(p);
  A.col(p) = turn.c * old + turn.s * A.col(q);
  A.col(q) = turn.c * A.col(q) - turn.s * old;
}

/// A = V diag(values) Vᵀ, V a rotation (det V = 1), the values in no order.
struct SymmetricEigen {
  Vec3 values;
  Mat3 vectors;  ///< V
};

/// Of a symmetric matrix by Jacobi's method: to rounding of its norm, also where eigenvalues are equal; no
/// memory, the same bits on every machine that rounds as IEEE 754 says.
SymmetricEigen symmetric_eigen(const Mat3& matrix);

/// The nearest positive semi-definite matrix to a symmetric one: its negative eigenvalues set to zero.
Mat3 positive_part(const Mat3& A);

}  // namespace cutis
