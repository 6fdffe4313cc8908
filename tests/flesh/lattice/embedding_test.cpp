#include "cutis/flesh/lattice/embedding.h"

#include <gtest/gtest.h>

#include "cutis/flesh/lattice/lattice_cell.h"
#include "cutis/flesh/lattice/lattice_measures.h"
#include "support/blocks.h"
#include "support/meshes.h"

namespace cutis {
namespace {

NodePoints moved(const NodePoints& nodes, const Mat3& linear, const Vec3& shift) {
  NodePoints result = nodes;
  for (Vec3& x : result) x = linear * x + shift;
  return result;
}

double furthest(const Points& a, const Points& b) {
  double distance = 0;
  for (VertexId v : ids<VertexId>(a.size())) distance = std::max(distance, (a[v] - b[v]).norm());
  return distance;
}

class EmbeddingOfMeshes : public testing::Test {
 protected:
  void SetUp() override {
    Mesh with_loose_vertex = test::icosphere(2);
    with_loose_vertex.positions.push_back(Vec3(1.5, 0, 0));
    meshes_ = {test::torus(30, 12, 1, 0.3), test::tuning_fork(1, 0.1, 4),
               test::noisy(test::icosphere(3), 0.3, 1), with_loose_vertex};
  }
  std::vector<Mesh> meshes_;
};

}  // namespace

TEST_F(EmbeddingOfMeshes, IsExactAtRest) {
  for (const Mesh& mesh : meshes_) {
    const BccLattice lattice = bcc_lattice(mesh, cell_across(mesh, 15));
    const Embedding embedding(lattice, mesh);
    const double size = bounding_diagonal(mesh.positions.raw());
    EXPECT_LT(furthest(embedding.positions(lattice.mesh.positions), mesh.positions), 1e-12 * size);
  }
}

TEST_F(EmbeddingOfMeshes, FollowsAffineMaps) {
  Mat3 linear;
  linear << 1.3, 0.4, 0, -0.2, 0.8, 0.1, 0.3, 0, -1.1;
  const Vec3 shift(3, -2, 1);
  for (const Mesh& mesh : meshes_) {
    const BccLattice lattice = bcc_lattice(mesh, cell_across(mesh, 15));
    const Embedding embedding(lattice, mesh);
    Points expected = mesh.positions;
    for (Vec3& x : expected) x = linear * x + shift;
    EXPECT_LT(furthest(embedding.positions(moved(lattice.mesh.positions, linear, shift)), expected), 1e-10);
  }
}

TEST_F(EmbeddingOfMeshes, CarriesResidualsAlong) {
  for (const Mesh& mesh : meshes_) {
    const BccLattice lattice = bcc_lattice(mesh, cell_across(mesh, 10));
    const Embedding embedding(lattice, mesh);
    const auto bent = [](const Vec3& x) { return Vec3(x.x(), x.y() + 0.3 * x.x() * x.x(), x.z()); };
    NodePoints nodes = lattice.mesh.positions;
    for (Vec3& x : nodes) x = bent(x);
    Points target = mesh.positions;
    for (Vec3& x : target) x = bent(x);
    ASSERT_GT(furthest(embedding.positions(nodes), target), 1e-4) << "a bend leaves a residual";
    const Points offsets = embedding.local_offsets(nodes, target);
    EXPECT_LT(furthest(embedding.positions(nodes, offsets), target), 1e-12);
    // A rigid motion of the nodes moves the target with them.
    const Mat3 turn = Eigen::AngleAxisd(1.1, Vec3(1, 2, 3).normalized()).toRotationMatrix();
    Points turned = target;
    for (Vec3& x : turned) x = turn * x + Vec3(1, 2, 3);
    EXPECT_LT(furthest(embedding.positions(moved(nodes, turn, Vec3(1, 2, 3)), offsets), turned), 1e-11);
  }
}

TEST_F(EmbeddingOfMeshes, ForcesDoTheSameWorkOnNodes) {
  test::Random random(5);
  for (const Mesh& mesh : meshes_) {
    const BccLattice lattice = bcc_lattice(mesh, cell_across(mesh, 10));
    const Embedding embedding(lattice, mesh);
    Points forces(mesh.vertex_count());
    for (Vec3& f : forces) f = random.in_cube();
    NodePoints velocities(lattice.mesh.node_count());
    for (Vec3& v : velocities) v = random.in_cube();
    const Points surface_velocities = embedding.positions(velocities);
    const NodePoints node_forces = embedding.to_nodes(forces);
    double surface_power = 0, node_power = 0;
    for (VertexId v : ids<VertexId>(forces.size())) surface_power += forces[v].dot(surface_velocities[v]);
    for (NodeId n : ids<NodeId>(velocities.size())) node_power += node_forces[n].dot(velocities[n]);
    EXPECT_NEAR(surface_power, node_power, 1e-10 * std::abs(surface_power) + 1e-10);

    double mass = 0;
    for (double m : embedding.to_nodes(IdVector<VertexId, double>(mesh.vertex_count(), 0.5))) mass += m;
    EXPECT_NEAR(mass, 0.5 * static_cast<double>(mesh.vertex_count()), 1e-9);
  }
}

}  // namespace cutis
