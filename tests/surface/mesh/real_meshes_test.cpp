// Diagnosis, repair and tracing on every character of the shared data.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include <gtest/gtest.h>

#include "cutis/surface/geodesic/frames.h"
#include "cutis/surface/geodesic/trace.h"
#include "cutis/surface/map/simulation_mesh.h"
#include "cutis/surface/mesh/diagnose.h"
#include "cutis/surface/mesh/repair.h"
#include "cutis/surface/mesh/triangle_mesh.h"
#include "support/meshes.h"
#include "support/real_meshes.h"

namespace cutis {
namespace {

/// How far from its start, in sizes of the mesh, a path of 300 mean edges (at most 5 sizes) and back ends at
/// worst.
double worst_return(const Mesh& mesh, int paths) {
  const Topology t(mesh);
  double edge = 0;
  for (EdgeId e : ids<EdgeId>(t.edge_count())) {
    const HalfedgeId h = t.halfedge(e);
    edge += (mesh.positions[t.to(h)] - mesh.positions[t.from(h)]).norm() / double(t.edge_count());
  }
  const double size = bounding_diagonal(mesh.positions.raw()), length = std::min(300 * edge, 5 * size);
  test::Random random(1);
  double worst = 0;
  for (int i = 0; i < paths; ++i) {
    const SurfacePoint start{FaceId(random.below(int(mesh.face_count()))), Vec3(0.3, 0.5, 0.2)};
    const double angle = random(0, 2 * std::numbers::pi);
    const TangentFrame frame = face_frame(t, mesh.positions, start.face);
    const TraceResult there =
        trace(t, mesh.positions, start, length * frame.vector(Vec2(std::cos(angle), std::sin(angle))));
    const TraceResult back = trace(t, mesh.positions, there.end, -there.length * there.direction);
    const Vec3 miss = interpolate(mesh, mesh.positions, back.end) - interpolate(mesh, mesh.positions, start);
    worst = std::max(worst, miss.norm());
  }
  return worst / size;
}

TEST(RealMeshes, AreRepairedAndTracedOverAndBack) {
  if (test::real_meshes().empty()) GTEST_SKIP() << "no shared characters";
  for (const auto& [name, mesh] : test::real_meshes()) {
    SCOPED_TRACE(name);
    const RepairResult r = repair(mesh);
    EXPECT_TRUE(diagnose(r.mesh).manifold());
    EXPECT_EQ(r.notes.empty(), diagnose(mesh).manifold() && r.zero_area_faces.empty());
    EXPECT_LT(worst_return(triangulated(r.mesh).mesh, 200), 1e-12);
  }
}

TEST(RealMeshes, NailsComeOffAHandThatStaysClosed) {
  const auto& all = test::real_meshes();
  const auto it = std::find_if(all.begin(), all.end(),
                               [](const auto& m) { return m.name == "Hand_Nails_L.gltf mesh_Hand_Nails_L"; });
  if (it == all.end()) GTEST_SKIP() << "no shared characters";
  const Mesh& mesh = it->mesh;
  const MeshReport before = diagnose(mesh);
  EXPECT_EQ(before.nonmanifold_edges.size(), 28u);
  EXPECT_EQ(before.borders.size(), 5u);
  const MeshReport after = diagnose(repair(mesh).mesh);
  ASSERT_EQ(after.parts.size(), 6u);
  EXPECT_EQ(after.parts[0].borders, 0u);
  EXPECT_EQ(after.parts[0].genus, 0);
  for (std::size_t nail = 1; nail < 6; ++nail) {
    EXPECT_EQ(after.parts[nail].borders, 1u);
    EXPECT_EQ(after.parts[nail].genus, 0);
  }
}

/// A slide of the simulation mesh by at most `length` moves no vertex of the source much further, but for
/// those that stand out from the simulation mesh by a third of an edge and more (ears, nails) and swing with
/// it.
void expect_no_jump(const SimulationMesh& simulation_mesh, double length) {
  const Surface &source = *simulation_mesh.source(), &surface = *simulation_mesh.surface();
  SurfaceMap::Points points = SurfaceMap::identity(simulation_mesh.surface()).points();
  for (SurfacePoint& p : points)
    p = trace(surface.topology(), surface.positions(), p, length * Vec3(0.6, 0.6, 0.5)).end;
  const SurfaceMap slide(simulation_mesh.surface(), simulation_mesh.surface(), points),
      carried = simulation_mesh.to_source(slide);
  for (VertexId v : ids<VertexId>(source.mesh().vertex_count())) {
    const Vec3& own = source.positions()[v];
    if ((surface.position(simulation_mesh.on_simulation_mesh()[v]) - own).norm() > 0.006 * source.size())
      continue;
    EXPECT_LT((source.position(carried[v]) - own).norm(), 3 * length) << v.value;
  }
}

TEST(RealMeshes, AreRemeshedAndSolvedOnASimulationMesh) {
  if (test::real_surfaces().empty()) GTEST_SKIP() << "no shared characters";
  for (const auto& [name, triangles] : test::real_surfaces()) {
    SCOPED_TRACE(name);
    const auto source = std::make_shared<Surface>(triangles);
    const SimulationMesh simulation_mesh(source, 0.02 * source->size());
    const Mesh& mesh = simulation_mesh.surface()->mesh();
    const MeshReport before = diagnose(source->mesh()), after = diagnose(mesh);
    EXPECT_EQ(after.parts.size(), before.parts.size());
    EXPECT_EQ(after.borders.size(), before.borders.size());
    EXPECT_TRUE(after.manifold());
    // One source holds a hundred markers smaller than an edge; they can only keep their own short ones.
    if (before.parts.size() < 50) {
      EXPECT_GT(simulation_mesh.quality().good_edges, 0.99);
    }
    const SurfaceMap still = simulation_mesh.to_source(SurfaceMap::identity(simulation_mesh.surface()));
    EXPECT_EQ(still.points(), SurfaceMap::identity(source).points());
    expect_no_jump(simulation_mesh, 1e-4 * source->size());
  }
}

}  // namespace
}  // namespace cutis
