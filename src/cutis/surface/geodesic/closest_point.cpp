#include "cutis/surface/geodesic/closest_point.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/parallel.h"

// A tree of our own and not Embree's: Embree stores positions in single precision, so its boxes would have to
// be widened and every candidate decided again in double. A median-split tree in double is exact as it
// stands, refits in one pass, and returns the same bits whatever the CPU.

namespace cutis {
namespace {

constexpr int leaf_size = 4;
// A median split halves the faces: 2^31 of them are 31 levels deep.
constexpr std::size_t deepest = 64;
// Boxes and triangles are measured by different sums: a box is left out only when it is farther by more than
// rounding, so that ties are always looked at.
constexpr double rounding = 1 + 1e-12;
// Below this sine the plane of a triangle is rounding: only its sides count.
constexpr double flat_sine = 1e-12;

Vec3 closest_on_side(const Vec3& p, const std::array<const Vec3*, 3>& corners, int k) {
  const double s = closest_in_segment(p, *corners[at(k)], *corners[at((k + 1) % 3)]);
  Vec3 barycentric = Vec3::Zero();
  barycentric[k] = 1 - s;
  barycentric[(k + 1) % 3] = s;
  return barycentric;
}

Vec3 mixed(const Vec3& weights, const std::array<const Vec3*, 3>& corners) {
  return weights[0] * *corners[0] + weights[1] * *corners[1] + weights[2] * *corners[2];
}

/// Takes the candidate if it is nearer, or as near with a lower number.
void take(ClosestPoint& best, FaceId face, const Vec3& p, const std::array<const Vec3*, 3>& corners) {
  const Vec3 weights = closest_in_triangle(p, *corners[0], *corners[1], *corners[2]);
  const double d2 = (mixed(weights, corners) - p).squaredNorm();
  const bool first = !best.point.face.valid() || face < best.point.face;
  if (d2 < best.distance_squared || (d2 == best.distance_squared && first)) best = {{face, weights}, d2};
}

}  // namespace

double closest_in_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 way = b - a;
  const double length2 = way.squaredNorm();
  return length2 > 0 ? std::clamp(way.dot(p - a) / length2, 0.0, 1.0) : 0.0;
}

Vec3 closest_in_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const std::array<const Vec3*, 3> corners{&a, &b, &c};
  const Vec3 ab = b - a, ac = c - a, normal = ab.cross(ac);
  const double area2 = normal.squaredNorm();
  const bool flat = !(area2 > flat_sine * flat_sine * ab.squaredNorm() * ac.squaredNorm());
  // Barycentrics of the projection, times the square of twice the area.
  const Vec3 weights(normal.dot((c - b).cross(p - b)), normal.dot((a - c).cross(p - c)),
                     normal.dot(ab.cross(p - a)));
  if (!flat && weights.minCoeff() >= 0) return weights / weights.sum();
  // Outside, the closest point lies on a side that p is beyond. weights[k] belongs to the side after corner
  // k.
  Vec3 best = Vec3::UnitX();
  double nearest = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) {
    if (!flat && weights[(k + 2) % 3] >= 0) continue;
    const Vec3 candidate = closest_on_side(p, corners, k);
    const double d2 = (mixed(candidate, corners) - p).squaredNorm();
    if (d2 < nearest) {
      nearest = d2;
      best = candidate;
    }
  }
  return best;
}

ClosestPointTree::ClosestPointTree(const Mesh& triangles, const Points& positions) : mesh_(&triangles) {
  if (triangles.face_count() == 0) throw InputError("closest points: the mesh has no faces");
  for (FaceId f : ids<FaceId>(triangles.face_count()))
    if (triangles.face_size(f) != 3)
      throw InputError(fmt::format("face {} is not a triangle; triangulate the mesh first", f.value));
  set_positions(positions);
  std::vector<Vec3> centres(triangles.face_count());
  faces_.reserve(triangles.face_count());
  for (FaceId f : ids<FaceId>(triangles.face_count())) {
    const auto v = triangles.face(f);
    centres[f.index()] = (positions[v[0]] + positions[v[1]] + positions[v[2]]) / 3;
    faces_.push_back(f);
  }
  build(centres);
  refit();
}

