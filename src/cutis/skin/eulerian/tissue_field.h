#pragma once

#include <array>

#include "cutis/energy/material_position_energy.h"
#include "cutis/skin/eulerian/eulerian_options.h"
#include "cutis/skin/problem/skin_elements.h"
#include "cutis/surface/map/surface_point.h"
#include "cutis/surface/mesh/surface.h"

namespace cutis {

/// What skin is made of at each of its points. It belongs to the skin: where skin flows through a triangle of
/// the body, the triangle sees the mean over what is at its corners.
class TissueField {
 public:
  using Corners = std::array<SurfacePoint, 3>;

  TissueField(const Surface& rest, const SkinElements& elements, const EulerianOptions& options);

  /// Thickness times the factor on the material [m].
  double stiff_thickness(const SurfacePoint& p) const { return at(stiff_thickness_, p); }
  /// How that changes with the barycentrics b1 and b2 of p.
  Vec2 stiff_thickness_slope(const SurfacePoint& p) const;
  bool even() const { return even_; }  ///< stiff_thickness() is the same everywhere
  double mass(const SurfacePoint& p) const { return at(mass_, p); }  ///< per rest area [kg/m²]
  double compression(const SurfacePoint& p) const { return at(compression_, p); }

  bool isotropic() const { return frames_.empty(); }
  /// MaterialTriangle::to_rest of the skin between these points.
  Mat32 to_rest(const Corners& corners) const;

 private:
  const Mesh& mesh_;
  IdVector<VertexId, double> stiff_thickness_, mass_, compression_;
  bool even_ = true;
  std::vector<Mat32> frames_;  ///< to_rest of each face; empty where it has neither direction nor pre-stretch

  double at(const IdVector<VertexId, double>& values, const SurfacePoint& p) const {
    return interpolate(mesh_, values, p);
  }
};

}  // namespace cutis
