#include "cutis/surface/geodesic/geodesic.h"

#include <algorithm>
#include <numbers>

// Window propagation after Chen and Han 1990 in the order of distance, with the two prunings of Xin and Wang
// 2009 ("Improving Chen and Han's Algorithm on the Discrete Geodesic Problem"): a corner is split by the best
// ray to it only, and a window that a known vertex distance beats everywhere is dropped. Windows carry the
// frame of their source with them, which gives the direction at the source for nothing; parallel beams
// (Bommes and Kobbelt 2007) give distances to whole edges.
//
// Order is by least distance, so what has left the queue is final and a radius can stop the search exactly.

namespace cutis {
namespace {

// A window is dropped only when it loses by more than rounding: on flat ground, exact ties are the rule.
constexpr double tie = 1e-12;
// Rays through a flat vertex may miss the vertices behind it by rounding: a vertex counts as seen when its
// ray passes within this share of the edge's length beside the window.
constexpr double seen_slack = 1e-9;
// Rays that leave a vertex where paths bend overlap those that pass it by this angle [rad].
constexpr double shadow_slack = 1e-6;
constexpr double narrowest = 1e-13;  // window, as a share of its edge

}  // namespace

Geodesics::Geodesics(const GeodesicMetric& metric)
    : metric_(&metric),
      vertices_(metric.topology().vertex_count()),
      splits_(metric.topology().corner_count()) {}

void Geodesics::from_points(std::span<const SurfacePoint> sources, double radius) {
  begin(radius);
  for (std::size_t i = 0; i < sources.size(); ++i) add_point(sources[i], static_cast<int>(i));
  run();
}

void Geodesics::from_vertices(std::span<const VertexId> sources, double radius) {
  begin(radius);
  for (std::size_t i = 0; i < sources.size(); ++i) add_vertex(sources[i], static_cast<int>(i));
  run();
}

void Geodesics::within_cell(VertexId source, const IdVector<VertexId, double>& bounds) {
  begin(infinity);
  bounds_ = &bounds;
  add_vertex(source, 0);
  run();
  bounds_ = nullptr;
}

void Geodesics::from_edges(std::span<const EdgeId> sources, double radius) {
  begin(radius);
  const Topology& t = metric_->topology();
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const HalfedgeId h = t.halfedge(sources[i]);
    for (HalfedgeId side : {h, t.twin(h)}) {
      add_vertex(t.from(side), static_cast<int>(i));
      if (t.is_border(side)) continue;
      GeodesicWindow beam;
      beam.edge = side;
      beam.source = static_cast<int>(i);
      beam.b1 = metric_->length(side);
      beam.origin = Vec2::UnitY();
      beam.beam = beam.bent = true;
      push(beam);
    }
  }
  run();
}

Geodesics::Path Geodesics::between(const SurfacePoint& a, const SurfacePoint& b, double radius) {
  begin(radius);
  target_.point = b;
  add_point(a, 0);
  run();
  return target_.best;
}

void Geodesics::begin(double radius) {
  if (++query_ == 0) {  // the stamps have gone round: none may look current
    vertices_.assign(vertices_.size(), VertexState());
    splits_.assign(splits_.size(), Split());
    query_ = 1;
  }
  radius_ = radius;
  windows_.clear();
  free_windows_.clear();
  queue_.clear();
  reached_.clear();
  target_ = Target();
}

namespace {

/// For a heap with the least distance on top; the index makes the order of ties a fixed one.
constexpr auto later = [](const auto& a, const auto& b) {
  return a.distance != b.distance ? a.distance > b.distance : a.index > b.index;
};

}  // namespace

void Geodesics::run() {
  while (!queue_.empty()) {
    const Event event = queue_.front();
    if (event.distance >= target_.best.distance) break;
    std::pop_heap(queue_.begin(), queue_.end(), later);
    queue_.pop_back();
    if (event.index < 0) {
      const VertexId v(~event.index);
      if (!vertices_[v].settled) leave(v);
    } else {
      const GeodesicWindow window = windows_[static_cast<std::size_t>(event.index)];
      free_windows_.push_back(event.index);
      if (!hopeless(window)) cross_face(window);
    }
  }
}

void Geodesics::push(double distance, int index) {
  queue_.push_back({distance, index});
  std::push_heap(queue_.begin(), queue_.end(), later);
}

