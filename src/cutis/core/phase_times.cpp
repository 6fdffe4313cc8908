#include "cutis/core/phase_times.h"

#include <mutex>
#include <utility>

namespace cutis {
namespace {

std::mutex mutex;
std::map<std::string, double> times;

}  // namespace

PhaseTimer::~PhaseTimer() {
  const double passed = static_cast<double>(std::clock() - start_) / CLOCKS_PER_SEC;
  const std::lock_guard lock(mutex);
  times[phase_] += passed;
}

std::map<std::string, double> take_phase_times() {
  const std::lock_guard lock(mutex);
  return std::exchange(times, {});
}

}  // namespace cutis
