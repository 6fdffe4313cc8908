#pragma once

#include <memory>
#include <optional>

#include "cutis/slide/guide_curve.h"
#include "cutis/slide/skin_surface.h"

namespace cutis {

/// The way that a vertex of the skin slides along a curve: the parallel of the curve through its own place on
/// the body at rest.
///
/// The curve's frame carries the vertex's offset from it; the rail is where that comes closest to the
/// surface. On a curve that lies in a plane, the rail stays at the vertex's height over that plane where the
/// plane cuts the surface: around a sphere, vertices keep their latitude. A rail ends where its curve ends,
/// and where it would turn back: inside a bend that is tighter than its distance from the curve.
class SkinRail {
 public:
  /// A place on the rail and how it goes on from there.
  struct Place {
    SurfacePoint point;
    Vec2 rates = Vec2::Zero();  ///< changes of (b1, b2) of p, the place that was asked for, up to a factor
    bool begins = false, ends = false;  ///< the rail does not lead further back, or on
  };

  /// For a vertex at `home` on a surface at rest. Nothing when the curve leads past an end before it is
  /// beside the vertex, or has no parallel there.
  static std::optional<SkinRail> through(const SkinSurface& at_rest, const SurfacePoint& home,
                                         std::shared_ptr<const GuideCurve> curve);

  /// The place of the rail that is nearest to p, a place on or beside it, on the surface at rest.
  Place nearest(const SkinSurface& at_rest, const SurfacePoint& p) const;

 private:
  struct Reached;

  std::shared_ptr<const GuideCurve> curve_;
  Vec3 offset_ = Vec3::Zero();  ///< in the curve's frame [m]
  Vec3 plane_ = Vec3::Zero();   ///< normal of the plane that it stays in; zero: none
  double from_ = 0, to_ = 0;    ///< where it begins and ends along the curve [m]
  bool round_ = false;          ///< it goes round and has no ends

  bool find_ends(double home);
  double limited(double s) const;
  double guess(const Vec3& x) const;
  Reached reach(const SkinSurface& at_rest, double s, const SurfacePoint& near) const;
};

}  // namespace cutis