void Geodesics::push(const GeodesicWindow& window) {
  const double distance = window.least_distance();
  if (!(distance <= radius_)) return;
  if (free_windows_.empty()) {
    windows_.push_back(window);
    push(distance, static_cast<int>(windows_.size() - 1));
  } else {
    const int slot = free_windows_.back();
    free_windows_.pop_back();
    windows_[static_cast<std::size_t>(slot)] = window;
    push(distance, slot);
  }
}

void Geodesics::add_vertex(VertexId v, int source) {
  VertexState state;
  state.source = source;
  state.distance = 0;
  reach(v, state);
}

void Geodesics::add_point(const SurfacePoint& point, int source) {
  const Topology& t = metric_->topology();
  const HalfedgeId first = t.halfedge(point.face);
  std::array<Vec2, 3> corners{Vec2::Zero(), Vec2(metric_->length(first), 0), metric_->apex(first)};
  const Vec2 origin = point.barycentric[1] * corners[1] + point.barycentric[2] * corners[2];
  const auto on = [&](int k) { return point.barycentric[k % 3] > snap; };
  for (int k = 0; k < 3; ++k)
    if (!on(k + 1) && !on(k + 2)) return add_vertex(t.from(HalfedgeId(first.value + k)), source);
  HalfedgeId side = first;
  bool on_side = false;
  for (int k = 0; k < 3 && !on_side; ++k) {
    if (on(k + 2)) continue;
    side = HalfedgeId(first.value + k);
    std::rotate(corners.begin(), corners.begin() + k, corners.end());
    on_side = true;
  }
  add_rays(side, corners, origin, on_side, source);
  const HalfedgeId across = t.twin(side);
  if (!on_side || t.is_border(across)) return;
  const Vec2 u = (corners[0] - corners[1]) / metric_->length(side), apex = metric_->apex(across);
  const Vec2 far =
      corners[1] + Vec2(u.x() * apex.x() - u.y() * apex.y(), u.y() * apex.x() + u.x() * apex.y());
  add_rays(across, {corners[1], corners[0], far}, origin, true, source);
}

/// Rays from a point in a face, or on its side, over the other sides. Corners start with those of `side`.
void Geodesics::add_rays(HalfedgeId side, const std::array<Vec2, 3>& corners, const Vec2& origin,
                         bool on_side, int source) {
  const Topology& t = metric_->topology();
  HalfedgeId h = side;
  Vec2 target = Vec2::Zero();
  for (std::size_t k = 0; k < 3; ++k, h = t.next(h)) {
    const Vec2 &a = corners[k], &b = corners[(k + 1) % 3];
    VertexState corner;
    corner.source = source;
    corner.distance = (a - origin).norm();
    corner.direction = turn(Vec2::UnitX(), a - origin);
    corner.arrival = h;
    corner.arrival_angle = turn(b - a, origin - a);
    reach(t.from(h), corner);
    if (t.face(h) == target_.point.face)
      target += target_.point.barycentric[h.value - t.halfedge(t.face(h)).value] * a;
    if (t.is_border(t.twin(h)) || (on_side && k == 0)) continue;
    GeodesicWindow window;
    window.origin = origin;
    window = window.in_frame(b, (a - b) / metric_->length(h));
    window.edge = t.twin(h);
    window.source = source;
    window.b1 = metric_->length(h);
    push(window);
  }
  if (t.face(side) == target_.point.face)
    reach_target((target - origin).norm(), turn(Vec2::UnitX(), target - origin));
}

void Geodesics::reach(VertexId v, const VertexState& candidate) {
  VertexState& state = vertices_[v];
  if (state.query == query_ && state.settled) return;
  if (known_distance(v) <= candidate.distance) return;
  state = candidate;
  state.query = query_;
  if (state.distance <= radius_) push(state.distance, ~v.value);
}

/// The distance of v is final: its neighbours are no farther than along their edges, and where paths may
/// bend, v is the source of all that lies in its shadow.
void Geodesics::leave(VertexId v) {
  vertices_[v].settled = true;
  reached_.push_back(v);
  if (target_.point.face.valid()) reach_target(v);
  const Topology& t = metric_->topology();
  const VertexState from = vertices_[v];
  const bool is_source = !from.arrival.valid();
  const bool opens = is_source || metric_->bends_paths(v);
  const double arrival = opens && !is_source ? metric_->polar_angle(from.arrival) + from.arrival_angle : 0;
  const HalfedgeId start = t.halfedge(v);
  if (!start.valid()) return;
  double polar = 0;
  HalfedgeId h = start;
  do {
    VertexState neighbour = from;
    neighbour.settled = false;
    neighbour.distance += metric_->length(h);
    if (is_source) neighbour.direction = polar;
    neighbour.arrival = t.twin(h);
    neighbour.arrival_angle = 0;
    reach(t.to(h), neighbour);
    if (t.is_border(h)) break;
    if (opens) open_sectors(from, v, h, polar, arrival);
    polar += metric_->corner_angle(h);
    h = t.rotate(h);
  } while (h != start);
}

