#pragma once

#include <array>

#include "cutis/energy/energy_jet.h"
#include "cutis/material/membrane/membrane_material.h"

namespace cutis {

/// A triangle that is fixed in space while skin moves through it: what it knows of the skin that is there.
struct MaterialTriangle {
  Mat32 sides = Mat32::Zero();  ///< its two sides from the first corner, in space now [m]
  /// From the axes of the fibres, without stress, to the skin as it lies at rest, in whose plane its columns
  /// lie: fibre direction and pre-stretch (a rotation where there is none).
  Mat32 to_rest = Mat32::Zero();
  bool isotropic = true;   ///< `to_rest` is not needed: no pre-stretch, and the material has no fibres
  double thickness = 0;    ///< of skin without stress, times the factor on the material [m]
  double compression = 1;  ///< as in MembraneElement
};

/// The columns of `tensor`, turned with the plane that they span into the plane of `normal`.
Mat32 turned_into_plane(const Mat32& tensor, const Vec3& normal);

/// The elastic energy of a triangle as a function of the places X, on the skin at rest, of what is at its
/// corners: W(X) = thickness A(X) w(F), F = D_x R⁻¹, where D_X = Q R (Thin Skin Elastodynamics, Eqs. 1-3).
///
/// The derivative by R is the Eshelby stress, thickness A (w I - FᵀP) R⁻ᵀ. It grows without bound as the
/// triangle's corners close in on a line, for then the stretch does; on a curved skin, though, three points
/// of one path do not lie on a line.
class MaterialPositionEnergy {
 public:
  /// `corners`: X [m]. The material must outlive it.
  MaterialPositionEnergy(const MembraneMaterial& material, const MaterialTriangle& triangle,
                         const std::array<Vec3, 3>& corners);

  /// Area of the skin in the triangle at rest [m²].
  double area() const { return area_; }
  /// Unit normal of the corners, zero where there is no area.
  const Vec3& normal() const { return normal_; }
  /// The elastic F.
  const Mat32& deformation() const { return F_; }

  double energy() const;               ///< [J]; infinite where there is no area
  EnergyGradient<3> gradient() const;  ///< by the positions of the corners
  /// By the positions of the corners, which move in two directions each (the Hessian).
  TangentJet<3> evaluate(const std::array<Mat32, 3>& directions, double projected_share) const;

 private:
  const MembraneMaterial& material_;
  const MaterialTriangle& triangle_;
  Mat32 frame_;             ///< Q
  Mat2 inverse_, to_rest_;  ///< R⁻¹, and to_rest in the frame
  Vec3 normal_ = Vec3::Zero();
  double area_ = 0, factor_ = 0;  ///< factor: volume without stress over twice the area
  Mat32 total_, F_;               ///< D_x R⁻¹, and with to_rest

  Eigen::Matrix<double, 9, 1> by_corners(const Mat2& by_R) const;
};

}  // namespace cutis
