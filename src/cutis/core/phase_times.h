#pragma once

#include <ctime>
#include <map>
#include <string>

namespace cutis {

/// Adds the processor time of all threads from its beginning to its end to that of a phase of the program:
/// for benchmarks, which ask with take_phase_times() where the time went. A phase within another one counts
/// in both.
class PhaseTimer {
 public:
  explicit PhaseTimer(const char* phase) : phase_(phase) {}
  ~PhaseTimer();
  PhaseTimer(const PhaseTimer&) = delete;
  PhaseTimer& operator=(const PhaseTimer&) = delete;

 private:
  const char* phase_;
  std::clock_t start_ = std::clock();
};

/// Seconds by phase since the last call.
std::map<std::string, double> take_phase_times();

}  // namespace cutis
