#include "cutis/core/quantity.h"

#include <cmath>
#include <numbers>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/core/error.h"

namespace cutis {
namespace {

const std::vector<Dimension> all_dimensions = {
    Dimension::Ratio,    Dimension::Length,    Dimension::Time,         Dimension::Angle,
    Dimension::Rate,     Dimension::Velocity,  Dimension::Mass,         Dimension::Density,
    Dimension::Force,    Dimension::Tension,   Dimension::Acceleration, Dimension::Foundation,
    Dimension::Pressure, Dimension::Viscosity, Dimension::InverseArea};

std::string mistake(const std::string& text, Dimension dimension) {
  try {
    parse_quantity(text, dimension);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Quantity, IsTheNearestDouble) {
  // Exact equality: what a user writes is the double that C++ makes of the same decimal.
  EXPECT_EQ(parse_quantity("1.5 mm", Dimension::Length), 0.0015);
  EXPECT_EQ(parse_quantity("2.3mm", Dimension::Length), 0.0023);
  EXPECT_EQ(parse_quantity("  +7 cm ", Dimension::Length), 0.07);
  EXPECT_EQ(parse_quantity("30 kPa", Dimension::Pressure), 30000.0);
  EXPECT_EQ(parse_quantity("24 fps", Dimension::Rate), 24.0);
  EXPECT_EQ(parse_quantity("0.1 s", Dimension::Time), 0.1);
  EXPECT_EQ(parse_quantity("1100 kg/m^3", Dimension::Density), 1100.0);
  EXPECT_EQ(parse_quantity("1.1 g/cm³", Dimension::Density), 1100.0);
  EXPECT_EQ(parse_quantity("-9.81 m/s^2", Dimension::Acceleration), -9.81);
  EXPECT_EQ(parse_quantity("2 N/m", Dimension::Tension), 2.0);
  EXPECT_EQ(parse_quantity("20 %", Dimension::Ratio), 0.2);
  EXPECT_EQ(parse_quantity("0.875", Dimension::Ratio), 0.875);
  EXPECT_EQ(parse_quantity("7 1/cm^2", Dimension::InverseArea), 70000.0);
  EXPECT_EQ(parse_quantity("3 Pa*s", Dimension::Viscosity), 3.0);
  EXPECT_EQ(parse_quantity("12 µm", Dimension::Length), 12e-6);
  EXPECT_DOUBLE_EQ(parse_quantity("180 deg", Dimension::Angle), std::numbers::pi);
  EXPECT_DOUBLE_EQ(parse_quantity("90°", Dimension::Angle), std::numbers::pi / 2);
}

TEST(Quantity, SaysWhatIsWrong) {
  EXPECT_EQ(mistake("30 kPa", Dimension::Length),
            "\"30 kPa\" is a pressure, not a length; use m, dm, cm, mm, um, in, ft");
  EXPECT_EQ(mistake("1 mm", Dimension::Angle), "\"1 mm\" is a length, not an angle; use rad, deg");
  EXPECT_EQ(mistake("1.5 mmm", Dimension::Length),
            "\"1.5 mmm\": unknown unit \"mmm\" for a length; use m, dm, cm, mm, um, in, ft");
  EXPECT_EQ(mistake("1.5", Dimension::Time), "\"1.5\" has no unit; use s, ms, us, min");
  EXPECT_EQ(mistake("3 m", Dimension::Ratio), "\"3 m\" is a length, not a ratio; use a plain number or %");
  EXPECT_EQ(mistake("mm", Dimension::Time),
            "\"mm\" is not a time; write a number and a unit (use s, ms, us, min)");
  EXPECT_EQ(mistake("1e999 m", Dimension::Length), "\"1e999 m\" is too large or too small a number");
  EXPECT_EQ(mistake("1e308 GPa", Dimension::Pressure), "\"1e308 GPa\" is too large or too small a number");
  for (const char* text : {"", " ", "nan m", "inf m", "-inf m", "nan", "1,5 mm", "--1 m", "0x10 m", "m 1"})
    EXPECT_NE(mistake(text, Dimension::Length), "") << text;
}

TEST(Quantity, EveryUnitBelongsToOneDimension) {
  for (const Dimension dimension : all_dimensions)
    for (const std::string& unit : accepted_units(dimension)) {
      EXPECT_GT(parse_quantity("2 " + unit, dimension), 0) << unit;
      const std::string name = dimension_name(dimension);
      const std::string article = std::string("aeiou").find(name[0]) == std::string::npos ? "a " : "an ";
      for (const Dimension other : all_dimensions) {
        if (other == dimension) continue;
        EXPECT_THAT(mistake("2 " + unit, other), testing::HasSubstr(" is " + article + name)) << unit;
      }
    }
}

TEST(Quantity, FormattingComesBackToTheBit) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> exponent(-30, 30);
  for (int i = 0; i < 2000; ++i) {
    const double value = (i % 2 ? 1 : -1) * std::pow(10.0, exponent(random));
    const Dimension dimension = all_dimensions[static_cast<std::size_t>(i) % all_dimensions.size()];
    EXPECT_EQ(parse_quantity(format_quantity(value, dimension), dimension), value);
    EXPECT_EQ(parse_quantity(format_naturally(value, dimension), dimension), value);
  }
  EXPECT_EQ(format_quantity(0.0015, Dimension::Length), "0.0015 m");
  EXPECT_EQ(format_naturally(0.0015, Dimension::Length), "1.5 mm");
  EXPECT_EQ(format_naturally(0.01, Dimension::Length), "1 cm");
  EXPECT_EQ(format_naturally(0.0254, Dimension::Length), "1 in");
  EXPECT_EQ(format_naturally(1, Dimension::Length), "1 m");
  EXPECT_EQ(format_naturally(30000, Dimension::Pressure), "30 kPa");
  EXPECT_EQ(format_number(1.0), "1.0");
  EXPECT_EQ(format_number(1e-6), "1e-06");
  EXPECT_EQ(format_number(0.875), "0.875");
}

}  // namespace
}  // namespace cutis
