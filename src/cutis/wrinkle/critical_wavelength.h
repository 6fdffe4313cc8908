#pragma once

#include <string>
#include <vector>

#include "cutis/wrinkle/wrinkle_options.h"

namespace cutis {

/// A stiff layer on a softer one, at one place.
struct LayerPair {
  LayerProperties upper, lower;
  double poisson = 0.5;  ///< of the upper one
};

/// The wavelength at which the upper layer buckles [m]: Li 2014, Eq. 3.1 with the factor c,
/// λ = c (h H)^(1/2) (E / E_lower)^(1/6), which holds where the lower layer is thinner than a wavelength.
double thesis_wavelength(const LayerPair& pair, double c = 1);

/// The same for a lower layer of any thickness H that is incompressible and rests on something rigid: where
/// D q² + K(q) / q² is least, D = E h³ / (12 (1 - ν²)) and
/// K(q) = 2 G q (cosh² x + x²) / (sinh x cosh x - x), x = q H, G = E_lower / 3 (Biot's foundation).
double layer_wavelength(const LayerPair& pair);

/// The compressive strain at which a layer of thickness h buckles into this wavelength:
/// D q² over its stiffness E h / (1 - ν²), (2 π h / λ)² / 12.
double critical_strain(double thickness, double wavelength);

/// Root mean square height of sinusoidal wrinkles that take up all compression beyond the critical one [m]:
/// (λ / π) sqrt((ε - ε_c) / 2); 0 below it.
double wrinkle_height(double wavelength, double strain, double critical_strain);

/// All layers, bottom up, where nothing is painted and at a point of body.triangles().
std::vector<LayerProperties> reference_layers(const WrinkleOptions& options);
std::vector<LayerProperties> layers_at(const WrinkleOptions& options, const SurfacePoint& on_body);

/// What the options say of the wavelength of layer `k` at a place where the layers are these [m].
double wavelength_of(const WrinkleOptions& options, const std::vector<LayerProperties>& layers,
                     std::size_t k);
/// Wrinkles whose waves run along the fibres of layer `k` are this many times as long.
double wavelength_ratio_along_fibres(const WrinkleOptions& options,
                                     const std::vector<LayerProperties>& layers, std::size_t k);

/// "layer 1 has wrinkles of 6.24 mm from 14.3 % compression on (11.3 mm and 4.34 % by the law \"layer\");
/// ...": of each layer as it is where nothing is painted, by the law that is used and by the other one.
std::string describe_layers(const WrinkleOptions& options);

}  // namespace cutis
