#pragma once

#include "cutis/core/types.h"

namespace cutis {

/// What one triangle of a shell is made of.
struct ShellFace {
  double young = 0;            ///< across the fibres, or every way where it has none [Pa]
  double thickness = 0;        ///< [m]
  Vec3 fibres = Vec3::Zero();  ///< a tangent along its fibres at rest; zero where it has none
  double fibre_ratio = 1;      ///< Young's modulus along them over that across
};

/// How stiff a strip of a layer is that can not grow narrower, along its fibres where it has some [Pa]:
/// E / (1 - ν²) + (fibre_ratio - 1) E.
double plate_modulus(double young, double poisson, double fibre_ratio = 1);

/// The homogeneous material that stretches and bends as several pieces do together: means of E h and of E h³,
/// and of what fibres add along the direction that they have in the mean.
class ShellMean {
 public:
  void add(const ShellFace& face, double area);
  double area() const { return area_; }
  /// Some area must have been added.
  ShellFace face() const;

 private:
  double stretching_ = 0, bending_ = 0, area_ = 0;
  Mat3 fibres_ = Mat3::Zero();
};

}  // namespace cutis
