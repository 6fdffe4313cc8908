#include "cutis/core/error.h"

#include <algorithm>
#include <cctype>
#include <numeric>

#include <fmt/format.h>

namespace cutis {
namespace {

/// Letters that differ by their case alone count as the same.
bool same_letter(unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); }

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (same_letter(a[i - 1], b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

InputError::InputError(const std::vector<std::string>& mistakes)
    : std::runtime_error(fmt::format("{}", fmt::join(mistakes, "\n"))) {}

std::string nearest_word(const std::string& word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace cutis
