#pragma once

#include <span>

#include "cutis/material/scalar_jet.h"

namespace cutis {

/// Young's modulus of the stiff phase over that of the soft one, where nobody says.
constexpr double kUsualStiffening = 10;

/// How much something is deformed, for membranes (two principal stretches) and solids (three) alike: the
/// largest |ln stretch|, the same for twice as long and half as long. Zero at rest, infinite when collapsed.
double deformation_measure(std::span<const double> stretches);

/// What one ratio of sizes (a principal stretch, a volume ratio) adds in the stiff phase: nothing while
/// |ln ratio| <= start, the full stiffness d²w/ds² from |ln ratio| = end on, and a smooth ramp between, so
/// that w is C3 and convex. Below exp(-end) it is a parabola, through zero and on to negative ratios: an
/// inverted solid is pushed back. For membranes and solids.
class BiphasicRamp {
 public:
  /// `stiffness` [Pa]; 0 <= start < end.
  BiphasicRamp(double stiffness, double start, double end);
  double energy(double ratio) const;  ///< [J/m³]
  ScalarJet jet(double ratio) const;  ///< with its derivatives by the ratio
  /// (w'(a) - w'(b)) / (a - b), w'' where they are equal; to rounding however close they are.
  double divided_difference(double a, double b) const;
  double short_start() const { return short_start_; }  ///< the ratio below one at which it begins

 private:
  double stiffness_, long_start_, long_width_, short_start_, short_width_;
};

}  // namespace cutis
