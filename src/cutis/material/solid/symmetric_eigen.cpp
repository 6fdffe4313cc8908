#include "cutis/material/solid/symmetric_eigen.h"

#include <cmath>

namespace cutis {

JacobiTurn JacobiTurn::diagonalise(double a, double b, double d) {
  // tan(2 x) = 2 b / (a - d); of its two tangents the one that does not cancel.
  const double apart = a - d, twice = 2 * b;
  const double t = twice / (apart + std::copysign(std::sqrt(apart * apart + twice * twice), apart));
  const double c = 1 / std::sqrt(1 + t * t);
  return {c, t * c};
}

SymmetricEigen symmetric_eigen(const Mat3& matrix) {
  constexpr int kSweeps = 10;            // four are enough for any matrix; with NaN none are
  constexpr double kNegligible = 2e-16;  // against the norm: the rounding of the entries themselves
  SymmetricEigen e;
  e.vectors.setIdentity();
  const double size = matrix.cwiseAbs().maxCoeff();
  const Mat3 A = matrix / (size > 0 ? size : 1);  // whose squares are numbers
  double diagonal[3] = {A(0, 0), A(1, 1), A(2, 2)};
  double off[3] = {A(2, 1), A(2, 0), A(1, 0)};  // off[r] lies in the plane at right angles to axis r
  const double least = kNegligible * A.norm();
  for (int sweep = 0, turned = 1; sweep < kSweeps && turned > 0; ++sweep) {
    turned = 0;
    for (int r = 2; r >= 0; --r) {
      if (!(std::abs(off[r]) > least)) continue;
      const int p = r == 0 ? 1 : 0, q = r == 2 ? 1 : 2;
      const JacobiTurn turn = JacobiTurn::diagonalise(diagonal[p], off[r], diagonal[q]);
      const double moved = turn.s / turn.c * off[r];
      diagonal[p] += moved;
      diagonal[q] -= moved;
      const double beside_p = off[q], beside_q = off[p];  // entries (p, r) and (q, r)
      off[q] = turn.c * beside_p + turn.s * beside_q;
      off[p] = turn.c * beside_q - turn.s * beside_p;
      off[r] = 0;
      turn_columns(e.vectors, p, q, turn);
      ++turned;
    }
  }
  e.values = size * Vec3(diagonal[0], diagonal[1], diagonal[2]);
  return e;
}

Mat3 positive_part(const Mat3& A) {
  const double minor = A(0, 0) * A(1, 1) - A(1, 0) * A(1, 0);
  if (A(0, 0) > 0 && minor > 0 && A.determinant() > 0) return A;
  const SymmetricEigen e = symmetric_eigen(A);
  return e.vectors * e.values.cwiseMax(0).asDiagonal() * e.vectors.transpose();
}

}  // namespace cutis
