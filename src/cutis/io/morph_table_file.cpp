#include "cutis/io/morph_table_file.h"

#include <charconv>
#include <cmath>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cutis/core/error.h"
#include "cutis/core/file.h"

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

double number(std::string_view cell, const std::string& place) {
  double value = 0;
  const auto [stop, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error == std::errc() && stop == cell.data() + cell.size() && std::isfinite(value)) return value;
  throw InputError(fmt::format("{}: \"{}\" is not a finite number", place, cell.substr(0, 40)));
}

void read_csv(std::string_view text, MorphTable& table) {
  int line_number = 0;
  char separator = ',';
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::string place = fmt::format("{}:{}", table.file, ++line_number);
    if (trimmed(line).empty()) continue;
    if (table.names.empty()) {
      for (char c : {';', '\t'})
        if (line.find(c) != line.npos) separator = c;
      const auto names = cells(line, separator);
      if (names.size() < 2 || names[0] != "time")
        throw InputError(place + ": the first line names the columns: time, then blend shapes");
      for (std::size_t i = 1; i < names.size(); ++i) table.names.emplace_back(names[i]);
      table.weights.resize(table.names.size());
      continue;
    }
    const auto numbers = cells(line, separator);
    if (numbers.size() != table.names.size() + 1)
      throw InputError(fmt::format("{}: {} numbers where the first line names {} columns", place,
                                   numbers.size(), table.names.size() + 1));
    table.times.push_back(number(numbers[0], place));
    for (std::size_t i = 1; i < numbers.size(); ++i)
      table.weights[i - 1].push_back(number(numbers[i], place));
  }
}

void read_json(std::string_view text, MorphTable& table) {
  const auto document = nlohmann::ordered_json::parse(text, nullptr, false);
  if (!document.is_object())
    throw InputError(
        fmt::format("{}: not an object of lists: {{\"time\": [...], \"smile\": [...]}}", table.file));
  for (const auto& [name, list] : document.items()) {
    std::vector<double> values;
    for (const auto& entry : list) {
      if (!entry.is_number() || !std::isfinite(entry.get<double>()))
        throw InputError(
            fmt::format("{}: {}: entry {} is not a finite number", table.file, name, values.size()));
      values.push_back(entry.get<double>());
    }
    if (name == "time") {
      table.times = std::move(values);
    } else {
      table.names.push_back(name);
      table.weights.push_back(std::move(values));
    }
  }
  for (std::size_t i = 0; i < table.names.size(); ++i)
    if (table.weights[i].size() != table.times.size())
      throw InputError(fmt::format("{}: {} has {} numbers where time has {}", table.file, table.names[i],
                                   table.weights[i].size(), table.times.size()));
}

}  // namespace

MorphTable read_morph_table(const std::filesystem::path& path) {
  const Bytes bytes = read_file(path);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  MorphTable table;
  table.file = path.string();
  path.extension() == ".json" ? read_json(text, table) : read_csv(text, table);
  if (table.times.empty() || table.names.empty())
    throw InputError(fmt::format("{}: holds no weights; give times and a column a blend shape", table.file));
  for (std::size_t i = 1; i < table.times.size(); ++i)
    if (!(table.times[i] > table.times[i - 1]))
      throw InputError(fmt::format("{}: times must rise ({} s after {} s)", table.file, table.times[i],
                                   table.times[i - 1]));
  return table;
}

}  // namespace cutis