void ClosestPointTree::set_positions(const Points& positions) {
  for (VertexId v : ids<VertexId>(positions.size()))
    if (!positions[v].allFinite())
      throw InputError(fmt::format("vertex {}: its position is not finite; repair the mesh first", v.value));
  positions_ = positions;
}

void ClosestPointTree::build(std::vector<Vec3>& centres) {
  struct Range {
    int first, count, parent;  // parent: whose right child it is, or -1
  };
  std::vector<Range> open{{0, static_cast<int>(faces_.size()), -1}};
  while (!open.empty()) {
    const Range range = open.back();
    open.pop_back();
    if (range.parent >= 0)
      nodes_[static_cast<std::size_t>(range.parent)].right = static_cast<int>(nodes_.size());
    const int here = static_cast<int>(nodes_.size());
    nodes_.push_back({});
    nodes_.back().first = range.first;
    if (range.count <= leaf_size) {
      nodes_.back().count = range.count;
      continue;
    }
    const auto begin = faces_.begin() + range.first;
    Vec3 low = centres[begin->index()], high = low;
    for (auto f = begin; f != begin + range.count; ++f) {
      low = low.cwiseMin(centres[f->index()]);
      high = high.cwiseMax(centres[f->index()]);
    }
    int axis = 0;
    (high - low).maxCoeff(&axis);
    const int half = range.count / 2;
    std::nth_element(begin, begin + half, begin + range.count, [&](FaceId f, FaceId g) {
      const double x = centres[f.index()][axis], y = centres[g.index()][axis];
      return x != y ? x < y : f < g;
    });
    open.push_back({range.first + half, range.count - half, here});
    open.push_back({range.first, half, -1});
  }
}

void ClosestPointTree::refit() {
  parallel_for(nodes_.size(), [&](std::size_t i) {
    Node& node = nodes_[i];
    if (node.right > 0) return;
    node.box.low.setConstant(std::numeric_limits<double>::infinity());
    node.box.high.setConstant(-std::numeric_limits<double>::infinity());
    for (int k = 0; k < node.count; ++k)
      for (VertexId v : mesh_->face(faces_[static_cast<std::size_t>(node.first + k)])) {
        node.box.low = node.box.low.cwiseMin(positions_[v]);
        node.box.high = node.box.high.cwiseMax(positions_[v]);
      }
  });
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    if (nodes_[i].right == 0) continue;
    const Box &left = nodes_[i + 1].box, &right = nodes_[static_cast<std::size_t>(nodes_[i].right)].box;
    nodes_[i].box = {left.low.cwiseMin(right.low), left.high.cwiseMax(right.high)};
  }
}

void ClosestPointTree::update(const Points& positions) {
  set_positions(positions);
  refit();
}

void ClosestPointTree::visit_leaf(const Node& leaf, const Vec3& p, ClosestPoint& best) const {
  for (int k = 0; k < leaf.count; ++k) {
    const FaceId f = faces_[static_cast<std::size_t>(leaf.first + k)];
    const auto v = mesh_->face(f);
    take(best, f, p, {&positions_[v[0]], &positions_[v[1]], &positions_[v[2]]});
  }
}

ClosestPoint ClosestPointTree::operator()(const Vec3& p, double radius) const {
  struct Open {
    int node;
    double distance_squared;
  };
  std::array<Open, deepest> open;
  ClosestPoint best;
  best.distance_squared = radius >= 0 ? radius * radius : -1;
  std::size_t count = 0;
  const double root = nodes_[0].box.distance_squared(p);
  if (root <= best.distance_squared * rounding) open[count++] = {0, root};
  while (count > 0) {
    const Open top = open[--count];
    if (top.distance_squared > best.distance_squared * rounding) continue;
    const Node& node = nodes_[static_cast<std::size_t>(top.node)];
    if (node.right == 0) {
      visit_leaf(node, p, best);
      continue;
    }
    Open near{top.node + 1, nodes_[static_cast<std::size_t>(top.node) + 1].box.distance_squared(p)};
    Open far{node.right, nodes_[static_cast<std::size_t>(node.right)].box.distance_squared(p)};
    if (far.distance_squared < near.distance_squared) std::swap(near, far);
    for (const Open& child : {far, near})
      if (child.distance_squared <= best.distance_squared * rounding) open[count++] = child;
  }
  if (!best.point.face.valid()) best.distance_squared = std::numeric_limits<double>::infinity();
  return best;
}

