#include "cutis/core/cancellation.h"

#include <gtest/gtest.h>

#include "cutis/core/parallel.h"

namespace cutis {
namespace {

void loop() {
  parallel_for(
      100'000, [](std::size_t) {}, 16);
}

TEST(Cancellation, LoopsEndOnceTheFlagIsSet) {
  std::atomic<bool> flag = false;
  const CancellationScope scope(&flag);
  EXPECT_NO_THROW(loop());
  EXPECT_NO_THROW(check_cancelled());
  flag = true;
  EXPECT_THROW(loop(), Cancelled);
  EXPECT_THROW(check_cancelled(), Cancelled);
}

TEST(Cancellation, AFlagThatIsSetMeanwhileIsHeardInTheMidstOfALoop) {
  std::atomic<bool> flag = false;
  const CancellationScope scope(&flag);
  std::atomic<int> done = 0;
  EXPECT_THROW(parallel_for(
                   100'000,
                   [&](std::size_t) {
                     if (++done == 100) flag = true;
                   },
                   1),
               Cancelled);
  EXPECT_LT(done, 10'000);
}

TEST(Cancellation, ScopesNestAndEnd) {
  const std::atomic<bool> flag = true;
  {
    const CancellationScope outer(&flag);
    {
      const CancellationScope inner(nullptr);
      EXPECT_NO_THROW(loop());
    }
    EXPECT_THROW(check_cancelled(), Cancelled);
  }
  EXPECT_NO_THROW(loop());
}

}  // namespace
}  // namespace cutis
