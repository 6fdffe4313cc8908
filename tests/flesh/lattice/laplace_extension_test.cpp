#include "cutis/flesh/lattice/laplace_extension.h"

#include <gtest/gtest.h>

#include "cutis/flesh/lattice/lattice_cell.h"
#include "cutis/flesh/lattice/lattice_measures.h"
#include "cutis/flesh/flesh_core.h"
#include "support/blocks.h"
#include "support/meshes.h"
#include "support/same_bits.h"

namespace cutis {
namespace {

template <class F>
std::vector<Vec3> at_nodes(const BccLattice& lattice, const std::vector<NodeId>& nodes, const F& f) {
  std::vector<Vec3> values;
  for (NodeId n : nodes) values.push_back(f(lattice.mesh.positions[n]));
  return values;
}

template <class F>
Points at_vertices(const Mesh& mesh, const F& f) {
  Points values = mesh.positions;
  for (Vec3& x : values) x = f(x);
  return values;
}

template <class F>
double largest_error(const BccLattice& lattice, const NodePoints& nodes, const F& f,
                     double from_depth = -1e9) {
  double error = 0;
  for (NodeId n : ids<NodeId>(nodes.size()))
    if (lattice.depth[n] > from_depth)
      error = std::max(error, (nodes[n] - f(lattice.mesh.positions[n])).norm());
  return error;
}

Vec3 affine(const Vec3& x) {
  return Vec3(1, 2, 3) + Vec3(2 * x.x() - x.y(), x.y() + 0.5 * x.z(), 0.3 * x.x() - x.z());
}
/// Each coordinate is harmonic.
Vec3 harmonic(const Vec3& x) {
  return x + 0.3 * Vec3(x.x() * x.x() - x.y() * x.y(), x.y() * x.z(), x.x() * x.x() - x.z() * x.z());
}

}  // namespace

TEST(LaplaceExtension, IsLinearlyPreciseFromNodesAlone) {
  for (const Mesh& mesh : {test::torus(40, 16, 1, 0.35), test::tuning_fork(1, 0.1, 3)}) {
    const BccLattice lattice = bcc_lattice(mesh, cell_across(mesh, 15));
    const std::vector<NodeId> boundary = surface_nodes(lattice);
    const LaplaceExtension extension(lattice, boundary);
    const NodePoints nodes = extension.positions(at_nodes(lattice, boundary, affine));
    EXPECT_LT(largest_error(lattice, nodes, affine), 1e-9);
  }
}

TEST(LaplaceExtension, IsLinearlyPreciseFromSurfaceAndBone) {
  for (const Mesh& mesh : {test::icosphere(3), test::tuning_fork(1, 0.1, 3)}) {
    BccLattice lattice = bcc_lattice(mesh, cell_across(mesh, 15));
    FleshOptions options;
    options.depth.assign(mesh.vertex_count(), 2 * lattice.cell);
    const std::vector<NodeId> core = fit_core(mesh, options, lattice);
    const Embedding embedding(lattice, mesh);
    const LaplaceExtension extension(lattice, core, embedding, mesh);
    const NodePoints nodes = extension.positions(at_nodes(lattice, core, affine), at_vertices(mesh, affine));
    EXPECT_LT(largest_error(lattice, nodes, affine), 1e-9);
  }
}

TEST(LaplaceExtension, SolvesTheLaplaceEquation) {
  // All inner tetrahedra around a node are the same turned about: their stencil is exact for quadratics.
  const Mesh mesh = test::icosphere(3);
  const BccLattice lattice = bcc_lattice(mesh, cell_across(mesh, 15));
  const std::vector<NodeId> boundary = surface_nodes(lattice);
  const LaplaceExtension extension(lattice, boundary);
  const NodePoints nodes = extension.positions(at_nodes(lattice, boundary, harmonic));
  EXPECT_LT(largest_error(lattice, nodes, harmonic), 1e-9);
}

TEST(LaplaceExtension, ConvergesFromTheSurface) {
  const Mesh mesh = test::icosphere(5);
  std::vector<double> errors;
  for (double cells : {10, 20}) {
    const BccLattice lattice = bcc_lattice(mesh, cell_across(mesh, cells));
    const Embedding embedding(lattice, mesh);
    const LaplaceExtension extension(lattice, {}, embedding, mesh);
    const NodePoints nodes = extension.positions({}, at_vertices(mesh, harmonic));
    errors.push_back(largest_error(lattice, nodes, harmonic, 0));
  }
  EXPECT_LT(errors[0], 0.02);
  EXPECT_LT(errors[1], 0.5 * errors[0]);
}

TEST(LaplaceExtension, NeighbouringFingersMoveApart) {
  const Mesh mesh = test::tuning_fork(1, 0.1, 4);
  const BccLattice lattice = bcc_lattice(mesh, 0.5);
  const Embedding embedding(lattice, mesh);
  const LaplaceExtension extension(lattice, {}, embedding, mesh);
  // One bar bends away from the other, by its own length at the tip.
  const auto bent = [](const Vec3& x) {
    return Vec3(x.x() > 1.05 && x.y() > 0 ? x.x() + 0.25 * x.y() * x.y() : x.x(), x.y(), x.z());
  };
  const Points target = at_vertices(mesh, bent);
  const Points embedded = embedding.positions(extension.positions({}, target));
  for (VertexId v : ids<VertexId>(mesh.vertex_count()))
    if (mesh.positions[v].y() > 1.5) {
      EXPECT_LT((embedded[v] - target[v]).norm(), 0.15) << mesh.positions[v].transpose();
    }
}

const bool laplace_extension_bits = test::same_bits("LaplaceExtension", [] {
  const Mesh mesh = test::torus(40, 16, 1, 0.35);
  const BccLattice lattice = bcc_lattice(mesh, cell_across(mesh, 15));
  const Embedding embedding(lattice, mesh);
  return LaplaceExtension(lattice, {}, embedding, mesh).positions({}, at_vertices(mesh, harmonic));
});

}  // namespace cutis
