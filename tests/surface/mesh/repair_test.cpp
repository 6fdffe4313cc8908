#include "cutis/surface/mesh/repair.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/surface/mesh/diagnose.h"
#include "cutis/surface/mesh/topology.h"
#include "support/meshes.h"

namespace cutis {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

void add(Mesh& mesh, std::initializer_list<int> vertices) {
  std::vector<VertexId> face;
  for (int v : vertices) face.emplace_back(v);
  mesh.add_face(face);
}

Mesh cube(const Vec3& at) {
  Mesh mesh;
  for (int i = 0; i < 8; ++i) mesh.positions.push_back(at + Vec3(i & 1, (i >> 1) & 1, (i >> 2) & 1));
  for (const auto& f :
       {std::array{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}})
    add(mesh, {f[0], f[1], f[2], f[3]});
  return mesh;
}

/// Joins vertices that lie in one place, as a careless weld would.
Mesh merged(const Mesh& mesh) {
  Mesh out = mesh;
  for (VertexId& v : out.corners)
    for (VertexId w : ids<VertexId>(mesh.vertex_count()))
      if (mesh.positions[w] == mesh.positions[v]) {
        v = w;
        break;
      }
  return out;
}

/// Everything that must hold of any repair.
void expect_sound(const Mesh& old, const RepairResult& r) {
  ASSERT_NO_THROW(Topology{r.mesh});
  EXPECT_TRUE(diagnose(r.mesh).manifold());
  ASSERT_EQ(r.old_vertex.size(), r.mesh.vertex_count());
  ASSERT_EQ(r.old_face.size(), r.mesh.face_count());
  ASSERT_EQ(r.old_corner.size(), r.mesh.corner_count());
  EXPECT_EQ(r.gather(old.positions), r.mesh.positions);
  IdVector<VertexId, char> used(r.mesh.vertex_count(), 0);
  for (FaceId f : ids<FaceId>(r.mesh.face_count())) {
    const CornerId old_first = old.first_corner(r.old_face[f]);
    for (std::size_t i = 0; i < r.mesh.face_size(f); ++i) {
      const CornerId c(r.mesh.first_corner(f).index() + i), from = r.old_corner[c];
      used[r.mesh.corners[c]] = 1;
      EXPECT_EQ(r.old_vertex[r.mesh.corners[c]], old.corners[from]);
      EXPECT_TRUE(from >= old_first && from.index() < old_first.index() + old.face_size(r.old_face[f]));
      if (old.has_uvs()) {
        EXPECT_EQ(r.mesh.uvs[c], old.uvs[from]);
      }
    }
  }
  for (VertexId v : ids<VertexId>(r.mesh.vertex_count())) EXPECT_TRUE(used[v]);
  for (VertexId v : ids<VertexId>(old.vertex_count()))
    if (r.new_vertex[v].valid()) {
      EXPECT_EQ(r.old_vertex[r.new_vertex[v]], v);
    }
}

void expect_unchanged(const Mesh& mesh, const RepairResult& r) {
  EXPECT_EQ(r.mesh.positions, mesh.positions);
  EXPECT_EQ(r.mesh.face_offsets, mesh.face_offsets);
  EXPECT_EQ(r.mesh.corners, mesh.corners);
  EXPECT_EQ(r.mesh.uvs, mesh.uvs);
}

TEST(Repair, LeavesSoundMeshesAlone) {
  for (const auto& [name, mesh] : test::mesh_families()) {
    SCOPED_TRACE(name);
    const RepairResult r = repair(mesh);
    expect_unchanged(mesh, r);
    EXPECT_THAT(r.notes, IsEmpty());
  }
  const Mesh quads = test::quad_torus(9, 7, 1, 0.4);
  expect_unchanged(quads, repair(quads));
  EXPECT_EQ(repair(Mesh()).mesh.face_count(), 0u);
}

TEST(Repair, TwoCubesThatShareAnEdgeComeApart) {
  const Mesh mesh = merged(test::joined(cube(Vec3::Zero()), cube(Vec3::Zero()), Vec3(1, 1, 0)));
  ASSERT_EQ(diagnose(mesh).nonmanifold_edges.size(), 1u);
  const RepairResult r = repair(mesh);
  expect_sound(mesh, r);
  const MeshReport report = diagnose(r.mesh);
  EXPECT_TRUE(report.closed());
  EXPECT_EQ(report.parts.size(), 2u);
  EXPECT_EQ(r.mesh.vertex_count(), 16u);
  EXPECT_THAT(
      r.notes,
      ElementsAre(
          StartsWith("edges with more than two faces: 1 (first: edge 3-7), split into separate sheets"),
          StartsWith("vertices shared by separate sheets or fans of faces: 2"),
          StartsWith("vertices of no face: 2")));
}

TEST(Repair, TwoCubesThatShareAVertexComeApart) {
  const Mesh mesh = merged(test::joined(cube(Vec3::Zero()), cube(Vec3::Zero()), Vec3(1, 1, 1)));
  ASSERT_EQ(diagnose(mesh).nonmanifold_vertices.size(), 1u);
  const RepairResult r = repair(mesh);
  expect_sound(mesh, r);
  EXPECT_EQ(r.mesh.vertex_count(), 16u);
}

TEST(Repair, ANailOnAClosedBodyBecomesASheetAndTheBodyStaysClosed) {
  // A nail grows from a chain of three edges of a sphere: those have three faces each.
  Mesh mesh = test::icosphere(2);
  const std::size_t body_faces = mesh.face_count();
  const Topology t(mesh);
  HalfedgeId h(30);
  std::vector<VertexId> root{t.from(h)}, tip;
  for (int i = 0; i < 3; ++i) {
    root.push_back(t.to(h));
    h = t.rotate(t.rotate(t.twin(h)));
    h = t.rotate(h);
  }
  for (VertexId v : root)
    tip.push_back(mesh.positions.push_back(1.1 * mesh.positions[v] + Vec3(0.03, 0.01, 0.02)));
  for (int i = 0; i < 3; ++i) mesh.add_face(std::array{root[i], root[i + 1], tip[i + 1], tip[i]});
  ASSERT_EQ(diagnose(mesh).nonmanifold_edges.size(), 3u);
  const RepairResult r = repair(mesh);
  expect_sound(mesh, r);
  const MeshReport report = diagnose(r.mesh);
  ASSERT_EQ(report.parts.size(), 2u);
  EXPECT_EQ(report.parts[0].faces, body_faces);
  EXPECT_EQ(report.parts[0].borders, 0u);
  EXPECT_EQ(report.parts[0].genus, 0);
  EXPECT_EQ(report.parts[1].faces, 3u);
  EXPECT_EQ(report.parts[1].borders, 1u);
}

TEST(Repair, TurnsTheFewerFacesOver) {
  Mesh mesh = test::quad_torus(10, 8, 1, 0.4);
  std::vector<FaceId> turned;
  for (FaceId f : {FaceId(3), FaceId(4), FaceId(40)}) {
    turned.push_back(f);
    const auto first = static_cast<std::ptrdiff_t>(mesh.first_corner(f).index());
    std::reverse(mesh.corners.begin() + first + 1, mesh.corners.begin() + first + 4);
    std::reverse(mesh.uvs.begin() + first + 1, mesh.uvs.begin() + first + 4);
  }
  EXPECT_EQ(diagnose(mesh).flipped_faces, turned);
  const RepairResult r = repair(mesh);
  expect_sound(mesh, r);
  expect_unchanged(test::quad_torus(10, 8, 1, 0.4), r);
  EXPECT_THAT(r.notes,
              ElementsAre("faces turned against most of their part: 3 (first: face 3), turned over"));
}

TEST(Repair, CutsAOneSidedStripOpen) {
  Mesh mesh;
  const int n = 12;
  for (int i = 0; i < n; ++i)
    for (int side : {-1, 1}) {
      const double u = 2 * M_PI * i / n, w = 0.3 * side;
      mesh.positions.push_back({(1 + w * std::cos(u / 2)) * std::cos(u),
                                (1 + w * std::cos(u / 2)) * std::sin(u), w * std::sin(u / 2)});
    }
  for (int i = 0; i + 1 < n; ++i) add(mesh, {2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1});
  add(mesh, {2 * n - 2, 1, 0, 2 * n - 1});
  const RepairResult r = repair(mesh);
  expect_sound(mesh, r);
  EXPECT_EQ(diagnose(r.mesh).parts.size(), 1u);
  EXPECT_EQ(r.mesh.vertex_count(), mesh.vertex_count() + 2);
}

TEST(Repair, CutsFacesWhereTheyTouchThemselves) {
  Mesh mesh;
  for (int i = 0; i < 7; ++i) mesh.positions.push_back(Vec3(i, i * i, 0));
  add(mesh, {0, 1, 2, 0, 3, 4});  // two triangles that meet in vertex 0
  add(mesh, {4, 5, 6, 5});        // a triangle's worth of nothing: 5-6 there and back
  add(mesh, {1, 1, 2});
  const RepairResult r = repair(mesh);
  expect_sound(mesh, r);
  ASSERT_EQ(r.mesh.face_count(), 2u);
  EXPECT_EQ(r.old_face.raw(), (std::vector<FaceId>{FaceId(0), FaceId(0)}));
  EXPECT_EQ(r.mesh.vertex_count(), 6u);
  EXPECT_THAT(r.notes, ElementsAre(StartsWith("faces that name a vertex twice: 3"),
                                   StartsWith("vertices shared by separate sheets or fans of faces: 1"),
                                   StartsWith("vertices whose faces were all dropped: 2")));
}

TEST(Repair, KeepsFacesWithoutAreaAndSaysSo) {
  Mesh mesh;
  for (const Vec3& p : {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 1, 0), Vec3(0, 1, 0), Vec3(0.5, 0.5, 0)})
    mesh.positions.push_back(p);
  for (const auto& f : {std::array{0, 1, 4}, {1, 2, 4}, {0, 4, 2}, {0, 2, 3}}) add(mesh, {f[0], f[1], f[2]});
  const RepairResult r = repair(mesh);
  expect_sound(mesh, r);
  expect_unchanged(mesh, r);
  EXPECT_THAT(r.zero_area_faces, ElementsAre(FaceId(2)));
  EXPECT_THAT(r.notes, ElementsAre(StartsWith("faces without area: 1 (first: face 2), kept")));
}

