#include "cutis/core/log.h"

#include <spdlog/sinks/null_sink.h>

namespace cutis {
namespace {

std::shared_ptr<spdlog::logger> silent() {
  return std::make_shared<spdlog::logger>("cutis", std::make_shared<spdlog::sinks::null_sink_mt>());
}

std::shared_ptr<spdlog::logger>& current() {
  static std::shared_ptr<spdlog::logger> logger = silent();
  return logger;
}

}  // namespace

spdlog::logger& log() { return *current(); }

void set_logger(std::shared_ptr<spdlog::logger> logger) { current() = logger ? std::move(logger) : silent(); }

}  // namespace cutis
