#include "cutis/flesh/distance/local_thickness.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "cutis/core/parallel.h"
#include "cutis/flesh/distance/outward_triangles.h"
#include "cutis/flesh/distance/winding_number.h"
#include "cutis/surface/field/neighbour_means.h"
#include "cutis/surface/geodesic/closest_point.h"
#include "cutis/surface/mesh/surface.h"

namespace cutis {
namespace {

/// A ball on the inner normal of a vertex, at the depth t, may cut its tangent plane off: it is kept while
/// its radius is at least this share of t. An edge between two faces at a right angle has 0.71, and noise of
/// normals costs as much.
constexpr double kSmallestShare = 0.68;
/// Depths that are looked at rise from this share of the mean length of the edges at a vertex by this factor.
constexpr double kFirstDepth = 0.02, kDepthFactor = 1.5;
/// Where the sides of a surface are told apart, as a share of the mean length of the edges at a vertex.
constexpr double kSideOffset = 1e-3;
/// A ball holds what lies outside of it by up to this share of its radius: vertices of coarse meshes lie
/// outside of the balls that touch their faces.
constexpr double kHoldMargin = 0.15;
constexpr int kBallIterations = 40;
/// Share of its radius by which the surface may cut into a ball. Coarse meshes are exact: on symmetric ones
/// several faces are as near, and which of them is found would change the ball. On fine ones that is less,
/// and to find the nearest of all faces from the middle of a round body takes as long as to look at each.
constexpr double kCoarseTolerance = 1e-10, kFineTolerance = 0.01;
constexpr std::size_t kCoarseFaces = 5000;
constexpr int kSmoothingRounds = 2;

struct Ball {
  Vec3 centre = Vec3::Zero();
  double radius = 0;
};

/// Which of its sides is inside the body.
enum class VertexSide { Border, Within, Sheet };

/// Largest of the balls around a place that hold it, by a tree of boxes around their centres.
class BallTree {
 public:
  explicit BallTree(std::vector<Ball> balls) : balls_(std::move(balls)) {
    if (!balls_.empty()) build(0, balls_.size());
  }

  double largest_holding(const Vec3& p, double at_least) const {
    double best = at_least;
    if (!nodes_.empty()) visit(0, p, best);
    return best;
  }

 private:
  static constexpr std::size_t kLeaf = 8;
  struct Node {
    Eigen::AlignedBox3d box;
    double radius = 0;  ///< largest
    std::size_t begin = 0, end = 0, right = 0;
  };
  std::vector<Ball> balls_;
  std::vector<Node> nodes_;

  void build(std::size_t begin, std::size_t end) {
    const std::size_t here = nodes_.size();
    nodes_.push_back({{}, 0, begin, end, 0});
    for (std::size_t i = begin; i < end; ++i) {
      nodes_[here].box.extend(balls_[i].centre);
      nodes_[here].radius = std::max(nodes_[here].radius, balls_[i].radius);
    }
    if (end - begin <= kLeaf) return;
    Eigen::Index axis = 0;
    nodes_[here].box.sizes().maxCoeff(&axis);
    const std::size_t half = (begin + end) / 2;
    std::nth_element(balls_.begin() + static_cast<std::ptrdiff_t>(begin),
                     balls_.begin() + static_cast<std::ptrdiff_t>(half),
                     balls_.begin() + static_cast<std::ptrdiff_t>(end),
                     [axis](const Ball& a, const Ball& b) { return a.centre[axis] < b.centre[axis]; });
    build(begin, half);
    nodes_[here].right = nodes_.size();
    build(half, end);
  }

  void visit(std::size_t i, const Vec3& p, double& best) const {
    const Node& node = nodes_[i];
    const double reach = (1 + kHoldMargin) * node.radius;
    if (node.radius <= best || node.box.squaredExteriorDistance(p) > reach * reach) return;
    if (node.right > 0) {
      visit(i + 1, p, best);
      visit(node.right, p, best);
      return;
    }
    for (std::size_t k = node.begin; k < node.end; ++k)
      if ((balls_[k].centre - p).norm() <= (1 + kHoldMargin) * balls_[k].radius)
        best = std::max(best, balls_[k].radius);
  }
};

class Thickness {
 public:
  explicit Thickness(const Mesh& mesh) : mesh_(mesh), winding_(mesh.positions.raw(), outward()) {
    find_edges();
    find_sides();
    drop_inner_faces();
  }

