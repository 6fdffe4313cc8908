#pragma once

#include <memory>
#include <optional>

#include "cutis/wrinkle/contact/contact_barrier.h"
#include "cutis/wrinkle/contact/layer_barrier.h"

namespace cutis {

/// Keeps a layer of skin off itself and off the layer below it, as one term of the energy that Newton's
/// method minimises. Which vertices meet changes from step to step and the pattern of the matrix does not, so
/// that curvature is given as a bound at each vertex: k vertices that share a stencil with a positive
/// semi-definite H have H <= k diag(H).
class ShellContact {
 public:
  /// `rest`: its mesh at rest. `distance`: how near its parts may come to each other [m]; `stiffness` [Pa].
  ShellContact(const Mesh& rest, double distance, double stiffness);
  /// The layer below, where there is one.
  void set_lower(std::unique_ptr<LayerBarrier> lower) { lower_ = std::move(lower); }
  LayerBarrier* lower() { return lower_.get(); }
  /// Where the outside is, at each vertex: a shell whose triangles all face it does not touch itself, and
  /// nothing is searched for.
  void set_outside(Points normals) { outside_ = std::move(normals); }

  /// Looks for what is near where Newton's method begins.
  void begin(const Points& positions);
  double energy(const Points& positions) const;  ///< [J]
  /// Finds gradient() and curvature() there.
  void evaluate(const Points& positions);
  const Points& gradient() const { return gradient_; }                      ///< [N]
  const IdVector<VertexId, Mat3>& curvature() const { return curvature_; }  ///< [N/m]
  /// The largest factor (0 to 1] by which the step may be taken without passing through itself.
  double max_step_size(const Points& positions, const Points& step);

 private:
  Mesh rest_;
  ContactBarrier self_;
  std::vector<ContactPair> pairs_;  ///< that may touch from where the last step began on
  std::unique_ptr<LayerBarrier> lower_;
  Points outside_;
  Points gradient_;
  IdVector<VertexId, Mat3> curvature_;

  bool faces_outside(const Points& positions) const;
};

}  // namespace cutis
