#include "cutis/surface/remesh/adaptive_mesh.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/surface/geodesic/closest_point.h"

namespace cutis {
namespace {

// Narain et al. 2012: edges are collapsed only into ones this long in the metric, so that none is split
// again.
constexpr double longest_after_collapse2 = 0.8 * 0.8;
// Height over longest edge at which a triangle counts as flat; one of aspect 12 that is compressed to a half
// is four times as high.
constexpr double flat = 0.01;
// Sum of cotangents below which an edge is flipped: with room of about three degrees, so that squares are not
// flipped to and fro, nor edges from call to call as a metric changes with the mesh that it was computed on.
constexpr double flip_below = -0.05;
constexpr int border_line = 0, kept_line = 1;

/// Sides on borders and kept edges, which the mesh treats as lines. What they measure along them is not used.
IdVector<CornerId, LineSpan> marked_sides(const Topology& t, std::span<const EdgePlace> kept) {
  IdVector<CornerId, LineSpan> spans(t.corner_count());
  for (HalfedgeId h : ids<HalfedgeId>(t.corner_count()))
    if (t.is_border(t.twin(h))) spans[h] = {border_line, 0, 1};
  for (const auto& [a, b] : kept) {
    const HalfedgeId h = t.find(a, b);
    if (!h.valid())
      throw InputError(
          fmt::format("adaptive remeshing: kept edge {}-{}: no edge joins the two", a.value, b.value));
    if (!t.is_border(h)) spans[h] = {kept_line, 0, 1};
    if (!t.is_border(t.twin(h))) spans[t.twin(h)] = {kept_line, 1, 0};
  }
  return spans;
}

/// How far a triangle is stretched from an equilateral one: the ratio of the principal stretches.
double aspect_ratio(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 u = b - a, v = (2 * (c - a) - u) / std::sqrt(3.0);
  const double half_trace = 0.5 * (u.squaredNorm() + v.squaredNorm());
  const double determinant = u.cross(v).squaredNorm();
  const double larger = half_trace + std::sqrt(std::max(half_trace * half_trace - determinant, 0.0));
  return determinant > 0 ? larger / std::sqrt(determinant) : INFINITY;
}

double height_over_longest(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double longest2 = std::max({(b - a).squaredNorm(), (c - a).squaredNorm(), (c - b).squaredNorm()});
  return longest2 > 0 ? (b - a).cross(c - a).norm() / longest2 : 0;
}

Vec3 area_vector(const Vec3& a, const Vec3& b, const Vec3& c) { return (b - a).cross(c - a); }

/// The worst of several triangles.
struct Soundness {
  double upright = 1;  ///< cosine to the rest surface's normals
  double facing = 1;   ///< cosine now to the mean normal before the change
  double height = 1;   ///< now, over the longest edge
  double aspect = 1;   ///< at rest

  bool may_become(const Soundness& after, double max_aspect) const {
    return stays_upright(upright, after.upright) && stays_upright(facing, after.facing) &&
           (after.height > flat || after.height >= height) &&
           (after.aspect <= max_aspect || after.aspect <= aspect);
  }
};

/// Two triangles over the edge from a = 0 to b = (length, 0), unfolded into a plane: c above it, d below.
struct UnfoldedHinge {
  double length;
  Vec2 c, d;
  Mat32 axes;  ///< of the plane, in space

