#include "cutis/io/array/stretch_test_file.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "cutis/core/log.h"
#include "cutis/core/quantity.h"
#include "cutis/io/array/csv.h"
#include "cutis/material/fit/stress_fall.h"

namespace cutis {
namespace {

enum Column { Stretch, Stress, Angle, StretchX, StressX, StretchY, StressY, ColumnCount };

struct Spelling {
  const char* name;
  Column column;
};
constexpr Spelling spellings[] = {
    {"lambda", Stretch},     {"stretch", Stretch},   {"p", Stress},           {"stress", Stress},
    {"angle", Angle},        {"lambda_x", StretchX}, {"stretch_x", StretchX}, {"xlam", StretchX},
    {"p_x", StressX},        {"px", StressX},        {"stress_x", StressX},   {"lambda_y", StretchY},
    {"stretch_y", StretchY}, {"ylam", StretchY},     {"p_y", StressY},        {"py", StressY},
    {"stress_y", StressY},
};
constexpr std::array<const char*, ColumnCount> shown{"lambda", "P",        "angle", "lambda_x",
                                                     "P_x",    "lambda_y", "P_y"};

bool is_stress(int column) { return column == Stress || column == StressX || column == StressY; }

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

class StretchTestReader {
 public:
  StretchTestReader(const std::filesystem::path& path, const std::optional<std::string>& unit)
      : file_(path.string()), unit_(unit) {
    at_.fill(-1);
    factor_.fill(1);
    test_.name = path.stem().string();
  }

  StretchTest read(std::string_view text) {
    for_each_csv_row(text, file_, [&](const CsvRow& row) {
      if (columns_ == 0)
        header(row);
      else if (!row.cells[0].starts_with('#'))
        measurement(row);
    });
    if (columns_ == 0)
      throw InputError(file_ + ": empty; the first line names the columns: " + conventions());
    if (test_.points.size() < 3)
      throw InputError(
          fmt::format("{}: {} measurements; a curve needs at least 3", file_, test_.points.size()));
    if (const auto fall = find_stress_fall(test_)) warn(*fall);
    return std::move(test_);
  }

 private:
  static std::string conventions() { return "\"lambda_x, P_x, lambda_y, P_y\" or \"lambda, P, angle\""; }

  void header(const CsvRow& row) {
    columns_ = row.cells.size();
    for (std::size_t i = 0; i < columns_; ++i) name(row, i);
    const bool biaxial = at_[StretchX] >= 0 || at_[StressX] >= 0;
    test_.kind = biaxial ? StretchTest::Kind::Biaxial : StretchTest::Kind::Uniaxial;
    const std::vector<Column> needed =
        biaxial ? std::vector{StretchX, StressX, StretchY, StressY} : std::vector{Stretch, Stress};
    for (Column column : needed)
      if (at_[column] < 0)
        throw InputError(fmt::format("{}: no column \"{}\"; the first line names the columns: {}", row.place,
                                     shown[column], conventions()));
  }

  void name(const CsvRow& row, std::size_t i) {
    std::string_view cell = row.cells[i];
    if (i == 0 && cell.starts_with('#')) cell.remove_prefix(1);
    const std::size_t bracket = std::min(cell.find_first_of("[("), cell.size());
    std::string_view word = cell.substr(0, bracket), unit = cell.substr(bracket);
    while (!word.empty() && word.front() == ' ') word.remove_prefix(1);
    while (!word.empty() && word.back() == ' ') word.remove_suffix(1);
    if (unit.size() > 2) unit = unit.substr(1, unit.find_first_of("])") - 1);
    const auto known = std::find_if(std::begin(spellings), std::end(spellings),
                                    [&](const Spelling& s) { return lower(word) == s.name; });
    if (known == std::end(spellings)) return;
    if (at_[known->column] >= 0)
      throw InputError(fmt::format("{}: column {} is a second \"{}\"; keep one of them", row.place, i + 1,
                                   shown[known->column]));
    at_[known->column] = static_cast<int>(i);
    factor_[known->column] = factor(row, known->column, std::string(unit));
  }

