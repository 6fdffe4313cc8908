#include <algorithm>
#include <cmath>

#include "cutis/surface/map/atlas.h"

namespace cutis {
namespace {

constexpr int max_crossings = 1 << 16;
/// This far outside (as a barycentric coordinate) is still inside: rounding.
constexpr double on_edge = 1e-12;
/// Coordinates further outside than this on arrival say that the way led through a fold.
constexpr double folded = 1e-6;

/// A straight line on its way from `start_` to `target_`, both in the chart of the face of `h_`.
class Walk {
 public:
  Walk(const Atlas& atlas, const SurfacePoint& start, const Vec2& target)
      : atlas_(atlas),
        t_(atlas.surface()->topology()),
        h_(t_.halfedge(start.face)),
        start_(atlas.coordinates(start)),
        target_(target) {}

  std::optional<SurfacePoint> run();

 private:
  const Atlas& atlas_;
  const Topology& t_;
  HalfedgeId h_;  ///< of the face that the walk is in: after the first, the one it came in by
  Vec2 start_, target_;
  double area_ = 0;  ///< twice that of the face, and
  double side_ = 1;  ///< its sign: all that is left is right in a face that lies upside down

  void look_at_face();
  const Vec2& corner(HalfedgeId h) const { return atlas_.coordinates(h); }
  /// Twice the area between h and the target, negative when it lies beyond h.
  double inside(HalfedgeId h) const {
    return side_ * cross(corner(t_.next(h)) - corner(h), target_ - corner(h));
  }
  bool beyond(HalfedgeId h) const { return inside(h) < -on_edge * area_; }
  bool left_of_line(HalfedgeId corner_of) const {
    return side_ * cross(target_ - start_, corner(corner_of) - start_) > 0;
  }
  HalfedgeId first_exit() const;
  HalfedgeId next_exit() const;
  std::optional<SurfacePoint> arrive() const;
};

void Walk::look_at_face() {
  const double signed_area = atlas_.twice_area(t_.face(h_));
  area_ = std::abs(signed_area);
  side_ = signed_area < 0 ? -1 : 1;
}

/// Of the start's face. The target may lie beyond two sides; the line leaves by the one on its side of the
/// corner between them.
HalfedgeId Walk::first_exit() const {
  HalfedgeId h = h_;
  for (int k = 0; k < 3; ++k, h = t_.next(h)) {
    if (!beyond(h)) continue;
    if (beyond(t_.next(h))) return left_of_line(t_.next(h)) ? h : t_.next(h);
    if (beyond(t_.prev(h))) return left_of_line(h) ? t_.prev(h) : h;
    return h;
  }
  return HalfedgeId();
}

/// The line came in over h_, whose start is on its left and whose end is on its right; the third corner says
/// which of the other two sides it meets.
HalfedgeId Walk::next_exit() const {
  const HalfedgeId exit = left_of_line(t_.prev(h_)) ? t_.next(h_) : t_.prev(h_);
  // A face without area is only ever passed through.
  return area_ == 0 || beyond(exit) ? exit : HalfedgeId();
}

std::optional<SurfacePoint> Walk::arrive() const {
  const FaceId f = t_.face(h_);
  const HalfedgeId first = t_.halfedge(f);
  // The barycentric coordinate of a corner is the share of the area beyond the side opposite.
  Vec3 b = Vec3(inside(t_.next(first)), inside(t_.prev(first)), inside(first)) / area_;
  if (!(b.minCoeff() >= -folded)) return std::nullopt;
  b = b.cwiseMax(0);
  return SurfacePoint{f, b / b.sum()};
}

std::optional<SurfacePoint> Walk::run() {
  look_at_face();
  HalfedgeId exit = first_exit();
  for (int crossings = 0; exit.valid(); ++crossings) {
    if (crossings == max_crossings || t_.is_border(t_.twin(exit))) return std::nullopt;
    start_ = atlas_.carry(exit, start_);
    target_ = atlas_.carry(exit, target_);
    h_ = t_.twin(exit);
    look_at_face();
    exit = next_exit();
  }
  return arrive();
}

}  // namespace

std::optional<SurfacePoint> Atlas::locate(const SurfacePoint& start, const Vec2& x) const {
  if (!x.allFinite()) return std::nullopt;
  return Walk(*this, start, x).run();
}

std::optional<SurfacePoint> Atlas::locate(FaceId face, const Vec2& x) const {
  return locate({face, Vec3::Constant(1.0 / 3)}, x);
}

}  // namespace cutis
