#include "cutis/flesh/rest_retargeting.h"

#include <algorithm>
#include <iostream>

#include <gtest/gtest.h>

#include "cutis/body/procedural/procedural_bodies.h"
#include "cutis/flesh/flesh_core.h"
#include "cutis/flesh/flesh_target.h"
#include "cutis/flesh/lattice/lattice_cell.h"
#include "flesh/tet_block.h"

namespace cutis {
namespace {

/// All tetrahedra of a block, each for itself.
struct Block {
  FleshTissue tissue = tet_block(Vec3(0.2, 0.1, 0.1), {2, 1, 1}, FleshLaw(), 1000);
  std::vector<TetId> tets;
  std::vector<std::size_t> ends;
  Block() {
    for (TetId t : ids<TetId>(tissue.mesh.tet_count())) {
      tets.push_back(t);
      ends.push_back(tets.size());
    }
  }
  RestRetargeting retargeting(double rate) const { return {tissue.mesh, tets, ends, rate}; }
  NodePoints moved(const Mat3& F) const {
    NodePoints out = tissue.mesh.positions;
    for (Vec3& x : out) x = F * x + Vec3(1, 2, 3);
    return out;
  }
};

/// Of the strain that a shape has against another [-].
double apart(const Mat3& a, const Mat3& b) { return (a.transpose() * a - b.transpose() * b).norm(); }

TEST(RestRetargeting, ShapesComeToTheTargetHoweverItIsTurned) {
  const Block block;
  RestRetargeting shapes = block.retargeting(10);
  shapes.start(block.tissue.mesh.positions);
  Mat3 F = Vec3(1.3, 0.9, 0.8).asDiagonal();
  F = Eigen::AngleAxisd(2.5, Vec3(1, 2, 3).normalized()) * F;
  double before = apart(Mat3::Identity(), F), last_change = 0;
  for (int i = 1; i <= 200; ++i) {
    shapes.advance(block.moved(F), 0.01);
    const double now = apart(shapes.stretch(0), F);
    // Its rate begins at zero and does not jump.
    EXPECT_LE(now, before + 1e-12);
    EXPECT_LT(std::abs(before - now - last_change), 0.02);
    last_change = before - now;
    before = now;
  }
  for (std::size_t e = 0; e < shapes.size(); ++e) EXPECT_LT(apart(shapes.stretch(e), F), 1e-6);
  EXPECT_EQ(shapes.kept(), 0u);
}

TEST(RestRetargeting, WhatTheTargetFoldsKeepsItsLastGoodShapeAndIsCounted) {
  const Block block;
  RestRetargeting shapes = block.retargeting(10);
  const Mat3 good = Vec3(1.2, 1, 1).asDiagonal();
  shapes.start(block.moved(good));
  // The second of two cells is turned over into the first.
  NodePoints folded = block.moved(good);
  const double middle = 1 + 1.2 * 0.1;
  for (Vec3& x : folded)
    if (x.x() > middle + 1e-9) x.x() = 2 * middle - x.x();
  for (int i = 0; i < 100; ++i) shapes.advance(folded, 0.01);
  std::size_t inverted = 0;
  for (std::size_t e = 0; e < shapes.size(); ++e) {
    const TetId t = block.tets[e];
    const bool over = tet_edges(block.tissue.mesh, folded, t).determinant() < 0;
    inverted += over;
    EXPECT_EQ(shapes.stiffness_share(e) < 1, over) << e;
    EXPECT_LT(apart(shapes.stretch(e), good), 1e-9) << e;
    EXPECT_GT(shapes.stretch(e).determinant(), 0);
  }
  EXPECT_EQ(2 * inverted, shapes.size());
  EXPECT_EQ(shapes.kept(), inverted);
  // Unfolded again they have their stiffness back.
  shapes.advance(block.moved(good), 0.01);
  EXPECT_EQ(shapes.kept(), 0u);
  for (std::size_t e = 0; e < shapes.size(); ++e) EXPECT_EQ(shapes.stiffness_share(e), 1);
}

/// An elbow that is bent by linear blending folds a few elements on its inside.
TEST(RestRetargeting, FewElementsOfABentElbowAreFolded) {
  const auto body = open_cast_member("arm");
  const Mesh& mesh = body->triangles().mesh;
  BccLattice lattice = bcc_lattice(mesh, cell_for_tets(mesh, 10'000));
  const std::vector<NodeId> core = fit_core(mesh, FleshOptions(), lattice);
  const Embedding embedding(lattice, mesh);
  const FleshTarget target(*body, lattice, embedding, core);
  std::vector<TetId> all;
  std::vector<std::size_t> ends;
  for (TetId t : ids<TetId>(lattice.mesh.tet_count())) {
    // Soft ones: those within the core may be flat.
    if (std::ranges::all_of(lattice.mesh.tets[t],
                            [&](NodeId v) { return std::ranges::binary_search(core, v); }))
      continue;
    all.push_back(t);
    ends.push_back(all.size());
  }
  RestRetargeting shapes(lattice.mesh, all, ends, 10);
  shapes.start(target.nodes(body->duration().begin));
  EXPECT_EQ(shapes.kept(), 0u);
  std::size_t most = 0;
  for (int i = 0; i <= 12; ++i) {
    const double share = i / 12.0;
    shapes.start(target.nodes((1 - share) * body->duration().begin + share * body->duration().end));
    most = std::max(most, shapes.kept());
  }
  std::cout << most << " of " << all.size() << " elements of a bent arm are folded\n";
  EXPECT_GT(most, 0u);
  EXPECT_LT(static_cast<double>(most), 0.03 * static_cast<double>(all.size()));
}

}  // namespace
}  // namespace cutis
