#include "cutis/wrinkle/critical_wavelength.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cutis/wrinkle/shell/shell_face.h"

namespace cutis {
namespace {

/// cosh and sinh overflow, and K no longer changes, where the layer is this many times thicker than 1 / q.
constexpr double kDeepLayer = 20;

/// K(q) / (2 G q).
double foundation_factor(double x) {
  if (x > kDeepLayer) return 1;
  const double c = std::cosh(x), s = std::sinh(x);
  return (c * c + x * x) / (s * c - x);
}

/// Where a function of one variable with one minimum is least, by golden sections.
template <class F>
double least(double low, double high, const F& f) {
  const double ratio = (std::sqrt(5.0) - 1) / 2;
  double a = high - ratio * (high - low), b = low + ratio * (high - low);
  double fa = f(a), fb = f(b);
  while (high - low > 1e-10 * (std::abs(low) + std::abs(high) + 1)) {
    if (fa < fb) {
      high = b;
      b = a;
      fb = fa;
      a = high - ratio * (high - low);
      fa = f(a);
    } else {
      low = a;
      a = b;
      fa = fb;
      b = low + ratio * (high - low);
      fb = f(b);
    }
  }
  return (low + high) / 2;
}

double wavelength_by_law(const WrinkleOptions& options, const std::vector<LayerProperties>& layers,
                         std::size_t k, double young) {
  LayerPair pair{layers[k], k == 0 ? options.substrate : layers[k - 1], options.layers[k].poisson};
  pair.upper.young = young;
  return options.law == WavelengthLaw::Thesis ? thesis_wavelength(pair, options.law_factor)
                                              : layer_wavelength(pair);
}

}  // namespace

double thesis_wavelength(const LayerPair& pair, double c) {
  return c * std::sqrt(pair.upper.thickness * pair.lower.thickness) *
         std::pow(pair.upper.young / pair.lower.young, 1.0 / 6);
}

double layer_wavelength(const LayerPair& pair) {
  const double h = pair.upper.thickness, H = pair.lower.thickness;
  const double D = plate_modulus(pair.upper.young, pair.poisson) * h * h * h / 12;
  const double G = pair.lower.young / 3;
  // Scaled by the wavelength on a half space, D q³ = G, the minimum lies within some powers of ten.
  const double q0 = std::cbrt(G / D);
  const double log_q = least(std::log(q0) - 12, std::log(q0) + 12, [&](double log) {
    const double q = std::exp(log);
    return std::log(D * q * q + 2 * G / q * foundation_factor(q * H));
  });
  return 2 * pi / std::exp(log_q);
}

double critical_strain(double thickness, double wavelength) {
  const double slope = 2 * pi * thickness / wavelength;
  return slope * slope / 12;
}

double wrinkle_height(double wavelength, double strain, double critical_strain) {
  return wavelength / pi * std::sqrt(std::max(0.0, strain - critical_strain) / 2);
}

std::string describe_layers(const WrinkleOptions& options) {
  const std::vector<LayerProperties> layers = reference_layers(options);
  WrinkleOptions other = options;
  const bool thesis = options.law == WavelengthLaw::Thesis;
  other.law = thesis ? WavelengthLaw::Layer : WavelengthLaw::Thesis;
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < layers.size(); ++k) {
    const double h = layers[k].thickness, used = wavelength_of(options, layers, k);
    std::string part = fmt::format("layer {} has wrinkles of {:.3g} mm from {:.3g} % compression on", k + 1,
                                   1000 * used, 100 * critical_strain(h, used));
    if (layers[k].wavelength == 0) {
      const double by_other = wavelength_of(other, layers, k);
      part += fmt::format(" ({:.3g} mm and {:.3g} % by the law \"{}\")", 1000 * by_other,
                          100 * critical_strain(h, by_other), thesis ? "layer" : "thesis");
    }
    if (const double ratio = wavelength_ratio_along_fibres(options, layers, k); ratio != 1)
      part += fmt::format(", along its fibres {:.3g} mm from {:.3g} % on", 1000 * ratio * used,
                          100 * critical_strain(h, ratio * used));
    parts.push_back(part);
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::vector<LayerProperties> reference_layers(const WrinkleOptions& options) {
  std::vector<LayerProperties> layers;
  for (const WrinkleLayer& layer : options.layers) layers.push_back(layer.reference);
  return layers;
}

std::vector<LayerProperties> layers_at(const WrinkleOptions& options, const SurfacePoint& on_body) {
  std::vector<LayerProperties> layers = reference_layers(options);
  for (std::size_t k = 0; k < layers.size(); ++k)
    if (options.layers[k].painted) layers[k] = options.layers[k].painted(on_body);
  return layers;
}

double wavelength_of(const WrinkleOptions& options, const std::vector<LayerProperties>& layers,
                     std::size_t k) {
  return layers[k].wavelength > 0 ? layers[k].wavelength
                                  : wavelength_by_law(options, layers, k, layers[k].young);
}

/// Bending is what counts: a plate of D = plate_modulus h³ / 12 takes the place of one without fibres.
double wavelength_ratio_along_fibres(const WrinkleOptions& options,
                                     const std::vector<LayerProperties>& layers, std::size_t k) {
  const WrinkleLayer& layer = options.layers[k];
  if (layer.fibre_ratio == 1) return 1;
  const double young = layers[k].young;
  const double stiffer =
      young * plate_modulus(young, layer.poisson, layer.fibre_ratio) / plate_modulus(young, layer.poisson);
  return wavelength_by_law(options, layers, k, stiffer) / wavelength_by_law(options, layers, k, young);
}

}  // namespace cutis
