#pragma once

#include <cstddef>

namespace cutis::test {

/// How often operator new was called so far in this program, by any thread. A program that mentions this
/// function gets a counting operator new.
std::size_t allocations();

}  // namespace cutis::test
