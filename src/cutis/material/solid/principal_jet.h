#pragma once

#include "cutis/material/biphasic_ramp.h"
#include "cutis/material/scalar_jet.h"
#include "cutis/material/solid/signed_svd.h"
#include "cutis/material/solid/solid_material.h"

namespace cutis {

/// An isotropic energy W(s1, s2, s3) of the signed principal stretches, the same for any order of them, with
/// its derivatives and the curvatures of the six modes that turn the principal directions. Entry k of twist
/// and flip is that of the other two stretches, i and j.
struct PrincipalJet {
  double energy = 0;
  Vec3 first = Vec3::Zero();   ///< W_i
  Mat3 second = Mat3::Zero();  ///< W_ij
  Vec3 twist = Vec3::Zero();   ///< (W_i + W_j) / (s_i + s_j)
  Vec3 flip = Vec3::Zero();    ///< (W_i - W_j) / (s_i - s_j)

  // Sums of three kinds of functions, none of which divides by s_i - s_j. Those of the first two are smooth
  // in F wherever f and g are.

  /// f(I), I = s1² + s2² + s3².
  void add_function_of_squares(const ScalarJet& f, const Vec3& s);
  /// g(J), J = s1 s2 s3.
  void add_function_of_volume(const ScalarJet& g, const Vec3& s);
  /// w(s1) + w(s2) + w(s3). Where s2 = -s3 it has a ridge unless w'(0) = 0: which of the two directions is
  /// the inverted one is open there.
  void add_ramp(const BiphasicRamp& w, const Vec3& s);
};

/// s_i + s_j, which s1 >= s2 >= |s3| keeps from being negative, as a divisor: bounded so that the exact
/// Hessian stays finite on the ridge of an inverted element, where its twist falls to minus infinity.
/// Projection takes it out.
double twist_divisor(double s_i, double s_j);

/// Energy and stress of an isotropic law; the second with the modes of the Hessian, so that all of its
/// negative eigenvalues, or a share of each, are taken out exactly; the third with the Hessian itself.
SolidStress isotropic_stress(const SignedSvd& svd, const PrincipalJet& jet);
SolidModes isotropic_modes(const SignedSvd& svd, PrincipalJet jet, double projected_share);
SolidResponse isotropic_response(const SignedSvd& svd, const PrincipalJet& jet, double projected_share);

}  // namespace cutis
