#include "support/meshes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>

namespace cutis::test {
namespace {

constexpr double pi = std::numbers::pi;

void add_triangle(Mesh& mesh, VertexId a, VertexId b, VertexId c) {
  mesh.add_face(std::array<VertexId, 3>{a, b, c});
}

/// A grid of n by m cells: open, or closed on itself along either way.
struct Grid {
  int n, m;
  bool around_n, around_m;
  VertexId vertex(int i, int j) const {
    if (around_n) i %= n;
    if (around_m) j %= m;
    return VertexId(j * (around_n ? n : n + 1) + i);
  }
  Mesh quads(const std::function<Vec3(double, double)>& position) const {
    Mesh mesh;
    for (int j = 0; j < (around_m ? m : m + 1); ++j)
      for (int i = 0; i < (around_n ? n : n + 1); ++i)
        mesh.positions.push_back(position(double(i) / n, double(j) / m));
    for (int j = 0; j < m; ++j)
      for (int i = 0; i < n; ++i) {
        mesh.add_face(std::array{vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)});
        for (const auto& [a, b] : {std::pair{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}})
          mesh.uvs.push_back(Vec2(double(a) / n, double(b) / m));
      }
    return mesh;
  }
};

/// Cuts each quad along the diagonal that `first_diagonal` chooses (0-2 when true).
Mesh cut_quads(const Mesh& quads, const std::function<bool(FaceId)>& first_diagonal) {
  Mesh mesh;
  mesh.positions = quads.positions;
  for (FaceId f : ids<FaceId>(quads.face_count())) {
    const int turn = first_diagonal(f) ? 0 : 1;
    const auto v = quads.face(f);
    for (const auto& t : {std::array{0, 1, 2}, std::array{0, 2, 3}}) {
      std::array<VertexId, 3> corners;
      for (int k = 0; k < 3; ++k) {
        const std::size_t i = static_cast<std::size_t>((t[k] + turn) % 4);
        corners[k] = v[i];
        mesh.uvs.push_back(quads.uvs[CornerId(quads.first_corner(f).index() + i)]);
      }
      mesh.add_face(corners);
    }
  }
  return mesh;
}

bool alternate(FaceId f) { return f.value % 2 == 0; }

using EdgeKey = std::pair<VertexId, VertexId>;
EdgeKey key(VertexId a, VertexId b) { return {std::min(a, b), std::max(a, b)}; }

/// Cuts a triangle at the marked edge middles (invalid where an edge is whole).
void add_cut_triangle(Mesh& mesh, std::array<VertexId, 3> v, std::array<VertexId, 3> mid) {
  const auto marked = std::count_if(mid.begin(), mid.end(), [](VertexId x) { return x.valid(); });
  if (marked == 0) return add_triangle(mesh, v[0], v[1], v[2]);
  // Turn until the first edge is marked and, with two marks, the third is whole.
  while (!mid[0].valid() || (marked == 2 && mid[2].valid())) {
    std::rotate(v.begin(), v.begin() + 1, v.end());
    std::rotate(mid.begin(), mid.begin() + 1, mid.end());
  }
  if (marked == 1) {
    add_triangle(mesh, v[0], mid[0], v[2]);
    add_triangle(mesh, mid[0], v[1], v[2]);
  } else if (marked == 2) {
    add_triangle(mesh, mid[0], v[1], mid[1]);
    add_triangle(mesh, v[0], mid[0], mid[1]);
    add_triangle(mesh, v[0], mid[1], v[2]);
  } else {
    add_triangle(mesh, v[0], mid[0], mid[2]);
    add_triangle(mesh, mid[0], v[1], mid[1]);
    add_triangle(mesh, mid[2], mid[1], v[2]);
    add_triangle(mesh, mid[0], mid[1], mid[2]);
  }
}

/// Splits the edges that `where` gives a place on (a number in 0..1; outside: the edge stays whole).
Mesh split_edges(const Mesh& in, const std::function<double()>& where) {
  Mesh out;
  out.positions = in.positions;
  std::map<EdgeKey, VertexId> middles;
  for (FaceId f : ids<FaceId>(in.face_count())) {
    const auto v = in.face(f);
    std::array<VertexId, 3> mid;
    for (int k = 0; k < 3; ++k) {
      const auto [a, b] = key(v[k], v[(k + 1) % 3]);
      const auto [entry, fresh] = middles.try_emplace({a, b});
      if (fresh) {
        const double t = where();
        if (t > 0 && t < 1)
          entry->second = out.positions.push_back((1 - t) * in.positions[a] + t * in.positions[b]);
      }
      mid[k] = entry->second;
    }
    add_cut_triangle(out, {v[0], v[1], v[2]}, mid);
  }
  return out;
}

/// Faces as lists, for damage that adds and removes them.
std::vector<std::vector<VertexId>> faces_of(const Mesh& mesh) {
  std::vector<std::vector<VertexId>> faces;
  for (FaceId f : ids<FaceId>(mesh.face_count()))
    faces.emplace_back(mesh.face(f).begin(), mesh.face(f).end());
  return faces;
}

}  // namespace

