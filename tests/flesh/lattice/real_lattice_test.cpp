#include <algorithm>

#include <gtest/gtest.h>

#include "cutis/flesh/distance/outward_triangles.h"
#include "cutis/flesh/lattice/bcc_lattice.h"
#include "cutis/flesh/lattice/embedding.h"
#include "cutis/flesh/lattice/lattice_cell.h"
#include "cutis/flesh/lattice/lattice_measures.h"
#include "support/real_meshes.h"

namespace cutis {
namespace {

void expect_embedded(const BccLattice& lattice, const Mesh& mesh, const std::string& name) {
  const Embedding embedding(lattice, mesh);
  std::size_t outside = 0;
  for (VertexId v : ids<VertexId>(mesh.vertex_count()))
    outside += embedding[v].barycentric.minCoeff() < -1e-7;
  EXPECT_EQ(outside, 0u) << name;
}

}  // namespace

TEST(RealLattice, EveryCharacterIsHeld) {
  if (test::real_surfaces().empty()) GTEST_SKIP() << "the shared characters are not here";
  for (const auto& [name, mesh] : test::real_surfaces()) {
    const BccLattice lattice = bcc_lattice(mesh, cell_for_tets(mesh, 10'000));
    expect_embedded(lattice, mesh, name);
    EXPECT_GT(body_volume(lattice), 0) << name;
  }
}

TEST(RealLattice, ClosedCharactersHaveTheirVolume) {
  if (test::real_surfaces().empty()) GTEST_SKIP() << "the shared characters are not here";
  for (const auto& [name, mesh] : test::real_surfaces()) {
    const bool tested = name.starts_with("Fox") || name.starts_with("CesiumMan") ||
                        name.starts_with("hand_l") || name.starts_with("makehuman_young_male_cmu");
    if (!tested) continue;
    const BccLattice lattice = bcc_lattice(mesh, cell_for_tets(mesh));
    expect_embedded(lattice, mesh, name);
    const double volume = enclosed_volume(mesh.positions.raw(), outward_triangles(mesh));
    EXPECT_NEAR(body_volume(lattice), volume, 0.01 * volume) << name;
  }
}

}  // namespace cutis
