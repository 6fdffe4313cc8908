#pragma once

#include <vector>

#include "cutis/flesh/lattice/tet_mesh.h"
#include "cutis/solve/retargeted_shapes.h"

namespace cutis {

/// Rest-state retargeting (US 9,251,618): the shapes that elements have without stress move towards those
/// that they have in a target, gradually, so that what the flesh is doing goes on. A shape is the target's
/// deformation against the mesh at rest, turned back by the mean rotation of the element's group: how the
/// target is turned does not matter, how elements of one group are turned against each other does. It follows
/// as a critically damped oscillator does, without a jump of its rate.
class RestRetargeting {
 public:
  /// Of some tetrahedra of a mesh, which must outlive it, in groups that end at these places of the list.
  /// `rate` [1/s] is that of EasedFollower; 0 keeps the shapes of the start.
  RestRetargeting(const TetMesh& mesh, std::vector<TetId> elements, std::vector<std::size_t> group_ends,
                  double rate);

  /// Takes over the shapes of a target at once.
  void start(const NodePoints& target);
  /// Follows a target for a step of `dt` [s] at whose end it is there.
  void advance(const NodePoints& target, double dt);

  std::size_t size() const { return elements_.size(); }
  /// An element's shape without stress against the mesh at rest, after a share of the last step.
  Mat3 stretch(std::size_t element, double share = 1) const {
    return (1 - share) * shapes_[element].value_before + share * shapes_[element].stretch.value;
  }
  /// Share of its stiffness that an element keeps: where the target is folded there is no shape that it could
  /// have without stress, and one that fights its neighbours for another shape holds up every solve.
  double stiffness_share(std::size_t element) const { return shapes_[element].share; }
  /// Elements of the last target that were turned over or nearly so: their shapes go on to the last good one.
  std::size_t kept() const { return kept_; }

  std::vector<double> save() const { return shapes_.save(); }
  void restore(const std::vector<double>& saved) { shapes_.restore(saved); }

 private:
  const TetMesh& mesh_;
  std::vector<TetId> elements_;
  std::vector<std::size_t> group_ends_;
  double rate_;
  std::vector<Mat3> inverse_edges_;  ///< at rest [1/m]
  RetargetedShapes<3> shapes_;
  std::size_t kept_ = 0;

  void set_goals(const NodePoints& target);
  bool set_goal(std::size_t element, const Mat3& F, const Mat3& turn);
};

}  // namespace cutis
