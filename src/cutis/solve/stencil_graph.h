#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cutis/solve/block_matrix.h"

namespace cutis {

/// Some blocks of unknowns and the stencils that touch them, both rising.
struct Subdomain {
  std::vector<std::size_t> blocks, stencils;
};

/// Which blocks of unknowns meet in which stencil of a sum of small energies.
class StencilGraph {
 public:
  /// A block as a corner of a stencil.
  struct Corner {
    std::size_t stencil, corner;
  };

  /// For each stencil its blocks, -1 for corners that are not unknown.
  StencilGraph(std::size_t block_count, ElementBlocks stencils);

  std::size_t block_count() const { return begin_.size() - 1; }
  std::size_t stencil_count() const { return stencils_.size(); }
  const ElementBlocks& stencils() const { return stencils_; }
  /// Where a block is a corner, in the order of the stencils.
  std::span<const Corner> corners(std::size_t block) const {
    return std::span(corners_).subspan(begin_[block], begin_[block + 1] - begin_[block]);
  }

  /// The blocks that are marked, and so many rings of blocks around them.
  std::vector<char> grown(std::vector<char> marked, int rings) const;
  /// The connected parts of the blocks that are marked, without those of more than `max_blocks`. No two have
  /// a stencil in common.
  std::vector<Subdomain> subdomains(const std::vector<char>& marked, std::size_t max_blocks) const;
  /// The blocks of subdomains and all that share a stencil with them.
  Subdomain with_halo(const std::vector<Subdomain>& list) const;

 private:
  ElementBlocks stencils_;
  std::vector<std::size_t> begin_;  ///< blocks + 1
  std::vector<Corner> corners_;

  template <class F>
  void for_neighbours(std::size_t block, const F& f) const;
};

}  // namespace cutis
