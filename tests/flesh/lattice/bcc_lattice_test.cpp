#include "cutis/flesh/lattice/bcc_lattice.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cutis/flesh/lattice/outward_triangles.h"
#include "cutis/surface/mesh/triangle_measures.h"
#include "cutis/surface/mesh/triangle_mesh.h"
#include "support/meshes.h"
#include "support/polygon_meshes.h"
#include "support/real_meshes.h"

namespace cutis {
namespace {

double body_volume(const BccLattice& lattice) {
  double sum = 0;
  for (TetId t : ids<TetId>(lattice.mesh.tet_count())) sum += lattice.fill[t] * tet_volume(lattice.mesh, t);
  return sum;
}

double enclosed(const Mesh& mesh) {
  return enclosed_volume(mesh.positions.raw(), outward_triangles(mesh));
}

/// How many tetrahedra have each number of neighbours at a face: index 1 border faces, 2 inner ones.
std::map<int, int> faces_by_tets(const TetMesh& mesh) {
  std::map<std::array<NodeId, 3>, int> faces;
  for (const auto& tet : mesh.tets)
    for (std::size_t k = 0; k < 4; ++k) {
      std::array<NodeId, 3> face{tet[(k + 1) % 4], tet[(k + 2) % 4], tet[(k + 3) % 4]};
      std::sort(face.begin(), face.end());
      ++faces[face];
    }
  std::map<int, int> counts;
  for (const auto& [face, count] : faces) ++counts[count];
  return counts;
}

int component_count(const TetMesh& mesh) {
  IdVector<NodeId, int> component;
  return connected_components(mesh, component);
}

}  // namespace

TEST(BccLattice, RealTable) {
  for (const auto& [name, mesh] : test::real_surfaces()) {
    const auto start = std::chrono::steady_clock::now();
    const double cell = cell_for_tets(mesh);
    const BccLattice l = bcc_lattice(mesh, cell);
    const double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    fmt::print("{:50} v {:6} tets {:7} nodes {:6} cell {:.4g} vol {:.5f} comps {} t {:.2f} faces", name,
               mesh.vertex_count(), l.mesh.tet_count(), l.mesh.node_count(), cell,
               body_volume(l) / enclosed(mesh), component_count(l.mesh), s);
    for (auto [k, n] : faces_by_tets(l.mesh)) fmt::print(" {}:{}", k, n);
    fmt::print("\n");
  }
}

TEST(BccLattice, ClosedTable) {
  for (const auto& [name, mesh] : {test::NamedMesh{"sphere", test::icosphere(4)},
                                   {"torus", test::torus(60, 30, 1, 0.3)},
                                   {"box", triangulated(test::cube()).mesh}}) {
    for (double cells : {10, 20, 40}) {
      const BccLattice l = bcc_lattice(mesh, cell_across(mesh, cells));
      fmt::print("{:10} tets {:7} vol {:.5f} comps {} faces", name, l.mesh.tet_count(),
                 body_volume(l) / enclosed(mesh), component_count(l.mesh));
      for (auto [k, n] : faces_by_tets(l.mesh)) fmt::print(" {}:{}", k, n);
      fmt::print("\n");
    }
  }
}

}  // namespace cutis
