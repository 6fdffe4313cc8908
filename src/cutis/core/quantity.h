#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cutis {

/// What kind of thing a number measures. Values are SI inside, whatever unit the user wrote.
enum class Dimension {
  Ratio,         ///< no unit; "20 %" is 0.2
  Length,        ///< m
  Time,          ///< s
  Angle,         ///< rad
  Rate,          ///< 1/s
  Velocity,      ///< m/s
  Acceleration,  ///< m/s^2
  Mass,          ///< kg
  Density,       ///< kg/m^3
  Force,         ///< N
  Tension,       ///< N/m
  Foundation,    ///< N/m^3
  Pressure,      ///< Pa
  Viscosity,     ///< Pa s
  InverseArea,   ///< 1/m^2
  Drag,          ///< Pa s/m
  Compliance,    ///< m/Pa
};

/// "length", "pressure" ...
std::string dimension_name(Dimension dimension);

/// "m", "Pa" ...; "" for a ratio.
std::string si_unit(Dimension dimension);

/// The units that parse_quantity accepts, the SI one first.
std::vector<std::string> accepted_units(Dimension dimension);

/// "1.5 mm" as 0.0015: a number and a unit of that dimension, with or without a space between them; the unit
/// may be left out only of a ratio. Throws InputError, which lists the accepted units, for anything else and
/// for what is not finite.
double parse_quantity(std::string_view text, Dimension dimension);

/// The shortest text that parse_quantity turns back into the same bits, in the SI unit: "0.0015 m".
std::string format_quantity(double value, Dimension dimension);

/// The same in whichever accepted unit is shortest to read: "1.5 mm".
std::string format_naturally(double value, Dimension dimension);

/// The shortest decimal text of the same bits; a TOML float: "1.0", "0.875", "1e-06".
std::string format_number(double value);

}  // namespace cutis
