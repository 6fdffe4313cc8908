#pragma once

#include <cstddef>
#include <vector>

#include <Eigen/Core>

#include "cutis/solve/eased_follower.h"

namespace cutis {

/// Rest-state retargeting (US 9,251,618) of elements in N dimensions: the shapes that they have without
/// stress, as right stretches against what they are at rest, on their way to those of a target.
template <int N>
class RetargetedShapes {
 public:
  using Matrix = Eigen::Matrix<double, N, N>;
  struct Shape {
    EasedFollower<Matrix> stretch{Matrix::Identity(), Matrix::Zero()};
    Matrix value_before = Matrix::Identity();  ///< of the stretch, one step before
    Matrix goal = Matrix::Identity();          ///< the last good one of the target
    Matrix goal_before = Matrix::Identity();   ///< at the last step's end
    double share = 1;  ///< of its stiffness that the element keeps, by the last target
  };
  explicit RetargetedShapes(std::size_t size) : shapes_(size) {}

  std::size_t size() const { return shapes_.size(); }
  Shape& operator[](std::size_t i) { return shapes_[i]; }
  const Shape& operator[](std::size_t i) const { return shapes_[i]; }

  /// Takes over the goals at once.
  void start() {
    for (Shape& shape : shapes_) {
      shape.stretch = {shape.goal, Matrix::Zero()};
      shape.goal_before = shape.goal;
      shape.value_before = shape.goal;
    }
  }
  /// Follows the goals, as EasedFollower does; `rate` above 0.
  void advance(double rate, double dt) {
    for (Shape& shape : shapes_) {
      shape.value_before = shape.stretch.value;
      shape.stretch.advance(shape.goal_before, shape.goal, rate, dt);
      shape.goal_before = shape.goal;
    }
  }

  std::vector<double> save() const {
    std::vector<double> out;
    out.reserve((3 * N * N + 1) * shapes_.size());
    for (const Shape& shape : shapes_) {
      for (const Matrix* m : {&shape.stretch.value, &shape.stretch.slope, &shape.goal})
        out.insert(out.end(), m->data(), m->data() + N * N);
      out.push_back(shape.share);
    }
    return out;
  }
  void restore(const std::vector<double>& saved) {
    const double* from = saved.data();
    for (Shape& shape : shapes_) {
      for (Matrix* m : {&shape.stretch.value, &shape.stretch.slope, &shape.goal}) {
        *m = Eigen::Map<const Matrix>(from);
        from += N * N;
      }
      shape.goal_before = shape.goal;
      shape.value_before = shape.stretch.value;
      shape.share = *from++;
    }
  }

 private:
  std::vector<Shape> shapes_;
};

}  // namespace cutis