  IdVector<VertexId, double> radii() const {
    const std::size_t count = mesh_.vertex_count();
    IdVector<VertexId, std::optional<Ball>> balls(count);
    if (tree_) {
      parallel_for(count, [&](std::size_t i) { balls[VertexId(i)] = ball_below(VertexId(i)); });
      add_face_balls(balls);
    }
    std::vector<Ball> all;
    for (const std::optional<Ball>& ball : balls)
      if (ball && ball->radius > 0) all.push_back(*ball);
    const BallTree held(std::move(all));
    IdVector<VertexId, double> out(count, kUnknown);
    parallel_for(count, [&](std::size_t i) {
      const VertexId v(i);
      const double own = balls[v] ? balls[v]->radius : kUnknown;
      if (sides_[v] != VertexSide::Sheet) out[v] = held.largest_holding(mesh_.positions[v], own);
    });
    fill_unknown(out);
    for (int round = 0; round < kSmoothingRounds; ++round) out = neighbour_means(mesh_, out);
    return out;
  }

 private:
  static constexpr double kUnknown = -1;
  const Mesh& mesh_;
  IdVector<VertexId, Vec3> normals_;  ///< out of the body
  bool closed_ = false;
  WindingNumber winding_;
  IdVector<VertexId, double> edge_;  ///< mean length of the edges at a vertex [m]
  IdVector<VertexId, VertexSide> sides_;
  Mesh border_;  ///< faces between inside and outside
  std::optional<ClosestPointTree> tree_;
  double tolerance_ = kCoarseTolerance;

  std::vector<IndexTriangle> outward() {
    const std::vector<IndexTriangle> triangles = outward_triangles(mesh_);
    Mesh turned;
    turned.positions = mesh_.positions;
    for (const IndexTriangle& t : triangles)
      turned.add_face(std::array{VertexId(t[0]), VertexId(t[1]), VertexId(t[2])});
    normals_ = angle_weighted_normals(turned, turned.positions);
    closed_ = is_closed(triangles);
    return triangles;
  }

  void find_edges() {
    edge_.assign(mesh_.vertex_count(), 0);
    IdVector<VertexId, int> counts(mesh_.vertex_count(), 0);
    for (FaceId f : ids<FaceId>(mesh_.face_count())) {
      const auto face = mesh_.face(f);
      for (std::size_t k = 0; k < 3; ++k) {
        const VertexId a = face[k], b = face[(k + 1) % 3];
        const double length = (mesh_.positions[a] - mesh_.positions[b]).norm();
        edge_[a] += length, edge_[b] += length;
        ++counts[a], ++counts[b];
      }
    }
    for (VertexId v : ids<VertexId>(edge_.size()))
      if (counts[v] > 0) edge_[v] /= counts[v];
  }

  bool inside(const Vec3& p) const { return winding_(p) > 0.5; }

  void find_sides() {
    sides_.assign(mesh_.vertex_count(), VertexSide::Sheet);
    parallel_for(mesh_.vertex_count(), [&](std::size_t i) {
      const VertexId v(i);
      const Vec3 offset = kSideOffset * edge_[v] * normals_[v];
      if (offset.isZero(0)) return;
      const bool below = inside(mesh_.positions[v] - offset), above = inside(mesh_.positions[v] + offset);
      if (below && above) sides_[v] = VertexSide::Within;
      if (below != above) sides_[v] = VertexSide::Border;
      if (above && !below) normals_[v] = -normals_[v];
    });
  }

  /// What lies within another part bounds nothing.
  void drop_inner_faces() {
    border_.positions = mesh_.positions;
    for (FaceId f : ids<FaceId>(mesh_.face_count())) {
      const auto face = mesh_.face(f);
      if (std::ranges::all_of(face, [&](VertexId v) { return sides_[v] == VertexSide::Within; })) continue;
      border_.add_face(face);
    }
    if (border_.face_count() > 0) tree_.emplace(border_);
    if (border_.face_count() > kCoarseFaces) tolerance_ = kFineTolerance;
  }

  Vec3 surface_point(const ClosestPoint& closest) const {
    return interpolate(border_, border_.positions, closest.point);
  }

  std::optional<Ball> ball_below(VertexId v) const {
    if (sides_[v] != VertexSide::Border) return std::nullopt;
    return ball_below(mesh_.positions[v], normals_[v], edge_[v],
                      [&](FaceId f) { return std::ranges::count(border_.face(f), v) > 0; });
  }

