#include "cutis/surface/mesh/triangulate.h"

#include <algorithm>
#include <cmath>

namespace cutis {
namespace {

/// Area vector of a polygon (Newell): its direction is the mean normal, whatever the polygon's shape.
Vec3 area_vector(const std::vector<Vec3>& polygon) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < polygon.size(); ++i)
    sum += (polygon[i] - polygon[0]).cross(polygon[(i + 1) % polygon.size()] - polygon[0]);
  return 0.5 * sum;
}

double cross2(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

/// Smallest sine of a triangle's angles, negative when it is turned over: larger is better.
double quality(const Vec2& a, const Vec2& b, const Vec2& c) {
  const double longest = std::max({(b - a).norm(), (c - b).norm(), (a - c).norm()});
  return longest > 0 ? cross2(b - a, c - a) / (longest * longest) : 0;
}

std::vector<Vec2> flatten(const std::vector<Vec3>& polygon) {
  Vec3 normal = area_vector(polygon);
  if (normal.norm() == 0) normal = Vec3::UnitZ();
  const Vec3 z = normal.normalized();
  const Vec3 x = z.unitOrthogonal();
  const Vec3 y = z.cross(x);
  std::vector<Vec2> flat;
  for (const Vec3& p : polygon) flat.emplace_back((p - polygon[0]).dot(x), (p - polygon[0]).dot(y));
  return flat;
}

/// Also where a point lies on the rim, up to rounding: an ear that cuts off the last corner beside points in
/// one line would leave triangles without area.
bool contains_any(const std::vector<Vec2>& p, const std::vector<int>& ring, int a, int b, int c) {
  const double least = -1e-12 * std::max({(p[b] - p[a]).squaredNorm(), (p[c] - p[b]).squaredNorm(),
                                          (p[a] - p[c]).squaredNorm()});
  for (int i : ring) {
    if (i == a || i == b || i == c) continue;
    if (cross2(p[b] - p[a], p[i] - p[a]) >= least && cross2(p[c] - p[b], p[i] - p[b]) >= least &&
        cross2(p[a] - p[c], p[i] - p[c]) >= least)
      return true;
  }
  return false;
}

/// Ears whose scores differ by less are equally good: the diagonals of a rectangle, whichever way it is
/// turned.
constexpr double kEquallyGood = 1e-9;

/// Ear clipping, best ear first, the first of equally good ones. When no clean ear is left (a self-crossing
/// polygon) the best of all is cut, so that it always ends with n - 2 triangles.
std::vector<std::array<int, 3>> clip_ears(const std::vector<Vec2>& p) {
  std::vector<int> ring(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) ring[i] = static_cast<int>(i);
  std::vector<std::array<int, 3>> triangles;
  while (ring.size() > 3) {
    const std::size_t n = ring.size();
    std::size_t best = 0;
    double best_score = -INFINITY;
    for (std::size_t i = 0; i < n; ++i) {
      const int a = ring[(i + n - 1) % n], b = ring[i], c = ring[(i + 1) % n];
      double score = quality(p[a], p[b], p[c]);
      if (n == 4) score = std::min(score, quality(p[c], p[ring[(i + 2) % n]], p[a]));
      if (contains_any(p, ring, a, b, c)) score -= 10;
      if (score > best_score + kEquallyGood) {
        best_score = score;
        best = i;
      }
    }
    triangles.push_back({ring[(best + n - 1) % n], ring[best], ring[(best + 1) % n]});
    ring.erase(ring.begin() + static_cast<std::ptrdiff_t>(best));
  }
  triangles.push_back({ring[0], ring[1], ring[2]});
  return triangles;
}

}  // namespace

template <class V>
std::vector<TriangleCorners> triangulate(const PolygonMesh<V>& mesh) {
  std::vector<TriangleCorners> triangles;
  triangles.reserve(mesh.corner_count());
  std::vector<Vec3> polygon;
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    if (mesh.face_size(f) < 3) continue;
    const std::size_t first = mesh.first_corner(f).index();
    const auto add = [&](int a, int b, int c) {
      triangles.push_back({f, {CornerId(first + a), CornerId(first + b), CornerId(first + c)}});
    };
    if (mesh.face_size(f) == 3) {
      add(0, 1, 2);
      continue;
    }
    polygon.clear();
    for (V v : mesh.face(f)) polygon.push_back(mesh.positions[v]);
    for (const auto& [a, b, c] : clip_ears(flatten(polygon))) add(a, b, c);
  }
  return triangles;
}

template std::vector<TriangleCorners> triangulate(const Mesh&);
template std::vector<TriangleCorners> triangulate(const SourceMesh&);

}  // namespace cutis