double Random::operator()() {
  // SplitMix64 (Steele, Lea, Flood 2014).
  std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ull);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

Vec3 Random::in_cube() {
  const double x = (*this)(-1, 1), y = (*this)(-1, 1), z = (*this)(-1, 1);
  return {x, y, z};
}

Mesh icosphere(int level) {
  const double g = std::numbers::phi;
  Mesh mesh;
  for (const Vec3& p :
       {Vec3(-1, g, 0), Vec3(1, g, 0), Vec3(-1, -g, 0), Vec3(1, -g, 0), Vec3(0, -1, g), Vec3(0, 1, g),
        Vec3(0, -1, -g), Vec3(0, 1, -g), Vec3(g, 0, -1), Vec3(g, 0, 1), Vec3(-g, 0, -1), Vec3(-g, 0, 1)})
    mesh.positions.push_back(p.normalized());
  constexpr int faces[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
  for (const auto& f : faces) add_triangle(mesh, VertexId(f[0]), VertexId(f[1]), VertexId(f[2]));
  for (int i = 0; i < level; ++i) {
    mesh = split_edges(mesh, [] { return 0.5; });
    for (Vec3& p : mesh.positions) p.normalize();
  }
  return mesh;
}

Mesh uv_sphere(int rings, int segments) {
  Mesh mesh;
  const VertexId top = mesh.positions.push_back(Vec3(0, 0, 1));
  const VertexId bottom = mesh.positions.push_back(Vec3(0, 0, -1));
  for (int i = 1; i < rings; ++i)
    for (int j = 0; j < segments; ++j) {
      const double theta = pi * i / rings, phi = 2 * pi * j / segments;
      mesh.positions.push_back(
          {std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)});
    }
  const auto at = [&](int i, int j) { return VertexId(2 + (i - 1) * segments + j % segments); };
  for (int j = 0; j < segments; ++j) {
    add_triangle(mesh, top, at(1, j), at(1, j + 1));
    for (int i = 1; i + 1 < rings; ++i) {
      add_triangle(mesh, at(i, j), at(i + 1, j), at(i + 1, j + 1));
      add_triangle(mesh, at(i, j), at(i + 1, j + 1), at(i, j + 1));
    }
    add_triangle(mesh, bottom, at(rings - 1, j + 1), at(rings - 1, j));
  }
  return mesh;
}

Mesh quad_torus(int n, int m, double R, double r) {
  return Grid{n, m, true, true}.quads([&](double u, double v) {
    const double out = R + r * std::cos(2 * pi * v);
    return Vec3(out * std::cos(2 * pi * u), out * std::sin(2 * pi * u), r * std::sin(2 * pi * v));
  });
}