void ClosestPointTree::operator()(std::span<const Vec3> points, std::span<ClosestPoint> results) const {
  parallel_for(points.size(), [&](std::size_t i) { results[i] = (*this)(points[i]); });
}

namespace {

/// Up to 128 ids in the order they came, each once, without memory from the heap.
template <class I>
class SmallSet {
 public:
  /// True when it is new and there was room.
  bool add(I id) {
    if (size_ == ids_.size()) return false;
    for (std::size_t slot = id.index() * 2654435761u % table_.size();; slot = (slot + 1) % table_.size()) {
      if (table_[slot] == id) return false;
      if (table_[slot].valid()) continue;
      table_[slot] = id;
      ids_[size_++] = id;
      return true;
    }
  }
  std::size_t size() const { return size_; }
  I operator[](std::size_t i) const { return ids_[i]; }

 private:
  std::array<I, 128> ids_;
  std::array<I, 256> table_;
  std::size_t size_ = 0;
};

class LocalWalk {
 public:
  LocalWalk(const Topology& topology, const Points& positions, const Vec3& p)
      : t_(topology), positions_(positions), p_(p) {}

  ClosestPoint best;

  void look(FaceId f) {
    const HalfedgeId h = t_.halfedge(f);
    const Vec3 &a = positions_[t_.from(h)], &b = positions_[t_.to(h)], &c = positions_[t_.from(t_.prev(h))];
    const Vec3 low = a.cwiseMin(b).cwiseMin(c), high = a.cwiseMax(b).cwiseMax(c);
    if ((low - p_).cwiseMax(p_ - high).cwiseMax(0.0).squaredNorm() > best.distance_squared * rounding) return;
    take(best, f, p_, {&a, &b, &c});
  }

  /// Looks at the faces that share the edge or the vertex that a point lies on.
  void look_around(const SurfacePoint& here) {
    const HalfedgeId first = t_.halfedge(here.face);
    for (int k = 0; k < 3; ++k) {
      const HalfedgeId h(first.value + k);
      if (here.barycentric[k] == 1) return look_around(t_.from(h));
      if (here.barycentric[(k + 2) % 3] == 0 && !t_.is_border(t_.twin(h))) look(t_.face(t_.twin(h)));
    }
  }

  /// Looks at `rings` rings of faces around the best point's face.
  void look_farther(int rings) {
    SmallSet<FaceId> faces;
    SmallSet<VertexId> vertices;
    faces.add(best.point.face);
    std::size_t begin = 0;
    for (int ring = 0; ring < rings; ++ring) {
      const std::size_t end = faces.size();
      for (; begin < end; ++begin) {
        const HalfedgeId first = t_.halfedge(faces[begin]);
        for (int k = 0; k < 3; ++k) {
          const VertexId v = t_.from(HalfedgeId(first.value + k));
          if (vertices.add(v)) visit_fan(v, [&](FaceId f) { faces.add(f); });
        }
      }
    }
    for (std::size_t i = 1; i < faces.size(); ++i) look(faces[i]);
  }

 private:
  const Topology& t_;
  const Points& positions_;
  const Vec3& p_;

  template <class F>
  void visit_fan(VertexId v, const F& f) const {
    const HalfedgeId start = t_.halfedge(v);
    HalfedgeId h = start;
    do {
      f(t_.face(h));
      h = t_.rotate(h);
    } while (h != start && !t_.is_border(h));
  }
  void look_around(VertexId v) {
    visit_fan(v, [this](FaceId f) { look(f); });
  }
};

}  // namespace

ClosestPoint closest_point_local(const Topology& triangles, const Points& positions,
                                 const SurfacePoint& start, const Vec3& p, const LocalSearch& options) {
  LocalWalk walk(triangles, positions, p);
  walk.look(start.face);
  // Whichever of the faces around it the start is told by.
  walk.look_around(start);
  // Every step is strictly nearer, so this ends.
  for (double last = std::numeric_limits<double>::infinity(); walk.best.distance_squared < last;) {
    last = walk.best.distance_squared;
    walk.look_around(SurfacePoint(walk.best.point));
    if (options.rings > 0 && walk.best.distance_squared == last) walk.look_farther(options.rings);
  }
  return walk.best;
}

}  // namespace cutis
