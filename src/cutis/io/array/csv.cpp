#include "cutis/io/array/csv.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "cutis/core/error.h"

namespace cutis {
namespace {

std::string_view trimmed(std::string_view text) {
  const char* blanks = " \t\r\"";
  const std::size_t first = text.find_first_not_of(blanks);
  return first == text.npos ? "" : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string_view> cells(std::string_view line, char separator) {
  std::vector<std::string_view> result;
  while (true) {
    const std::size_t end = line.find(separator);
    result.push_back(trimmed(line.substr(0, end)));
    if (end == line.npos) return result;
    line.remove_prefix(end + 1);
  }
}

}  // namespace

void for_each_csv_row(std::string_view text, const std::string& file,
                      const std::function<void(const CsvRow&)>& row) {
  int line_number = 0;
  char separator = 0;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++line_number;
    if (trimmed(line).empty()) continue;
    if (separator == 0) {
      separator = ',';
      for (char c : {';', '\t'})
        if (line.find(c) != line.npos) separator = c;
    }
    row({fmt::format("{}:{}", file, line_number), cells(line, separator)});
  }
}

double csv_number(std::string_view cell, const std::string& place) {
  double value = 0;
  const auto [stop, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error == std::errc() && stop == cell.data() + cell.size() && std::isfinite(value)) return value;
  throw InputError(fmt::format("{}: \"{}\" is not a finite number", place, cell.substr(0, 40)));
}

}  // namespace cutis
