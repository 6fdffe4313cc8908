#include "cutis/core/parallel.h"

#include <memory>

#include <tbb/global_control.h>
#include <tbb/info.h>

namespace cutis {
namespace {

std::unique_ptr<tbb::global_control>& control() {
  static std::unique_ptr<tbb::global_control> limit;
  return limit;
}

}  // namespace

void set_threads(int threads) {
  control().reset();
  if (threads > 0) {
    control() = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                      static_cast<std::size_t>(threads));
  }
}

int threads() {
  const auto allowed = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  return static_cast<int>(std::min<std::size_t>(allowed, std::size_t(1) << 16));
}

}  // namespace cutis
