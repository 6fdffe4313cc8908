#include "cutis/surface/remesh/remesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <queue>
#include <utility>

#include <fmt/format.h>

#include "cutis/core/cancellation.h"
#include "cutis/core/error.h"
#include "cutis/core/parallel.h"
#include "cutis/surface/geodesic/closest_point.h"
#include "cutis/surface/remesh/edit_mesh.h"
#include "cutis/surface/remesh/rest_place.h"

namespace cutis {
namespace {

// Botsch and Kobbelt 2004: halves of a split edge are no shorter than an edge that would be collapsed, and
// the other way round, so that the two do not undo each other.
constexpr double split_above = 4.0 / 3, collapse_below = 4.0 / 5;
constexpr double most_vertices = 20e6;
constexpr int flip_passes = 4, delaunay_rounds = 3;
// In which triangles with a small angle are mended, at most.
constexpr int repair_passes = 10;

/// A vertex of the new mesh. Its position is always that of a point of the source.
struct Place : RestPlace {
  double size = 0;  ///< length of edges wanted here
};

double angle_at(const Vec3& p, const Vec3& a, const Vec3& b) {
  return std::atan2((a - p).cross(b - p).norm(), (a - p).dot(b - p));
}

/// The smallest angle of a triangle.
double least_angle(const Place& a, const Place& b, const Place& c) {
  return std::min({angle_at(a.position, b.position, c.position), angle_at(b.position, c.position, a.position),
                   angle_at(c.position, a.position, b.position)});
}

enum class Flips {
  Valence,  ///< towards six edges a vertex: breaks up regular patterns of poor triangles
  Delaunay  ///< towards large angles
};

class Remesher {
 public:
  Remesher(const Surface& source, double edge, const RemeshOptions& options)
      : source_(source),
        options_(options),
        edge_(edge),
        lines_(source, options.crease_angle, options.corner_angle, options.kept_edges),
        mesh_(source.topology(), lines_) {
    for (VertexId v : ids<VertexId>(mesh_.vertex_count()))
      places_.push_back(mesh_.halfedge(v).valid() ? place(source.point(v)) : Place{});
    limit_vertices();
  }

  void round(Flips flips) {
    split_long_edges();
    collapse_short_edges();
    flip_edges(flips);
    smooth();
    flip_edges(flips);
  }

  void repair_triangles(double smallest_angle);

  RemeshResult result() const;

 private:
  const Surface& source_;
  const RemeshOptions& options_;
  double edge_;
  FeatureLines lines_;
  EditMesh mesh_;
  IdVector<VertexId, Place> places_;
  std::size_t vertex_limit_ = 0;

  Place place(const SurfacePoint& p) const { return sized(rest_place(source_, p)); }
  Place sized(const RestPlace& at) const {
    return {at, options_.sizes.empty() ? edge_ : interpolate(source_.mesh(), options_.sizes, at.point)};
  }
  Place place_near(const Vec3& x, const SurfacePoint& start) const {
    return place(closest_point_local(source_.topology(), source_.positions(), start, x).point);
  }
  const Vec3& position(VertexId v) const { return places_[v].position; }
  double length(HalfedgeId h) const { return (position(mesh_.to(h)) - position(mesh_.from(h))).norm(); }
  double wanted(HalfedgeId h) const {
    return 0.5 * (places_[mesh_.from(h)].size + places_[mesh_.to(h)].size);
  }
  bool on_line(VertexId v) const {
    bool found = false;
    mesh_.for_each_edge(v, [&](HalfedgeId h, bool) { found |= mesh_.line(h).valid(); });
    return found;
  }
  /// Vertices of the source that nothing may move. Those made later are never corners.
  bool is_corner(VertexId v) const {
    return v.index() < source_.mesh().vertex_count() && lines_.is_corner(v);
  }
  double upright_face(HalfedgeId h) const {
    return upright(places_[mesh_.from(h)], places_[mesh_.to(h)], places_[mesh_.opposite(h)]);
  }
  /// The least upright face around v, with v put to another place.
  double upright_around(VertexId v, const Place& at) const {
    double least = 1;
    mesh_.for_each_leaving(v, [&](HalfedgeId h) {
      least = std::min(least, upright(at, places_[mesh_.to(h)], places_[mesh_.opposite(h)]));
    });
    return least;
  }

