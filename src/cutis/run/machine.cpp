#include "cutis/run/machine.h"

#include <fstream>
#include <thread>

#include <sys/resource.h>

#include <fmt/format.h>
#include <tbb/version.h>
#include <zlib.h>
#include <Eigen/Core>

#include "cutis/core/parallel.h"
#include "cutis/core/version.h"
#include "cutis/solve/sparse_cholesky.h"

namespace cutis {
namespace {

std::string cpu_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

std::string compiler() {
#if defined(__clang__)
  return fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  return fmt::format("gcc {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

}  // namespace

Machine this_machine() {
  return {cpu_name(), static_cast<int>(std::thread::hardware_concurrency()), threads()};
}

std::vector<std::pair<std::string, std::string>> software_versions() {
  return {{"cutis", version()},
          {"compiler", compiler()},
          {"eigen", fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
          {"cholesky", SparseCholesky::backend()},
          {"tbb", TBB_runtime_version()},
          {"zlib", zlibVersion()}};
}

std::int64_t peak_memory() {
  std::ifstream in("/proc/self/status");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("VmHWM:")) return std::int64_t(std::stoll(line.substr(6))) * 1024;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return std::int64_t(usage.ru_maxrss) * 1024;
}

void forget_peak_memory() { std::ofstream("/proc/self/clear_refs") << "5"; }

}  // namespace cutis
