#include "cutis/surface/geodesic/trace.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "cutis/surface/geodesic/frames.h"

namespace cutis {
namespace {

/// Nearer to the end of an edge than this (in parts of the edge), a path goes through the vertex. Angles
/// [rad] that differ by less are the same.
constexpr double at_vertex = 1e-11;
/// A start whose barycentric is less is on the edge opposite.
constexpr double on_edge = 1e-14;
/// Shorter edges [m] are points: their squares would underflow.
constexpr double no_length = 1e-150;

/// `d` seen from an axis: its components along `axis` and a quarter turn to the left of it.
Vec2 seen_from(const Vec2& axis, const Vec2& d) {
  const double length = axis.norm();
  // An edge without length has no direction; the path crosses it squarely.
  if (length < no_length) return {0, 1};
  Vec2 local(axis.dot(d) / length, cross(axis, d) / length);
  // One Newton step towards length one keeps rounding from adding up.
  return local * (1.5 - 0.5 * local.squaredNorm());
}

/// A triangle laid into the plane: the half-edge it is seen from starts at the origin and runs along x.
struct FlatTriangle {
  std::array<Vec2, 3> v;
  Vec2 at(const Vec3& barycentric) const {
    return barycentric[0] * v[0] + barycentric[1] * v[1] + barycentric[2] * v[2];
  }
  Vec2 side(int k) const { return v[(k + 1) % 3] - v[k]; }
};

/// A path on its way. Everything is seen from one half-edge of the face that it is in: `direction_` in the
/// plane of FlatTriangle, `at_` for the corners from(halfedge_), to(halfedge_) and the one opposite.
class Path {
 public:
  Path(const Topology& topology, const Points& positions, const TraceOptions& options)
      : topology_(topology), positions_(positions), options_(options) {}

  TraceResult walk(const SurfacePoint& start, const Vec3& vector);

 private:
  enum class Entry { Inside, Edge, Vertex };  ///< how the path came into its face

  const Topology& topology_;
  const Points& positions_;
  const TraceOptions& options_;
  HalfedgeId halfedge_;
  Vec2 direction_ = Vec2::UnitX();
  Vec3 at_ = Vec3::UnitX();
  Entry entry_ = Entry::Inside;
  bool sliding_ = false;
  double remaining_ = 0;
  TraceResult result_;

  bool start_on_edge(int opposite);
  bool go_on();
  bool cross_face();
  bool slide_edge();
  int exit_side(const std::array<double, 3>& left) const;
  bool cross_edge(const FlatTriangle& flat, int side, double t);
  bool pass_vertex(const FlatTriangle& flat, int corner, bool starting = false);
  void leave_inner_vertex(double theta, bool starting);
  bool leave_border_vertex(double theta);
  void leave_by(HalfedgeId h, double angle);
  bool stop_at_border();

