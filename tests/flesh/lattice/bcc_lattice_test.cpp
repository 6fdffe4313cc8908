#include "cutis/flesh/lattice/bcc_lattice.h"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/flesh/distance/outward_triangles.h"
#include "cutis/flesh/lattice/embedding.h"
#include "cutis/flesh/lattice/lattice_cell.h"
#include "cutis/flesh/lattice/lattice_measures.h"
#include "cutis/surface/mesh/triangle_mesh.h"
#include "support/blocks.h"
#include "support/meshes.h"
#include "support/polygon_meshes.h"
#include "support/same_bits.h"

namespace cutis {
namespace {

double enclosed(const Mesh& mesh) { return enclosed_volume(mesh.positions.raw(), outward_triangles(mesh)); }

int component_count(const TetMesh& mesh) {
  IdVector<NodeId, int> component;
  return connected_components(mesh, component);
}

/// Nodes that a simplex of the mesh has, rising.
template <std::size_t N>
std::map<std::array<NodeId, N>, int> simplices(const TetMesh& mesh) {
  std::map<std::array<NodeId, N>, int> found;
  for (const auto& tet : mesh.tets)
    for (int mask = 0; mask < 16; ++mask) {
      std::array<NodeId, N> simplex;
      std::size_t count = 0;
      for (std::size_t k = 0; k < 4; ++k)
        if (mask >> k & 1 && count++ < N) simplex[count - 1] = tet[k];
      if (count != N) continue;
      std::sort(simplex.begin(), simplex.end());
      ++found[simplex];
    }
  return found;
}

/// 1 for a ball, 0 for a solid torus.
int euler_characteristic(const TetMesh& mesh) {
  return static_cast<int>(mesh.node_count()) - static_cast<int>(simplices<2>(mesh).size()) +
         static_cast<int>(simplices<3>(mesh).size()) - static_cast<int>(mesh.tet_count());
}

int most_tets_at_a_face(const TetMesh& mesh) {
  int most = 0;
  for (const auto& [face, count] : simplices<3>(mesh)) most = std::max(most, count);
  return most;
}

/// Every tetrahedron is one of the lattice, positive, and filled as far as allowed; every vertex lies in one.
void expect_sound(const BccLattice& lattice, const Mesh& mesh) {
  const double volume = std::pow(lattice.cell, 3) / 12;
  for (TetId t : ids<TetId>(lattice.mesh.tet_count())) {
    ASSERT_NEAR(tet_volume(lattice.mesh, t), volume, 1e-9 * volume);
    ASSERT_GE(lattice.fill[t], kMinFill);
    ASSERT_LE(lattice.fill[t], 1);
  }
  const Embedding embedding(lattice, mesh);
  for (FaceId f : ids<FaceId>(mesh.face_count()))
    for (VertexId v : mesh.face(f))
      ASSERT_GE(embedding[v].barycentric.minCoeff(), -1e-7) << "vertex " << v.value;
}

struct ClosedForm {
  std::string name;
  Mesh mesh;
  int euler;
};

std::vector<ClosedForm> closed_forms() {
  return {{"ball", test::icosphere(4), 1},
          {"torus", test::torus(60, 30, 1, 0.4), 0},
          {"box", triangulated(test::cube()).mesh, 1}};
}

/// The part of a lattice whose tetrahedra lie above a height.
TetMesh above(const TetMesh& mesh, double y) {
  TetMesh part;
  IdVector<NodeId, NodeId> number(mesh.node_count());
  for (const auto& tet : mesh.tets) {
    if (std::any_of(tet.begin(), tet.end(), [&](NodeId n) { return mesh.positions[n].y() < y; })) continue;
    std::array<NodeId, 4> nodes;
    for (std::size_t k = 0; k < 4; ++k) {
      if (!number[tet[k]].valid()) number[tet[k]] = part.positions.push_back(mesh.positions[tet[k]]);
      nodes[k] = number[tet[k]];
    }
    part.tets.push_back(nodes);
  }
  return part;
}

/// How many tetrahedra lie in a place that another one has as well.
int duplicate_tets(const TetMesh& mesh) {
  std::map<std::array<long, 3>, int> places;
  int duplicates = 0;
  for (const auto& tet : mesh.tets) {
    Vec3 sum = Vec3::Zero();
    for (NodeId n : tet) sum += 1e6 * mesh.positions[n];
    duplicates += places[{std::lround(sum.x()), std::lround(sum.y()), std::lround(sum.z())}]++ > 0;
  }
  return duplicates;
}

}  // namespace

TEST(BccLattice, FillsClosedForms) {
  for (const auto& [name, mesh, euler] : closed_forms()) {
    const BccLattice lattice = bcc_lattice(mesh, cell_for_tets(mesh, 20'000));
    expect_sound(lattice, mesh);
    EXPECT_NEAR(body_volume(lattice), enclosed(mesh), 0.01 * enclosed(mesh)) << name;
    EXPECT_NEAR(static_cast<double>(lattice.mesh.tet_count()), 20'000, 3'000) << name;
    const auto grazed = std::count(lattice.fill.begin(), lattice.fill.end(), kMinFill);
    EXPECT_LT(kMinFill * static_cast<double>(grazed) * tet_volume(lattice.mesh, TetId(0)),
              3e-3 * enclosed(mesh))
        << name;
    double mass = 0;
    for (double m : node_masses(lattice, 1060)) {
      EXPECT_GT(m, 0);
      mass += m;
    }
    EXPECT_NEAR(mass, 1060 * enclosed(mesh), 0.01 * 1060 * enclosed(mesh)) << name;
  }
}

TEST(BccLattice, ConformsAndHasTheBodysTopology) {
  for (const auto& [name, mesh, euler] : closed_forms())
    for (double cells : {14.0, 18.3}) {
      const BccLattice lattice = bcc_lattice(mesh, cell_across(mesh, cells));
      EXPECT_EQ(most_tets_at_a_face(lattice.mesh), 2) << name;
      EXPECT_EQ(component_count(lattice.mesh), 1) << name;
      EXPECT_EQ(euler_characteristic(lattice.mesh), euler) << name;
      EXPECT_EQ(duplicate_tets(lattice.mesh), 0) << name;
    }
}

TEST(BccLattice, VolumeConverges) {
  const Mesh ball = test::icosphere(5);
  double last = 1;
  for (double cells : {6, 12, 24}) {
    const BccLattice lattice = bcc_lattice(ball, cell_across(ball, cells));
    const double error = std::abs(body_volume(lattice) / enclosed(ball) - 1);
    EXPECT_LT(error, 0.5 * last) << cells;
    last = error;
  }
  EXPECT_LT(last, 0.001);
}

TEST(BccLattice, DepthIsTheDistanceBelowTheSurface) {
  const Mesh ball = test::icosphere(5);
  const BccLattice lattice = bcc_lattice(ball, cell_across(ball, 15));
  for (NodeId n : ids<NodeId>(lattice.mesh.node_count()))
    EXPECT_NEAR(lattice.depth[n], 1 - lattice.mesh.positions[n].norm(), 0.001);
}

TEST(BccLattice, NeighbouringFingersStayApart) {
  constexpr double kCell = 1;
  for (double gap : {0.2, 0.01, 1e-6}) {
    const Mesh fork = test::tuning_fork(1.7, gap, 8);
    const BccLattice lattice = bcc_lattice(fork, kCell);
    expect_sound(lattice, fork);
    EXPECT_EQ(component_count(lattice.mesh), 1) << "joined by the palm, gap " << gap;
    EXPECT_EQ(component_count(above(lattice.mesh, kCell)), 2) << "apart above it, gap " << gap;
    const Embedding embedding(lattice, fork);
    std::set<NodeId> left, right;
    for (VertexId v : ids<VertexId>(fork.vertex_count()))
      if (fork.positions[v].y() > 1.2)
        for (NodeId n : embedding.nodes(v)) (fork.positions[v].x() < 1.7 + gap / 2 ? left : right).insert(n);
    std::vector<NodeId> shared;
    std::set_intersection(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(shared));
    EXPECT_TRUE(shared.empty()) << "gap " << gap;
  }
}

TEST(BccLattice, ANodeOfOneFingerIsOutsideInTheOther) {
  const Mesh fork = test::tuning_fork(1.7, 0.2, 8);
  const BccLattice lattice = bcc_lattice(fork, 1);
  std::map<std::array<double, 3>, int> inside;
  for (NodeId n : ids<NodeId>(lattice.mesh.node_count())) {
    const Vec3& x = lattice.mesh.positions[n];
    int& count = inside[{x.x(), x.y(), x.z()}];
    count += lattice.depth[n] > 0;
    EXPECT_LE(count, 1) << x.transpose();
  }
}

TEST(BccLattice, BothSidesOfAThinSheetMoveTogether) {
  // Much thinner than a sample's distance to the next: only the surface itself tells.
  for (double thickness : {0.3, 0.05}) {
    const Mesh sheet = test::blocks(test::planes(0, 5.1, 4), test::planes(0, 4.7, 4),
                                    test::planes(0, thickness, 1), [](int, int, int) { return true; });
    const BccLattice lattice = bcc_lattice(sheet, 1);
    expect_sound(lattice, sheet);
    EXPECT_EQ(component_count(lattice.mesh), 1);
    EXPECT_EQ(duplicate_tets(lattice.mesh), 0) << thickness;
  }
}

TEST(BccLattice, IllFormedBodiesHaveOneToo) {
  const Mesh ball = test::icosphere(4);
  Mesh hole;
  hole.positions = ball.positions;
  Mesh doubled = ball;
  for (FaceId f : ids<FaceId>(ball.face_count())) {
    if (ball.positions[ball.face(f)[0]].z() < 0.9) hole.add_face(ball.face(f));
    if (f.value % 3 == 0) doubled.add_face(ball.face(f));
  }
  // One corner of every seventh face on top of the next, or nearly.
  Mesh slivers = test::irregular(ball, 1, 1);
  for (FaceId f : ids<FaceId>(slivers.face_count()))
    if (f.value % 7 == 0) {
      const Vec3 &a = slivers.positions[slivers.face(f)[0]], &b = slivers.positions[slivers.face(f)[1]];
      slivers.positions[slivers.face(f)[1]] = f.value % 2 == 0 ? a : Vec3(a + 1e-9 * (b - a));
    }
  const Mesh crossing = test::joined(ball, ball, Vec3(1, 0, 0));
  const double ball_volume = enclosed(ball);
  const double union_volume = ball_volume * 27 / 16;  // two caps of height r/2 together are 5/16 of a ball
  for (const auto& [name, mesh, volume, tolerance] :
       {std::tuple{"hole", hole, ball_volume, 0.03}, std::tuple{"doubled", doubled, ball_volume, 0.01},
        std::tuple{"slivers", slivers, enclosed(slivers), 0.02},
        std::tuple{"crossing", crossing, union_volume, 0.01},
        std::tuple{"fractured", test::fractured(ball, 0.3, 1), ball_volume, 0.3}}) {
    const BccLattice lattice = bcc_lattice(mesh, cell_across(mesh, 14));
    expect_sound(lattice, mesh);
    EXPECT_NEAR(body_volume(lattice), volume, tolerance * volume) << name;
    if (tolerance < 0.1) {
      EXPECT_EQ(component_count(lattice.mesh), 1) << name;
    }
  }
}

TEST(BccLattice, RefusesCellsOfNoUse) {
  const Mesh ball = test::icosphere(2);
  EXPECT_THROW(bcc_lattice(ball, 0), InputError);
  EXPECT_THROW(bcc_lattice(ball, 1e-6), InputError);
  EXPECT_GT(bcc_lattice(ball, 10).mesh.tet_count(), 0u) << "one cell larger than the body is a lattice";
}

const bool bcc_lattice_bits = test::same_bits("BccLattice", [] {
  const Mesh mesh = test::noisy(test::torus(40, 20, 1, 0.3), 0.5, 1);
  return bcc_lattice(mesh, cell_across(mesh, 25));
});

}  // namespace cutis
