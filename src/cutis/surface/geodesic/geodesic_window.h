#pragma once

#include <algorithm>
#include <cmath>

#include "cutis/core/id.h"
#include "cutis/core/types.h"

namespace cutis {

inline double cross2(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }
/// Counter-clockwise from a to b [rad], -pi .. pi.
inline double turn(const Vec2& a, const Vec2& b) { return std::atan2(cross2(a, b), a.dot(b)); }

/// A bundle of candidates for shortest paths that cross one edge between b0 and b1 into the face of the
/// half-edge `edge`, unfolded into that half-edge's frame (see GeodesicMetric): rays from one point, or a
/// parallel beam from an edge that is a source itself.
struct GeodesicWindow {
  /// Over which side of the face behind the edge the rays came, seen along `edge`.
  enum class Entry : char { None, Start, End };

  HalfedgeId edge;
  int source = 0;
  double b0 = 0, b1 = 0;
  Vec2 origin = Vec2::Zero();  ///< where the rays come from, y < 0; of a beam its unit direction, y > 0
  double offset = 0;           ///< distance at `origin`; of a beam, at the start of the edge [m]
  Vec2 axis = Vec2::UnitX();   ///< the source's zero direction
  double base = 0;             ///< the source's angle that belongs to `axis` [rad]
  bool beam = false;
  bool bent = false;  ///< passed a vertex on the way: all rays left the source at `base`
  Entry entry = Entry::None;

  double distance(const Vec2& q) const { return offset + (beam ? origin.dot(q) : (q - origin).norm()); }

  double least_distance() const {
    if (beam) return std::min(distance(Vec2(b0, 0)), distance(Vec2(b1, 0)));
    return distance(Vec2(std::clamp(origin.x(), b0, b1), 0));
  }

  /// The angle at which the ray through q left the source [rad].
  double direction(const Vec2& q) const { return bent ? base : base + turn(axis, q - origin); }

  /// From q back along its ray.
  Vec2 back(const Vec2& q) const { return beam ? Vec2(-origin) : Vec2(origin - q); }

  /// Where the ray through q crosses the edge's line; q must not be level with the origin.
  double crossing(const Vec2& q) const {
    if (beam) return q.x() - q.y() * origin.x() / origin.y();
    return origin.x() + (q.x() - origin.x()) * (-origin.y() / (q.y() - origin.y()));
  }

  /// The same rays in a frame that starts at `start` with the unit x axis u.
  GeodesicWindow in_frame(const Vec2& start, const Vec2& u) const {
    GeodesicWindow w = *this;
    const auto rotated = [&](const Vec2& p) { return Vec2(u.dot(p), cross2(u, p)); };
    w.origin = rotated(beam ? origin : Vec2(origin - start));
    if (beam) w.offset += origin.dot(start);
    w.axis = rotated(axis);
    return w;
  }
};

}  // namespace cutis
