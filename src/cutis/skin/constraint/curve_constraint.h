#pragma once

#include <memory>
#include <optional>

#include "cutis/skin/constraint/guide_curve.h"
#include "cutis/skin/slide_surface.h"

namespace cutis {

/// The way that a vertex of the skin slides along a curve: the parallel of the curve through its own place on
/// the body at rest.
///
/// The place of the parallel beside c(s) lies straight across the curve, t . (x - c) = 0, and keeps a
/// coordinate a . (x - c). Where the curve lies in a plane that cuts the surface, `a` is the plane's normal:
/// around a sphere, vertices keep their latitude. On a line it is square to the vertex's own normal.
/// Elsewhere it lies in the surface, across the curve. A parallel ends where its curve ends, and where it
/// would leave the surface or turn back: inside of a bend that is tighter than its distance from the curve.
class CurveConstraint {
 public:
  /// A place on the parallel and how it goes on from there.
  struct Place {
    SurfacePoint point;
    Vec2 rates = Vec2::Zero();          ///< changes of (b1, b2) of `point` along the parallel, up to a factor
    bool begins = false, ends = false;  ///< the parallel does not lead further back, or on
  };

  /// For a vertex at `home` on a surface at rest. Nothing when the vertex lies beyond an end of the curve, or
  /// inside of a bend or fold too tight for a parallel.
  static std::optional<CurveConstraint> through(const SlideSurface& at_rest, const SurfacePoint& home,
                                                std::shared_ptr<const GuideCurve> curve);

  /// The place of the parallel beside p, a place on or near it, on the surface at rest.
  Place beside(const SlideSurface& at_rest, const SurfacePoint& p) const;

 private:
  struct Reached;
  struct End {
    double s = 0;  ///< along the curve [m]
    SurfacePoint point;
  };

  std::shared_ptr<const GuideCurve> curve_;
  Vec3 across_ = Vec3::Zero();  ///< `a` where it does not turn; zero: the second axis of the curve's frame
  double offset_ = 0;           ///< the coordinate that it keeps [m]
  double facing_ = 1;           ///< on which side the lines across the curve meet the surface: 1 or -1
  End from_, to_;
  bool round_ = false;  ///< it goes round and has no ends

  Reached reach(const SlideSurface& at_rest, double s, const SurfacePoint& near, const SurfaceJet& jet) const;
  End lead(const SlideSurface& at_rest, double s, double step, double end, const Reached& start) const;
};

}  // namespace cutis
