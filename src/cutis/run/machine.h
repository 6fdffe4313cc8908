#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace cutis {

/// Where a run was made.
struct Machine {
  std::string cpu;  ///< the processor's own name; "unknown" where the system does not say
  int cores = 0;
  int threads = 0;  ///< that parallel loops may use
};

Machine this_machine();

/// Name and version of this program, the compiler and each library that numbers pass through.
std::vector<std::pair<std::string, std::string>> software_versions();

/// The most memory this process has held since it began, or since forget_peak_memory() where the system can
/// forget it [bytes].
std::int64_t peak_memory();
void forget_peak_memory();

}  // namespace cutis
