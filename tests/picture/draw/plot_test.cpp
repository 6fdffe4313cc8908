#include "cutis/picture/draw/plot.h"

#include <cmath>

#include <gtest/gtest.h>

#include "cutis/core/error.h"

namespace cutis {
namespace {

/// How many pixels are nearly of this colour, and where their middle lies.
struct Found {
  int count = 0;
  Vec2 middle = Vec2::Zero();
};
Found find(const Image& image, int red, int green, int blue) {
  Found found;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      const unsigned char* p = image.pixel(x, y);
      if (std::abs(p[0] - red) + std::abs(p[1] - green) + std::abs(p[2] - blue) > 30) continue;
      ++found.count;
      found.middle += Vec2(x, y);
    }
  if (found.count > 0) found.middle /= found.count;
  return found;
}

TEST(Plot, PutsPointsWhereTheirValuesAre) {
  // A red line along the bottom and a blue one along the right edge of the axes; dots in the upper left.
  Plot plot;
  plot.title = "title";
  plot.series.push_back({"", srgb(0xff0000), PlotSeries::Style::Line, {Vec2(0, 0), Vec2(10, 0)}});
  plot.series.push_back({"", srgb(0x0000ff), PlotSeries::Style::Line, {Vec2(10, 0), Vec2(10, 4)}});
  plot.series.push_back({"", srgb(0x00ff00), PlotSeries::Style::Dots, {Vec2(1, 4), Vec2(NAN, 1)}});
  const Image image = draw_plot(plot, 400, 300);
  EXPECT_EQ(image.width, 400);
  EXPECT_EQ(image.height, 300);
  const Found red = find(image, 255, 0, 0), blue = find(image, 0, 0, 255), green = find(image, 0, 255, 0);
  EXPECT_GT(red.count, 250);
  EXPECT_GT(blue.count, 150);
  EXPECT_GT(green.count, 4);
  EXPECT_NEAR(red.middle.x(), 210, 25);
  EXPECT_GT(red.middle.y(), 240);
  EXPECT_GT(blue.middle.x(), 370);
  EXPECT_LT(green.middle.x(), 100);
  EXPECT_LT(green.middle.y(), 80);
}

TEST(Plot, SaysWhenThereIsNothingToShow) {
  Plot plot;
  EXPECT_THROW(draw_plot(plot, 400, 300), InputError);
  plot.series.push_back({"one", srgb(0xff0000), PlotSeries::Style::Dots, {Vec2(1, NAN)}});
  EXPECT_THROW(draw_plot(plot, 400, 300), InputError);
  plot.series[0].points.push_back(Vec2(3, 3));
  EXPECT_NO_THROW(draw_plot(plot, 400, 300));
  EXPECT_THROW(draw_plot(plot, 40, 30), InputError);
}

}  // namespace
}  // namespace cutis
