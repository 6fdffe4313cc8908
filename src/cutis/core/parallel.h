#pragma once

#include <cstddef>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "cutis/core/cancellation.h"

namespace cutis {

/// Bounds the threads of every parallel loop from here on; 0 means all cores.
void set_threads(int threads);
int threads();

/// Calls f(i) for i in [0, n). Each call must write only to slots of its own: then the result has the same
/// bits at any number of threads. Sums are taken afterwards, in order. Throws Cancelled where the
/// calling thread's CancellationScope asks for it; the results are then incomplete.
template <class F>
void parallel_for(std::size_t n, const F& f, std::size_t grain = 256) {
  const std::atomic<bool>* const flag = cancellation_flag();
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n, grain),
                    [&f, flag](const tbb::blocked_range<std::size_t>& r) {
                      check_cancelled(flag);
                      for (std::size_t i = r.begin(); i != r.end(); ++i) f(i);
                    });
}

}  // namespace cutis