  /// Where all corners of a face are sharp, as those of a cube are, they have the ball below its middle.
  void add_face_balls(IdVector<VertexId, std::optional<Ball>>& balls) const {
    const IdVector<VertexId, std::optional<Ball>> own = balls;
    for (FaceId f : ids<FaceId>(border_.face_count())) {
      const auto face = border_.face(f);
      if (std::ranges::any_of(face, [&](VertexId v) { return own[v] || sides_[v] != VertexSide::Border; }))
        continue;
      const Vec3 &a = mesh_.positions[face[0]], &b = mesh_.positions[face[1]], &c = mesh_.positions[face[2]];
      Vec3 normal = (b - a).cross(c - a).normalized();
      if (normal.dot(normals_[face[0]] + normals_[face[1]] + normals_[face[2]]) < 0) normal = -normal;
      const double edge = std::max({edge_[face[0]], edge_[face[1]], edge_[face[2]]});
      const auto ball = ball_below((a + b + c) / 3, normal, edge, [&](FaceId g) { return g == f; });
      for (VertexId v : face)
        if (ball && (!balls[v] || balls[v]->radius < ball->radius)) balls[v] = ball;
    }
  }

  /// The largest ball with its centre on the inner normal, before the surface comes nearer than
  /// kSmallestShare of the depth. Nothing at a corner that is sharper, whose neighbours tell. `edge` is how
  /// long edges are there, `around` names the faces that p lies on.
  template <class Around>
  std::optional<Ball> ball_below(const Vec3& p, const Vec3& n, double edge, const Around& around) const {
    double depth = kFirstDepth * edge;
    ClosestPoint hit = (*tree_)(p - depth * n, kSmallestShare * depth);
    if (hit.point.face.valid() && around(hit.point.face)) return std::nullopt;
    const double furthest = bounding_diagonal(mesh_.positions.raw());
    while (!hit.point.face.valid() && depth < furthest) {
      depth *= kDepthFactor;
      hit = (*tree_)(p - depth * n, kSmallestShare * depth);
    }
    Ball ball = hit.point.face.valid() ? between(p, n, surface_point(hit), depth) : Ball{p, 0};
    // Past the border of an open mesh there is no inside.
    if (!closed_ && ball.radius > 0 && !inside(ball.centre)) ball = last_inside(p, ball.centre);
    return ball;
  }

  /// The centre p - t n that is as far from a point of the surface above as from one below, which no other
  /// point is nearer to: shrinking balls (Ma, Bae and Choi 2012), from both sides. `deepest` is too deep.
  Ball between(const Vec3& p, const Vec3& n, Vec3 below, double deepest) const {
    Vec3 above = p;
    Ball ball{p, 0};
    for (int i = 0; i < kBallIterations; ++i) {
      // |p - t n - above| = |p - t n - below| is linear in t.
      const double across = 2 * n.dot(above - below);
      if (!(across > 0)) break;
      const double t = ((p - below).squaredNorm() - (p - above).squaredNorm()) / across;
      if (!(t > 0 && t <= deepest)) break;
      const Vec3 centre = p - t * n;
      const double radius = (centre - above).norm();
      const ClosestPoint closest = (*tree_)(centre, (1 - tolerance_) * radius);
      if (!closest.point.face.valid()) return {centre, radius};
      ball = {centre, std::sqrt(closest.distance_squared)};
      const Vec3 q = surface_point(closest);
      (n.dot(centre - q) > 0 ? below : above) = q;
    }
    return ball;
  }

  /// Half of the way from p to where the body ends.
  Ball last_inside(const Vec3& p, const Vec3& centre) const {
    double in = 0, out = 1;
    for (int i = 0; i < 30; ++i) {
      const double middle = 0.5 * (in + out);
      (inside(p + middle * (centre - p)) ? in : out) = middle;
    }
    const Vec3 middle = p + 0.5 * in * (centre - p);
    return {middle, std::sqrt((*tree_)(middle).distance_squared)};
  }

  /// Round after round the mean of the neighbours that are known; zero where there are none.
  void fill_unknown(IdVector<VertexId, double>& radii) const {
    for (VertexId v : ids<VertexId>(radii.size()))
      if (sides_[v] == VertexSide::Sheet) radii[v] = 0;
    for (bool more = true; more;) {
      IdVector<VertexId, double> sums(radii.size(), 0), counts(radii.size(), 0);
      for (FaceId f : ids<FaceId>(mesh_.face_count()))
        for (VertexId a : mesh_.face(f))
          for (VertexId b : mesh_.face(f))
            if (radii[b] >= 0 && a != b) sums[a] += radii[b], ++counts[a];
      more = false;
      for (VertexId v : ids<VertexId>(radii.size()))
        if (radii[v] < 0 && counts[v] > 0) radii[v] = sums[v] / counts[v], more = true;
    }
    for (double& radius : radii) radius = std::max(radius, 0.0);
  }
};

}  // namespace

IdVector<VertexId, double> inner_radius(const Mesh& triangles) { return Thickness(triangles).radii(); }

}  // namespace cutis
