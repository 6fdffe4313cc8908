#pragma once

#include <functional>
#include <vector>

#include "cutis/material/membrane/stretch_modes.h"
#include "cutis/material/scalar_jet.h"

namespace cutis {

/// Relaxation of a membrane in compression: tension field theory (Pipkin 1986, "The relaxed energy density
/// for isotropic elastic membranes"; Steigmann 1990; Le Dret and Raoult 1995). A sheet without stiffness in
/// bending never carries compression: it folds into wrinkles finer than the mesh, and its energy is the least
/// W(a + c, b + d) over c, d >= 0, the lengths that wrinkles take up. For an isotropic law that is
///   W(a, b) where both directions are in tension,
///   W(a, n(a)) where b is below the natural width n(a), at which a sheet pulled to a is free across,
///   0 where both are below 1.
/// Skin does bend, on soft tissue: compression holds up to a critical strain of 0.03 and stays at its
/// critical stress from there on, which also makes the energy C2. W itself is met exactly wherever nothing
/// wrinkles, the rest state included.
class Wrinkling {
 public:
  using Law = std::function<StretchJet(double, double)>;
  /// Of this isotropic law.
  explicit Wrinkling(const Law& law);

  /// A value with its derivatives by a and b.
  struct Part {
    double value = 0, da = 0, db = 0, daa = 0, dab = 0, dbb = 0;
  };
  struct State {
    bool taut = true;  ///< no wrinkles: the material's own stretches are a and b
    Part a, b;         ///< the material's own stretches a + c and b + d
    Part buckling;     ///< energy of the wrinkles [J/m³]
  };
  State state(double a, double b) const;

  /// Of the relaxed energy: `material` is the law's jet at the material's own stretches.
  static StretchJet jet(double a, double b, const State& state, const StretchJet& material);

 private:
  /// n over 1 / stretch from 0 to 1, as a cubic spline: C2.
  std::vector<double> width_, curvature_;
  double stiffness_;  ///< W_bb at rest [Pa]

  ScalarJet natural_width(double stretch) const;
  /// One direction of stretch `along`, with derivatives in the order along, across.
  struct Direction {
    Part stretch, energy;
  };
  Direction direction(double along, double across) const;
};

}  // namespace cutis
