#include "cutis/core/quantity.h"

#include <charconv>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "cutis/core/error.h"

namespace cutis {
namespace {

/// value [SI] = number * multiply / divide. Powers of ten divide, because 2.3 / 1000 is the double nearest to
/// 0.0023 while 2.3 * 0.001 need not be.
struct Unit {
  std::string_view name;
  double multiply;
  double divide;
};

struct DimensionUnits {
  Dimension dimension;
  std::string_view name;
  std::vector<Unit> units;  ///< the SI unit first
};

const std::vector<DimensionUnits>& table() {
  static const std::vector<DimensionUnits> all = {
      {Dimension::Ratio, "ratio", {{"", 1, 1}, {"%", 1, 100}}},
      {Dimension::Length,
       "length",
       {{"m", 1, 1},
        {"dm", 1, 10},
        {"cm", 1, 100},
        {"mm", 1, 1e3},
        {"um", 1, 1e6},
        {"in", 0.0254, 1},
        {"ft", 0.3048, 1}}},
      {Dimension::Time, "time", {{"s", 1, 1}, {"ms", 1, 1e3}, {"us", 1, 1e6}, {"min", 60, 1}}},
      {Dimension::Angle, "angle", {{"rad", 1, 1}, {"deg", std::numbers::pi, 180}}},
      {Dimension::Rate, "rate", {{"1/s", 1, 1}, {"fps", 1, 1}, {"Hz", 1, 1}, {"kHz", 1e3, 1}}},
      {Dimension::Velocity, "velocity", {{"m/s", 1, 1}, {"cm/s", 1, 100}, {"mm/s", 1, 1e3}}},
      {Dimension::Acceleration, "acceleration", {{"m/s^2", 1, 1}, {"cm/s^2", 1, 100}, {"g0", 9.80665, 1}}},
      {Dimension::Mass, "mass", {{"kg", 1, 1}, {"g", 1, 1e3}, {"mg", 1, 1e6}}},
      {Dimension::Density, "density", {{"kg/m^3", 1, 1}, {"g/cm^3", 1e3, 1}}},
      {Dimension::Force, "force", {{"N", 1, 1}, {"kN", 1e3, 1}, {"mN", 1, 1e3}}},
      {Dimension::Tension, "tension", {{"N/m", 1, 1}, {"kN/m", 1e3, 1}, {"N/mm", 1e3, 1}, {"mN/m", 1, 1e3}}},
      {Dimension::Foundation,
       "foundation stiffness",
       {{"N/m^3", 1, 1}, {"kPa/m", 1e3, 1}, {"N/cm^3", 1e6, 1}}},
      {Dimension::Pressure, "pressure", {{"Pa", 1, 1}, {"kPa", 1e3, 1}, {"MPa", 1e6, 1}, {"GPa", 1e9, 1}}},
      {Dimension::Viscosity, "viscosity", {{"Pa s", 1, 1}, {"kPa s", 1e3, 1}, {"mPa s", 1, 1e3}}},
      {Dimension::InverseArea, "inverse area", {{"1/m^2", 1, 1}, {"1/cm^2", 1e4, 1}, {"1/mm^2", 1e6, 1}}},
      {Dimension::Drag, "drag", {{"Pa s/m", 1, 1}, {"kPa s/m", 1e3, 1}}},
      {Dimension::Compliance, "compliance", {{"m/Pa", 1, 1}, {"mm/kPa", 1, 1e6}, {"mm/MPa", 1, 1e9}}},
  };
  return all;
}

const DimensionUnits& units_of(Dimension dimension) { return table()[static_cast<std::size_t>(dimension)]; }

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// Spellings people type: superscripts and the micro and degree signs.
std::string plain_spelling(std::string_view unit) {
  static const std::vector<std::pair<std::string_view, std::string_view>> spellings = {
      {"²", "^2"}, {"³", "^3"}, {"µ", "u"}, {"μ", "u"}, {"°", "deg"}, {"·", " "}, {"*", " "}};
  std::string plain(unit);
  for (const auto& [from, to] : spellings)
    for (auto at = plain.find(from); at != std::string::npos; at = plain.find(from, at + to.size()))
      plain.replace(at, from.size(), to);
  return plain;
}

const Unit* find_unit(std::string_view name, const DimensionUnits& in) {
  for (const Unit& unit : in.units)
    if (unit.name == name) return &unit;
  return nullptr;
}

/// "a length", "an angle".
std::string a_dimension(std::string_view name) {
  const bool vowel = std::string_view("aeiou").find(name.front()) != std::string_view::npos;
  return fmt::format("{} {}", vowel ? "an" : "a", name);
}

std::string use_words(Dimension dimension) {
  if (dimension == Dimension::Ratio) return "use a plain number or %";
  return fmt::format("use {}", fmt::join(accepted_units(dimension), ", "));
}

[[noreturn]] void refuse_unit(std::string_view text, std::string_view unit, Dimension dimension) {
  if (unit.empty()) throw InputError(fmt::format("\"{}\" has no unit; {}", text, use_words(dimension)));
  for (const DimensionUnits& other : table())
    if (find_unit(unit, other))
      throw InputError(fmt::format("\"{}\" is {}, not {}; {}", text, a_dimension(other.name),
                                   a_dimension(dimension_name(dimension)), use_words(dimension)));
  throw InputError(fmt::format("\"{}\": unknown unit \"{}\" for {}; {}", text, unit,
                               a_dimension(dimension_name(dimension)), use_words(dimension)));
}

}  // namespace

std::string dimension_name(Dimension dimension) { return std::string(units_of(dimension).name); }

std::string si_unit(Dimension dimension) { return std::string(units_of(dimension).units.front().name); }

std::vector<std::string> accepted_units(Dimension dimension) {
  std::vector<std::string> names;
  for (const Unit& unit : units_of(dimension).units)
    if (!unit.name.empty()) names.emplace_back(unit.name);
  return names;
}

double parse_quantity(std::string_view text, Dimension dimension) {
  std::string_view rest = trimmed(text);
  if (rest.starts_with('+')) rest.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  if (error == std::errc::result_out_of_range)
    throw InputError(fmt::format("\"{}\" is too large or too small a number", text));
  if (error != std::errc() || !std::isfinite(number))
    throw InputError(fmt::format("\"{}\" is not {}; write a number and a unit ({})", text,
                                 a_dimension(dimension_name(dimension)), use_words(dimension)));
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  const std::string name = plain_spelling(trimmed(rest));
  const Unit* unit = find_unit(name, units_of(dimension));
  if (!unit) refuse_unit(text, name, dimension);
  const double value = number * unit->multiply / unit->divide;
  if (!std::isfinite(value)) throw InputError(fmt::format("\"{}\" is too large or too small a number", text));
  return value;
}

std::string format_quantity(double value, Dimension dimension) {
  if (dimension == Dimension::Ratio) return format_number(value);
  return fmt::format("{} {}", value, si_unit(dimension));
}

std::string format_naturally(double value, Dimension dimension) {
  std::string best = format_quantity(value, dimension);
  if (dimension == Dimension::Ratio || !std::isfinite(value)) return best;
  for (const Unit& unit : units_of(dimension).units) {
    if (unit.name == "dm") continue;  // which is read, but hardly written
    const double number = value * unit.divide / unit.multiply;
    const std::string text = fmt::format("{} {}", number, unit.name);
    // Only where the detour through the unit loses no bit.
    if (text.size() < best.size() && number * unit.multiply / unit.divide == value) best = text;
  }
  return best;
}

std::string format_number(double value) {
  std::string text = fmt::format("{}", value);
  // fmt writes 1 for 1.0, which TOML would read as an integer; 1e-06 is a float already.
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

}  // namespace cutis
