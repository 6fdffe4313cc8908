#include "cutis/surface/geodesic/intrinsic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/log.h"
#include "cutis/core/parallel.h"

namespace cutis {
namespace {

constexpr double mollification = 1e-10;  // of the mean edge length
// Four points on one circle leave both diagonals Delaunay: below this share of the cotangents it is rounding.
constexpr double cotangent_noise = 1e-13;

void check_triangles(const Topology& t) {
  for (FaceId f : ids<FaceId>(t.face_count())) {
    const HalfedgeId h = t.halfedge(f);
    if (t.next(t.next(t.next(h))) != h)
      throw InputError(fmt::format("face {} is not a triangle; triangulate the mesh first", f.value));
  }
}

void check_finite(const Points& positions) {
  for (VertexId v : ids<VertexId>(positions.size()))
    if (!positions[v].allFinite())
      throw InputError(fmt::format("vertex {}: its position is not finite; repair the mesh first", v.value));
}

}  // namespace

IdVector<EdgeId, double> mollified_lengths(const Topology& t, const Points& positions) {
  check_finite(positions);
  IdVector<EdgeId, double> lengths(t.edge_count());
  parallel_for(t.edge_count(), [&](std::size_t i) {
    const HalfedgeId h = t.halfedge(EdgeId(i));
    lengths[EdgeId(i)] = (positions[t.to(h)] - positions[t.from(h)]).norm();
  });
  return mollified(t, std::move(lengths));
}

IdVector<EdgeId, double> mollified(const Topology& t, IdVector<EdgeId, double> lengths) {
  check_triangles(t);
  if (lengths.empty()) return lengths;
  double sum = 0;
  for (double l : lengths) sum += l;
  if (!(sum > 0)) throw InputError("all edges of the mesh are of no length; its vertices lie in one point");
  const double delta = mollification * sum / static_cast<double>(t.edge_count());
  // Growing every edge by epsilon adds epsilon to a + b - c.
  double epsilon = 0;
  for (HalfedgeId h : ids<HalfedgeId>(t.corner_count())) {
    const double a = lengths[t.edge(t.next(h))], b = lengths[t.edge(t.prev(h))], c = lengths[t.edge(h)];
    epsilon = std::max(epsilon, delta - (a + b - c));
  }
  if (epsilon > 0)
    for (double& l : lengths) l += epsilon;
  return lengths;
}

Vec2 triangle_apex(double a, double b, double c) {
  // x² + y² = c², (x - a)² + y² = b². The area is Kahan's, from sides sorted by length: no cancellation.
  const double x = 0.5 * (a + (c - b) * (c + b) / a);
  std::array<double, 3> s{a, b, c};
  std::sort(s.begin(), s.end());
  const double product =
      (s[2] + (s[1] + s[0])) * (s[0] - (s[2] - s[1])) * (s[0] + (s[2] - s[1])) * (s[2] + (s[1] - s[0]));
  return {x, 0.5 * std::sqrt(std::max(product, 0.0)) / a};
}

IntrinsicTriangulation::IntrinsicTriangulation(const Topology& t, const Points& positions)
    : vertex_count_(t.vertex_count()),
      twin_(t.corner_count()),
      from_(t.corner_count()),
      length_(t.corner_count()),
      direction_(t.corner_count(), 0.0),
      flipped_(t.corner_count(), 0),
      full_turn_(t.vertex_count(), std::numeric_limits<double>::infinity()) {
  const auto lengths = mollified_lengths(t, positions);
  for (HalfedgeId h : ids<HalfedgeId>(t.corner_count())) {
    twin_[h] = t.is_border(t.twin(h)) ? HalfedgeId() : t.twin(h);
    from_[h] = t.from(h);
    length_[h] = lengths[t.edge(h)];
  }
  for (VertexId v : ids<VertexId>(vertex_count_)) {
    const HalfedgeId start = t.halfedge(v);
    if (!start.valid()) continue;
    double angle = 0;
    HalfedgeId h = start;
    do {
      direction_[h] = angle;
      angle += corner_angle(h);
      h = t.rotate(h);
    } while (h != start && !t.is_border(h));
    if (h == start) full_turn_[v] = angle;
  }
}

double IntrinsicTriangulation::corner_angle(HalfedgeId h) const {
  const Vec2 apex = triangle_apex(length_[h], length_[next(h)], length_[prev(h)]);
  return std::atan2(apex.y(), apex.x());
}

double IntrinsicTriangulation::corner_cotangent(HalfedgeId h) const {
  const Vec2 apex = triangle_apex(length_[h], length_[next(h)], length_[prev(h)]);
  return apex.x() / apex.y();
}

double IntrinsicTriangulation::area(FaceId f) const {
  const HalfedgeId h(3 * f.index());
  return 0.5 * length_[h] * triangle_apex(length_[h], length_[next(h)], length_[prev(h)]).y();
}

double IntrinsicTriangulation::cotangent_weight(HalfedgeId h) const {
  const double one = corner_cotangent(prev(h));
  return 0.5 * (twin_[h].valid() ? one + corner_cotangent(prev(twin_[h])) : one);
}

double IntrinsicTriangulation::wrapped(VertexId v, double angle) const {
  return angle >= full_turn_[v] ? angle - full_turn_[v] : angle;
}

bool IntrinsicTriangulation::needs_flip(HalfedgeId h) const {
  const HalfedgeId g = twin_[h];
  // An edge with one triangle on both sides has no quadrilateral to flip in.
  if (!g.valid() || g.value / 3 == h.value / 3) return false;
  const double a = corner_cotangent(prev(h)), b = corner_cotangent(prev(g));
  return a + b < -cotangent_noise * (1 + std::abs(a) + std::abs(b));
}

void IntrinsicTriangulation::join(HalfedgeId h, HalfedgeId twin) {
  twin_[h] = twin;
  if (twin.valid()) twin_[twin] = h;
}

void IntrinsicTriangulation::flip(HalfedgeId h) {
  // Triangles (i, j, k) on h and (j, i, m) on g become (m, k, i) on h and (k, m, j) on g.
  const HalfedgeId g = twin_[h];
  const HalfedgeId jk = next(h), ki = prev(h), im = next(g), mj = prev(g);
  struct Side {
    HalfedgeId outer, inner;
    VertexId from;
    double length, direction;
    char flipped;
  };
  const auto side = [&](HalfedgeId e) {
    return Side{twin_[e], e, from_[e], length_[e], direction_[e], flipped_[e]};
  };
  const Side s_jk = side(jk), s_ki = side(ki), s_im = side(im), s_mj = side(mj);
  // Lay both out around h: k above, m below.
  const double l = length_[h];
  const Vec2 k = triangle_apex(l, length_[jk], length_[ki]);
  const Vec2 below = triangle_apex(l, length_[im], length_[mj]);
  const Vec2 m(l - below.x(), -below.y());
  const double diagonal = (k - m).norm();
  // At k the diagonal leaves after k -> i, counter-clockwise; at m after m -> j.
  const auto turn = [](const Vec2& a, const Vec2& b) {
    return std::atan2(a.x() * b.y() - a.y() * b.x(), a.dot(b));
  };
  const double at_k = wrapped(s_ki.from, s_ki.direction + turn(-k, m - k));
  const double at_m = wrapped(s_mj.from, s_mj.direction + turn(Vec2(l, 0) - m, k - m));
  // A neighbour across a side may be another side of the two triangles themselves: its twin moves too.
  const std::array<Side, 4> moved{s_ki, s_im, s_mj, s_jk};
  const std::array<HalfedgeId, 4> places{next(h), prev(h), next(g), prev(g)};
  const auto place_of = [&](HalfedgeId old) {
    for (std::size_t n = 0; n < 4; ++n)
      if (moved[n].inner == old) return places[n];
    return old;
  };
  for (std::size_t n = 0; n < 4; ++n) {
    const Side& s = moved[n];
    from_[places[n]] = s.from;
    length_[places[n]] = s.length;
    direction_[places[n]] = s.direction;
    flipped_[places[n]] = s.flipped;
    join(places[n], s.outer.valid() ? place_of(s.outer) : HalfedgeId());
  }
  from_[h] = s_mj.from;
  from_[g] = s_ki.from;
  direction_[h] = at_m;
  direction_[g] = at_k;
  length_[h] = length_[g] = diagonal;
  flipped_[h] = flipped_[g] = 1;
  join(h, g);
}

int IntrinsicTriangulation::make_delaunay() {
  // First in, first out, from edges in their order: any order ends at the Delaunay triangulation (Bobenko and
  // Springborn 2007); a fixed one gives the same bits where it is not unique.
  // Each flip lowers the Dirichlet energy, so it ends; the bound is for slivers whose angles are all
  // rounding.
  std::deque<HalfedgeId> queue;
  IdVector<HalfedgeId, char> waiting(halfedge_count(), 0);
  const auto push = [&](HalfedgeId h) {
    if (!twin_[h].valid()) return;
    h = std::min(h, twin_[h]);
    if (waiting[h]) return;
    waiting[h] = 1;
    queue.push_back(h);
  };
  for (HalfedgeId h : ids<HalfedgeId>(halfedge_count())) push(h);
  const std::size_t most = 100 * halfedge_count();
  int flips = 0;
  while (!queue.empty()) {
    const HalfedgeId h = queue.front();
    queue.pop_front();
    waiting[h] = 0;
    if (!needs_flip(h)) continue;
    if (static_cast<std::size_t>(flips) >= most) {
      log().warn("intrinsic Delaunay: stopped after {} flips; some slivers are beyond rounding", flips);
      break;
    }
    flip(h);
    ++flips;
    const HalfedgeId g = twin_[h];
    for (HalfedgeId side : {next(h), prev(h), next(g), prev(g)}) push(side);
  }
  return flips;
}

Eigen::SparseMatrix<double> IntrinsicTriangulation::laplacian() const {
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(4 * halfedge_count() + vertex_count_);
  for (VertexId v : ids<VertexId>(vertex_count_)) entries.emplace_back(v.value, v.value, 0.0);
  for (HalfedgeId h : ids<HalfedgeId>(halfedge_count())) {
    const int i = from(h).value, j = to(h).value;
    if (i == j) continue;  // a loop sees no difference
    const double w = 0.5 * corner_cotangent(prev(h));
    entries.emplace_back(i, j, -w);
    entries.emplace_back(j, i, -w);
    entries.emplace_back(i, i, w);
    entries.emplace_back(j, j, w);
  }
  const auto n = static_cast<Eigen::Index>(vertex_count_);
  Eigen::SparseMatrix<double> matrix(n, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

Eigen::SparseMatrix<double> IntrinsicTriangulation::lumped_mass() const {
  std::vector<Eigen::Triplet<double>> entries;
  for (VertexId v : ids<VertexId>(vertex_count_)) entries.emplace_back(v.value, v.value, 0.0);
  for (HalfedgeId h : ids<HalfedgeId>(halfedge_count()))
    entries.emplace_back(from(h).value, from(h).value, area(FaceId(h.value / 3)) / 3);
  const auto n = static_cast<Eigen::Index>(vertex_count_);
  Eigen::SparseMatrix<double> matrix(n, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

}  // namespace cutis