  UnfoldedHinge(const Vec3& a, const Vec3& b, const Vec3& opposite, const Vec3& other) {
    length = (b - a).norm();
    const Vec3 x = (b - a) / length;
    const auto unfolded = [&](const Vec3& p) { return Vec2(x.dot(p - a), x.cross(p - a).norm()); };
    c = unfolded(opposite);
    d = unfolded(other);
    d.y() = -d.y();
    const Vec3 up = area_vector(a, b, opposite).normalized() + area_vector(b, a, other).normalized();
    axes << x, up.cross(x).normalized();
  }
  /// Where the diagonals cross, along the edge and along c - d.
  Vec2 crossing() const {
    const double along_d = c.y() / (c.y() - d.y());
    return {(c.x() + along_d * (d.x() - c.x())) / length, along_d};
  }
};

/// Cotangent of the angle from u to v in a metric, times the square root of its determinant.
double scaled_cotangent(const Mat2& metric, const Vec2& u, const Vec2& v) {
  return u.dot(metric * v) / cross(u, v);
}

}  // namespace

AdaptiveMesh::AdaptiveMesh(const Surface& rest, const EmbeddedMesh& embedded,
                           const IdVector<VertexId, Mat3>& metric, const Points& current,
                           const AdaptiveRemeshOptions& options)
    : rest_(rest),
      options_(options),
      edges_([&] {
        const Topology topology(embedded.mesh);
        return EditMesh(topology, marked_sides(topology, embedded.kept_edges));
      }()),
      old_count_(embedded.mesh.vertex_count()),
      alive_count_(old_count_) {
  vertices_.reserve(old_count_);
  for (VertexId v : ids<VertexId>(old_count_)) {
    RestPlace place = rest_place(rest, embedded.places[v]);
    place.position = embedded.mesh.positions[v];
    vertices_.push_back({place,
                         current.empty() ? place.position : current[v],
                         metric[v],
                         {{v, 1.0}},
                         !embedded.fixed.empty() && embedded.fixed[v] != 0});
  }
  if (bounds_deviation()) removed_.resize(embedded.mesh.face_count());
}

double AdaptiveMesh::metric_length2(VertexId a, VertexId b) const {
  const Vec3 e = position(b) - position(a);
  return 0.5 * (e.dot(vertices_[a].metric * e) + e.dot(vertices_[b].metric * e));
}

bool AdaptiveMesh::sound_change(std::span<const Triangle> before, std::span<const Triangle> after) const {
  Vec3 up = Vec3::Zero();
  for (const auto& [a, b, c] : before)
    up += area_vector(vertices_[a].current, vertices_[b].current, vertices_[c].current);
  up.normalize();
  const auto soundness = [&](std::span<const Triangle> triangles) {
    Soundness worst;
    for (const Triangle& t : triangles) {
      const Vertex &a = vertices_[t[0]], &b = vertices_[t[1]], &c = vertices_[t[2]];
      const Vec3 facing = area_vector(a.current, b.current, c.current).normalized();
      worst.upright = std::min(worst.upright, upright(a.rest, b.rest, c.rest));
      worst.facing = std::min(worst.facing, facing.dot(up));
      worst.height = std::min(worst.height, height_over_longest(a.current, b.current, c.current));
      worst.aspect = std::max(worst.aspect, aspect_ratio(a.rest.position, b.rest.position, c.rest.position));
    }
    return worst;
  };
  return soundness(before).may_become(soundness(after), options_.max_aspect);
}

// ---- split

bool AdaptiveMesh::wants_split(HalfedgeId h) const {
  return metric_length2(h) > 1 && rest_length(h) >= 2 * options_.smallest_edge;
}

RestPlace AdaptiveMesh::middle(HalfedgeId h) const {
  const RestPlace &a = vertices_[edges_.from(h)].rest, &b = vertices_[edges_.to(h)].rest;
  const Vec3 x = 0.5 * (a.position + b.position);
  if (!edges_.twin(h).valid())
    if (const auto place = border_place_between(rest_, a, b, x)) return *place;
  return place_between(rest_, a, b, x);
}

/// The middle must lie between the ends and on their wall of the surface. Splits do not mend triangles that
/// are flat at rest, but make more of them, whose corners lie on each other: they could go on for ever.
bool AdaptiveMesh::splits_well(HalfedgeId h, const RestPlace& m) const {
  const RestPlace &a = vertices_[edges_.from(h)].rest, &b = vertices_[edges_.to(h)].rest;
  const double farthest = 0.75 * rest_length(h);
  if ((m.position - a.position).norm() > farthest || (m.position - b.position).norm() > farthest)
    return false;
  if (!(m.normal.dot(a.normal + b.normal) > 0)) return false;
  double before = 1, after = 1;
  for (HalfedgeId side : {h, edges_.twin(h)}) {
    if (!side.valid()) continue;
    const RestPlace &from = vertices_[edges_.from(side)].rest, &to = vertices_[edges_.to(side)].rest;
    const RestPlace& c = vertices_[edges_.opposite(side)].rest;
    if (height_over_longest(from.position, to.position, c.position) < flat) return false;
    before = std::min(before, upright(from, to, c));
    after = std::min({after, upright(from, m, c), upright(m, to, c)});
  }
  return stays_upright(before, after);
}

/// At the current positions a split changes nothing: the new vertex lies on its edge.
bool AdaptiveMesh::try_split(HalfedgeId h) {
  if (!edges_.can_split(h)) return false;
  const RestPlace m = middle(h);
  if (!splits_well(h, m)) return false;
  const Vertex &a = vertices_[edges_.from(h)], &b = vertices_[edges_.to(h)];
  const Vertex vertex{m, 0.5 * (a.current + b.current), 0.5 * (a.metric + b.metric),
                      mean(a.stencil, b.stencil), false};
  std::vector<FaceId> cut{face(h)};
  if (edges_.twin(h).valid()) cut.push_back(face(edges_.twin(h)));
  const std::vector<VertexId> points = take_removed(cut);
  const VertexId v = edges_.split(h);
  vertices_.push_back(vertex);
  ++alive_count_;
  if (bounds_deviation()) removed_.resize(edges_.halfedge_count() / 3);
  if (points.empty()) return true;
  std::vector<HalfedgeId> faces;
  edges_.for_each_leaving(v, [&](HalfedgeId k) { faces.push_back(k); });
  put_removed(points, faces);
  return true;
}

// ---- flip

/// Sum of the cotangents, in the metric, of the angles across from the diagonal a-b of a quad: negative when
/// it is not the diagonal of Delaunay.
double AdaptiveMesh::opposite_cotangents(VertexId a, VertexId b, VertexId c, VertexId d) const {
  const UnfoldedHinge hinge(position(a), position(b), position(c), position(d));
  Mat3 mean = Mat3::Zero();
  for (VertexId v : {a, b, c, d}) mean += 0.25 * vertices_[v].metric;
  Mat2 metric = hinge.axes.transpose() * mean * hinge.axes;
  // A metric that asks for nothing along a direction leaves the angles there open: equal lengths decide.
  metric += (1e-9 * metric.trace() + 1e-300) * Mat2::Identity();
  const Vec2 end(hinge.length, 0);
  return (scaled_cotangent(metric, -hinge.c, end - hinge.c) +
          scaled_cotangent(metric, end - hinge.d, -hinge.d)) /
         std::sqrt(metric.determinant());
}

/// Unfolded over one diagonal and over the other, a bent quad has different angles: both may seem to want the
/// flip, so the flip must also gain something.
bool AdaptiveMesh::wants_flip(HalfedgeId h) const {
  const HalfedgeId g = edges_.twin(h);
  if (!g.valid() || edges_.line(h).valid()) return false;
  const VertexId a = edges_.from(h), b = edges_.to(h), c = edges_.opposite(h), d = edges_.opposite(g);
  const double before = opposite_cotangents(a, b, c, d);
  return before < flip_below && opposite_cotangents(d, c, a, b) > before - flip_below;
}

bool AdaptiveMesh::try_flip(HalfedgeId h, double longest2) {
  if (!edges_.alive(h) || !wants_flip(h) || !edges_.can_flip(h)) return false;
  const HalfedgeId g = edges_.twin(h);
  const VertexId a = edges_.from(h), b = edges_.to(h), c = edges_.opposite(h), d = edges_.opposite(g);
  if (metric_length2(c, d) > std::max(longest2, metric_length2(h))) return false;
  const std::array<Triangle, 2> after{Triangle{d, c, a}, Triangle{c, d, b}};
  if (!sound_change(std::array{triangle(h), triangle(g)}, after)) return false;
  std::vector<VertexId> points;
  if (bounds_deviation()) {
    if (!(diagonal_gap(h) <= options_.max_deviation)) return false;
    for (HalfedgeId side : {h, g}) {
      const auto& here = removed_[face(side)];
      points.insert(points.end(), here.begin(), here.end());
    }
    if (!near(points, after)) return false;
    take_removed(std::array{face(h), face(g)});
  }
  edges_.flip(h);
  put_removed(points, std::array{h, g});
  return true;
}

// ---- collapse

bool AdaptiveMesh::wants_collapse(HalfedgeId h) const {
  const VertexId a = edges_.from(h), b = edges_.to(h);
  return metric_length2(h) < longest_after_collapse2 && !(too_long_without(a, b) && too_long_without(b, a));
}

VertexId AdaptiveMesh::try_collapse(HalfedgeId h) {
  const VertexId a = edges_.from(h), b = edges_.to(h);
  // What was added last goes first: the old vertices stay where they can.
  for (VertexId removed : {std::max(a, b), std::min(a, b)})
    if (try_collapse(h, removed)) return removed == a ? b : a;
  return {};
}

/// Vertices on a line are removed along it, and only where it goes straight on.
bool AdaptiveMesh::removable_from_line(HalfedgeId h, VertexId removed) const {
  int sides = 0;
  VertexId beyond;
  edges_.for_each_edge(removed, [&](HalfedgeId k, bool leaves) {
    if (!edges_.line(k).valid()) return;
    ++sides;
    if (k != h && k != edges_.twin(h)) beyond = leaves ? edges_.to(k) : edges_.from(k);
  });
  if (sides == 0) return true;
  if (sides != 2 || !edges_.line(h).valid()) return false;
  const VertexId kept = edges_.from(h) == removed ? edges_.to(h) : edges_.from(h);
  const Vec3 arrives = position(removed) - position(kept), leaves = position(beyond) - position(removed);
  return std::atan2(arrives.cross(leaves).norm(), arrives.dot(leaves)) < options_.corner_angle;
}

bool AdaptiveMesh::may_remove(HalfedgeId h, VertexId removed) const {
  return !vertices_[removed].fixed && removable_from_line(h, removed);
}

/// Whether an edge from `kept` to a neighbour of `removed` would be longer than one made by a collapse may
/// be.
bool AdaptiveMesh::too_long_without(VertexId removed, VertexId kept) const {
  bool too_long = false;
  edges_.for_each_edge(removed, [&](HalfedgeId k, bool leaves) {
    if (too_long) return;
    const VertexId x = leaves ? edges_.to(k) : edges_.from(k);
    too_long = x != kept && metric_length2(kept, x) >= longest_after_collapse2;
  });
  return too_long;
}

bool AdaptiveMesh::try_collapse(HalfedgeId h, VertexId removed) {
  const VertexId kept = edges_.from(h) == removed ? edges_.to(h) : edges_.from(h);
  if (too_long_without(removed, kept) || !may_remove(h, removed) || !edges_.can_collapse(h)) return false;
  std::vector<Triangle> before, after;
  std::vector<HalfedgeId> staying;  // the side of each triangle that stays, across from the vertex
  std::vector<FaceId> faces;
  std::vector<VertexId> points;
  if (removed.index() < old_count_) points.push_back(removed);
  edges_.for_each_leaving(removed, [&](HalfedgeId k) {
    const VertexId b = edges_.to(k), c = edges_.opposite(k);
    before.push_back(triangle(k));
    faces.push_back(face(k));
    if (bounds_deviation()) points.insert(points.end(), removed_[face(k)].begin(), removed_[face(k)].end());
    if (b == kept || c == kept) return;
    after.push_back({kept, b, c});
    staying.push_back(edges_.next(k));
  });
  if (!sound_change(before, after)) return false;
  if (bounds_deviation() && (!near(points, after) || !near(std::array{removed}, after))) return false;
  take_removed(faces);
  edges_.collapse(h, removed);
  put_removed(points, staying);
  --alive_count_;
  return true;
}

// ---- how far the surface moves now

double AdaptiveMesh::current_distance(VertexId point, const Triangle& t) const {
  const Vec3& p = vertices_[point].current;
  const Vec3 &a = vertices_[t[0]].current, &b = vertices_[t[1]].current, &c = vertices_[t[2]].current;
  const Vec3 w = closest_in_triangle(p, a, b, c);
  return (w[0] * a + w[1] * b + w[2] * c - p).norm();
}

bool AdaptiveMesh::near(std::span<const VertexId> points, std::span<const Triangle> triangles) const {
  return std::all_of(points.begin(), points.end(), [&](VertexId p) {
    return std::any_of(triangles.begin(), triangles.end(),
                       [&](const Triangle& t) { return current_distance(p, t) <= options_.max_deviation; });
  });
}

/// Distance now between the two diagonals of a hinge, where they cross at rest.
double AdaptiveMesh::diagonal_gap(HalfedgeId h) const {
  const Vertex &a = vertices_[edges_.from(h)], &b = vertices_[edges_.to(h)];
  const Vertex &c = vertices_[edges_.opposite(h)], &d = vertices_[edges_.opposite(edges_.twin(h))];
  const UnfoldedHinge hinge(a.rest.position, b.rest.position, c.rest.position, d.rest.position);
  const Vec2 way = hinge.crossing();
  const Vec3 on_edge = (1 - way.x()) * a.current + way.x() * b.current;
  const Vec3 on_other = (1 - way.y()) * c.current + way.y() * d.current;
  return (on_edge - on_other).norm();
}

std::vector<VertexId> AdaptiveMesh::take_removed(std::span<const FaceId> faces) {
  std::vector<VertexId> points;
  if (!bounds_deviation()) return points;
  for (FaceId f : faces) {
    points.insert(points.end(), removed_[f].begin(), removed_[f].end());
    removed_[f].clear();
  }
  return points;
}

void AdaptiveMesh::put_removed(std::span<const VertexId> points, std::span<const HalfedgeId> faces) {
  if (!bounds_deviation()) return;
  for (VertexId p : points) {
    const auto distance = [&](HalfedgeId h) { return current_distance(p, triangle(h)); };
    const auto nearest = std::min_element(
        faces.begin(), faces.end(), [&](HalfedgeId g, HalfedgeId h) { return distance(g) < distance(h); });
    removed_[face(*nearest)].push_back(p);
  }
}

// ---- result

EmbeddedMesh AdaptiveMesh::embedded() const {
  EmbeddedMesh result;
  IdVector<VertexId, VertexId> number(edges_.vertex_count());
  for (VertexId v : ids<VertexId>(edges_.vertex_count())) {
    if (!edges_.halfedge(v).valid()) continue;
    number[v] = result.mesh.positions.push_back(position(v));
    result.places.push_back(vertices_[v].rest.point);
    result.fixed.push_back(vertices_[v].fixed);
  }
  for (HalfedgeId h : ids<HalfedgeId>(edges_.halfedge_count())) {
    if (!edges_.alive(h)) continue;
    if (h.value % 3 == 0)
      result.mesh.add_face(
          std::array{number[edges_.from(h)], number[edges_.to(h)], number[edges_.opposite(h)]});
    if (edges_.first_of_edge(h) && edges_.line(h).line == kept_line)
      result.kept_edges.push_back(std::minmax(number[edges_.from(h)], number[edges_.to(h)]));
  }
  return result;
}

VertexTransfer AdaptiveMesh::transfer() const {
  VertexTransfer result;
  for (VertexId v : ids<VertexId>(edges_.vertex_count()))
    if (edges_.halfedge(v).valid()) result.add(vertices_[v].stencil);
  return result;
}

}  // namespace cutis
