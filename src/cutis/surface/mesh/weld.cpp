#include "cutis/surface/mesh/weld.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <unordered_map>

namespace cutis {
namespace {

using Cell = std::array<std::int64_t, 3>;

struct CellHash {
  std::size_t operator()(const Cell& c) const {
    const auto u = [&](int i) { return static_cast<std::uint64_t>(c[i]); };
    return u(0) * 73856093 ^ u(1) * 19349663 ^ u(2) * 83492791;
  }
};

/// Finds the first earlier point within the tolerance, on a grid whose cells are a tolerance wide.
class PointGrid {
 public:
  explicit PointGrid(double tolerance) : tolerance_(tolerance), cell_width_(std::max(tolerance, 1e-300)) {}

  SourceVertexId find(const Vec3& p, const SourcePoints& points) const {
    const Cell c = cell(p);
    const int reach = tolerance_ > 0 ? 1 : 0;
    SourceVertexId best;
    for (int x = -reach; x <= reach; ++x)
      for (int y = -reach; y <= reach; ++y)
        for (int z = -reach; z <= reach; ++z) {
          const auto [first, last] = cells_.equal_range(Cell{c[0] + x, c[1] + y, c[2] + z});
          for (auto it = first; it != last; ++it) {
            const bool near = (points[it->second] - p).norm() <= tolerance_;
            if (near && (!best.valid() || it->second < best)) best = it->second;
          }
        }
    return best;
  }
  void insert(const Vec3& p, SourceVertexId v) { cells_.emplace(cell(p), v); }

 private:
  Cell cell(const Vec3& p) const {
    Cell c;
    // A tolerance of zero joins equal coordinates only: their bits are the cell (+ 0.0 makes -0 and 0 one).
    // One below the spacing of doubles gives cells past the range of integers: those at its end share the
    // last.
    constexpr double last = 1e18;
    for (int i = 0; i < 3; ++i)
      c[i] = tolerance_ > 0 ? std::llround(std::floor(std::clamp(p[i] / cell_width_, -last, last)))
                            : std::bit_cast<std::int64_t>(p[i] + 0.0);
    return c;
  }
  double tolerance_, cell_width_;
  std::unordered_multimap<Cell, SourceVertexId, CellHash> cells_;
};

void join_vertices(const SourcePoints& points, double tolerance, Weld& weld) {
  PointGrid grid(tolerance);
  weld.vertex_of.resize(points.size());
  for (SourceVertexId v : ids<SourceVertexId>(points.size())) {
    const SourceVertexId earlier = grid.find(points[v], points);
    if (earlier.valid()) {
      weld.vertex_of[v] = weld.vertex_of[earlier];
      continue;
    }
    grid.insert(points[v], v);
    weld.vertex_of[v] = weld.mesh.positions.push_back(points[v]);
    weld.representative.push_back(v);
  }
}

void join_face(const SourceMesh& source, FaceId f, Weld& weld) {
  const CornerId first = source.first_corner(f);
  const std::size_t n = source.face_size(f);
  std::vector<VertexId> vertices;
  std::vector<CornerId> kept;
  for (std::size_t i = 0; i < n; ++i) {
    const CornerId c(first.index() + i);
    const VertexId v = weld.vertex_of[source.corners[c]];
    if (!vertices.empty() && vertices.back() == v) continue;
    vertices.push_back(v);
    kept.push_back(c);
  }
  while (vertices.size() > 1 && vertices.back() == vertices.front()) {
    vertices.pop_back();
    kept.pop_back();
  }
  if (vertices.size() < 3) {
    ++weld.dropped_faces;
    return;
  }
  weld.mesh.add_face(vertices);
  weld.source_face.push_back(f);
  if (source.has_uvs())
    for (CornerId c : kept) weld.mesh.uvs.push_back(source.uvs[c]);
}

}  // namespace

Points Weld::gather(const SourcePoints& source) const {
  Points points(representative.size());
  for (VertexId v : ids<VertexId>(points.size())) points[v] = source[representative[v]];
  return points;
}

std::array<SourceVertexId, 3> Weld::representatives(const Mesh& triangles, FaceId triangle) const {
  const auto corners = triangles.face(triangle);
  return {representative[corners[0]], representative[corners[1]], representative[corners[2]]};
}

std::vector<VertexId> Weld::split_vertices() const {
  std::vector<VertexId> result;
  for (VertexId v : ids<VertexId>(representative.size()))
    if (first(v) != v) result.insert(result.end(), {first(v), v});
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

Weld weld(const SourceMesh& source, double tolerance) {
  Weld result;
  join_vertices(source.positions, tolerance, result);
  for (FaceId f : ids<FaceId>(source.face_count())) join_face(source, f, result);
  return result;
}

double default_weld_tolerance(const SourceMesh& source) {
  return 1e-6 * bounding_diagonal(source.positions.raw());
}

}  // namespace cutis
