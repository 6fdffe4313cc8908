#include "terminal.h"

#include <cctype>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <map>
#include <mutex>

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

/// A warning with its numbers taken out, but for those that tell a place: two that differ by numbers alone
/// say the same of two frames or two meshes.
std::string without_numbers(std::string_view text) {
  const auto is_digit = [&](std::size_t i) {
    return i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])) != 0;
  };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool place = i > 0 && (text[i - 1] == ':' || text[i - 1] == '[');
    if (place) {
      for (; is_digit(i); ++i) out += text[i];
    } else if (is_digit(i) || (text[i] == '-' && is_digit(i + 1))) {
      do ++i;
      while (is_digit(i) || (i < text.size() && text[i] == '.'));
      out += '#';
    }
    if (i < text.size()) out += text[i];
  }
  return out;
}

using StderrSink = spdlog::sinks::stderr_color_sink_mt;

/// Passes everything on, but of warnings that repeat only the first; the rest are counted.
class CountingSink final : public StderrSink {
 public:
  void log(const spdlog::details::log_msg& message) override {
    if (message.level == spdlog::level::warn) {
      const std::lock_guard lock(mutex_);
      const std::string_view text(message.payload.data(), message.payload.size());
      const auto [entry, first] = seen_.try_emplace(without_numbers(text), std::string(text), 0);
      if (++entry->second.second > 1) return;
    }
    StderrSink::log(message);
  }

  /// Each repeated warning once more, with its count.
  std::vector<std::string> repeated() {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> lines;
    for (const auto& [key, entry] : seen_)
      if (entry.second > 1) lines.push_back(fmt::format("{} times: {}", entry.second, entry.first));
    seen_.clear();
    return lines;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::pair<std::string, int>> seen_;  ///< the first text, and how often
};

std::shared_ptr<CountingSink> sink;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

void install_logger(bool quiet) {
  is_quiet = quiet;
  sink = std::make_shared<CountingSink>();
  auto logger = std::make_shared<spdlog::logger>("cutis", sink);
  logger->set_pattern("%^%l%$: %v");
  logger->set_level(quiet ? spdlog::level::err : spdlog::level::info);
  set_logger(logger);
}

void say_repeated_warnings() {
  if (!sink) return;
  for (const std::string& line : sink->repeated()) log().warn(line);
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