  /// What a number of the column is multiplied with to be SI.
  double factor(const CsvRow& row, int column, std::string unit) const {
    if (column == Angle) {
      if (unit.empty()) unit = "deg";
    } else if (!is_stress(column)) {
      return 1;
    } else if (unit.empty()) {
      if (!unit_)
        throw InputError(fmt::format(
            "{}: column \"{}\" does not say its unit; write \"{} [kPa]\", or give --unit kPa", row.place,
            shown[static_cast<std::size_t>(column)], shown[static_cast<std::size_t>(column)]));
      unit = *unit_;
    }
    try {
      return parse_quantity("1 " + unit, column == Angle ? Dimension::Angle : Dimension::Pressure);
    } catch (const InputError&) {
      throw InputError(fmt::format(
          "{}: column \"{}\": unknown unit \"{}\"; one of: {}", row.place,
          shown[static_cast<std::size_t>(column)], unit.substr(0, 40),
          fmt::join(accepted_units(column == Angle ? Dimension::Angle : Dimension::Pressure), ", ")));
    }
  }

  double value(const CsvRow& row, Column column) const {
    const auto at = static_cast<std::size_t>(at_[column]);
    const double number =
        csv_number(row.cells[at], fmt::format("{}: column \"{}\"", row.place, shown[column]));
    const bool stretch = column == Stretch || column == StretchX || column == StretchY;
    if (stretch && !(number > 0.05 && number < 20))
      throw InputError(
          fmt::format("{}: column \"{}\": {} is not a stretch: give length over length at rest, 1 at rest",
                      row.place, shown[column], number));
    return number * factor_[column];
  }

  void measurement(const CsvRow& row) {
    if (row.cells.size() != columns_)
      throw InputError(fmt::format("{}: {} cells where the first line names {} columns", row.place,
                                   row.cells.size(), columns_));
    StretchTest::Point point;
    if (test_.kind == StretchTest::Kind::Biaxial) {
      point.stretch = Vec2(value(row, StretchX), value(row, StretchY));
      point.stress = Vec2(value(row, StressX), value(row, StressY));
    } else {
      point.stretch.x() = value(row, Stretch);
      point.stress.x() = value(row, Stress);
      if (at_[Angle] >= 0) point.angle = value(row, Angle);
    }
    test_.points.push_back(point);
    places_.push_back(row.place);
  }

  void warn(const StressFall& fall) const {
    const StretchTest::Point &before = test_.points[fall.before], &after = test_.points[fall.after];
    const Column column = test_.kind == StretchTest::Kind::Uniaxial ? Stress : fall.axis ? StressY : StressX;
    log().warn(
        "{}: column \"{}\" falls though the skin is stretched further: {:.4g} kPa at a stretch of {:.4g}, "
        "after {:.4g} kPa at {:.4g} ({}). No skin law does that. Where the specimen tore or slipped, delete "
        "the rows from there on; else see whether columns are exchanged, or pulls written as negative. It is "
        "fitted as it is",
        places_[fall.after], shown[column], after.stress[fall.axis] / 1e3, after.stretch[fall.axis],
        before.stress[fall.axis] / 1e3, before.stretch[fall.axis], places_[fall.before]);
  }

  std::string file_;
  std::optional<std::string> unit_;
  std::size_t columns_ = 0;
  std::array<int, ColumnCount> at_;
  std::array<double, ColumnCount> factor_;
  StretchTest test_;
  std::vector<std::string> places_;  ///< of its points
};

}  // namespace

StretchTest read_stretch_test(const std::filesystem::path& path,
                              const std::optional<std::string>& stress_unit) {
  const Bytes bytes = read_file(path);
  return StretchTestReader(path, stress_unit)
      .read({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace cutis
