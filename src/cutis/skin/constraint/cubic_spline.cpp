#include "cutis/skin/constraint/cubic_spline.h"

#include <algorithm>

#include <Eigen/SparseCholesky>

namespace cutis {

/// Equal slopes on both sides of knot i, with widths h and second derivatives M:
/// h_(i-1) M_(i-1) + 2 (h_(i-1) + h_i) M_i + h_i M_(i+1) = 6 (slope of chord i - slope of chord i-1).
/// Rows of dominant diagonal, so the matrix is definite. At open ends M = 0.
CubicSpline::CubicSpline(std::vector<double> knots, std::vector<Vec3> values, bool closed)
    : knots_(std::move(knots)), values_(std::move(values)), bends_(values_.size(), Vec3::Zero()) {
  const int intervals = static_cast<int>(knots_.size()) - 1;
  const int unknowns = closed ? intervals : intervals - 1, first = closed ? 0 : 1;
  if (unknowns < 1) return;
  const auto at = [&](int i) { return static_cast<std::size_t>((i + intervals) % intervals); };
  const auto width = [&](int i) { return knots_[at(i) + 1] - knots_[at(i)]; };
  const auto chord = [&](int i) -> Vec3 { return (values_[at(i) + 1] - values_[at(i)]) / width(i); };
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::MatrixX3d right(unknowns, 3);
  for (int row = 0; row < unknowns; ++row) {
    const int i = row + first;
    entries.emplace_back(row, row, 2 * (width(i - 1) + width(i)));
    right.row(row) = 6 * (chord(i) - chord(i - 1));
    if (row + 1 < unknowns) entries.emplace_back(row + 1, row, width(i));
    if (closed && row + 1 == unknowns) entries.emplace_back(row, 0, width(i));
  }
  Eigen::SparseMatrix<double> matrix(unknowns, unknowns);
  matrix.setFromTriplets(entries.begin(), entries.end());
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor(matrix);
  const Eigen::MatrixX3d bends = factor.solve(right);
  for (int row = 0; row < unknowns; ++row)
    bends_[static_cast<std::size_t>(row + first)] = bends.row(row).transpose();
  if (closed) bends_.back() = bends_.front();
}

CubicSpline::Jet CubicSpline::operator()(double u) const {
  const auto next = std::upper_bound(knots_.begin() + 1, knots_.end() - 1, u);
  const auto k = static_cast<std::size_t>(next - knots_.begin());
  const double h = knots_[k] - knots_[k - 1];
  const double b = (u - knots_[k - 1]) / h, a = 1 - b;
  const Vec3 &before = bends_[k - 1], &after = bends_[k];
  Jet jet;
  jet.value = a * values_[k - 1] + b * values_[k] +
              ((a * a * a - a) * before + (b * b * b - b) * after) * (h * h / 6);
  jet.first =
      (values_[k] - values_[k - 1]) / h + ((1 - 3 * a * a) * before + (3 * b * b - 1) * after) * (h / 6);
  jet.second = a * before + b * after;
  return jet;
}

}  // namespace cutis
