#pragma once

#include <vector>

#include "cutis/flesh/lattice/bcc_lattice.h"

namespace cutis {

/// Volume that flesh loses in one place, such as the inside of a skinned elbow, is handed to its neighbours
/// (US 9,251,618): their shapes without stress grow until the whole has its volume again, and shrink once it
/// has too much.
class VolumeTransfer {
 public:
  /// Elements can grow, the others cannot. `rate`: what share of what is missing is handed on in a second
  /// [1/s]. The lattice must outlive it.
  VolumeTransfer(const BccLattice& lattice, std::vector<TetId> elements, double rate);

  /// The volume that an element has without stress, over that of its own shape.
  double growth(std::size_t element) const { return growth_[element]; }
  /// For a step of `dt` [s] after which the nodes are there.
  void advance(const NodePoints& nodes, double dt);
  /// Of the whole, over that at rest.
  double volume_ratio(const NodePoints& nodes) const;

  const std::vector<double>& save() const { return growth_; }
  void restore(const std::vector<double>& saved) { growth_ = saved; }

 private:
  const BccLattice& lattice_;
  std::vector<TetId> elements_;
  double rate_;
  IdVector<TetId, double> volumes_;  ///< at rest [m³]
  double total_ = 0;
  std::vector<double> growth_;

  double volume_ratio(const NodePoints& nodes, TetId t) const;
  IdVector<TetId, double> spread(IdVector<TetId, double> losses) const;
};

}  // namespace cutis
