#pragma once

#include <span>
#include <string>
#include <vector>

#include "cutis/picture/render/image.h"

namespace cutis {

enum class ColorMap {
  Viridis,    ///< sequential, even to the eye and to the colour-blind
  Magma,      ///< sequential, dark to light
  Diverging,  ///< blue - white - red, for signed values around zero
};

/// The colour at t in [0, 1]; outside it is clamped, and not-a-number is grey.
Color color_at(ColorMap map, double t);

/// A field's colours: value `low` has the first colour, `high` the last.
struct ColorScale {
  ColorMap map = ColorMap::Viridis;
  double low = 0;
  double high = 1;
  std::string title;  ///< what a legend says above the bar: "slide"
  std::string unit;   ///< "mm"

  Color color(double value) const { return color_at(map, high > low ? (value - low) / (high - low) : 0.5); }
};

/// The range that shows a field well: the 1st to the 99th percentile of its finite values, widened to round
/// numbers; for Diverging, symmetric around zero. {0, 1} when nothing is finite.
ColorScale fit_scale(std::span<const double> values, ColorMap map, std::string title, std::string unit);

/// Round numbers (1, 2, 5 times a power of ten) inside [low, high], about `count` of them.
std::vector<double> nice_ticks(double low, double high, int count);
/// A tick as a reader wants it: no more digits than the step needs.
std::string tick_label(double value, double step);

}  // namespace cutis
