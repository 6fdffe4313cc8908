#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>

namespace cutis {

/// Which frames a figure is taken from; docs/figures.md.
struct FigureFrames {
  enum class Which { All, Least, First, Last, Number };
  Which which = Which::All;
  int number = 0;  ///< from 1
  bool operator==(const FigureFrames&) const = default;
};

/// Named numbers, words and switches, for a measure to read.
using Parameters = std::map<std::string, std::variant<bool, double, std::string>>;

/// A figure as a shot asks for it ([[figure]]).
struct FigureRequest {
  std::string name;
  std::string measure;
  std::optional<double> at_most;
  std::optional<double> at_least;
  FigureFrames frames;
  Parameters with;
  bool operator==(const FigureRequest&) const = default;
};

}  // namespace cutis
