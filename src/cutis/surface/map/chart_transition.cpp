#include "cutis/surface/map/chart_transition.h"

namespace cutis {

ChartTransition ChartTransition::similarity(const Vec2& p0, const Vec2& p1, const Vec2& q0, const Vec2& q1,
                                            bool mirrored) {
  if (p0 == q0 && p1 == q1 && !mirrored) return {};
  // turn = (q1 - q0) / (p1 - p0), of the conjugates of p where mirrored.
  const Vec2 p = mirrored ? conjugate(p1 - p0) : Vec2(p1 - p0);
  ChartTransition t{product(q1 - q0, conjugate(p)) / p.squaredNorm(), Vec2(0, 0), mirrored};
  // Middle to middle: rounding errs equally at both ends.
  t.shift = 0.5 * (q0 + q1) - t.vector(0.5 * (p0 + p1));
  return t;
}

ChartTransition ChartTransition::rigid(const Vec2& p0, const Vec2& p1, const Vec2& q0, const Vec2& q1) {
  ChartTransition t = similarity(p0, p1, q0, q1);
  t.turn.normalize();
  t.shift = 0.5 * (q0 + q1) - t.vector(0.5 * (p0 + p1));
  return t;
}

}  // namespace cutis
