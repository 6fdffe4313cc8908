#pragma once

#include <cmath>

#include "cutis/core/types.h"

namespace cutis {

/// How coordinates in one chart are read in another: z -> turn z + shift as complex numbers, of the conjugate
/// of z where the other chart is mirrored. A rotation, a uniform scale and a translation; one that keeps
/// lengths is rigid. The default is the identity.
struct ChartTransition {
  Vec2 turn = Vec2(1, 0);  ///< scale times (cos, sin) of the angle
  Vec2 shift = Vec2(0, 0);
  bool mirrored = false;
  bool operator==(const ChartTransition&) const = default;

  /// A point.
  Vec2 operator()(const Vec2& x) const { return vector(x) + shift; }
  /// A vector: turned and scaled, not shifted.
  Vec2 vector(const Vec2& v) const { return product(turn, mirrored ? conjugate(v) : v); }

  /// First `first`, then this.
  ChartTransition operator*(const ChartTransition& first) const {
    return {vector(first.turn), (*this)(first.shift), mirrored != first.mirrored};
  }
  /// The scale must not be zero.
  ChartTransition inverse() const {
    ChartTransition back{conjugate(turn) / turn.squaredNorm(), Vec2(0, 0), mirrored};
    if (mirrored) back.turn = conjugate(back.turn);
    back.shift = -back.vector(shift);
    return back;
  }

  double scale() const { return turn.norm(); }
  /// Lengths and orientation are kept, up to rounding.
  bool is_rigid(double tolerance = 1e-12) const { return !mirrored && std::abs(scale() - 1) <= tolerance; }

  /// Takes p0 to q0 and p1 to q1; p0 and p1 differ, q0 and q1 differ. Exactly the identity when p = q.
  static ChartTransition similarity(const Vec2& p0, const Vec2& p1, const Vec2& q0, const Vec2& q1,
                                    bool mirrored = false);
  /// The same with a scale of one, for edges of one length: middle to middle, direction to direction.
  static ChartTransition rigid(const Vec2& p0, const Vec2& p1, const Vec2& q0, const Vec2& q1);

  static Vec2 product(const Vec2& a, const Vec2& b) {
    return {a.x() * b.x() - a.y() * b.y(), a.x() * b.y() + a.y() * b.x()};
  }
  static Vec2 conjugate(const Vec2& a) { return {a.x(), -a.y()}; }
};

}  // namespace cutis
