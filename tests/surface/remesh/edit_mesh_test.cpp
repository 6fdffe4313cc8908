// Splits, flips and collapses at random: whatever the order, the mesh stays manifold and keeps its shape.
#include "cutis/surface/remesh/edit_mesh.h"

#include <array>
#include <numbers>

#include <gtest/gtest.h>

#include "cutis/surface/mesh/diagnose.h"
#include "support/meshes.h"

namespace cutis {
namespace {

/// The faces that are left, over all vertices ever made that still have one.
Mesh exported(const EditMesh& edit) {
  Mesh mesh;
  IdVector<VertexId, VertexId> number(edit.vertex_count());
  for (VertexId v : ids<VertexId>(edit.vertex_count()))
    if (edit.halfedge(v).valid()) number[v] = mesh.positions.push_back(Vec3(v.value, 0, 0));
  for (std::size_t i = 0; i < edit.halfedge_count(); i += 3)
    if (const HalfedgeId h(i); edit.alive(h))
      mesh.add_face(std::array{number[edit.from(h)], number[edit.to(h)], number[edit.opposite(h)]});
  return mesh;
}

/// Names of parts that do not change: Euler characteristic and borders of each, sorted.
std::vector<std::pair<int, std::size_t>> shape(const Mesh& mesh) {
  std::vector<std::pair<int, std::size_t>> parts;
  for (const PartReport& part : diagnose(mesh).parts) parts.emplace_back(part.euler(), part.borders);
  std::sort(parts.begin(), parts.end());
  return parts;
}

void check_links(const EditMesh& edit) {
  for (HalfedgeId h : ids<HalfedgeId>(edit.halfedge_count())) {
    if (!edit.alive(h)) continue;
    const HalfedgeId g = edit.twin(h);
    ASSERT_TRUE(edit.line(h).valid() || g.valid()) << "a border side without its line";
    if (!g.valid()) continue;
    ASSERT_TRUE(edit.alive(g));
    ASSERT_EQ(edit.twin(g), h);
    ASSERT_EQ(edit.from(g), edit.to(h));
    ASSERT_EQ(edit.line(g).line, edit.line(h).line);
    if (edit.line(h).valid()) {
      ASSERT_EQ(edit.line(g).from, edit.line(h).to);
    }
  }
  for (VertexId v : ids<VertexId>(edit.vertex_count()))
    if (edit.halfedge(v).valid()) {
      ASSERT_EQ(edit.from(edit.halfedge(v)), v);
    }
}

/// Lengths of all line sides together: what the lines' lengths must still add up to.
double line_length(const EditMesh& edit) {
  double sum = 0;
  for (HalfedgeId h : ids<HalfedgeId>(edit.halfedge_count()))
    if (edit.first_of_edge(h)) sum += std::abs(edit.line(h).length());
  return sum;
}

void random_operation(EditMesh& edit, const FeatureLines& lines, test::Random& random, std::size_t sources) {
  const HalfedgeId h(random.below(static_cast<int>(edit.halfedge_count())));
  if (!edit.alive(h)) return;
  const double dice = random();
  if (dice < 0.25) {
    if (edit.can_split(h)) edit.split(h);
  } else if (dice < 0.5) {
    if (edit.can_flip(h)) edit.flip(h);
  } else {
    const VertexId removed = random() < 0.5 ? edit.from(h) : edit.to(h);
    bool on_line = false;
    edit.for_each_edge(removed, [&](HalfedgeId k, bool) { on_line |= edit.line(k).valid(); });
    const bool corner = removed.index() < sources && lines.is_corner(removed);
    if (!corner && (edit.line(h).valid() || !on_line) && edit.can_collapse(h)) edit.collapse(h, removed);
  }
}

TEST(EditMesh, StaysManifoldAndKeepsItsShapeUnderRandomOperations) {
  unsigned seed = 1;
  for (const double crease : {std::numbers::pi, 0.3})
    for (const auto& [name, mesh] : test::mesh_families()) {
      SCOPED_TRACE(name);
      const Surface surface(mesh);
      const FeatureLines lines(surface, crease, 0.7);
      EditMesh edit(surface.topology(), lines);
      EXPECT_NEAR(line_length(edit), lines.length(), 1e-9 * surface.size());
      test::Random random(seed++);
      for (int burst = 0; burst < 4; ++burst) {
        for (int i = 0; i < 4000; ++i) random_operation(edit, lines, random, mesh.vertex_count());
        check_links(edit);
        if (HasFatalFailure()) return;
      }
      const Mesh result = exported(edit);
      EXPECT_NE(result.face_count(), mesh.face_count());
      EXPECT_NO_THROW(Topology{result});
      EXPECT_EQ(shape(result), shape(mesh));
      EXPECT_NEAR(line_length(edit), lines.length(), 1e-9 * lines.length());
    }
}

TEST(EditMesh, ATetrahedronAndATriangleCannotShrink) {
  Mesh tetrahedron, triangle;
  for (const Vec3& p : {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)})
    tetrahedron.positions.push_back(p);
  for (const auto& f : {std::array{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}})
    tetrahedron.add_face(std::array{VertexId(f[0]), VertexId(f[1]), VertexId(f[2])});
  for (int k = 0; k < 3; ++k) triangle.positions.push_back(tetrahedron.positions[VertexId(k)]);
  triangle.add_face(std::array{VertexId(0), VertexId(1), VertexId(2)});
  for (const Mesh& mesh : {tetrahedron, triangle}) {
    const Surface surface(mesh);
    const EditMesh edit(surface.topology(), FeatureLines(surface, std::numbers::pi, std::numbers::pi));
    for (HalfedgeId h : ids<HalfedgeId>(edit.halfedge_count())) {
      EXPECT_FALSE(edit.can_collapse(h));
      EXPECT_FALSE(edit.can_flip(h));
    }
  }
}

TEST(FeatureLines, BordersAreMeasuredByTheirLength) {
  const Surface sheet(test::sheet(10, 8, 0.3, 1));
  const FeatureLines lines(sheet, std::numbers::pi, 0.7);
  EXPECT_EQ(lines.size(), 4u);  // from corner to corner
  EXPECT_NEAR(lines.length(), 2 * (1 + 0.8), 1e-12);
  const Surface rolled(test::cylinder(24, 12, 0.5, 1));
  const FeatureLines rims(rolled, std::numbers::pi, 0.7);
  ASSERT_EQ(rims.size(), 2u);  // loops
  const double rim = 24 * 2 * 0.5 * std::sin(std::numbers::pi / 24);
  EXPECT_NEAR(rims.length(), 2 * rim, 1e-12);
  for (int i = 0; i < 50; ++i) {
    const double s = 0.037 * i;
    const Vec3 a = rolled.position(rims.at(0, s)), b = rolled.position(rims.at(0, s + rim));
    EXPECT_LT((a - b).norm(), 1e-12) << "once around";
    EXPECT_NEAR((rolled.position(rims.at(0, s + 1e-6)) - a).norm(), 1e-6, 1e-9);
  }
}

}  // namespace
}  // namespace cutis
