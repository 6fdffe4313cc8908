#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "cutis/core/types.h"
#include "cutis/material/membrane/skin_law.h"
#include "cutis/surface/map/surface_point.h"

namespace cutis {

/// What a layer of skin is made of at one place.
struct LayerProperties {
  double young = 0;       ///< [Pa]
  double thickness = 0;   ///< [m]
  double wavelength = 0;  ///< of its wrinkles [m]; 0: follows from the layers
};

/// One shell of layered skin.
struct WrinkleLayer {
  LayerProperties reference;  ///< where nothing is painted
  double poisson = 0.5;
  double density = 1100;  ///< [kg/m³]
  /// Young's modulus along the fibres, WrinkleOptions::fibres, over that across them, `young`.
  double fibre_ratio = 1;
  /// What is painted, at a point of body.triangles() at rest; empty: the reference everywhere. Called from
  /// several threads at once.
  std::function<LayerProperties(const SurfacePoint&)> painted;
  /// Of its membrane; its Young's modulus and Poisson's ratio are those above. NeoHookean with another ratio
  /// than 0.5 is StableNeoHookean.
  SkinLaw law{.model = MaterialModel::NeoHookean};
};

/// Dermis and epidermis (Li 2014, section 5.2).
std::vector<WrinkleLayer> default_layers();

enum class WavelengthLaw {
  Thesis,  ///< Li 2014, Eq. 3.1, with the factor c
  Layer    ///< of a film on a soft layer of any thickness
};
enum class WrinkleSolver {
  Static,  ///< equilibrium at each frame (Li 2014, Eq. 5.1)
  Dynamic  ///< with inertia and damping (Eq. 5.2)
};
enum class LayerCoupling {
  BottomUp,  ///< each layer on what the one below it has become (Li 2014, Eq. 5.1)
  Both       ///< all together: lower layers bear what upper ones ask of them
};

struct WrinkleOptions {
  std::vector<WrinkleLayer> layers;            ///< from the bottom up
  LayerProperties substrate{0.5e6, 0.015, 0};  ///< the body below them, which is not simulated
  WavelengthLaw law = WavelengthLaw::Thesis;
  double law_factor = 1;  ///< c of Eq. 3.1
  WrinkleSolver solver = WrinkleSolver::Static;
  LayerCoupling coupling = LayerCoupling::BottomUp;
  std::vector<char> region;  ///< triangles of the body that wrinkle; empty: all
  std::vector<Vec3> fibres;  ///< unit tangents at rest, one for each triangle of the body; empty: none
  double fade = 1;           ///< how far from the region's border wrinkles are at full height [wavelengths]
  double support = 0.3;      ///< radius of a constraint [wavelengths]
  double give = 0;           ///< elastic give of the thickness constraint [m/Pa]; 0 with LayerCoupling::Both
  double edge = 0.1;         ///< longest edge where it wrinkles [wavelengths]
  double imperfection = 0.01;  ///< root mean square height of the rest shape's imperfection [thicknesses]
  std::uint64_t seed = 1;      ///< of clusters and imperfection
  double load_step = 0.03;     ///< largest change of the body's compression in one solve
  double damping = 0;          ///< [1/s]
  bool adaptive = true;        ///< whether the meshes are remeshed as they wrinkle
  double smallest_edge = 0;    ///< of adaptive meshes [m]; 0: 1/20 of the wavelength, or edge / 2
  double even_edge = 0;        ///< above 0: edges of the first mesh, and of fixed ones, everywhere [m]
  bool contact = true;         ///< whether layers keep off each other and off themselves
  int max_vertices = 100000;   ///< of one layer's mesh
  double tolerance = 1e-5;     ///< of Newton's method
  int max_iterations = 200;
};

}  // namespace cutis