Mesh torus(int n, int m, double R, double r) { return cut_quads(quad_torus(n, m, R, r), alternate); }

Mesh quad_cylinder(int n, int m, double radius, double height) {
  return Grid{n, m, true, false}.quads([&](double u, double v) {
    return Vec3(radius * std::cos(2 * pi * u), radius * std::sin(2 * pi * u), height * v);
  });
}

Mesh cylinder(int n, int m, double radius, double height) {
  return cut_quads(quad_cylinder(n, m, radius, height), alternate);
}

Mesh cone(int n, int m, double radius, double height) {
  Mesh mesh;
  const VertexId apex = mesh.positions.push_back(Vec3::Zero());
  for (int i = 1; i <= m; ++i)
    for (int j = 0; j < n; ++j) {
      const double t = double(i) / m, phi = 2 * pi * j / n;
      mesh.positions.push_back({t * radius * std::cos(phi), t * radius * std::sin(phi), -t * height});
    }
  const auto at = [&](int i, int j) { return VertexId(1 + (i - 1) * n + j % n); };
  for (int j = 0; j < n; ++j) {
    add_triangle(mesh, apex, at(1, j), at(1, j + 1));
    for (int i = 1; i < m; ++i) {
      add_triangle(mesh, at(i, j), at(i + 1, j), at(i + 1, j + 1));
      add_triangle(mesh, at(i, j), at(i + 1, j + 1), at(i, j + 1));
    }
  }
  return mesh;
}

Mesh quad_sheet(int n, int m, double jitter, unsigned seed) {
  const Grid grid{n, m, false, false};
  const double cell = 1.0 / n;
  Mesh mesh = grid.quads([&](double u, double v) { return Vec3(u, v * m * cell, 0); });
  Random random(seed);
  for (int j = 1; j < m; ++j)
    for (int i = 1; i < n; ++i) {
      Vec3& p = mesh.positions[grid.vertex(i, j)];
      p.x() += random(-jitter, jitter) * cell;
      p.y() += random(-jitter, jitter) * cell;
    }
  for (CornerId c : ids<CornerId>(mesh.corner_count()))
    mesh.uvs[c] = mesh.positions[mesh.corners[c]].head<2>();
  return mesh;
}

Mesh sheet(int n, int m, double jitter, unsigned seed) {
  const Mesh quads = quad_sheet(n, m, jitter, seed);
  Random random(seed + 1);
  return cut_quads(quads, [&](FaceId f) {
    // A quad that the jitter has bent inwards is cut from its reflex corner.
    const auto v = quads.face(f);
    const bool wanted = random() < 0.5;
    for (std::size_t k = 0; k < 4; ++k) {
      const Vec3 a = quads.positions[v[k]] - quads.positions[v[(k + 3) % 4]];
      const Vec3 b = quads.positions[v[(k + 1) % 4]] - quads.positions[v[k]];
      if (a.cross(b).z() <= 0) return k % 2 == 0;
    }
    return wanted;
  });
}

Mesh noisy(const Mesh& mesh, double amplitude, unsigned seed) {
  IdVector<VertexId, double> length(mesh.vertex_count(), 0.0), count(mesh.vertex_count(), 0.0);
  for (const auto& face : faces_of(mesh))
    for (std::size_t k = 0; k < face.size(); ++k) {
      const VertexId a = face[k], b = face[(k + 1) % face.size()];
      const double l = (mesh.positions[a] - mesh.positions[b]).norm();
      for (VertexId v : {a, b}) length[v] += l, count[v] += 1;
    }
  Random random(seed);
  Mesh out = mesh;
  for (VertexId v : ids<VertexId>(mesh.vertex_count()))
    out.positions[v] += amplitude * length[v] / std::max(count[v], 1.0) * random.in_cube();
  return out;
}

