#include "cutis/solve/stencil_graph.h"

#include <gtest/gtest.h>

namespace cutis::test {
namespace {

using List = std::vector<std::size_t>;

/// A chain of blocks, springs between neighbours and one stencil for each block alone; the second and third
/// spring have a corner that is not unknown, too.
StencilGraph chain(int n) {
  ElementBlocks stencils;
  for (int i = 0; i + 1 < n; ++i) stencils.push_back({i, i + 1});
  stencils[1].push_back(-1);
  stencils[2].insert(stencils[2].begin(), -1);
  for (int i = 0; i < n; ++i) stencils.push_back({i});
  return StencilGraph(static_cast<std::size_t>(n), stencils);
}

TEST(StencilGraph, KnowsWhereABlockIsACorner) {
  const StencilGraph graph = chain(5);
  ASSERT_EQ(graph.block_count(), 5u);
  ASSERT_EQ(graph.stencil_count(), 9u);
  const auto corners = graph.corners(2);
  ASSERT_EQ(corners.size(), 3u);
  EXPECT_EQ(corners[0].stencil, 1u);
  EXPECT_EQ(corners[0].corner, 1u);
  EXPECT_EQ(corners[1].stencil, 2u);
  EXPECT_EQ(corners[1].corner, 1u);
  EXPECT_EQ(corners[2].stencil, 6u);
}

TEST(StencilGraph, GrowsByRings) {
  const StencilGraph graph = chain(9);
  const std::vector<char> middle = {0, 0, 0, 0, 1, 0, 0, 0, 0};
  EXPECT_EQ(graph.grown(middle, 0), middle);
  EXPECT_EQ(graph.grown(middle, 2), (std::vector<char>{0, 0, 1, 1, 1, 1, 1, 0, 0}));
}

TEST(StencilGraph, SubdomainsAreConnectedAndNotTooLarge) {
  const StencilGraph graph = chain(9);
  const std::vector<char> marked = {1, 0, 1, 1, 0, 1, 1, 1, 1};
  const auto all = graph.subdomains(marked, 4);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].blocks, (List{0}));
  EXPECT_EQ(all[1].blocks, (List{2, 3}));
  EXPECT_EQ(all[1].stencils, (List{1, 2, 3, 10, 11}));
  EXPECT_EQ(all[2].blocks, (List{5, 6, 7, 8}));
  EXPECT_EQ(graph.subdomains(marked, 3).size(), 2u);
}

TEST(StencilGraph, TheHaloSharesAStencil) {
  const StencilGraph graph = chain(9);
  const Subdomain whole = graph.with_halo(graph.subdomains({0, 0, 1, 0, 0, 0, 1, 0, 0}, 9));
  EXPECT_EQ(whole.blocks, (List{1, 2, 3, 5, 6, 7}));
  EXPECT_EQ(whole.stencils, (List{0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 13, 14, 15}));
}

}  // namespace
}  // namespace cutis::test
