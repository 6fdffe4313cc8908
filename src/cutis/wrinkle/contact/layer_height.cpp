#include "cutis/wrinkle/contact/layer_height.h"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

namespace cutis {
namespace {

/// A foot this little outside of a triangle, in barycentrics, lies on its edge.
constexpr double kOnEdge = 1e-10;
/// Triangles that a search goes through: places stay within some edges of their material ones.
constexpr int kMostTriangles = 64;
/// Newton's method for a place in a prism converges in three or four iterations where there is one.
constexpr int kMostIterations = 12;
constexpr double kPlaceTolerance = 1e-13;  // of the triangle's size
/// Of the volume of an upright prism: what is flatter stands upright along the line or is turned inside out.
constexpr double kFlattestPrism = 1e-6;

std::array<VertexId, 3> corners_of(const Topology& topology, FaceId f) {
  const HalfedgeId h = topology.halfedge(f);
  return {topology.from(h), topology.to(h), topology.from(topology.prev(h))};
}

/// The triangle across the edge that lies furthest towards b; invalid at a border, `f` itself where b lies
/// inside.
FaceId triangle_towards(const Topology& topology, FaceId f, const Vec3& b) {
  int opposite = 0;
  if (b.minCoeff(&opposite) >= -kOnEdge) return f;
  // The half-edge that leaves corner k runs opposite of corner k + 2.
  const HalfedgeId edge(topology.halfedge(f).value + (opposite + 1) % 3);
  return topology.face(topology.twin(edge));
}

/// Calls place_in(face), which gives an optional with the barycentrics b, from triangle to triangle.
template <class Place, class PlaceIn, class Barycentric>
std::optional<Place> searched(const Topology& topology, FaceId start, const PlaceIn& place_in,
                              const Barycentric& barycentric) {
  FaceId face = start;
  for (int i = 0; i < kMostTriangles; ++i) {
    std::optional<Place> place = place_in(face);
    if (!place) return std::nullopt;
    const FaceId next = triangle_towards(topology, face, barycentric(*place));
    if (next == face || !next.valid()) return place;
    face = next;
  }
  return std::nullopt;
}

/// The columns dp/db_1, dp/db_2, dp/dh of p = Σ b_i (x_i + h n_i); zero where the prism is turned inside out.
Mat3 prism_frame(const std::array<Vec3, 3>& x, const std::array<Vec3, 3>& n, const Vec3& b, double h) {
  const Vec3 side = x[1] - x[0], other = x[2] - x[0], area = side.cross(other);
  Mat3 frame;
  frame.col(0) = side + h * (n[1] - n[0]);
  frame.col(1) = other + h * (n[2] - n[0]);
  frame.col(2) = b[0] * n[0] + b[1] * n[1] + b[2] * n[2];
  // The triangle at the height h against that at the foot: beyond a point that all normals go through it has
  // shrunk to nothing and grown again, turned by half a circle, with its area positive and its trace not.
  const double trace = frame.col(0).dot(other.cross(area)) + frame.col(1).dot(area.cross(side));
  if (!(frame.determinant() > kFlattestPrism * area.norm()) || !(trace > 0)) frame.setZero();
  return frame;
}

std::array<Vec3, 2> ends_of(const Points& positions, const std::array<VertexId, 2>& edge) {
  return {positions[edge[0]], positions[edge[1]]};
}

/// Along the normal that the lower edge has where they cross: that of its middle first.
std::optional<CrossingPlace> crossing_over(const LayerShape& lower, const Points& upper,
                                           EdgeCrossing& edges) {
  const std::array<Vec3, 2> y = ends_of(upper, edges.upper), x = ends_of(lower.positions, edges.lower);
  std::optional<CrossingPlace> place;
  double t = 0.5;
  for (int i = 0; i < 3; ++i) {
    edges.normal = ((1 - t) * lower.normals[edges.lower[0]] + t * lower.normals[edges.lower[1]]).normalized();
    place = crossing_place(y, x, edges.normal);
    if (!place) return std::nullopt;
    t = std::clamp(place->on_lower, 0.0, 1.0);
  }
  return place;
}

}  // namespace

std::optional<PrismPlace> prism_place(const LayerShape& lower, const Vec3& p, FaceId face) {
  const std::array<VertexId, 3> corners = corners_of(lower.topology, face);
  std::array<Vec3, 3> x, n;
  for (std::size_t k = 0; k < 3; ++k) {
    x[k] = lower.positions[corners[k]] - p;
    n[k] = lower.normals[corners[k]];
  }
  const double size = (x[1] - x[0]).norm() + (x[2] - x[0]).norm();
  PrismPlace place{{face, Vec3::Constant(1.0 / 3)}, 0, Vec3::Zero()};
  Vec3& b = place.foot.barycentric;
  for (int i = 0; i < kMostIterations; ++i) {
    const Mat3 frame = prism_frame(x, n, b, place.height);
    if (frame.isZero(0)) return std::nullopt;
    const Vec3 off = b[0] * x[0] + b[1] * x[1] + b[2] * x[2] + place.height * frame.col(2);
    const Mat3 inverse = frame.inverse();
    // dh/dp, with b free to follow: the last row of the inverse.
    place.gradient = inverse.row(2);
    if (off.norm() <= kPlaceTolerance * size) return place;
    const Vec3 change = -inverse * off;
    b += Vec3(-change[0] - change[1], change[0], change[1]);
    place.height += change[2];
  }
  return std::nullopt;
}

std::optional<LineTriangleHit> line_triangle_hit(const Topology& upper, const Points& positions,
                                                 const Vec3& q, const Vec3& normal, FaceId face) {
  const std::array<VertexId, 3> corners = corners_of(upper, face);
  const Vec3 y0 = positions[corners[0]] - q;
  const Vec3 a = positions[corners[1]] - positions[corners[0]],
             c = positions[corners[2]] - positions[corners[0]];
  const Vec3 area = a.cross(c);
  const double facing = area.dot(normal);
  if (!(facing > kFlattestPrism * area.norm())) return std::nullopt;
  LineTriangleHit place;
  place.height = area.dot(y0) / facing;
  const Vec3 along = place.height * normal - y0;  // = b_1 a + b_2 c
  const double b1 = along.cross(c).dot(normal) / facing, b2 = a.cross(along).dot(normal) / facing;
  place.point = {face, Vec3(1 - b1 - b2, b1, b2)};
  // Σ b_i dy_i + (a, c) db = n dh, times the area vector.
  for (int k = 0; k < 3; ++k) place.gradient[at(k)] = place.point.barycentric[k] / facing * area;
  return place;
}

std::optional<PrismPlace> prism_place(const LayerShape& lower, const Vec3& p, const SurfacePoint& start) {
  return searched<PrismPlace>(
      lower.topology, start.face, [&](FaceId f) { return prism_place(lower, p, f); },
      [](const PrismPlace& place) { return place.foot.barycentric; });
}

std::optional<LineTriangleHit> line_triangle_hit(const Topology& upper, const Points& positions,
                                                 const Vec3& q, const Vec3& normal,
                                                 const SurfacePoint& start) {
  return searched<LineTriangleHit>(
      upper, start.face, [&](FaceId f) { return line_triangle_hit(upper, positions, q, normal, f); },
      [](const LineTriangleHit& place) { return place.point.barycentric; });
}

std::optional<CrossingPlace> crossing_place(const std::array<Vec3, 2>& upper,
                                            const std::array<Vec3, 2>& lower, const Vec3& normal) {
  const Vec3 a = upper[1] - upper[0], c = lower[1] - lower[0], d = upper[0] - lower[0];
  const Vec3 area = a.cross(c);
  const double facing = area.dot(normal), lengths = a.norm() * c.norm();
  if (!(std::abs(facing) > kFlattestPrism * lengths)) return std::nullopt;
  CrossingPlace place;
  place.height = d.dot(area) / facing;
  place.on_upper = -d.dot(c.cross(normal)) / facing;
  place.on_lower = -d.dot(a.cross(normal)) / facing;
  // (1 - s) dy_0 + s dy_1 + a ds - c dt = n dh, times the area vector.
  place.gradient = {(1 - place.on_upper) / facing * area, place.on_upper / facing * area};
  place.sine = std::abs(facing) / lengths;
  return place;
}

std::vector<EdgeCrossing> edge_crossings(const LayerShape& lower, const Points& upper,
                                         const std::array<VertexId, 2>& edge, FaceId first, FaceId last) {
  const Topology& topology = lower.topology;
  std::vector<EdgeCrossing> crossings;
  HalfedgeId entry;
  double way = 0;
  for (FaceId face = first; face.valid() && face != last && crossings.size() < kMostTriangles;
       face = topology.face(entry)) {
    HalfedgeId exit;
    EdgeCrossing nearest;
    double nearest_way = 1 + kOnEdge;
    for (int k = 0; k < 3; ++k) {
      const HalfedgeId side(topology.halfedge(face).value + k);
      if (side == entry) continue;
      EdgeCrossing edges{edge, {topology.from(side), topology.to(side)}, {}};
      const auto place = crossing_over(lower, upper, edges);
      if (!place || place->on_upper < way - kOnEdge || !(place->on_upper < nearest_way) ||
          place->on_lower < -kOnEdge || place->on_lower > 1 + kOnEdge)
        continue;
      exit = side;
      nearest = edges;
      nearest_way = place->on_upper;
    }
    if (!exit.valid()) break;
    crossings.push_back(nearest);
    way = nearest_way;
    entry = topology.twin(exit);
  }
  return crossings;
}

}  // namespace cutis