  void limit_vertices();
  void split_long_edges();
  bool try_split(HalfedgeId h);
  Place middle(HalfedgeId h) const;
  void collapse_short_edges();
  bool may_remove(HalfedgeId h, VertexId removed) const;
  bool try_collapse(HalfedgeId h, VertexId removed, double angle = 0);
  void flip_edges(Flips flips);
  int valence_gain(HalfedgeId h) const;
  bool wants_flip(HalfedgeId h, Flips flips) const;
  bool try_flip(HalfedgeId h, Flips flips);
  double least_angle_around(VertexId v, const Place& at) const;
  bool flip_for_angles(VertexId v);
  bool collapse_for_angles(VertexId v, double angle);
  bool move_for_angles(VertexId v, double angle);
  void smooth();
  Vec3 centre_of_faces(VertexId v) const;
  double way_on_line(VertexId v, LineSpan& span) const;
  RemeshQuality quality() const;
};

void Remesher::limit_vertices() {
  double smallest = edge_;
  for (double size : options_.sizes) smallest = std::min(smallest, size);
  double needed = 2 * lines_.length() / smallest;
  for (FaceId f : ids<FaceId>(source_.mesh().face_count())) {
    const auto v = source_.mesh().face(f);
    const Place &a = places_[v[0]], &b = places_[v[1]], &c = places_[v[2]];
    const double area = 0.5 * (b.position - a.position).cross(c.position - a.position).norm();
    const double size = std::min({a.size, b.size, c.size});
    // A vertex of a regular mesh has two triangles of sqrt(3)/4 of an edge squared.
    needed += area / (std::sqrt(0.75) * size * size);
  }
  if (!(needed < most_vertices))
    throw InputError(
        fmt::format("remesh: edges of {} m need about {:.3g} vertices, more than {:.3g}; ask for longer ones",
                    smallest, needed, most_vertices));
  vertex_limit_ = source_.mesh().vertex_count() + static_cast<std::size_t>(10 * (needed + 100));
}

Place Remesher::middle(HalfedgeId h) const {
  const LineSpan& line = mesh_.line(h);
  if (line.valid()) return place(lines_.at(line.line, 0.5 * (line.from + line.to)));
  const Place &a = places_[mesh_.from(h)], &b = places_[mesh_.to(h)];
  return sized(place_between(source_, a, b, 0.5 * (a.position + b.position)));
}

bool Remesher::try_split(HalfedgeId h) {
  if (!mesh_.can_split(h)) return false;
  const double whole = length(h);
  const Place m = middle(h), &a = places_[mesh_.from(h)], &b = places_[mesh_.to(h)];
  // Of flat triangles whose longest side is split the halves measure 1/2 of it and the cuts to the opposite
  // corners at most 0.87. Edges hardly shorter than the one that was split would be split on and on.
  const auto far = [&](const Place& p, double part) {
    return (p.position - m.position).norm() > part * whole;
  };
  if (far(a, 0.75) || far(b, 0.75)) return false;
  double before = 1, after = 1;
  for (HalfedgeId side : {h, mesh_.twin(h)}) {
    if (!side.valid()) continue;
    const Place& c = places_[mesh_.opposite(side)];
    if (far(c, 0.95)) return false;
    const Place &from = places_[mesh_.from(side)], &to = places_[mesh_.to(side)];
    before = std::min(before, upright(from, to, c));
    after = std::min({after, upright(from, m, c), upright(m, to, c)});
  }
  if (!stays_upright(before, after)) return false;
  mesh_.split(h);
  places_.push_back(m);
  return true;
}

/// The longest edge first: then the cuts to the opposite corners are shorter than what was split. In any
/// other order a long thin triangle is cut into a fan of ever more long thin ones.
void Remesher::split_long_edges() {
  using Entry = std::pair<double, HalfedgeId>;
  std::priority_queue<Entry> open;
  const auto add = [&](HalfedgeId h) {
    if (const double l = length(h); l > split_above * wanted(h)) open.emplace(l, h);
  };
  for (HalfedgeId h : ids<HalfedgeId>(mesh_.halfedge_count()))
    if (mesh_.first_of_edge(h)) add(h);
  while (!open.empty() && places_.size() < vertex_limit_) {
    check_cancelled();
    const auto [l, h] = open.top();
    open.pop();
    // A split changes which edge a half-edge is: those around the new vertex are entered again.
    if (l != length(h) || !try_split(h)) continue;
    mesh_.for_each_leaving(VertexId(places_.size() - 1), [&](HalfedgeId k) {
      for (HalfedgeId side : {k, mesh_.next(k), mesh_.prev(k)}) add(side);
    });
  }
}

/// Corners stay, and vertices on a line move along it only.
bool Remesher::may_remove(HalfedgeId h, VertexId removed) const {
  return !is_corner(removed) && (mesh_.line(h).valid() || !on_line(removed));
}

/// Only where no angle is left that is smaller than `angle`.
bool Remesher::try_collapse(HalfedgeId h, VertexId removed, double angle) {
  if (!may_remove(h, removed)) return false;
  const VertexId kept = mesh_.from(h) == removed ? mesh_.to(h) : mesh_.from(h);
  const Place& at = places_[kept];
  double before = 1, after = 1, least = std::numbers::pi;
  bool too_long = false;
  mesh_.for_each_leaving(removed, [&](HalfedgeId k) {
    before = std::min(before, upright_face(k));
    const VertexId b = mesh_.to(k), c = mesh_.opposite(k);
    if (b == kept || c == kept) return;
    after = std::min(after, upright(at, places_[b], places_[c]));
    if (angle > 0) least = std::min(least, least_angle(at, places_[b], places_[c]));
  });
  mesh_.for_each_edge(removed, [&](HalfedgeId k, bool leaves) {
    const VertexId x = leaves ? mesh_.to(k) : mesh_.from(k);
    const double reach = (position(x) - at.position).norm();
    too_long |= reach > split_above * 0.5 * (places_[x].size + at.size) && reach > length(k);
  });
  if (too_long || least < angle || !stays_upright(before, after) || !mesh_.can_collapse(h)) return false;
  mesh_.collapse(h, removed);
  return true;
}

void Remesher::collapse_short_edges() {
  for (HalfedgeId h : ids<HalfedgeId>(mesh_.halfedge_count())) {
    if (!mesh_.first_of_edge(h) || !(length(h) < collapse_below * wanted(h))) continue;
    if (!try_collapse(h, mesh_.from(h))) try_collapse(h, mesh_.to(h));
  }
}

/// By how much a flip brings the valences around an edge nearer to six, and to four on a border.
int Remesher::valence_gain(HalfedgeId h) const {
  const HalfedgeId g = mesh_.twin(h);
  const auto gain = [&](VertexId v, int change) {
    const int off = static_cast<int>(mesh_.valence(v)) - (mesh_.is_border(v) ? 4 : 6);
    return off * off - (off + change) * (off + change);
  };
  return gain(mesh_.from(h), -1) + gain(mesh_.to(h), -1) + gain(mesh_.opposite(h), 1) +
         gain(mesh_.opposite(g), 1);
}

bool Remesher::wants_flip(HalfedgeId h, Flips flips) const {
  const Vec3 &a = position(mesh_.from(h)), &b = position(mesh_.to(h));
  const Vec3 &c = position(mesh_.opposite(h)), &d = position(mesh_.opposite(mesh_.twin(h)));
  const double opposite = angle_at(c, a, b) + angle_at(d, a, b);
  // With room for rounding, so that squares are not flipped for ever.
  if (flips == Flips::Delaunay) return opposite > std::numbers::pi + 1e-6;
  // Even valences, but no bad triangles: what one of the two rules flips, neither flips back.
  constexpr double bad = std::numbers::pi + 1;
  return opposite > bad || (angle_at(a, c, d) + angle_at(b, c, d) <= bad && valence_gain(h) > 0);
}

bool Remesher::try_flip(HalfedgeId h, Flips flips) {
  if (!mesh_.first_of_edge(h) || !mesh_.twin(h).valid() || !wants_flip(h, flips)) return false;
  const Place &a = places_[mesh_.from(h)], &b = places_[mesh_.to(h)];
  const Place &c = places_[mesh_.opposite(h)], &d = places_[mesh_.opposite(mesh_.twin(h))];
  const double before = std::min(upright(a, b, c), upright(b, a, d));
  const double after = std::min(upright(d, c, a), upright(c, d, b));
  if (!stays_upright(before, after) || !mesh_.can_flip(h)) return false;
  mesh_.flip(h);
  return true;
}

void Remesher::flip_edges(Flips flips) {
  bool flipped = true;
  for (int pass = 0; pass < flip_passes && flipped; ++pass) {
    check_cancelled();
    flipped = false;
    for (HalfedgeId h : ids<HalfedgeId>(mesh_.halfedge_count())) flipped |= try_flip(h, flips);
  }
}

/// Centre of gravity of the faces around v. Weights by area draw vertices to where triangles are large;
/// measured by the size wanted there, so that large ones may stay where they are wanted.
Vec3 Remesher::centre_of_faces(VertexId v) const {
  Vec3 sum = Vec3::Zero();
  double weights = 0;
  mesh_.for_each_leaving(v, [&](HalfedgeId h) {
    const Place &a = places_[v], &b = places_[mesh_.to(h)], &c = places_[mesh_.opposite(h)];
    const double size = a.size + b.size + c.size;
    const double weight = (b.position - a.position).cross(c.position - a.position).norm() / (size * size);
    sum += weight * (a.position + b.position + c.position) / 3;
    weights += weight;
  });
  return weights > 0 ? Vec3(sum / weights) : position(v);
}

/// Half the way of v to the middle of its neighbours along its line, and a span that leaves it. The whole way
/// would make neighbours that move together swing to and fro.
double Remesher::way_on_line(VertexId v, LineSpan& span) const {
  double shift = 0;
  mesh_.for_each_edge(v, [&](HalfedgeId h, bool leaves) {
    if (!mesh_.line(h).valid()) return;
    span = leaves ? mesh_.line(h) : mesh_.line(h).reversed();
    shift += 0.25 * span.length();
  });
  return shift;
}

/// All vertices aim at where their neighbours were before, in parallel; then they move one after the other,
/// each only if its faces stay upright.
void Remesher::smooth() {
  struct Aim {
    Place place;
    double shift = 0;
    bool moves = false;
  };
  IdVector<VertexId, Aim> aims(mesh_.vertex_count());
  parallel_for(aims.size(), [&](std::size_t i) {
    const VertexId v(i);
    if (!mesh_.halfedge(v).valid() || is_corner(v)) return;
    LineSpan span;
    const double shift = way_on_line(v, span);
    if (span.valid()) {
      aims[v] = {place(lines_.at(span.line, span.from + shift)), shift, true};
    } else {
      const Place& here = places_[v];
      Vec3 way = centre_of_faces(v) - here.position;
      way -= here.normal.dot(way) * here.normal;
      aims[v] = {place_near(here.position + way, here.point), 0, true};
    }
  });
  for (VertexId v : ids<VertexId>(aims.size())) {
    const Aim& aim = aims[v];
    if (!aim.moves || !stays_upright(upright_around(v, places_[v]), upright_around(v, aim.place))) continue;
    places_[v] = aim.place;
    if (aim.shift != 0) mesh_.shift_on_line(v, aim.shift);
  }
}

double Remesher::least_angle_around(VertexId v, const Place& at) const {
  double least = std::numbers::pi;
  mesh_.for_each_leaving(v, [&](HalfedgeId h) {
    least = std::min(least, least_angle(at, places_[mesh_.to(h)], places_[mesh_.opposite(h)]));
  });
  return least;
}

/// Flips an edge of a face around v whose two faces have a larger smallest angle after it.
bool Remesher::flip_for_angles(VertexId v) {
  HalfedgeId chosen;
  double most_gain = 1e-3;
  const auto look = [&](HalfedgeId h) {
    if (!mesh_.twin(h).valid() || !mesh_.can_flip(h)) return;
    const Place &a = places_[mesh_.from(h)], &b = places_[mesh_.to(h)];
    const Place &c = places_[mesh_.opposite(h)], &d = places_[mesh_.opposite(mesh_.twin(h))];
    const double gain = std::min(least_angle(d, c, a), least_angle(c, d, b)) -
                        std::min(least_angle(a, b, c), least_angle(b, a, d));
    const double before = std::min(upright(a, b, c), upright(b, a, d));
    const double after = std::min(upright(d, c, a), upright(c, d, b));
    if (!(gain > most_gain) || !stays_upright(before, after)) return;
    most_gain = gain;
    chosen = h;
  };
  mesh_.for_each_leaving(v, [&](HalfedgeId h) {
    look(h);
    look(mesh_.next(h));
  });
  if (chosen.valid()) mesh_.flip(chosen);
  return chosen.valid();
}

bool Remesher::collapse_for_angles(VertexId v, double angle) {
  HalfedgeId shortest;
  mesh_.for_each_edge(v, [&](HalfedgeId h, bool) {
    if (!shortest.valid() || length(h) < length(shortest)) shortest = h;
  });
  const VertexId other = mesh_.from(shortest) == v ? mesh_.to(shortest) : mesh_.from(shortest);
  return try_collapse(shortest, v, angle) || try_collapse(shortest, other, angle);
}

/// To the best of some places around.
bool Remesher::move_for_angles(VertexId v, double angle) {
  if (is_corner(v) || on_line(v)) return false;
  constexpr int directions = 8;
  const Place here = places_[v];
  const double upright_here = upright_around(v, here);
  const Vec3 first = here.normal.unitOrthogonal(), second = here.normal.cross(first);
  Place best = here;
  for (const double reach : {0.05, 0.15, 0.3})
    for (int i = 0; i < directions; ++i) {
      const double turn = 2 * std::numbers::pi * i / directions;
      const Vec3 way = reach * here.size * (std::cos(turn) * first + std::sin(turn) * second);
      const Place there = place_near(here.position + way, here.point);
      const double least = least_angle_around(v, there);
      if (!(least > angle + 1e-3) || !stays_upright(upright_here, upright_around(v, there))) continue;
      angle = least;
      best = there;
    }
  const bool moves = best.position != here.position;
  places_[v] = best;
  return moves;
}

void Remesher::repair_triangles(double smallest_angle) {
  bool changed = true;
  for (int pass = 0; pass < repair_passes && changed; ++pass) {
    check_cancelled();
    changed = false;
    for (VertexId v : ids<VertexId>(mesh_.vertex_count())) {
      if (!mesh_.halfedge(v).valid()) continue;
      const double angle = least_angle_around(v, places_[v]);
      if (angle < smallest_angle)
        changed |= flip_for_angles(v) || collapse_for_angles(v, angle) || move_for_angles(v, angle);
    }
  }
}

RemeshQuality Remesher::quality() const {
  RemeshQuality q;
  q.shortest_edge = q.smallest_angle = INFINITY;
  double edges = 0, faces = 0;
  for (HalfedgeId h : ids<HalfedgeId>(mesh_.halfedge_count())) {
    if (!mesh_.alive(h)) continue;
    if (h.value % 3 == 0) {
      const double least =
          least_angle(places_[mesh_.from(h)], places_[mesh_.to(h)], places_[mesh_.opposite(h)]);
      q.smallest_angle = std::min(q.smallest_angle, least);
      q.mean_angle += least;
      ++faces;
    }
    if (!mesh_.first_of_edge(h)) continue;
    const double relative = length(h) / wanted(h);
    q.shortest_edge = std::min(q.shortest_edge, relative);
    q.longest_edge = std::max(q.longest_edge, relative);
    q.mean_edge += relative;
    q.good_edges += relative >= 0.5 && relative <= 1.6;
    ++edges;
  }
  q.mean_edge /= edges;
  q.good_edges /= edges;
  q.mean_angle /= faces;
  return q;
}

RemeshResult Remesher::result() const {
  RemeshResult result;
  IdVector<VertexId, VertexId> number(mesh_.vertex_count());
  for (VertexId v : ids<VertexId>(mesh_.vertex_count())) {
    if (!mesh_.halfedge(v).valid()) continue;
    number[v] = result.mesh.positions.push_back(position(v));
    result.source.push_back(places_[v].point);
  }
  for (std::size_t i = 0; i < mesh_.halfedge_count(); i += 3) {
    const HalfedgeId h(i);
    if (!mesh_.alive(h)) continue;
    result.mesh.add_face(std::array{number[mesh_.from(h)], number[mesh_.to(h)], number[mesh_.opposite(h)]});
  }
  for (HalfedgeId h : ids<HalfedgeId>(mesh_.halfedge_count()))
    if (mesh_.first_of_edge(h) && mesh_.twin(h).valid() && mesh_.line(h).valid())
      result.kept_edges.push_back(std::minmax(number[mesh_.from(h)], number[mesh_.to(h)]));
  result.quality = quality();
  return result;
}

void check(const Surface& source, double edge, const RemeshOptions& options) {
  const auto check_length = [](double length, const std::string& what) {
    if (!(length > 0) || !std::isfinite(length))
      throw InputError(fmt::format("remesh: {} is {}; a length above zero is needed", what, length));
  };
  check_length(edge, "the length of edges");
  if (!options.sizes.empty() && options.sizes.size() != source.mesh().vertex_count())
    throw InputError(fmt::format("remesh: {} sizes for {} vertices; give one for each", options.sizes.size(),
                                 source.mesh().vertex_count()));
  for (VertexId v : ids<VertexId>(options.sizes.size()))
    check_length(options.sizes[v], fmt::format("the size at vertex {}", v.value));
  if (source.mesh().face_count() == 0) throw InputError("remesh: the mesh has no faces");
  for (VertexId v : ids<VertexId>(source.mesh().vertex_count()))
    if (!source.positions()[v].allFinite())
      throw InputError(
          fmt::format("remesh: vertex {}: its position is not finite; repair the mesh first", v.value));
}

}  // namespace

RemeshResult remesh(const Surface& source, double edge, const RemeshOptions& options) {
  check(source, edge, options);
  Remesher remesher(source, edge, options);
  for (int i = 0; i < options.rounds; ++i)
    remesher.round(i + delaunay_rounds < options.rounds ? Flips::Valence : Flips::Delaunay);
  remesher.repair_triangles(options.smallest_angle);
  return remesher.result();
}

}  // namespace cutis
