#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include <Eigen/Core>

namespace cutis {

/// Elements in N dimensions that keep a dent: where one is deformed beyond a yield strain its shape without
/// stress flows after it, as fast as it is beyond (Perzyna 1966).
template <int N>
class PlasticFlow {
 public:
  using Matrix = Eigen::Matrix<double, N, N>;
  using Vector = Eigen::Matrix<double, N, 1>;
  /// A principal stretch that is less than this, or negative, is that of an element that has collapsed: it
  /// has no shape to keep.
  static constexpr double kCollapsed = 0.05;

  /// `yield`: as |ln stretch|; `rate`: what share of what is beyond flows in a second, at first [1/s].
  PlasticFlow(std::size_t elements, double yield, double rate)
      : yield_(yield), rate_(rate), flow_(elements, Matrix::Identity()) {}

  /// To be multiplied from the left to the edges that an element has without stress.
  const Matrix& operator[](std::size_t element) const { return flow_[element]; }
  /// Flows for a step in which an element has come to have these principal strains, as ln of the stretches
  /// against its shape without stress as it was during the step, in these directions of that shape (columns).
  void advance(std::size_t element, const Vector& strains, const Matrix& directions, double dt) {
    const double most = strains.cwiseAbs().maxCoeff();
    if (!(most > yield_)) return;
    // Towards the strain at which it stops, exact for a step in which nothing moves.
    const Vector flow = strains * ((most - yield_) / most * -std::expm1(-rate_ * dt));
    flow_[element] =
        directions * flow.array().exp().matrix().asDiagonal() * directions.transpose() * flow_[element];
  }

  std::vector<double> save() const {
    std::vector<double> out;
    out.reserve(N * N * flow_.size());
    for (const Matrix& m : flow_) out.insert(out.end(), m.data(), m.data() + N * N);
    return out;
  }
  void restore(const std::vector<double>& saved) {
    for (std::size_t i = 0; i < flow_.size(); ++i)
      flow_[i] = Eigen::Map<const Matrix>(saved.data() + N * N * i);
  }

 private:
  double yield_, rate_;
  std::vector<Matrix> flow_;
};

}  // namespace cutis