/// The part of one corner that a path which arrived from the angle `arrival` can leave into: at least half a
/// turn away on both sides (the straightest way on leaves both at half a turn or more).
void Geodesics::open_sectors(const VertexState& from, VertexId v, HalfedgeId corner, double polar,
                             double arrival) {
  const double width = metric_->corner_angle(corner), total = metric_->total_angle(v);
  if (!from.arrival.valid()) return open_sector(from, corner, polar, 0, width);
  const auto open = [&](double low, double high) {
    const double begin = std::max(low - shadow_slack - polar, 0.0);
    const double end = std::min(high + shadow_slack - polar, width);
    if (begin < end) open_sector(from, corner, polar, begin, end);
  };
  if (metric_->topology().is_border(v)) {
    open(0, arrival - pi);
    open(arrival + pi, total);
  } else {
    open(arrival + pi, arrival + total - pi);
    open(arrival + pi - total, arrival - pi);
  }
}

/// Rays from the vertex of a corner over the side that faces it, between two angles from `corner` on.
void Geodesics::open_sector(const VertexState& from, HalfedgeId corner, double polar, double begin,
                            double end) {
  const Topology& t = metric_->topology();
  const HalfedgeId edge = t.twin(t.next(corner));
  if (t.is_border(edge)) return;
  const double length = metric_->length(edge);
  const Vec2 start = metric_->apex(corner), stop(metric_->length(corner), 0);
  const Vec2 u = (stop - start) / length;
  GeodesicWindow window;
  window.offset = from.distance;
  window.bent = from.arrival.valid();
  window.base = window.bent ? from.direction : polar;
  window = window.in_frame(start, u);
  window.edge = edge;
  window.source = from.source;
  const auto hit = [&](double angle) {
    const Vec2 ray(std::cos(angle), std::sin(angle));
    return window.origin.x() - window.origin.y() * u.dot(ray) / cross2(u, ray);
  };
  const bool whole_begin = begin <= 0, whole_end = end >= metric_->corner_angle(corner);
  window.b0 = whole_end ? 0 : std::clamp(hit(end), 0.0, length);
  window.b1 = whole_begin ? length : std::clamp(hit(begin), 0.0, length);
  if (window.b1 - window.b0 > narrowest * length) push(window);
}

void Geodesics::cross_face(const GeodesicWindow& w) {
  const Topology& t = metric_->topology();
  const HalfedgeId h = w.edge;
  if (t.face(h) == target_.point.face) reach_target(w);
  const double length = metric_->length(h);
  const Vec2& apex = metric_->apex(h);
  const double x = w.crossing(apex), slack = seen_slack * length;
  bool left = w.b0 < x, right = x < w.b1;
  if (w.b0 - slack < x && x < w.b1 + slack) {
    const double distance = w.distance(apex);
    reach_apex(w, distance);
    // One angle, one split: paths do not cross, so of two windows that see the corner the worse one can win
    // only on its own side of the better ray.
    if (left && right) {
      Split& best = splits_[h];
      if (best.query != query_ || distance < best.distance)
        best = {query_, distance, x};
      else if (distance > best.distance * (1 + tie) && x != best.x)
        (x < best.x ? right : left) = false;
    }
  }
  if (left) enter(w, t.twin(t.prev(h)), Vec2::Zero(), apex, w.b0, std::min(x, w.b1));
  if (right) enter(w, t.twin(t.next(h)), apex, Vec2(length, 0), std::max(x, w.b0), w.b1);
}

void Geodesics::reach_apex(const GeodesicWindow& w, double distance) {
  const Topology& t = metric_->topology();
  const HalfedgeId arrival = t.prev(w.edge);
  const VertexId v = t.from(arrival);
  if (!(distance < known_distance(v))) return;
  const Vec2& apex = metric_->apex(w.edge);
  VertexState state;
  state.source = w.source;
  state.distance = distance;
  state.direction = w.direction(apex);
  state.arrival = arrival;
  if (metric_->bends_paths(v)) state.arrival_angle = turn(-apex, w.back(apex));
  reach(v, state);
}

