#pragma once

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "cutis/core/parallel.h"

namespace cutis::test {

/// How many threads make `make()` return something else than it does on one thread; 0 where none do.
template <class Make>
int differing_threads(const Make& make) {
  struct AllCoresAfterwards {
    ~AllCoresAfterwards() { set_threads(0); }
  } restored;
  set_threads(1);
  const auto expected = make();
  for (const int count : {2, 3}) {
    set_threads(count);
    if (!(make() == expected)) return count;
  }
  return 0;
}

/// Registers what `make` returns with the suite SameBits, which computes it at several numbers of threads:
///   const bool remesh_bits = same_bits("Remesh", [] { return remesh(...).mesh.positions; });
/// What is returned must be a value of its own (std::tuple for several), with ==. The place is that of the
/// call; clang 14 has no std::source_location.
template <class Make>
bool same_bits(const std::string& name, Make make, const char* file = __builtin_FILE(),
               int line = __builtin_LINE()) {
  class Same final : public testing::Test {
   public:
    explicit Same(Make make) : make_(std::move(make)) {}
    void TestBody() override { EXPECT_EQ(differing_threads(make_), 0) << "threads give other bits than one"; }

   private:
    Make make_;
  };
  testing::RegisterTest("SameBits", name.c_str(), nullptr, nullptr, file, line,
                        [make]() -> testing::Test* { return new Same(make); });
  return true;
}

}  // namespace cutis::test
