// No net of pulling edges folds in a convex outline; with holes folds are found and relaxed away.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "cutis/skin/force_density/net_equilibrium.h"
#include "cutis/skin/force_density/patch_slide.h"
#include "cutis/skin/force_density/unfold.h"
#include "support/meshes.h"
#include "support/patches.h"

namespace cutis::test {
namespace {

/// Once around the border, the mesh on the left.
std::vector<VertexId> border(const Topology& t) {
  std::vector<VertexId> loop;
  const HalfedgeId start = t.border_loops().at(0);
  HalfedgeId h = start;
  do {
    loop.push_back(t.from(h));
    h = t.next(h);
  } while (h != start);
  std::reverse(loop.begin(), loop.end());
  return loop;
}

/// The vertices of a border on the sides of a square, as they lie (the mesh is a sheet), or spread at random
/// on a circle.
void place_border(const Mesh& mesh, const std::vector<VertexId>& loop, bool circle, Random& random,
                  Layout& layout) {
  std::vector<double> angles;
  for (std::size_t i = 0; i < loop.size(); ++i) angles.push_back(random(0.2, 1.0));
  double sum = 0, way = 0;
  for (double a : angles) sum += a;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    way += 2 * M_PI * angles[i] / sum;
    layout[loop[i]] = circle ? Vec2(std::cos(way), std::sin(way)) : Vec2(mesh.positions[loop[i]].head<2>());
  }
}

TEST(ForceDensityFolds, NoneIn10000RandomConvexPatches) {
  std::size_t folded = 0, unknowns = 0;
  for (unsigned seed = 0; seed < 10000; ++seed) {
    Random random(seed);
    Mesh mesh = sheet(3 + random.below(4), 3 + random.below(4), 0.4, seed);
    if (seed % 4 == 0) mesh = irregular(mesh, 1, seed);
    const Topology topology(mesh);
    const std::vector<VertexId> loop = border(topology);
    std::vector<char> pinned(topology.vertex_count(), 0);
    for (VertexId v : loop) pinned[v.index()] = 1;
    Layout layout(topology.vertex_count(), Vec2::Zero());
    place_border(mesh, loop, seed % 2 == 0, random, layout);
    const bool symmetric = seed % 5 != 0;
    std::vector<NetBranch> branches;
    for (EdgeId e : ids<EdgeId>(topology.edge_count())) {
      const HalfedgeId h = topology.halfedge(e);
      const double q = std::pow(10, random(-2, 2));
      branches.push_back(
          {topology.from(h).value, topology.to(h).value, q, symmetric ? q : std::pow(10, random(-2, 2))});
    }
    NetEquilibrium net(pinned, branches, symmetric, EmbeddingSolver::Direct);
    net.solve_directly(branches, layout);
    unknowns += topology.vertex_count() - loop.size();
    folded += folded_faces(mesh, layout).size();
  }
  EXPECT_EQ(folded, 0u);
  EXPECT_GT(unknowns, 100000u);
}

TEST(ForceDensityFolds, EquilibriumHasNoForceLeftEitherWay) {
  const Mesh mesh = irregular(sheet(8, 8, 0.3, 1), 1, 2);
  const Topology topology(mesh);
  std::vector<char> pinned(topology.vertex_count(), 0);
  Layout direct(topology.vertex_count(), Vec2::Zero());
  for (VertexId v : border(topology)) {
    pinned[v.index()] = 1;
    direct[v] = mesh.positions[v].head<2>();
  }
  Layout iterated = direct;
  EdgeDensities densities(topology, EdgeDensity::InverseLength);
  densities.update(mesh.positions);
  const std::vector<NetBranch> rest = densities.branches();
  // Another frame than the one of the factor.
  Points moved = mesh.positions;
  for (Vec3& p : moved) p.z() = 0.3 * std::sin(5 * p.x()) * p.y();
  densities.update(moved);
  NetEquilibrium net(pinned, rest, true, EmbeddingSolver::ConjugateGradients);
  EXPECT_GT(net.solve(densities.branches(), iterated, 1e-12).iterations, 3);
  EXPECT_TRUE(net.solve_directly(densities.branches(), direct).factorized);
  IdVector<VertexId, Vec2> force(topology.vertex_count(), Vec2::Zero());
  for (const NetBranch& branch : densities.branches()) {
    const Vec2 pull = branch.q * (direct[VertexId(branch.b)] - direct[VertexId(branch.a)]);
    force[VertexId(branch.a)] += pull;
    force[VertexId(branch.b)] -= pull;
  }
  for (VertexId v : ids<VertexId>(topology.vertex_count())) {
    if (!pinned[v.index()]) {
      EXPECT_LT(force[v].norm(), 1e-11);
    }
    EXPECT_LT((iterated[v] - direct[v]).norm(), 1e-10);
  }
}

/// A sheet with a slit in the middle that is turned by a right angle while the border stays: the rim of the
/// slit stays where it is in the layout, across the way the net would go.
struct HoledSheet {
  FormulaBody body{quad_sheet(20, 20, 0.2, 3), [](const Vec3& p, double time) -> Vec3 {
                     const Vec3 middle(0.5, 0.5, 0);
                     const double grip = std::exp(-30 * std::pow((p - middle).squaredNorm(), 2));
                     return middle +
                            Eigen::AngleAxisd(0.5 * M_PI * time * grip, Vec3::UnitZ()) * (p - middle);
                   }};
  SlidePatch patch{"holed", all_faces(body), {}, {}};
  HoledSheet() {
    for (FaceId f : patch.polygons) {
      Vec3 middle = Vec3::Zero();
      for (VertexId v : body.mesh().face(f)) middle += body.mesh().positions[v] / 4;
      if (std::abs(middle.x() - 0.5) < 0.3 && std::abs(middle.y() - 0.5) < 0.05) patch.excluded.push_back(f);
    }
  }
};

TEST(ForceDensityFolds, HolesFoldTheNetBeforeItIsRelaxed) {
  HoledSheet holed;
  const TriangleMesh triangles = triangulated(holed.body.mesh());
  const PatchDisk disk = cut_patch(holed.patch, holed.body, triangles, Topology(triangles.mesh));
  const Topology topology(disk.mesh);
  PatchEmbedding embedding(disk, topology, {});
  embedding.embed(disk.gather(holed.body.positions(1)));
  EXPECT_GT(folded_faces(disk.mesh, embedding.start().second).size(), 5u);
  EXPECT_TRUE(folded_faces(disk.mesh, embedding.now()).empty());
}

TEST(ForceDensityFolds, RimsOfHolesStayAndFoldsAreRelaxed) {
  HoledSheet holed;
  for (EdgeDensity density : {EdgeDensity::Cotangent, EdgeDensity::InverseLength}) {
    ForceDensityOptions options;
    options.patches = {holed.patch};
    options.density = density;
    options.limit_surface = false;
    ForceDensitySlide slide(holed.body, options);
    EXPECT_TRUE(slide.folded().empty());
    for (double time : {0.25, 0.5, 0.75, 1.0}) {
      EXPECT_TRUE(slide.advance(time).converged);
      EXPECT_TRUE(slide.folded().empty()) << time;
    }
    // What lies on the rim stays on it.
    const Points plain = holed.body.positions(1);
    for (FaceId f : holed.patch.excluded)
      for (VertexId v : holed.body.mesh().face(f))
        EXPECT_EQ(slide.positions()[SourceVertexId(v.value)], plain[v]);
  }
}

TEST(ForceDensityFolds, AreFoundAndRelaxed) {
  const Mesh mesh = sheet(12, 12, 0.3, 7);
  const Topology topology(mesh);
  std::vector<char> pinned(topology.vertex_count(), 0);
  for (VertexId v : border(topology)) pinned[v.index()] = 1;
  Layout layout;
  for (const Vec3& p : mesh.positions) layout.push_back(p.head<2>());
  ASSERT_TRUE(folded_faces(mesh, layout).empty());
  Random random(5);
  for (VertexId v : ids<VertexId>(layout.size()))
    if (!pinned[v.index()] && random() < 0.3) layout[v] += Vec2(random(-0.15, 0.15), random(-0.15, 0.15));
  ASSERT_GT(folded_faces(mesh, layout).size(), 30u);
  EXPECT_TRUE(unfold(mesh, topology, mesh.positions, pinned, layout).empty());
  EXPECT_TRUE(folded_faces(mesh, layout).empty());
  for (VertexId v : border(topology)) EXPECT_EQ(layout[v], mesh.positions[v].head<2>());
}

TEST(ForceDensityFolds, ThatCannotBeRelaxedAreNamed) {
  // All of the border in one line leaves no room for any triangle.
  const Mesh mesh = sheet(4, 4, 0, 1);
  const Topology topology(mesh);
  std::vector<char> pinned(topology.vertex_count(), 0);
  Layout layout(topology.vertex_count(), Vec2(0.1, 0.2));
  for (VertexId v : border(topology)) {
    pinned[v.index()] = 1;
    layout[v] = Vec2(mesh.positions[v].x(), 0);
  }
  EXPECT_FALSE(unfold(mesh, topology, mesh.positions, pinned, layout).empty());
  for (const Vec2& p : layout) EXPECT_TRUE(p.allFinite());
}

}  // namespace
}  // namespace cutis::test