/// The rays between x0 and x1 on the parent's edge go on over the edge from `start` to `end`.
void Geodesics::enter(const GeodesicWindow& parent, HalfedgeId edge, const Vec2& start, const Vec2& end,
                      double x0, double x1) {
  if (metric_->topology().is_border(edge)) return;
  const double length = metric_->length(edge);
  const Vec2 u = (end - start) / length;
  GeodesicWindow child = parent.in_frame(start, u);
  const auto carried = [&](double x) {
    const Vec2 p = Vec2(x, 0) - start;
    return std::clamp(child.crossing(Vec2(u.dot(p), cross2(u, p))), 0.0, length);
  };
  child.edge = edge;
  child.b0 = carried(x0);
  child.b1 = carried(x1);
  child.entry = start.isZero(0) ? GeodesicWindow::Entry::Start : GeodesicWindow::Entry::End;
  if (!(child.b1 - child.b0 > narrowest * length)) return;
  if (!hopeless(child)) push(child);
}

/// Xin and Wang, Theorem 3.2: a straight way from a corner to the far end of the window crosses all its rays;
/// if it gets there first, it gets everywhere first. The corner behind the edge counts for the end from which
/// all rays cross its way.
bool Geodesics::hopeless(const GeodesicWindow& w) const {
  const Topology& t = metric_->topology();
  const double length = metric_->length(w.edge);
  const double at0 = w.distance(Vec2(w.b0, 0)) * (1 - tie), at1 = w.distance(Vec2(w.b1, 0)) * (1 - tie);
  if (known_distance(t.from(w.edge)) + w.b1 < at1) return true;
  if (known_distance(t.to(w.edge)) + (length - w.b0) < at0) return true;
  if (w.entry == GeodesicWindow::Entry::None) return false;
  const HalfedgeId behind = t.twin(w.edge);
  const double known = known_distance(t.from(t.prev(behind)));
  if (known == infinity) return false;
  const Vec2& apex = metric_->apex(behind);
  const bool start = w.entry == GeodesicWindow::Entry::Start;
  const Vec2 way(length - apex.x() - (start ? w.b0 : w.b1), apex.y());
  return known + way.norm() < (start ? at0 : at1);
}

Vec2 Geodesics::target_in_frame(HalfedgeId h) const {
  const int corner = h.value - metric_->topology().halfedge(target_.point.face).value;
  const Vec3& b = target_.point.barycentric;
  return b[(corner + 1) % 3] * Vec2(metric_->length(h), 0) + b[(corner + 2) % 3] * metric_->apex(h);
}

void Geodesics::reach_target(double distance, double direction) {
  if (distance <= radius_ && distance < target_.best.distance) target_.best = {distance, direction};
}

void Geodesics::reach_target(const GeodesicWindow& w) {
  const Vec2 q = target_in_frame(w.edge);
  const double x = w.crossing(q), slack = seen_slack * metric_->length(w.edge);
  if (w.b0 - slack < x && x < w.b1 + slack) reach_target(w.distance(q), w.direction(q));
}

void Geodesics::reach_target(VertexId v) {
  const Topology& t = metric_->topology();
  HalfedgeId h = t.halfedge(target_.point.face);
  for (int k = 0; k < 3; ++k, h = t.next(h)) {
    if (t.from(h) != v) continue;
    const Vec2 q = target_in_frame(h);
    const VertexState& state = vertices_[v];
    const bool is_source = !state.arrival.valid();
    reach_target(state.distance + q.norm(),
                 is_source ? metric_->polar_angle(h) + std::atan2(q.y(), q.x()) : state.direction);
  }
}

namespace {

IdVector<VertexId, double> distances(const Geodesics& geodesics) {
  IdVector<VertexId, double> result(geodesics.metric().topology().vertex_count(), Geodesics::infinity);
  for (VertexId v : geodesics.reached()) result[v] = geodesics.distance(v);
  return result;
}

}  // namespace

IdVector<VertexId, double> geodesic_distance(const GeodesicMetric& metric,
                                             std::span<const SurfacePoint> sources, double radius) {
  Geodesics geodesics(metric);
  geodesics.from_points(sources, radius);
  return distances(geodesics);
}

IdVector<VertexId, double> distance_to_border(const GeodesicMetric& metric, double radius) {
  std::vector<EdgeId> border;
  for (EdgeId e : ids<EdgeId>(metric.topology().edge_count()))
    if (metric.topology().is_border(e)) border.push_back(e);
  Geodesics geodesics(metric);
  geodesics.from_edges(border, radius);
  return distances(geodesics);
}

}  // namespace cutis
