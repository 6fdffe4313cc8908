#include "cutis/flesh/tissue_depth.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "cutis/core/types.h"

namespace cutis {
namespace {

double radius_at(double x) { return 0.2 - 0.15 * x; }  // [m]

/// A limb along x that gets thinner all the way, from 20 cm to 5 cm.
Mesh tapering_limb() {
  constexpr int kAround = 24, kAlong = 40;
  Mesh mesh;
  for (int i = 0; i <= kAlong; ++i)
    for (int j = 0; j < kAround; ++j) {
      const double x = static_cast<double>(i) / kAlong, angle = 2 * pi * j / kAround;
      mesh.positions.push_back({x, radius_at(x) * std::cos(angle), radius_at(x) * std::sin(angle)});
    }
  mesh.positions.push_back(Vec3::Zero());
  mesh.positions.push_back(Vec3::UnitX());
  const VertexId low(mesh.vertex_count() - 2), high(mesh.vertex_count() - 1);
  const auto vertex = [](int i, int j) { return VertexId(i * kAround + j % kAround); };
  const auto add = [&](VertexId a, VertexId b, VertexId c) { mesh.add_face(std::vector<VertexId>{a, b, c}); };
  for (int j = 0; j < kAround; ++j) {
    for (int i = 0; i < kAlong; ++i) {
      add(vertex(i, j), vertex(i, j + 1), vertex(i + 1, j + 1));
      add(vertex(i, j), vertex(i + 1, j + 1), vertex(i + 1, j));
    }
    add(low, vertex(0, j + 1), vertex(0, j));
    add(high, vertex(kAlong, j), vertex(kAlong, j + 1));
  }
  return mesh;
}

TEST(TissueDepth, FleshCannotTurnAboutItsCore) {
  const Mesh mesh = tapering_limb();
  // The thin end is a cell across and the nodes in its middle are on one line.
  const BccLattice lattice = bcc_lattice(mesh, 0.1);
  const std::vector<NodeId> core = core_nodes(lattice, mesh, {});
  for (double x = 0.2; x < 0.9; x += 0.1) {
    std::vector<Vec3> here;
    for (NodeId v : core)
      if (std::abs(lattice.mesh.positions[v].x() - x) < lattice.cell)
        here.push_back(lattice.mesh.positions[v]);
    ASSERT_FALSE(here.empty()) << x;
    Vec3 low = here[0], high = here[0];
    for (const Vec3& p : here) {
      low = low.cwiseMin(p);
      high = high.cwiseMax(p);
    }
    EXPECT_GT((high - low).tail<2>().norm(), 0.4 * lattice.cell) << x;
  }
}

TEST(TissueDepth, ALimbHasACoreAllAlong) {
  const Mesh mesh = tapering_limb();
  const BccLattice lattice = bcc_lattice(mesh, 0.03);
  const std::vector<NodeId> core = core_nodes(lattice, mesh, {});
  for (double x = 0.1; x < 0.95; x += lattice.cell)
    EXPECT_TRUE(std::ranges::any_of(
        core, [&](NodeId v) { return std::abs(lattice.mesh.positions[v].x() - x) < lattice.cell; }))
        << "nothing holds it at " << x;
  // And flesh around it.
  for (NodeId v : core) {
    const double x = lattice.mesh.positions[v].x();
    if (x > 0.2 && x < 0.8) {
      EXPECT_GT(lattice.depth[v], 0.25 * radius_at(x)) << x;
    }
  }
}

TEST(TissueDepth, TheCoreBeginsWhereThePaintedTissueEnds) {
  const Mesh mesh = tapering_limb();
  const BccLattice lattice = bcc_lattice(mesh, 0.03);
  // Thin on one side, thick on the other.
  const double thin = 0.02, thick = 0.06;
  IdVector<VertexId, double> depth;
  for (const Vec3& p : mesh.positions) depth.push_back(p.y() < 0 ? thin : thick);
  IdVector<NodeId, char> inside(lattice.mesh.node_count(), 0);
  for (NodeId v : core_nodes(lattice, mesh, depth)) inside[v] = 1;
  std::size_t thin_core = 0;
  for (NodeId v : ids<NodeId>(inside.size())) {
    const Vec3& p = lattice.mesh.positions[v];
    // Away from the middle, in which every limb has a core, from the ends and from where both meet.
    if (p.x() < 0.2 || p.x() > 0.5 || std::abs(p.y()) < 0.07) continue;
    if (std::hypot(p.y(), p.z()) < 0.3 * radius_at(p.x())) continue;
    const double asked = p.y() < 0 ? thin : thick;
    if (std::abs(lattice.depth[v] - asked) > 1e-3) {
      EXPECT_EQ(inside[v], lattice.depth[v] > asked) << p.transpose();
    }
    thin_core += inside[v] && lattice.depth[v] < thick - 1e-3;
  }
  EXPECT_GT(thin_core, 20u);
}

}  // namespace
}  // namespace cutis
