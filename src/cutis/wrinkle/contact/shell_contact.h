#pragma once

#include <memory>

#include "cutis/wrinkle/contact/contact_barrier.h"
#include "cutis/wrinkle/contact/layer_barrier.h"

namespace cutis {

/// The second derivative of an energy by two vertices [N/m], row >= column.
struct VertexPairBlock {
  VertexId row, column;
  Mat3 value = Mat3::Zero();
};

/// Keeps a layer of skin off itself and off the layer below it, as one term of the energy that Newton's
/// method minimises.
class ShellContact {
 public:
  /// `rest`: its mesh at rest. `distance`: how near its parts may come to each other [m]; `stiffness` [Pa].
  ShellContact(const Mesh& rest, double distance, double stiffness);
  /// The layer below, where there is one.
  void set_lower(std::unique_ptr<LayerBarrier> lower) { lower_ = std::move(lower); }
  LayerBarrier* lower() { return lower_.get(); }
  /// Which way is out of the body below each vertex (ContactPairs::set_outside). A single layer whose
  /// triangles all face it does not touch itself, and nothing is searched for; several layers are near each
  /// other everywhere.
  void set_outside(Points normals, double reach, bool single);
  /// Where the body below carries it.
  void set_carried(Points positions) { self_.set_carried(std::move(positions)); }

  /// Looks for what is near where Newton's method begins.
  void begin(const Points& positions);
  double energy(const Points& positions) const;    ///< [J]
  Points gradient(const Points& positions) const;  ///< [N]
  /// Without a share, 0 to 1, of its negative curvature. In the order of columns, then rows, each block once.
  std::vector<VertexPairBlock> hessian(const Points& positions, double projected_share) const;
  /// The largest factor (0 to 1] by which the step may be taken without passing through itself.
  double max_step_size(const Points& positions, const Points& step);
  /// Whether nothing passes through itself on a way; not of one that is longer than can be swept at once.
  bool is_free_way(const Points& positions, const Points& way);
  /// Vertices of what would pass through itself on it.
  std::vector<VertexId> meeting(const Points& positions, const Points& way);

 private:
  Mesh rest_;
  ContactBarrier self_;
  std::vector<ContactPair> pairs_;  ///< that may touch from where the last step began on
  std::unique_ptr<LayerBarrier> lower_;
  Points outside_;  ///< empty: there may be contact anywhere

  /// add(stencil, number of its vertices) for each place in contact.
  template <class Add>
  void for_each_stencil(const Points& positions, double projected_share, const Add& add) const;
  bool faces_outside(const Points& positions) const;
};

}  // namespace cutis
