#include "cutis/picture/draw/color_map.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace cutis {
namespace {

// Evenly spaced stops in sRGB. Viridis and magma: matplotlib (CC0). Diverging: ColorBrewer's RdBu turned
// round (Apache-2.0).
constexpr std::array<std::uint32_t, 9> kViridis{0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c,
                                                0x28ae80, 0x5ec962, 0xaddc30, 0xfde725};
constexpr std::array<std::uint32_t, 10> kMagma{0x000004, 0x180f3d, 0x440f76, 0x721f81, 0x9e2f7f,
                                               0xcd4071, 0xf1605d, 0xfd9668, 0xfeca8d, 0xfcfdbf};
constexpr std::array<std::uint32_t, 11> kDiverging{0x053061, 0x2166ac, 0x4393c3, 0x92c5de, 0xd1e5f0, 0xf7f7f7,
                                                   0xfddbc7, 0xf4a582, 0xd6604d, 0xb2182b, 0x67001f};
constexpr std::size_t kTable = 1024;

std::span<const std::uint32_t> stops(ColorMap map) {
  if (map == ColorMap::Viridis) return kViridis;
  if (map == ColorMap::Magma) return kMagma;
  return kDiverging;
}

/// Mixes neighbouring stops in encoded sRGB, where equal steps look equal.
Color interpolate(std::span<const std::uint32_t> hex, float t) {
  const float place = t * float(hex.size() - 1);
  const std::size_t i = std::min<std::size_t>(static_cast<std::size_t>(place), hex.size() - 2);
  const float s = place - float(i);
  Color color;
  for (int c = 0; c < 3; ++c) {
    const auto channel = [&](std::uint32_t h) { return float(h >> (16 - 8 * c) & 255u) / 255; };
    color[c] = decode_srgb((1 - s) * channel(hex[i]) + s * channel(hex[i + 1]));
  }
  return color;
}

using Table = std::array<Color, kTable + 1>;

const Table& table(ColorMap map) {
  static const auto all = [] {
    std::array<Table, 3> tables;
    for (int m = 0; m < 3; ++m)
      for (std::size_t i = 0; i <= kTable; ++i)
        tables[std::size_t(m)][i] = interpolate(stops(static_cast<ColorMap>(m)), float(i) / kTable);
    return tables;
  }();
  return all[static_cast<std::size_t>(map)];
}

/// The smallest of 1, 2, 5 times a power of ten that is not below x.
double round_step(double x) {
  const double power = std::pow(10.0, std::floor(std::log10(x)));
  const double m = x / power;
  return power * (m <= 1 ? 1 : m <= 2 ? 2 : m <= 5 ? 5 : 10);
}

}  // namespace

Color color_at(ColorMap map, double t) {
  if (std::isnan(t)) return Color(0.5f, 0.5f, 0.5f);
  const double place = std::clamp(t, 0.0, 1.0) * kTable;
  return table(map)[static_cast<std::size_t>(std::lround(place))];
}

ColorScale fit_scale(std::span<const double> values, ColorMap map, std::string title, std::string unit) {
  std::vector<double> finite;
  for (double v : values)
    if (std::isfinite(v)) finite.push_back(v);
  ColorScale scale{map, 0, 1, std::move(title), std::move(unit)};
  if (finite.empty()) return scale;
  const auto percentile = [&](double p) {
    const auto k = static_cast<std::ptrdiff_t>(std::lround(p * double(finite.size() - 1)));
    std::nth_element(finite.begin(), finite.begin() + k, finite.end());
    return finite[static_cast<std::size_t>(k)];
  };
  double low = percentile(0.01), high = percentile(0.99);
  if (map == ColorMap::Diverging) {
    high = std::max(std::abs(low), std::abs(high));
    low = -high;
  } else if (low > 0 && low < 0.3 * high) {
    low = 0;
  }
  if (!(high > low)) {
    // A constant field still gets a bar with two ends; zero gets a bar of one unit.
    const double room = high != 0 ? 0.5 * std::abs(high) : 1;
    low = map == ColorMap::Diverging || high < 0 ? high - room : std::min(low, low > 0 ? 0.0 : low);
    high += room;
  }
  const double step = round_step((high - low) / 10);
  scale.low = std::floor(low / step + 1e-9) * step;
  scale.high = std::ceil(high / step - 1e-9) * step;
  return scale;
}

std::vector<double> nice_ticks(double low, double high, int count) {
  if (!(high > low) || !std::isfinite(high - low) || count < 1) return {};
  const double step = round_step((high - low) / count);
  std::vector<double> ticks;
  for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k)
    ticks.push_back(k * step);
  return ticks;
}

std::string tick_label(double value, double step) {
  if (std::abs(value) < 1e-9 * step) return "0";
  if (std::abs(value) >= 1e5 || step < 1e-4) return fmt::format("{:.3g}", value);
  const int digits = std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
  return fmt::format("{:.{}f}", value, digits);
}

}  // namespace cutis
