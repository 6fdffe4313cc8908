#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace cutis {

/// Something the user gave cannot be used. The message is complete: file, place, value, remedy. Exit code 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  /// Several mistakes found together, one per line.
  explicit InputError(const std::vector<std::string>& mistakes);
};

/// The outside world failed: a full disk, a file that cannot be written. The message names the file. Exit
/// code 3.
class IoError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The word nearest to `word` by edit distance, or "" when none is near enough to be a plausible slip.
std::string nearest_word(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace cutis