Mesh irregular(const Mesh& triangles, int rounds, unsigned seed) {
  Random random(seed);
  Mesh mesh = triangles;
  mesh.uvs = {};
  for (int i = 0; i < rounds; ++i) {
    mesh = split_edges(mesh, [&] { return random() < 0.35 ? random(0.3, 0.7) : -1.0; });
    Mesh dotted;
    dotted.positions = mesh.positions;
    for (const auto& v : faces_of(mesh)) {
      if (random() < 0.8) {
        dotted.add_face(v);
        continue;
      }
      const double a = random(0.25, 0.4), b = random(0.25, 0.4);
      const VertexId centre = dotted.positions.push_back(a * mesh.positions[v[0]] + b * mesh.positions[v[1]] +
                                                         (1 - a - b) * mesh.positions[v[2]]);
      for (int k = 0; k < 3; ++k) add_triangle(dotted, v[k], v[(k + 1) % 3], centre);
    }
    mesh = dotted;
  }
  return mesh;
}

Mesh fractured(const Mesh& mesh, double damage, unsigned seed) {
  Random random(seed);
  Mesh out;
  out.positions = mesh.positions;
  const int vertices = static_cast<int>(mesh.vertex_count());
  for (auto face : faces_of(mesh)) {
    const double dice = random() / damage;
    if (dice < 0.1) continue;                                                   // a hole
    if (dice < 0.3) std::reverse(face.begin(), face.end());                     // turned over
    if (dice >= 0.3 && dice < 0.4) face[0] = VertexId(random.below(vertices));  // torn to a far vertex
    out.add_face(face);
    if (dice >= 0.4 && dice < 0.5) out.add_face(face);  // doubled
    if (dice >= 0.5 && dice < 0.6) {                    // doubled and turned over
      std::reverse(face.begin(), face.end());
      out.add_face(face);
    }
    if (dice >= 0.6 && dice < 0.7)  // a fin
      add_triangle(out, face[0], face[1], out.positions.push_back(out.positions[face[0]] + random.in_cube()));
    if (dice >= 0.7 && dice < 0.8) add_triangle(out, face[0], face[1], face[1]);  // an edge twice
    if (dice >= 0.8 && dice < 0.9)                                                // no area
      add_triangle(out, face[1], face[0],
                   out.positions.push_back(0.5 * (out.positions[face[0]] + out.positions[face[1]])));
    if (dice >= 0.9 && dice < 1) out.positions.push_back(random.in_cube());  // of no face
  }
  return out;
}

Mesh joined(const Mesh& a, const Mesh& b, const Vec3& offset) {
  Mesh out = a;
  const std::size_t shift = a.vertex_count();
  for (const Vec3& p : b.positions) out.positions.push_back(p + offset);
  for (auto face : faces_of(b)) {
    for (VertexId& v : face) v = VertexId(v.index() + shift);
    out.add_face(face);
  }
  if (a.has_uvs() && b.has_uvs())
    for (const Vec2& uv : b.uvs) out.uvs.push_back(uv);
  else
    out.uvs = {};
  return out;
}

std::vector<NamedMesh> mesh_families() {
  return {
      {"icosphere", icosphere(3)},
      {"uv sphere", uv_sphere(16, 32)},
      {"torus", torus(48, 24, 1.0, 0.4)},
      {"cylinder", cylinder(24, 12, 0.5, 1.0)},
      {"cone", cone(24, 10, 0.6, 0.9)},
      {"flat sheet", sheet(20, 15, 0.35, 1)},
      {"noisy sphere", noisy(icosphere(3), 0.2, 2)},
      {"noisy torus", noisy(torus(48, 24, 1.0, 0.4), 0.25, 3)},
      {"irregular sphere", irregular(icosphere(2), 2, 4)},
      {"irregular noisy body", noisy(irregular(uv_sphere(10, 14), 2, 5), 0.15, 6)},
      {"two parts", joined(icosphere(2), noisy(torus(24, 12, 1.0, 0.4), 0.1, 7), Vec3(3, 0, 0))},
  };
}

}  // namespace cutis::test
