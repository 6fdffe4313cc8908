#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/picture/draw/color_map.h"
#include "cutis/picture/draw/compose.h"
#include "cutis/picture/draw/text.h"
#include "cutis/picture/render/image.h"
#include "cutis/picture/render/texture.h"

namespace cutis {
namespace {

const Color kWhite = Color::Ones(), kBlack = Color::Zero();

int ink_outside(const Image& image, int left, int top, int right, int bottom) {
  int count = 0;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x)
      count += image.pixel(x, y)[1] < 255 && !(x >= left && x < right && y >= top && y < bottom);
  return count;
}

TEST(Image, SrgbGoesThereAndBack) {
  for (int i = 0; i < 256; ++i) {
    unsigned char pixel[3];
    store(pixel, srgb(std::uint32_t(i) << 16 | std::uint32_t(255 - i) << 8 | 7u));
    EXPECT_EQ(pixel[0], i);
    EXPECT_EQ(pixel[1], 255 - i);
    EXPECT_EQ(pixel[2], 7);
  }
  EXPECT_NEAR(decode_srgb(0.5f), 0.21404f, 1e-5f);  // IEC 61966-2-1
}

TEST(Image, ALineCoversItsWidthTimesItsLength) {
  Image image = blank(80, 60, kWhite);
  draw_line(image, Vec2(12.3, 8.1), Vec2(66.2, 48.7), 3, kBlack);
  double ink = 0;
  for (unsigned char byte : image.data) ink += (255 - byte) / (3.0 * 255);
  const double length = std::hypot(66.2 - 12.3, 48.7 - 8.1);
  EXPECT_NEAR(ink, 3 * length + 3, 5);  // round ends add a little
}

TEST(Image, PastingOutsideIsCut) {
  Image image = blank(10, 10, kWhite);
  const Image black = blank(6, 6, kBlack);
  paste(image, black, -3, 7);
  paste(image, black, 50, 50);
  EXPECT_EQ(ink_outside(image, 0, 7, 3, 10), 0);
  EXPECT_EQ(image.pixel(2, 9)[0], 0);
}

TEST(Text, FillsItsBoxAndNothingElse) {
  for (double size : {11.0, 24.0}) {
    Image image = blank(400, 80, kWhite);
    const std::string text = "Slide [mm] Ågj é 3.5 µ";
    const TextBox box = measure_text(text, size);
    draw_text(image, text, 20, 45, size, kBlack);
    EXPECT_EQ(ink_outside(image, 19, 45 - box.ascent, 21 + box.width, 46 + box.descent), 0);
    EXPECT_GT(ink_outside(image, 0, 0, 0, 0), int(box.width * size / 8));
    // It reaches the end of the box: the last letters are there.
    EXPECT_GT(ink_outside(image, 0, 0, 20 + box.width - int(size), 80), 0);
  }
}

TEST(Text, AlignmentMovesItByItsWidth) {
  const int width = measure_text("cutis", 20).width;
  Image left = blank(200, 40, kWhite), right = left;
  draw_text(left, "cutis", 50, 25, 20, kBlack);
  draw_text(right, "cutis", 50 + width, 25, 20, kBlack, Align::Right);
  EXPECT_EQ(ink_outside(left, 49, 0, 51 + width, 40), 0);
  EXPECT_EQ(ink_outside(right, 49, 0, 51 + width, 40), 0);
}

TEST(Text, BrokenUtf8IsDrawnAsBoxes) {
  Image image = blank(200, 40, kWhite);
  draw_text(image, "a\xff\xc3", 10, 25, 20, kBlack);
  EXPECT_GT(measure_text("a\xff\xc3", 20).width, measure_text("a", 20).width);
}

TEST(Text, IsCutToFit) {
  const std::string text = "a rather long caption é é é é";
  const std::string cut = fit_text(text, 16, 120);
  EXPECT_LE(measure_text(cut, 16).width, 120);
  EXPECT_GT(measure_text(cut, 16).width, 90);
  EXPECT_EQ(fit_text(text, 16, 2000), text);
  for (int width = 0; width < 300; ++width)
    EXPECT_EQ(fit_text(text, 16, width).find("\xc3…"), std::string::npos);
}

TEST(ColorMap, EndsAreTheKnownColours) {
  const auto hex = [](const Color& c) {
    unsigned char p[3];
    store(p, c);
    return p[0] << 16 | p[1] << 8 | p[2];
  };
  EXPECT_EQ(hex(color_at(ColorMap::Viridis, 0)), 0x440154);
  EXPECT_EQ(hex(color_at(ColorMap::Viridis, 1)), 0xfde725);
  EXPECT_EQ(hex(color_at(ColorMap::Diverging, 0.5)), 0xf7f7f7);
  EXPECT_EQ(hex(color_at(ColorMap::Magma, -3)), 0x000004);
  EXPECT_EQ(hex(color_at(ColorMap::Viridis, NAN)), hex(Color(0.5f, 0.5f, 0.5f)));
}

TEST(ColorMap, SequentialMapsOnlyGetLighter) {
  for (ColorMap map : {ColorMap::Viridis, ColorMap::Magma}) {
    float last = -1;
    for (int i = 0; i <= 100; ++i) {
      const Color c = color_at(map, i / 100.0);
      const float light = 0.2126f * c[0] + 0.7152f * c[1] + 0.0722f * c[2];
      EXPECT_GT(light, last);
      last = light;
    }
  }
}

TEST(ColorMap, TicksAreRoundAndInside) {
  EXPECT_EQ(nice_ticks(0, 10, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-3, 3);
  for (int i = 0; i < 200; ++i) {
    const double low = uniform(random), high = low + std::pow(10, uniform(random));
    const std::vector<double> ticks = nice_ticks(low, high, 5);
    ASSERT_GE(ticks.size(), 2u);
    EXPECT_LE(ticks.size(), 7u);
    EXPECT_GE(ticks.front(), low - 1e-6 * (high - low));
    EXPECT_LE(ticks.back(), high + 1e-6 * (high - low));
  }
  EXPECT_EQ(tick_label(0.30000000000000004, 0.1), "0.3");
  EXPECT_EQ(tick_label(-1e-18, 0.5), "0");
}

TEST(ColorMap, AScaleHoldsItsField) {
  const std::vector<double> values{0.02, 0.5, 3.7, NAN};
  const ColorScale scale = fit_scale(values, ColorMap::Viridis, "slide", "mm");
  EXPECT_EQ(scale.low, 0);
  EXPECT_GE(scale.high, 3.7);
  EXPECT_LE(scale.high, 4.2);
  const ColorScale both = fit_scale(values, ColorMap::Diverging, "strain", "");
  EXPECT_EQ(both.low, -both.high);
  for (double constant : {-2.0, 0.0, 5.0}) {
    const ColorScale flat = fit_scale(std::vector<double>{constant, constant}, ColorMap::Viridis, "", "");
    EXPECT_LT(flat.low, flat.high);
    EXPECT_LE(flat.low, constant);
    EXPECT_GE(flat.high, constant);
  }
}

TEST(Legend, TicksLieAtTheirColours) {
  ColorScale scale{ColorMap::Viridis, -1, 4, "slide", "mm"};
  Image image = blank(640, 360, kWhite);
  const LegendBar bar = draw_legend(image, scale);
  EXPECT_EQ(bar.ticks, (std::vector<double>{-1, 0, 1, 2, 3, 4}));
  for (double value : {-0.9, 0.55, 3.3}) {
    const int row = static_cast<int>(bar.row(scale, value));
    unsigned char expected[3];
    store(expected, scale.color(value));
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(image.pixel(bar.x + 2, row)[c], expected[c], 4) << value;
  }
  // Labels stand right of the bar, the title above; nothing is drawn left of either.
  EXPECT_GT(ink_outside(image, 0, 0, bar.x + bar.width + 2, 360), 20);
  EXPECT_EQ(ink_outside(image, 480, 0, 640, 360), 0);
}

TEST(Compose, PanelsLieWhereTheyBelong) {
  const Image black = blank(100, 80, kBlack);
  const Image page =
      contact_sheet({{black, "one"}, {black, ""}, {blank(60, 40, kBlack), "three"}}, 2, "Title");
  double ink = 0;
  for (unsigned char byte : page.data) ink += byte == 0;
  EXPECT_NEAR(ink / 3, 2 * 100 * 80 + 60 * 40, 200);
  EXPECT_GT(page.width, 200);
  EXPECT_GT(page.height, 160);
  EXPECT_THROW(contact_sheet({}, 2, ""), InputError);
}

TEST(Texture, TopLeftIsUZeroVOne) {
  Raster image(2, 2);
  image.pixel(0, 0)[0] = 255;
  image.pixel(1, 1)[1] = 255;
  const Texture texture(image);
  EXPECT_NEAR(texture.sample(Vec2(0.25, 0.75), 0)[0], 1, 1e-6);
  EXPECT_NEAR(texture.sample(Vec2(0.75, 0.25), 0)[1], 1, 1e-6);
  EXPECT_NEAR(texture.sample(Vec2(-0.75, 3.75), 0)[0], 1, 1e-6);  // repeats
  EXPECT_TRUE(texture.sample(Vec2(1e300, -1e300), 0).isFinite().all());
  EXPECT_TRUE(checker_color(Vec2(1e308, -1e300), 0, 24).isFinite().all());
  EXPECT_TRUE(checker_color(Vec2(0.5, 0.5), 0, 0).isFinite().all());
  EXPECT_NEAR(texture.sample(Vec2(0.4, 0.1), 10)[0], 0.25, 1e-6);  // far away: the mean
}

TEST(Checker, CellsAlternateAndMeltFromAfar) {
  const auto light = [](const Color& c) { return 0.2126f * c[0] + 0.7152f * c[1] + 0.0722f * c[2]; };
  const int cells = 8;
  for (int i = 0; i < cells; ++i)
    for (int j = 0; j + 1 < cells; ++j) {
      const Color a = checker_color(Vec2(i + 0.5, j + 0.5) / cells, 0, cells);
      const Color b = checker_color(Vec2(i + 0.5, j + 1.5) / cells, 0, cells);
      EXPECT_EQ(light(a) > light(b), (i + j) % 2 == 0);
      EXPECT_GT(std::abs(light(a) - light(b)), 0.1f);
      // The mean over two cells each way is half light, half dark.
      const Color middle = checker_color(Vec2(i + 0.5, j + 0.5) / cells, 2.0 / cells, cells);
      EXPECT_LT(light(middle), std::max(light(a), light(b)));
      EXPECT_GT(light(middle), std::min(light(a), light(b)));
    }
  // The same cell, the same colour: that is what an eye follows.
  EXPECT_TRUE((checker_color(Vec2(0.30, 0.30), 0, 8) == checker_color(Vec2(0.35, 0.33), 0, 8)).all());
  EXPECT_FALSE((checker_color(Vec2(0.30, 0.30), 0, 8) == checker_color(Vec2(0.80, 0.80), 0, 8)).all());
}

}  // namespace
}  // namespace cutis
