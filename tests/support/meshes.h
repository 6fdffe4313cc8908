#pragma once

#include <string>
#include <vector>

#include "cutis/surface/mesh/mesh.h"

namespace cutis::test {

// Meshes to check properties on. Same arguments, same bits. Faces are counter-clockwise seen from outside;
// all are triangles unless the name says otherwise.

/// Unit sphere: an icosahedron cut `level` times (20 * 4^level faces).
Mesh icosphere(int level);
/// Unit sphere of parallels and meridians: its poles have as many triangles as there are segments.
Mesh uv_sphere(int rings, int segments);
/// Around the z axis; n cells along the large circle of radius R, m along the small one of radius r. Has UVs
/// with a seam each way.
Mesh torus(int n, int m, double R, double r);
Mesh quad_torus(int n, int m, double R, double r);
/// Open at both ends, around the z axis from z = 0 to `height`; n cells around, m along. Has UVs with one
/// seam.
Mesh quad_cylinder(int n, int m, double radius, double height);
Mesh cylinder(int n, int m, double radius, double height);
/// Open cone around the z axis, its apex at the origin (one vertex), its rim at z = -height; n cells around,
/// m along.
Mesh cone(int n, int m, double radius, double height);
/// Flat in z = 0, n by m square cells of width 1/n from the origin, cut along random diagonals; inner
/// vertices are moved by up to `jitter` (below 0.5) of a cell. UVs are x and y.
Mesh sheet(int n, int m, double jitter, unsigned seed);
/// The same cells as quads.
Mesh quad_sheet(int n, int m, double jitter, unsigned seed);

/// Every vertex moved at random by up to `amplitude` times the mean length of its edges, any way.
Mesh noisy(const Mesh& mesh, double amplitude, unsigned seed);
/// The same surface cut more finely at random: edges split off-centre, vertices of valence 3 dropped into
/// faces. Valences run from 3 to a dozen, triangles are of very different sizes; UVs are left out.
Mesh irregular(const Mesh& triangles, int rounds, unsigned seed);
/// What a careless export leaves: a share of the faces turned over or doubled, fins on edges, vertices that
/// touch another part, vertices of no face, faces without area, holes. `damage` in 0..1.
Mesh fractured(const Mesh& mesh, double damage, unsigned seed);
/// Two meshes in one, the second moved by `offset`.
Mesh joined(const Mesh& a, const Mesh& b, const Vec3& offset);

struct NamedMesh {
  std::string name;
  Mesh mesh;
};
/// Sound (manifold, oriented) triangle meshes, closed and open, smooth and noisy, regular and irregular: a
/// few hundred to a few thousand faces each.
std::vector<NamedMesh> mesh_families();

/// Uniform numbers with the same bits on every compiler.
class Random {
 public:
  explicit Random(unsigned seed) : state_(seed * 0x9E3779B97F4A7C15ull + 0x632BE59BD9B4E019ull) {}
  double operator()();  ///< in [0, 1)
  double operator()(double a, double b) { return a + (b - a) * (*this)(); }
  int below(int n) { return static_cast<int>((*this)() * n); }  ///< 0 .. n - 1
  Vec3 in_cube();                                               ///< each coordinate in [-1, 1)

 private:
  std::uint64_t state_;
};

}  // namespace cutis::test
