#include "cutis/skin/force_density/delaunay_cotangents.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "cutis/core/log.h"

namespace cutis {
namespace {

// Four points on one circle leave both diagonals Delaunay: below this share of the cotangents it is rounding.
constexpr double cotangent_noise = 1e-12;
// Twice the area of a triangle is at least this share of its longest side squared: cotangents stay finite.
constexpr double least_area = 1e-10;

}  // namespace

DelaunayCotangents::DelaunayCotangents(const Topology& t)
    : mesh_twin_(t.corner_count()),
      mesh_from_(t.corner_count()),
      cotangent_(t.corner_count()),
      twice_area_(t.face_count()) {
  for (HalfedgeId h : ids<HalfedgeId>(t.corner_count())) {
    mesh_twin_[h.index()] = t.is_border(t.twin(h)) ? -1 : t.twin(h).value;
    mesh_from_[h.index()] = t.from(h).value;
  }
  twin_ = mesh_twin_;
  from_ = mesh_from_;
}

void DelaunayCotangents::measure(const Points& positions) {
  for (std::size_t f = 0; f < twice_area_.size(); ++f) {
    const Vec3& a = positions[VertexId(from_[3 * f])];
    const Vec3& b = positions[VertexId(from_[3 * f + 1])];
    const Vec3& c = positions[VertexId(from_[3 * f + 2])];
    const Vec3 ab = b - a, bc = c - b, ca = a - c;
    const double longest = std::max({ab.squaredNorm(), bc.squaredNorm(), ca.squaredNorm()});
    const double area =
        std::max(ab.cross(ca).norm(), std::max(least_area * longest, std::numeric_limits<double>::min()));
    twice_area_[f] = area;
    const double inverse = -1 / area;
    cotangent_[3 * f] = inverse * bc.dot(ca);
    cotangent_[3 * f + 1] = inverse * ca.dot(ab);
    cotangent_[3 * f + 2] = inverse * ab.dot(bc);
  }
}

bool DelaunayCotangents::needs_flip(int h) const {
  const int g = twin_[at(h)];
  // An edge with one triangle on both sides has no quadrilateral to flip in.
  if (g < 0 || g / 3 == h / 3) return false;
  const double a = cotangent_[at(h)], b = cotangent_[at(g)];
  return a + b < -cotangent_noise * (1 + std::abs(a) + std::abs(b));
}

/// The cotangents of h, next(h), prev(h) when they run a -> b -> c.
void DelaunayCotangents::set_triangle(int h, const Vec2& a, const Vec2& b, const Vec2& c) {
  const Vec2 ab = b - a, bc = c - b, ca = a - c;
  const double longest = std::max({ab.squaredNorm(), bc.squaredNorm(), ca.squaredNorm()});
  const double area = std::max(cross(ab, bc), least_area * longest);
  twice_area_[at(h / 3)] = area;
  cotangent_[at(h)] = -bc.dot(ca) / area;
  cotangent_[at(next(h))] = -ca.dot(ab) / area;
  cotangent_[at(prev(h))] = -ab.dot(bc) / area;
}

void DelaunayCotangents::flip(int h) {
  // Triangles (i, j, k) on h and (j, i, m) on g become (m, k, i) on h and (k, m, j) on g.
  const int g = twin_[at(h)];
  const std::array<int, 4> old{prev(h), next(g), prev(g), next(h)};  // ki, im, mj, jk
  const std::array<int, 4> place{next(h), prev(h), next(g), prev(g)};
  // Laid out with i at the origin and j on the x axis: the height of k over it is 2A / l, its foot from i is
  // the height times the cotangent at i. l² = 2A (cot at i + cot at j).
  const double above = twice_area_[at(h / 3)], below = twice_area_[at(g / 3)];
  const double l = std::sqrt(above * (cotangent_[at(next(h))] + cotangent_[at(prev(h))]));
  const Vec2 i(0, 0), j(l, 0);
  const Vec2 k(above / l * cotangent_[at(next(h))], above / l);
  const Vec2 m(below / l * cotangent_[at(prev(g))], -below / l);

  std::array<int, 4> outer{}, from{};
  for (std::size_t n = 0; n < 4; ++n) {
    outer[n] = twin_[at(old[n])];
    from[n] = from_[at(old[n])];
  }
  for (std::size_t n = 0; n < 4; ++n) {
    // A neighbour across a side may be another side of the two triangles themselves: it moves too.
    int neighbour = outer[n];
    for (std::size_t o = 0; o < 4; ++o)
      if (outer[n] == old[o]) neighbour = place[o];
    from_[at(place[n])] = from[n];
    twin_[at(place[n])] = neighbour;
    if (neighbour >= 0) twin_[at(neighbour)] = place[n];
  }
  from_[at(h)] = from[2];
  from_[at(g)] = from[0];
  set_triangle(h, m, k, i);
  set_triangle(g, k, m, j);
}

int DelaunayCotangents::update(const Points& positions) {
  if (flipped_) {
    twin_ = mesh_twin_;
    from_ = mesh_from_;
  }
  measure(positions);
  queue_.clear();
  const int count = static_cast<int>(twin_.size());
  for (int h = 0; h < count; ++h)
    if (h < twin_[at(h)] && needs_flip(h)) queue_.push_back(h);
  // Each flip lowers the Dirichlet energy, so it ends; the bound is for slivers whose angles are all
  // rounding.
  const std::size_t most = 100 * twin_.size();
  std::size_t done = 0;
  int flips = 0;
  while (done < queue_.size()) {
    const int h = queue_[done++];
    if (!needs_flip(h)) continue;
    flip(h);
    ++flips;
    const int g = twin_[at(h)];
    for (int side : {next(h), prev(h), next(g), prev(g)})
      if (needs_flip(side)) queue_.push_back(side);
    if (done > most) {
      log().warn("intrinsic Delaunay: stopped after {} flips; some slivers are beyond rounding", flips);
      break;
    }
  }
  flipped_ = flips > 0;
  return flips;
}

}  // namespace cutis