TEST(Repair, RefusesWhatIsNoNumber) {
  Mesh mesh = test::icosphere(0);
  mesh.positions[VertexId(7)].z() = std::numeric_limits<double>::infinity();
  try {
    repair(mesh);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_THAT(e.what(), StartsWith("vertex 7:"));
  }
}

TEST(Repair, MakesAnyFracturedMeshManifold) {
  auto families = test::mesh_families();
  families.push_back({"quads", test::quad_torus(16, 10, 1, 0.4)});
  for (const auto& [name, mesh] : families)
    for (const double damage : {0.02, 0.2, 0.9})
      for (unsigned seed = 0; seed < 3; ++seed) {
        SCOPED_TRACE(testing::Message() << name << ", damage " << damage << ", seed " << seed);
        const Mesh broken = test::fractured(mesh, damage, seed);
        const RepairResult r = repair(broken);
        expect_sound(broken, r);
        EXPECT_FALSE(r.notes.empty());
        // No face is lost but those that the report calls degenerate or duplicate.
        const MeshReport report = diagnose(broken);
        EXPECT_GE(r.mesh.face_count() + report.degenerate_faces.size() + report.duplicate_faces.size(),
                  broken.face_count());
        // What is repaired needs no further change.
        expect_unchanged(r.mesh, repair(r.mesh));
      }
}

TEST(Repair, HoldsForFacesThrownTogetherAtRandom) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    test::Random random(seed);
    Mesh soup;
    for (int i = 0; i < 12; ++i) soup.positions.push_back(random.in_cube());
    for (int i = 0; i < 200; ++i) {
      std::vector<VertexId> face;
      for (int k = 3 + random.below(4); k > 0; --k) face.emplace_back(random.below(12));
      soup.add_face(face);
    }
    const RepairResult r = repair(soup);
    expect_sound(soup, r);
    expect_unchanged(r.mesh, repair(r.mesh));
  }
}

}  // namespace
}  // namespace cutis
