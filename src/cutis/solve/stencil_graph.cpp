#include "cutis/solve/stencil_graph.h"

#include <algorithm>
#include <utility>

namespace cutis {
namespace {

void sort_unique(std::vector<std::size_t>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace

StencilGraph::StencilGraph(std::size_t block_count, ElementBlocks stencils)
    : stencils_(std::move(stencils)), begin_(block_count + 1, 0) {
  for (const auto& blocks : stencils_)
    for (const int block : blocks)
      if (block >= 0) ++begin_[static_cast<std::size_t>(block) + 1];
  for (std::size_t b = 1; b < begin_.size(); ++b) begin_[b] += begin_[b - 1];
  corners_.resize(begin_.back());
  std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
  for (std::size_t s = 0; s < stencils_.size(); ++s)
    for (std::size_t k = 0; k < stencils_[s].size(); ++k)
      if (const int block = stencils_[s][k]; block >= 0)
        corners_[next[static_cast<std::size_t>(block)]++] = {s, k};
}

template <class F>
void StencilGraph::for_neighbours(std::size_t block, const F& f) const {
  for (const Corner& c : corners(block))
    for (const int other : stencils_[c.stencil])
      if (other >= 0) f(static_cast<std::size_t>(other));
}

std::vector<char> StencilGraph::grown(std::vector<char> marked, int rings) const {
  for (int ring = 0; ring < rings; ++ring) {
    const std::vector<char> core = marked;
    for (std::size_t block = 0; block < core.size(); ++block)
      if (core[block]) for_neighbours(block, [&](std::size_t other) { marked[other] = 1; });
  }
  return marked;
}

std::vector<Subdomain> StencilGraph::subdomains(const std::vector<char>& marked,
                                                std::size_t max_blocks) const {
  std::vector<Subdomain> list;
  std::vector<char> left = marked;
  for (std::size_t seed = 0; seed < left.size(); ++seed) {
    if (!left[seed]) continue;
    Subdomain part;
    part.blocks.push_back(seed);
    left[seed] = 0;
    for (std::size_t k = 0; k < part.blocks.size(); ++k) {
      const std::size_t block = part.blocks[k];  // the list grows below
      for (const Corner& c : corners(block)) part.stencils.push_back(c.stencil);
      for_neighbours(block, [&](std::size_t other) {
        if (std::exchange(left[other], 0)) part.blocks.push_back(other);
      });
    }
    if (part.blocks.size() > max_blocks) continue;
    std::sort(part.blocks.begin(), part.blocks.end());
    sort_unique(part.stencils);
    list.push_back(std::move(part));
  }
  return list;
}

Subdomain StencilGraph::with_halo(const std::vector<Subdomain>& list) const {
  Subdomain whole;
  for (const Subdomain& part : list)
    for (std::size_t s : part.stencils)
      for (const int block : stencils_[s])
        if (block >= 0) whole.blocks.push_back(static_cast<std::size_t>(block));
  sort_unique(whole.blocks);
  for (std::size_t block : whole.blocks)
    for (const Corner& c : corners(block)) whole.stencils.push_back(c.stencil);
  sort_unique(whole.stencils);
  return whole;
}

}  // namespace cutis
