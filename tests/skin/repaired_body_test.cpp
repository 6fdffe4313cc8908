// Bodies that are no surface as their files have them: each method runs on the repaired_weld mesh, and its
// skin is that of the source.

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "cutis/skin/force_density/force_density.h"
#include "skin/lagrangian/lagrangian_bodies.h"
#include "support/meshes.h"

namespace cutis {
namespace {

using namespace test;

/// A sheet of a metre that is pulled longer, the more so on one side.
Mesh plain_sheet() { return sheet(12, 12, 0.2, 3); }
Vec3 pull_unevenly(const Vec3& x, double time) { return x + time * Vec3(0.3 * x.x() * x.x(), 0, 0); }

std::vector<VertexId> root_of_fin(const Mesh& mesh) {
  std::vector<VertexId> root = vertices_where(
      mesh, [](const Vec3& x) { return x.x() > 0.3 && x.x() < 0.7 && x.y() > 0.3 && x.y() < 0.7; });
  const Topology topology(mesh);
  for (HalfedgeId h : ids<HalfedgeId>(topology.corner_count()))
    if (std::ranges::count(root, topology.from(h)) && std::ranges::count(root, topology.to(h)))
      return {topology.from(h), topology.to(h)};
  return {};
}

/// The sheet with a triangle that stands on one of its edges, which then has three faces.
Mesh with_fin(Mesh mesh, const std::vector<VertexId>& root) {
  const VertexId tip =
      mesh.positions.push_back(0.5 * (mesh.positions[root[0]] + mesh.positions[root[1]]) + Vec3(0, 0, 0.1));
  mesh.add_face(std::vector{root[0], root[1], tip});
  return mesh;
}

LagrangianOptions lagrangian_skin(const Body& body) {
  LagrangianOptions options;
  options.material = simple_material(MaterialModel::StableNeoHookean, 1e5, 0.3);
  options.limit_surface = false;
  options.use_ligaments = false;
  options.fixed = vertices_where(body.mesh(), [](const Vec3& x) {
    return std::min({x.x(), x.y(), 1 - x.x(), 1 - x.y()}) < 1e-9;
  });
  options.tolerance = 1e-10;
  return options;
}

double farthest(const SourcePoints& a, const SourcePoints& b, std::size_t count) {
  double worst = 0;
  for (SourceVertexId v : ids<SourceVertexId>(count)) worst = std::max(worst, (a[v] - b[v]).norm());
  return worst;
}

TEST(MendedBody, TurnedAndDoubledFacesChangeNoBitOfTheSkin) {
  const Mesh sound = plain_sheet();
  Mesh broken = sound;
  for (int f : {3, 40, 41}) {
    const auto first = static_cast<std::ptrdiff_t>(broken.first_corner(FaceId(f)).index());
    std::reverse(broken.corners.begin() + first + 1, broken.corners.begin() + first + 3);
  }
  const std::vector<VertexId> again(sound.face(FaceId(7)).begin(), sound.face(FaceId(7)).end());
  broken.add_face(again);
  const auto good = moving_body(sound, pull_unevenly), bad = moving_body(broken, pull_unevenly);
  LagrangianSlide expected(*good, lagrangian_skin(*good)), slide(*bad, lagrangian_skin(*bad));
  ASSERT_TRUE(expected.advance(1).converged);
  ASSERT_TRUE(slide.advance(1).converged);
  EXPECT_EQ(slide.positions(), expected.positions());
  EXPECT_GT(farthest(slide.positions(), bad->source_positions(1), sound.vertex_count()), 0.01);
}

TEST(MendedBody, SkinUnderAFinIsThatOfSkinHeldAtItsRoot) {
  const Mesh sound = plain_sheet();
  const std::vector<VertexId> root = root_of_fin(sound);
  ASSERT_EQ(root.size(), 2u);
  const auto plain = moving_body(sound, pull_unevenly);
  const auto finned = moving_body(with_fin(sound, root), pull_unevenly);
  EXPECT_EQ(finned->mesh().vertex_count(), sound.vertex_count() + 3);
  LagrangianOptions held = lagrangian_skin(*plain);
  held.fixed.insert(held.fixed.end(), root.begin(), root.end());
  // A path that would carry the root away must leave it alone.
  LagrangianOptions moved = lagrangian_skin(*finned);
  moved.paths = {{root, {Vec3(0.5, 0.5, 0), Vec3(0.6, 0.5, 0)}, {0, 1}}};
  for (const LagrangianOptions& options : {lagrangian_skin(*finned), moved}) {
    LagrangianSlide expected(*plain, held), slide(*finned, options);
    ASSERT_TRUE(expected.advance(1).converged);
    ASSERT_TRUE(slide.advance(1).converged);
    const SourcePoints body = finned->source_positions(1);
    for (VertexId v : root)
      EXPECT_EQ(slide.positions()[SourceVertexId(v.index())], body[SourceVertexId(v.index())]);
    EXPECT_LT(farthest(slide.positions(), expected.positions(), sound.vertex_count()), 1e-8);
    EXPECT_GT(farthest(slide.positions(), body, sound.vertex_count()), 0.01);
    EXPECT_EQ(slide.skin().map->points().size(), finned->mesh().vertex_count());
  }
}

TEST(MendedBody, ForceDensityHoldsTheRootOfAFinToo) {
  const Mesh sound = plain_sheet();
  const std::vector<VertexId> root = root_of_fin(sound);
  const auto plain = moving_body(sound, pull_unevenly);
  const auto finned = moving_body(with_fin(sound, root), pull_unevenly);
  std::vector<FaceId> faces;
  for (FaceId f : ids<FaceId>(sound.face_count())) faces.push_back(f);
  ForceDensityOptions options, held;
  options.patches = held.patches = {{"sheet", faces, {}, {}}};
  held.slide_limit.assign(sound.vertex_count(), std::numeric_limits<double>::infinity());
  for (VertexId v : root) held.slide_limit[v] = 0;
  ForceDensitySlide expected(*plain, held), slide(*finned, options);
  expected.advance(1);
  slide.advance(1);
  EXPECT_LT(farthest(slide.positions(), expected.positions(), sound.vertex_count()), 1e-12);
  EXPECT_GT(farthest(slide.positions(), finned->source_positions(1), sound.vertex_count()), 0.01);
}

}  // namespace
}  // namespace cutis
