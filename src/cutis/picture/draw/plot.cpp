#include "cutis/picture/draw/plot.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include "cutis/core/error.h"
#include "cutis/picture/draw/color_map.h"
#include "cutis/picture/draw/compose.h"
#include "cutis/picture/draw/text.h"

namespace cutis {
namespace {

int whole(double pixels) { return static_cast<int>(std::lround(pixels)); }

/// A picture with room for the axes around an inner frame, and the way from values to pixels.
class Canvas {
 public:
  Canvas(const Plot& plot, int width, int height)
      : image_(blank(width, height, srgb(0xffffff))), size_(std::max(10.0, 0.75 * text_size_for(height))) {
    for (const PlotSeries& series : plot.series)
      for (const Vec2& point : series.points)
        if (point.allFinite()) box_.extend(point);
    if (box_.isEmpty()) throw InputError("there is nothing to plot: no point is finite");
    for (int axis = 0; axis < 2; ++axis) widen(axis);
    int label = 0;
    for (double tick : ticks_[1])
      label = std::max(label, measure_text(tick_label(tick, step(1)), size_).width);
    left_ = whole(1.2 * size_) + label;
    top_ = whole(3.8 * size_);
    right_ = width - whole(1.2 * size_);
    bottom_ = height - whole(3.2 * size_);
  }

  void axes(const Plot& plot) {
    const Color ink = srgb(0x333333), faint = srgb(0xdddddd);
    for (double tick : ticks_[0]) {
      const double x = pixel(Vec2(tick, 0)).x();
      draw_line(image_, Vec2(x, top_), Vec2(x, bottom_), 1, faint);
      draw_text(image_, tick_label(tick, step(0)), whole(x), bottom_ + whole(1.3 * size_), size_, ink,
                Align::Center);
    }
    for (double tick : ticks_[1]) {
      const double y = pixel(Vec2(0, tick)).y();
      draw_line(image_, Vec2(left_, y), Vec2(right_, y), 1, faint);
      draw_text(image_, tick_label(tick, step(1)), left_ - whole(0.4 * size_), whole(y + 0.35 * size_), size_,
                ink, Align::Right);
    }
    draw_line(image_, Vec2(left_, bottom_), Vec2(right_, bottom_), 1.5, ink);
    draw_line(image_, Vec2(left_, top_), Vec2(left_, bottom_), 1.5, ink);
    draw_text(image_, fit_text(plot.title, 1.15 * size_, image_.width), image_.width / 2, whole(1.5 * size_),
              1.15 * size_, ink, Align::Center);
    draw_text(image_, fit_text(plot.y_label, size_, image_.width / 2), whole(0.6 * size_), whole(3.0 * size_),
              size_, ink);
    draw_text(image_, fit_text(plot.x_label, size_, right_ - left_), (left_ + right_) / 2,
              image_.height - whole(0.6 * size_), size_, ink, Align::Center);
  }

  void curve(const PlotSeries& series) {
    if (series.style == PlotSeries::Style::Dots) {
      for (const Vec2& point : series.points)
        if (point.allFinite()) dot(pixel(point), series.color);
      return;
    }
    for (std::size_t i = 1; i < series.points.size(); ++i)
      if (series.points[i - 1].allFinite() && series.points[i].allFinite())
        draw_line(image_, pixel(series.points[i - 1]), pixel(series.points[i]), width(series.style),
                  series.color);
  }

  void legend(const Plot& plot) {
    double y = top_ + size_;
    for (const PlotSeries& series : plot.series) {
      if (series.label.empty()) continue;
      const double x = left_ + 0.8 * size_, middle = y - 0.35 * size_;
      if (series.style == PlotSeries::Style::Dots)
        dot(Vec2(x + 0.7 * size_, middle), series.color);
      else
        draw_line(image_, Vec2(x, middle), Vec2(x + 1.4 * size_, middle), width(series.style), series.color);
      draw_text(image_, series.label, whole(x + 2 * size_), whole(y), size_, srgb(0x333333));
      y += 1.4 * size_;
    }
  }

  Image take() { return std::move(image_); }

 private:
  /// To the round numbers around it, unless it passes one by a hair; a single value gets room to both sides.
  void widen(int axis) {
    double low = box_.min()[axis], high = box_.max()[axis];
    if (!(high > low)) {
      const double room = low == 0 ? 1 : 0.1 * std::abs(low);
      low -= room;
      high += room;
    }
    ticks_[axis] = nice_ticks(low, high, 6);
    if (ticks_[axis].size() > 1) {
      const double by = step(axis), slack = 0.1 * by;
      if (high > ticks_[axis].back() + slack) ticks_[axis].push_back(high = ticks_[axis].back() + by);
      if (low < ticks_[axis].front() - slack)
        ticks_[axis].insert(ticks_[axis].begin(), low = ticks_[axis].front() - by);
    }
    box_.min()[axis] = low;
    box_.max()[axis] = high;
  }

  double step(int axis) const { return ticks_[axis].size() > 1 ? ticks_[axis][1] - ticks_[axis][0] : 1; }

  Vec2 pixel(const Vec2& value) const {
    const Vec2 share = (value - box_.min()).cwiseQuotient(box_.sizes());
    return Vec2(left_ + share.x() * (right_ - left_), bottom_ - share.y() * (bottom_ - top_));
  }

  static double width(PlotSeries::Style style) { return style == PlotSeries::Style::Line ? 2.2 : 1; }

  /// An open ring, so that dots close together stay apart.
  void dot(const Vec2& at, const Color& color) {
    constexpr int sides = 10;
    constexpr double radius = 2.6;
    for (int i = 0; i < sides; ++i) {
      const double a = 2 * M_PI * i / sides, b = 2 * M_PI * (i + 1) / sides;
      draw_line(image_, at + radius * Vec2(std::cos(a), std::sin(a)),
                at + radius * Vec2(std::cos(b), std::sin(b)), 1.1, color);
    }
  }

  Image image_;
  double size_;
  Eigen::AlignedBox2d box_;
  std::vector<double> ticks_[2];
  int left_ = 0, right_ = 0, top_ = 0, bottom_ = 0;
};

}  // namespace

Image draw_plot(const Plot& plot, int width, int height) {
  if (width < 160 || height < 120) throw InputError("a plot needs at least 160 x 120 pixels");
  Canvas canvas(plot, width, height);
  canvas.axes(plot);
  for (const PlotSeries& series : plot.series) canvas.curve(series);
  canvas.legend(plot);
  return canvas.take();
}

}  // namespace cutis
