#include "cutis/core/phase_times.h"

#include <mutex>
#include <utility>

namespace cutis {
namespace {

std::mutex mutex;
std::map<std::string, double> times;

}  // namespace

PhaseTimer::~PhaseTimer() {
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
  const std::lock_guard lock(mutex);
  times[phase_] += passed.count();
}

std::map<std::string, double> take_phase_times() {
  const std::lock_guard lock(mutex);
  return std::exchange(times, {});
}

}  // namespace cutis
