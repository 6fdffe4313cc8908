#pragma once

#include <atomic>
#include <filesystem>
#include <string>

namespace cutis::app {

/// Sends what the library notices to the standard error stream; with `quiet`, only errors. Of warnings that
/// differ by numbers alone the first is shown; say_repeated_warnings() shows at the end how many there were.
void install_logger(bool quiet);
void say_repeated_warnings();
bool quiet();

/// Becomes true when the user presses Ctrl-C or the system asks to end; a second Ctrl-C ends at once.
const std::atomic<bool>& stop_requested();

/// One line of progress that rewrites itself on a terminal; elsewhere plain lines, at most one in two
/// seconds.
class ProgressLine {
 public:
  ~ProgressLine();
  void show(const std::string& text, bool last);

 private:
  double last_shown_ = -1e9;
  bool open_ = false;
};

/// Throws InputError where `file` is there already, unless the user said to replace it.
void refuse_to_replace(const std::filesystem::path& file, bool force);

/// "0.8 s", "3 min 20 s", "2 h 5 min".
std::string duration_words(double seconds);

}  // namespace cutis::app
