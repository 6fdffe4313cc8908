#include "cutis/material/solid/signed_svd.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cutis/material/solid/symmetric_eigen.h"

namespace cutis {
namespace {

/// The eigenvalue that lies furthest from the other two of a symmetric K with trace 0 and |K|² = 6, to about
/// ten digits: with r = det K / 2 it is ± b, the root of b³ - 3 b = 2 |r| between √3 and 2 (Smith 1961),
/// where Newton's method starts at most 0.005 off.
double outlying_eigenvalue(double r) {
  const double size = std::min(std::abs(r), 1.0);
  double b = 1.7320508 + size * (0.3333333 - 0.0653841 * size);
  for (int step = 0; step < 2; ++step) b = 2 * (b * b * b + size) / (3 * (b * b - 1));
  return std::copysign(b, r);
}

/// The null vector of a symmetric matrix of rank two: the largest column of its adjugate.
Vec3 null_vector(const Mat3& A) {
  const Vec3 first = A.col(1).cross(A.col(2)), second = A.col(2).cross(A.col(0)),
             third = A.col(0).cross(A.col(1));
  const double a = std::abs(first[0]), b = std::abs(second[1]), c = std::abs(third[2]);
  const Vec3& largest = a >= b ? (a >= c ? first : third) : (b >= c ? second : third);
  return largest / largest.norm();
}

/// A rotation whose columns are eigenvectors of a symmetric G to about ten digits of its norm.
Mat3 close_eigenvectors(const Mat3& G) {
  const double mean = G.trace() / 3;
  Mat3 K = G;
  K.diagonal().array() -= mean;
  const double square = K.squaredNorm() / 6;
  if (!(square > 0)) return Mat3::Identity();
  K *= 1 / std::sqrt(square);
  Mat3 shifted = K;
  shifted.diagonal().array() -= outlying_eigenvalue(K.determinant() / 2);
  Mat3 V;
  V.col(0) = null_vector(shifted);
  // Two axes at right angles to it (Duff et al. 2017, "Building an orthonormal basis, revisited").
  const Vec3 n = V.col(0);
  const double sign = std::copysign(1.0, n.z()), a = -1 / (sign + n.z()), b = n.x() * n.y() * a;
  V.col(1) = Vec3(1 + sign * n.x() * n.x() * a, sign * b, -sign * n.x());
  V.col(2) = Vec3(b, sign + n.y() * n.y() * a, -n.y());
  const Vec3 Kx = K * V.col(1), Ky = K * V.col(2);
  if (const double mixed = V.col(1).dot(Ky); mixed != 0)
    turn_columns(V, 1, 2, JacobiTurn::diagonalise(V.col(1).dot(Kx), mixed, V.col(2).dot(Ky)));
  return V;
}

/// How far the columns of B = F V may be from right angles, against the largest stretch.
constexpr double kCosine = 2e-15;

/// One-sided Jacobi (Hestenes 1958): turns V until the columns of B = F V are at right angles. FᵀF has the
/// squares of the stretches, so that its eigenvectors leave small stretches mixed; B itself does not.
void orthogonalise(Mat3& B, Mat3& V) {
  constexpr int kSweeps = 10;  // three are enough for any matrix; with NaN none are
  for (int sweep = 0, turned = 1; sweep < kSweeps && turned > 0; ++sweep) {
    turned = 0;
    const double largest = B.colwise().squaredNorm().maxCoeff();
    for (int r = 2; r >= 0; --r) {
      const int p = r == 0 ? 1 : 0, q = r == 2 ? 1 : 2;
      const double a = B.col(p).squaredNorm(), d = B.col(q).squaredNorm(), b = B.col(p).dot(B.col(q));
      if (!(b * b > kCosine * kCosine * largest * std::max(a, d))) continue;
      const JacobiTurn turn = JacobiTurn::diagonalise(a, b, d);
      turn_columns(B, p, q, turn);
      turn_columns(V, p, q, turn);
      ++turned;
    }
  }
}

/// orthogonalise() where all three angles x are so small that x² is below rounding: all at once, to first
/// order. False, and nothing done, where one is not.
bool orthogonalise_to_first_order(Mat3& B, Mat3& V) {
  constexpr double kSmallAngle = 1e-8;
  const Mat3 G = B.transpose() * B;
  const double largest = G.diagonal().maxCoeff();
  Mat3 turn = Mat3::Identity();
  for (int r = 0; r < 3; ++r) {
    const int p = r == 0 ? 1 : 0, q = r == 2 ? 1 : 2;
    const double mixed = G(p, q), apart = G(p, p) - G(q, q);
    if (mixed * mixed <= kCosine * kCosine * largest * std::max(G(p, p), G(q, q))) continue;
    if (!(std::abs(mixed) < kSmallAngle * std::abs(apart))) return false;
    turn(q, p) = mixed / apart;
    turn(p, q) = -turn(q, p);
  }
  B = B * turn;
  V = V * turn;
  return true;
}

/// Columns by falling length. One of two that change places is negated: V stays a rotation.
void sort_columns(Mat3& B, Mat3& V) {
  Vec3 square = B.colwise().squaredNorm();
  for (const auto& [p, q] : {std::pair(0, 1), std::pair(1, 2), std::pair(0, 1)}) {
    if (!(square[p] < square[q])) continue;
    std::swap(square[p], square[q]);
    for (Mat3* m : {&B, &V}) {
      const Vec3 old = m->col(p);
      m->col(p) = m->col(q);
      m->col(q) = -old;
    }
  }
}

/// The part of `b` at right angles to the unit vector u, of length one; any such vector where b has none.
Vec3 unit_orthogonal_part(const Vec3& b, const Vec3& u) {
  Vec3 part = b - u * u.dot(b);
  // Where most of b was taken away, what rounding left along u is no longer small against the rest.
  if (part.squaredNorm() < 0.25 * b.squaredNorm()) part -= u * u.dot(part);
  const double length = part.norm();
  if (!(length > 0)) return u.unitOrthogonal();
  return part / length;
}

SignedSvd svd_of_moderate(const Mat3& F) {
  SignedSvd svd;
  svd.V = close_eigenvectors(F.transpose() * F);
  Mat3 B = F * svd.V;
  if (!orthogonalise_to_first_order(B, svd.V)) orthogonalise(B, svd.V);
  sort_columns(B, svd.V);
  const double first = B.col(0).norm();
  svd.U.col(0) = B.col(0) / first;
  svd.U.col(1) = unit_orthogonal_part(B.col(1), svd.U.col(0));
  svd.U.col(2) = svd.U.col(0).cross(svd.U.col(1));
  svd.stretches = Vec3(first, svd.U.col(1).dot(B.col(1)), svd.U.col(2).dot(B.col(2)));
  return svd;
}

}  // namespace

SignedSvd signed_svd(const Mat3& F) {
  const double size = F.cwiseAbs().maxCoeff();
  if (size == 0) return {Mat3::Identity(), Vec3::Zero(), Mat3::Identity()};
  // Fourth powers of the entries must be numbers.
  if (size > 1e-30 && size < 1e30) return svd_of_moderate(F);
  SignedSvd svd = svd_of_moderate(F / size);
  svd.stretches *= size;
  return svd;
}

}  // namespace cutis
