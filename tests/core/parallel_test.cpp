#include "cutis/core/parallel.h"

#include <numeric>
#include <vector>

#include "support/same_bits.h"

namespace cutis {
namespace {

using test::differing_threads;

TEST(Parallel, SuiteOfSameBitsSeesWhatDependsOnTheThreads) {
  EXPECT_EQ(differing_threads([] { return threads(); }), 2);
  EXPECT_EQ(differing_threads([] { return threads() == 3; }), 3);
  EXPECT_EQ(differing_threads([] { return 1; }), 0);
}

const bool parallel_for_bits = test::same_bits("ParallelFor", [] {
  std::vector<double> roots(10000);
  parallel_for(roots.size(), [&](std::size_t i) { roots[i] = std::sqrt(double(i)); });
  return std::accumulate(roots.begin(), roots.end(), 0.0);
});

}  // namespace
}  // namespace cutis
