#pragma once

#include <string>
#include <vector>

#include "cutis/picture/render/image.h"

namespace cutis {

struct PlotSeries {
  enum class Style { Line, ThinLine, Dots };
  std::string label;  ///< in the legend; without one it is not there
  Color color = Color::Zero();
  Style style = Style::Line;
  std::vector<Vec2> points;  ///< those that are not finite are left out
};

/// Curves over one pair of axes, which span all points with round numbers.
struct Plot {
  std::string title, x_label, y_label;
  std::vector<PlotSeries> series;
};

/// Throws InputError when there is no finite point, or the picture is too small for its axes (below 160 x
/// 120).
Image draw_plot(const Plot& plot, int width, int height);

}  // namespace cutis
