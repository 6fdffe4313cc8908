#pragma once

#include "cutis/material/membrane/membrane_material.h"

namespace cutis {

/// F = a u1 v1ᵀ + b u2 v2ᵀ with a >= b >= 0, and the unit normal n = u1 x u2. Every F has one, also those
/// without area: directions that F leaves open are chosen.
struct StretchFrame {
  double a = 1, b = 1;
  Vec2 v1 = Vec2::UnitX(), v2 = Vec2::UnitY();
  Vec3 u1 = Vec3::UnitX(), u2 = Vec3::UnitY(), n = Vec3::UnitZ();
};
StretchFrame stretch_frame(const Mat32& F);

/// An isotropic energy W(a, b) = W(b, a) with its derivatives, and the curvatures of the four modes that turn
/// the frame. Each law gives those in a form that does not divide by a - b.
struct StretchJet {
  double energy = 0;
  double da = 0, db = 0;
  double daa = 0, dab = 0, dbb = 0;
  double twist = 0;               ///< (W_a + W_b) / (a + b)
  double flip = 0;                ///< (W_a - W_b) / (a - b)
  double lift_a = 0, lift_b = 0;  ///< W_a / a and W_b / b

  StretchJet& operator+=(const StretchJet& other);
};

/// Sets the four modes that turn the frame to the quotients of the derivatives, which must be there: for laws
/// without a closed form of them. They are bounded where there is no stretch left.
void set_turning_modes(double a, double b, StretchJet& jet);

/// Adds the stress of an isotropic law, with its energy or its largest eigenvalue; the last one its Hessian,
/// too. That is assembled from its eigen-system, so that all of its negative eigenvalues, or a share of each,
/// can be taken out exactly.
void add_isotropic_stress(const StretchFrame& frame, const StretchJet& jet, MembraneStress& stress);
void add_isotropic_stress(const StretchFrame& frame, const StretchJet& jet, StiffStress& stress);
void add_isotropic(const StretchFrame& frame, StretchJet jet, double projected_share,
                   MembraneResponse& response);

}  // namespace cutis
