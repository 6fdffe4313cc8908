#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace cutis {

/// A line of a table: where it stands ("skin.csv:12") and its cells, without blanks and quotes around them.
struct CsvRow {
  std::string place;
  std::vector<std::string_view> cells;
};

/// Calls `row` for every line that is not blank. Cells are separated by semicolons or tabs where the first
/// line has any, else by commas. `file` is for messages.
void for_each_csv_row(std::string_view text, const std::string& file,
                      const std::function<void(const CsvRow&)>& row);

/// A cell as a number. Throws InputError naming the place when it is none, or not finite.
double csv_number(std::string_view cell, const std::string& place);

}  // namespace cutis
