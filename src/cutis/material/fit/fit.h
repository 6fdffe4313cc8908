#pragma once

#include <span>
#include <string>
#include <vector>

#include "cutis/core/types.h"
#include "cutis/material/membrane/skin_law.h"

namespace cutis {

/// One test of a sheet of skin: stretches and first Piola-Kirchhoff stresses [Pa] along two axes.
struct StretchTest {
  enum class Kind {
    Biaxial,   ///< both axes are held and measured
    Uniaxial,  ///< pulled along x, free to narrow: only the x entries count
  };
  struct Point {
    Vec2 stretch = Vec2::Ones();
    Vec2 stress = Vec2::Zero();
    double angle = 0;  ///< uniaxial: of the pull to the fibres [rad]
  };
  std::string name;
  Kind kind = Kind::Biaxial;
  std::vector<Point> points;
};

struct FitOptions {
  MaterialModel model = MaterialModel::Fung;
  int fibres = 1;
  int starts = 32;  ///< local searches from different places, of which the best counts
};

struct MaterialFit {
  SkinLaw law;  ///< constants rounded to six digits
  /// Of the fibres to the x axis of the biaxial tests, in (-pi/2, pi/2] [rad]. Stresses along the axes do not
  /// tell it from its mirror image; two families are taken to lie evenly about one of the axes: 0 or pi/2.
  double direction = 0;
  double residual = 0;  ///< |predicted - measured| / |measured| over all stresses of all tests
};

/// Fits a material to tests by bounded least squares. With uniaxial tests alone Poisson's ratio cannot be
/// seen and is taken as 0.5 (skin keeps its volume). Throws InputError when there are fewer stresses than
/// constants or no stress at all.
MaterialFit fit_material(std::span<const StretchTest> tests, const FitOptions& options);

/// The stresses that a fit gives at a point of a test [Pa].
Vec2 predicted_stress(const MaterialFit& fit, StretchTest::Kind kind, const StretchTest::Point& point);

}  // namespace cutis
