#include "support/polygon_meshes.h"

#include <array>
#include <cmath>
#include <numbers>

#include "cutis/surface/mesh/topology.h"

namespace cutis::test {

Mesh cube() {
  Mesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.positions.push_back(Vec3((i & 1) ? 1 : -1, (i & 2) ? 1 : -1, (i & 4) ? 1 : -1));
  constexpr int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                               {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (const auto& f : faces)
    mesh.add_face(std::array{VertexId(f[0]), VertexId(f[1]), VertexId(f[2]), VertexId(f[3])});
  return mesh;
}

Mesh dual(const Mesh& closed) {
  const Topology topology(closed);
  Mesh mesh;
  for (FaceId f : ids<FaceId>(closed.face_count())) {
    Vec3 sum = Vec3::Zero();
    for (VertexId v : closed.face(f)) sum += closed.positions[v];
    mesh.positions.push_back(sum / static_cast<double>(closed.face_size(f)));
  }
  for (VertexId v : ids<VertexId>(closed.vertex_count())) {
    std::vector<VertexId> ring;
    HalfedgeId h = topology.halfedge(v);
    do {
      ring.emplace_back(topology.face(h).index());
      h = topology.rotate(h);
    } while (h != topology.halfedge(v));
    mesh.add_face(ring);
  }
  return mesh;
}

Mesh mixed_torus(int n, int m, double R, double r) {
  Mesh mesh;
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < n; ++i) {
      const double a = 2 * std::numbers::pi * i / n, b = 2 * std::numbers::pi * j / m;
      const double radius = R + r * std::cos(b);
      mesh.positions.push_back(Vec3(radius * std::cos(a), radius * std::sin(a), r * std::sin(b)));
    }
  const auto at = [&](int i, int j) { return VertexId((j % m) * n + i % n); };
  for (int j = 0; j < m; ++j)
    for (int i = 2 * j; i < 2 * j + n; i += 5) {  // each row is turned, so that every vertex keeps valence 3
      mesh.add_face(
          std::array{at(i, j), at(i + 1, j), at(i + 2, j), at(i + 2, j + 1), at(i + 1, j + 1), at(i, j + 1)});
      mesh.add_face(std::array{at(i + 2, j), at(i + 3, j), at(i + 3, j + 1), at(i + 2, j + 1)});
      mesh.add_face(std::array{at(i + 3, j), at(i + 4, j), at(i + 4, j + 1)});
      mesh.add_face(std::array{at(i + 3, j), at(i + 4, j + 1), at(i + 3, j + 1)});
      mesh.add_face(std::array{at(i + 4, j), at(i + 5, j), at(i + 5, j + 1), at(i + 4, j + 1)});
    }
  return mesh;
}

Mesh triangle_grid(int n) {
  Mesh mesh;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) mesh.positions.push_back(Vec3(double(i) / n, double(j) / n, 0));
  const auto at = [&](int i, int j) { return VertexId(j * (n + 1) + i); };
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      mesh.add_face(std::array{at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.add_face(std::array{at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  return mesh;
}

}  // namespace cutis::test
