#pragma once

#include "cutis/skin/slide_surface.h"

namespace cutis {

/// Takes derivatives from the body at rest to the body now, for one vertex of the skin. It moves on both
/// through the barycentrics b that they have in common. Along straight paths b'' = -A Γ(b', b') on either, so
/// normal coordinates q move those at rest by r(q) = J q + (Γ_rest - J Γ)(A q, A q) / 2 to second order, J =
/// A_rest⁻¹ A.
class RestPullback {
 public:
  RestPullback(const SurfaceJet& now, const SurfaceJet& rest)
      : now_(now),
        rest_(rest),
        J_(rest.to_barycentric.isZero(0) ? Mat2(Mat2::Zero())
                                         : Mat2(rest.to_barycentric.inverse() * now.to_barycentric)) {}

  const Mat2& first() const { return J_; }  ///< dr/dq; zero where the body at rest has no chart
  /// g · d²r/dq², the part of a Hessian that a gradient `g` at rest brings along.
  Mat2 second(const Vec2& g) const {
    if (J_.isZero(0)) return Mat2::Zero();
    const auto along = [&](std::size_t k) { return g.dot(rest_.christoffel[k] - J_ * now_.christoffel[k]); };
    Mat2 by_barycentrics;
    by_barycentrics << along(0), along(1), along(1), along(2);
    return now_.to_barycentric.transpose() * by_barycentrics * now_.to_barycentric;
  }

 private:
  const SurfaceJet &now_, &rest_;
  Mat2 J_;
};

}  // namespace cutis
