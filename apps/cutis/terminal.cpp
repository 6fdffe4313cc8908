#include "terminal.h"

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>

#include <unistd.h>

#include <fmt/format.h>
#include <spdlog/sinks/stdout_color_sinks.h>

#include "cutis/core/error.h"
#include "cutis/core/log.h"

namespace cutis::app {
namespace {

std::atomic<bool> stop{false};
bool is_quiet = false;

void on_signal(int signal) {
  stop = true;
  std::signal(signal, SIG_DFL);
}

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

void install_logger(bool quiet) {
  is_quiet = quiet;
  auto logger =
      std::make_shared<spdlog::logger>("cutis", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
  logger->set_pattern("%^%l%$: %v");
  logger->set_level(quiet ? spdlog::level::err : spdlog::level::info);
  set_logger(logger);
}

bool quiet() { return is_quiet; }

const std::atomic<bool>& stop_requested() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  return stop;
}

ProgressLine::~ProgressLine() {
  if (open_) std::fputc('\n', stderr);
}

void ProgressLine::show(const std::string& text, bool last) {
  if (is_quiet) return;
  const bool terminal = isatty(STDERR_FILENO) != 0;
  const double time = now();
  if (!last && time - last_shown_ < (terminal ? 0.05 : 2.0)) return;
  last_shown_ = time;
  if (terminal) {
    fmt::print(stderr, "\r\033[K{}", text);
    open_ = !last;
    if (last) std::fputc('\n', stderr);
  } else {
    fmt::print(stderr, "{}\n", text);
  }
  std::fflush(stderr);
}

void refuse_to_replace(const std::filesystem::path& file, bool force) {
  if (std::filesystem::exists(file) && !force)
    throw InputError(fmt::format(
        "{}: is there already; give another name with --out, or --force to replace it", file.string()));
}

std::string duration_words(double seconds) {
  if (seconds < 10) return fmt::format("{:.1f} s", seconds);
  const long whole = std::lround(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

}  // namespace cutis::app
