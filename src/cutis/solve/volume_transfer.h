#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace cutis {

/// Volume (or area) that elements lose in one place, such as the inside of a skinned elbow, is handed to
/// their neighbours (US 9,251,618): shapes without stress grow until the whole has its volume again, and
/// shrink once it has too much.
class VolumeTransfer {
 public:
  /// Of elements that all have as many nodes: `nodes` lists those of the first, then of the second, and so
  /// on. `volumes` are those at rest. Those that `grows` says can grow, the others cannot.
  VolumeTransfer(std::vector<double> volumes, std::vector<std::size_t> nodes, std::vector<char> grows);

  /// The volume that an element has without stress, over that of its own shape.
  double growth(std::size_t element) const { return growth_[element]; }
  /// Whether it has grown or shrunk as far as any may.
  bool is_clamped(std::size_t element) const;
  /// For a step of `dt` [s] after which the elements have these volumes over those at rest.
  void advance(std::span<const double> ratios, double dt);

  const std::vector<double>& save() const { return growth_; }
  void restore(const std::vector<double>& saved) { growth_ = saved; }

 private:
  std::vector<double> volumes_;
  std::size_t corners_;                ///< of an element
  std::vector<std::size_t> nodes_;     ///< of the elements, one after the other
  std::vector<double> volume_around_;  ///< of the elements at each node
  std::vector<char> grows_;
  std::vector<double> growth_;

  void spread(std::vector<double>& losses) const;
};

}  // namespace cutis
