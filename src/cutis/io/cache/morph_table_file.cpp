#include "cutis/io/cache/morph_table_file.h"

#include <cmath>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "cutis/io/array/csv.h"

namespace cutis {
namespace {

void read_csv(std::string_view text, MorphTable& table) {
  for_each_csv_row(text, table.file, [&](const CsvRow& row) {
    if (table.names.empty()) {
      if (row.cells.size() < 2 || row.cells[0] != "time")
        throw InputError(row.place + ": the first line names the columns: time, then blend shapes");
      for (std::size_t i = 1; i < row.cells.size(); ++i) table.names.emplace_back(row.cells[i]);
      table.weights.resize(table.names.size());
      return;
    }
    if (row.cells.size() != table.names.size() + 1)
      throw InputError(fmt::format("{}: {} numbers where the first line names {} columns", row.place,
                                   row.cells.size(), table.names.size() + 1));
    table.times.push_back(csv_number(row.cells[0], row.place));
    for (std::size_t i = 1; i < row.cells.size(); ++i)
      table.weights[i - 1].push_back(csv_number(row.cells[i], row.place));
  });
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