  FlatTriangle flatten(HalfedgeId h) const;
  double angle(HalfedgeId h) const { return corner_angle(topology_, positions_, h); }
  HalfedgeId corner(int k) const {
    return k == 0 ? halfedge_ : k == 1 ? topology_.next(halfedge_) : topology_.prev(halfedge_);
  }
  SurfacePoint place() const;
  void record();
};

FlatTriangle Path::flatten(HalfedgeId h) const {
  const Vec3& a = positions_[topology_.from(h)];
  const Vec3 ab = positions_[topology_.to(h)] - a;
  const Vec3 ac = positions_[topology_.from(topology_.prev(h))] - a;
  const double length = ab.norm();
  if (length < no_length) return {{Vec2(0, 0), Vec2(0, 0), Vec2(0, ac.norm())}};
  const Vec3 x = ab / length;
  const double along = ac.dot(x);
  return {{Vec2(0, 0), Vec2(length, 0), Vec2(along, (ac - along * x).norm())}};
}

SurfacePoint Path::place() const {
  SurfacePoint p;
  p.face = topology_.face(halfedge_);
  const std::size_t first = halfedge_.index() - topology_.halfedge(p.face).index();
  for (std::size_t k = 0; k < 3; ++k) p.barycentric[(first + k) % 3] = at_[k];
  return p;
}

void Path::record() {
  if (result_.path_size < options_.path.size()) options_.path[result_.path_size++] = place();
}

TraceResult Path::walk(const SurfacePoint& start, const Vec3& vector) {
  halfedge_ = topology_.halfedge(start.face);
  at_ = start.barycentric.cwiseMax(0);
  at_ /= at_.sum();
  const Vec2 wanted = halfedge_frame(topology_, positions_, halfedge_).components(vector);
  remaining_ = wanted.norm();
  record();
  result_.end = place();
  result_.direction = Vec3::Zero();
  if (!std::isfinite(remaining_) || remaining_ < no_length) {
    if (!std::isfinite(remaining_)) result_.reason = TraceEnd::Limit;
    return result_;
  }
  direction_ = wanted / remaining_;

  int nearest = 0, farthest = 0;
  bool more = true;
  if (at_.maxCoeff(&nearest) >= 1 - at_vertex)
    more = pass_vertex(flatten(halfedge_), nearest, true);
  else if (at_.minCoeff(&farthest) <= on_edge)
    more = start_on_edge(farthest);
  while (more) more = go_on();

  record();
  result_.end = place();
  result_.direction = halfedge_frame(topology_, positions_, halfedge_).vector(direction_).normalized();
  return result_;
}

/// Where a line along an edge crosses that edge is for rounding to say. So a start on one is put to one side
/// of it by its direction alone, and never meets that edge again: it runs on to the edge's end.
bool Path::start_on_edge(int opposite) {
  const FlatTriangle flat = flatten(halfedge_);
  const int side = (opposite + 1) % 3, i = side, j = (side + 1) % 3;
  const double t = at_[j] / (at_[i] + at_[j]);
  const Vec2 local = seen_from(flat.side(side), direction_);
  if (local.y() < 0) return cross_edge(flat, side, t);
  direction_ = local;
  halfedge_ = corner(side);
  at_ = Vec3(1 - t, t, 0);
  entry_ = Entry::Edge;
  return true;
}

bool Path::go_on() {
  if (result_.crossings >= options_.max_crossings) {
    result_.reason = TraceEnd::Limit;
    return false;
  }
  const bool more = sliding_ ? slide_edge() : cross_face();
  if (more) {
    ++result_.crossings;
    record();
  }
  return more;
}

/// left[k] > 0 says that corner k lies to the left of the path. The path leaves over the side that runs from
/// its right to its left; which sides it can leave by depends on where it came in.
int Path::exit_side(const std::array<double, 3>& left) const {
  if (entry_ == Entry::Vertex) return 1;
  if (entry_ == Entry::Edge) return left[2] > 0 ? 1 : 2;
  int widest = 0;
  for (int k = 0; k < 3; ++k) {
    const double from = left[k], to = left[(k + 1) % 3];
    if (from <= 0 && to >= 0 && to > from) return k;
    if (to - from > left[(widest + 1) % 3] - left[widest]) widest = k;
  }
  return widest;  // rounding has left no side in reach: the path is on its way out of a corner
}

bool Path::cross_face() {
  const FlatTriangle flat = flatten(halfedge_);
  const Vec2 p = flat.at(at_);
  std::array<double, 3> left;
  for (int k = 0; k < 3; ++k) left[k] = cross(direction_, flat.v[k] - p);
  const int side = exit_side(left), i = side, j = (side + 1) % 3;
  // Where the line meets the side. Written with the distances of the side's ends from the line, it holds for
  // slivers and faces without area, too; a path along the side runs to its far end.
  double t = left[j] != left[i] ? left[i] / (left[i] - left[j]) : flat.side(side).dot(direction_) > 0;
  // Before the step is measured: where the line grazes the side, it meets it far from a vertex that it all
  // but touches.
  if (!(t >= at_vertex)) t = 0;
  if (t > 1 - at_vertex) t = 1;
  double step = ((1 - t) * flat.v[i] + t * flat.v[j] - p).dot(direction_);
  // A start on the side itself, with a vector along it, may find the crossing behind it.
  if (entry_ == Entry::Inside && step < 0) t = at_[j] / (at_[i] + at_[j]);
  step = std::max(0.0, step);
  Vec3 exit = Vec3::Zero();
  exit[i] = 1 - t;
  exit[j] = t;
  if (remaining_ <= step) {
    // Between two places of the face, so that no barycentric can fall below zero.
    const double share = step > 0 ? remaining_ / step : 0;
    at_ = (1 - share) * at_ + share * exit;
    result_.length += remaining_;
    return false;
  }
  result_.length += step;
  remaining_ -= step;
  at_ = exit;
  if (t < at_vertex) return pass_vertex(flat, i);
  if (t > 1 - at_vertex) return pass_vertex(flat, j);
  return cross_edge(flat, side, t);
}

bool Path::cross_edge(const FlatTriangle& flat, int side, double t) {
  const HalfedgeId edge = corner(side), twin = topology_.twin(edge);
  if (topology_.is_border(twin)) {
    const Vec2 local = seen_from(flat.side(side), direction_);
    // A path runs along the border when it would pass within rounding of the vertex ahead, or end before it.
    const double length = flat.side(side).norm(), ahead = length * (local.x() > 0 ? 1 - t : t);
    const bool runs_along = std::abs(local.y()) * std::min(remaining_, ahead) <= at_vertex * length;
    const bool square = std::abs(local.x()) < at_vertex;
    if (!runs_along && (square || options_.at_border == AtBorder::Stop)) return stop_at_border();
    halfedge_ = edge;
    at_ = Vec3(1 - t, t, 0);
    direction_ = local;
    sliding_ = true;
    if (runs_along) return true;
    direction_ = Vec2(local.x() > 0 ? 1 : -1, 0);
    remaining_ *= std::abs(local.x());
    return true;
  }
  // Unfolding: the neighbour sees the same edge the other way round.
  direction_ = seen_from(-flat.side(side), direction_);
  halfedge_ = twin;
  at_ = Vec3(t, 1 - t, 0);
  entry_ = Entry::Edge;
  return true;
}

/// A path that ends on the border has arrived, though rounding may leave a rest.
bool Path::stop_at_border() {
  if (remaining_ <= at_vertex * flatten(halfedge_).v[1].x())
    result_.length += remaining_;
  else
    result_.reason = TraceEnd::Border;
  return false;
}

bool Path::slide_edge() {
  const FlatTriangle flat = flatten(halfedge_);
  const int ahead = direction_.x() > 0 ? 1 : 0;
  const double length = flat.v[1].x(), step = length * at_[1 - ahead];
  if (remaining_ <= step) {
    const double share = length > 0 ? remaining_ / length : 0;
    at_[1 - ahead] -= std::min(share, at_[1 - ahead]);
    at_[ahead] = 1 - at_[1 - ahead];
    result_.length += remaining_;
    return false;
  }
  result_.length += step;
  remaining_ -= step;
  at_ = Vec3::Unit(ahead);
  sliding_ = false;
  return pass_vertex(flat, ahead);
}

/// Puts the path on a corner's vertex and turns it into the face that it leaves by. Its direction is seen
/// from the corner's half-edge, as if the plane of the face went on; only a start may look into the face.
bool Path::pass_vertex(const FlatTriangle& flat, int k, bool starting) {
  direction_ = seen_from(flat.side(k), direction_);
  halfedge_ = corner(k);
  at_ = Vec3::UnitX();
  entry_ = Entry::Vertex;
  double theta = std::atan2(direction_.y(), direction_.x());
  if (theta < 0) theta += 2 * pi;
  if (starting && theta <= angle(halfedge_)) return true;
  if (topology_.is_border(topology_.from(halfedge_))) return leave_border_vertex(theta);
  leave_inner_vertex(theta, starting);
  return true;
}

void Path::leave_inner_vertex(double theta, bool starting) {
  double total = 0;
  HalfedgeId h = halfedge_;
  do {
    total += angle(h);
    h = topology_.rotate(h);
  } while (h != halfedge_);
  // Polthier and Schmies 1998: half the total angle lies on either side of a path that came in at theta - pi.
  double out = theta - pi + 0.5 * total;
  if (starting) {
    // A start can also look out sideways. Those directions are spread over the angles between the wedge of
    // its face and the one opposite, so that the way out depends continuously on the way in.
    const double wedge = angle(halfedge_), squeeze = wedge < pi ? (0.5 * total - wedge) / (pi - wedge) : 0;
    if (theta < pi) out = wedge + (theta - wedge) * squeeze;
    if (theta > pi + wedge) out = 0.5 * total + wedge + (theta - pi - wedge) * squeeze;
  }
  if (out < 0) out += total;
  if (out >= total) out -= total;
  h = halfedge_;
  for (double a = angle(h); out > a; a = angle(h)) {
    const HalfedgeId after = topology_.rotate(h);
    if (after == halfedge_) {
      out = a;  // rounding: the last wedge ends where the first begins
      break;
    }
    out -= a;
    h = after;
  }
  leave_by(h, out);
}

/// At the border there is no way around: the plane is unfolded to the left (theta) or to the right
/// (theta - 2 pi), as far as there are faces.
bool Path::leave_border_vertex(double theta) {
  const HalfedgeId first = topology_.halfedge(topology_.from(halfedge_));
  double before = 0, total = 0;
  HalfedgeId last = first;
  for (HalfedgeId h = first; !topology_.is_border(h); h = topology_.rotate(h)) {
    if (h == halfedge_) before = total;
    total += angle(h);
    last = h;
  }
  const double left = before + theta, right = left - 2 * pi;
  // A path along a straight border is not stopped by rounding.
  const bool left_open = left <= total + at_vertex, right_open = right >= -at_vertex;
  if (left_open || right_open) {
    double out = left_open && (theta <= pi || !right_open) ? left : right;
    out = std::clamp(out, 0.0, total);
    HalfedgeId h = first;
    for (double a = angle(h); out > a && h != last; a = angle(h)) {
      out -= a;
      h = topology_.rotate(h);
    }
    leave_by(h, out);
    return true;
  }
  const bool to_first = -right <= left - total;
  const double part = std::cos(to_first ? -right : left - total);
  if (options_.at_border == AtBorder::Stop || part < at_vertex || std::min(-right, left - total) > 0.5 * pi)
    return stop_at_border();
  remaining_ *= part;
  sliding_ = true;
  halfedge_ = to_first ? first : topology_.prev(last);
  at_ = to_first ? Vec3(1, 0, 0) : Vec3(0, 1, 0);
  direction_ = Vec2(to_first ? 1 : -1, 0);
  return true;
}

void Path::leave_by(HalfedgeId h, double out) {
  halfedge_ = h;
  direction_ = Vec2(std::cos(out), std::sin(out));
}

}  // namespace

TraceResult trace(const Topology& triangles, const Points& positions, const SurfacePoint& start,
                  const Vec3& vector, const TraceOptions& options) {
  return Path(triangles, positions, options).walk(start, vector);
}

}  // namespace cutis
