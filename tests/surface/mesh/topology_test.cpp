#include "cutis/surface/mesh/topology.h"

#include <array>

#include <gtest/gtest.h>

#include "cutis/core/error.h"

namespace cutis {
namespace {

Mesh mesh_of(int vertices, const std::vector<std::vector<int>>& faces) {
  Mesh mesh;
  mesh.positions.assign(vertices, Vec3::Zero());
  for (const auto& face : faces) {
    std::vector<VertexId> ids;
    for (int v : face) ids.emplace_back(v);
    mesh.add_face(ids);
  }
  return mesh;
}

TEST(Topology, StripOfTwoQuadsHasOneBorderLoopThatReturns) {
  const Topology t(mesh_of(6, {{0, 1, 4, 3}, {1, 2, 5, 4}}));
  EXPECT_EQ(t.edge_count(), 7u);
  ASSERT_EQ(t.border_loops().size(), 1u);
  int length = 0;
  HalfedgeId h = t.border_loops()[0];
  do {
    EXPECT_TRUE(t.is_border(h));
    EXPECT_EQ(t.to(h), t.from(t.next(h)));
    h = t.next(h);
    ++length;
  } while (h != t.border_loops()[0]);
  EXPECT_EQ(length, 6);
  EXPECT_TRUE(t.find(VertexId(1), VertexId(4)).valid());
  EXPECT_TRUE(t.find(VertexId(4), VertexId(3)).valid());
  EXPECT_TRUE(t.find(VertexId(3), VertexId(4)).valid());
  EXPECT_FALSE(t.find(VertexId(0), VertexId(5)).valid());
}

TEST(Topology, TetrahedronIsClosed) {
  const Topology t(mesh_of(4, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}));
  EXPECT_TRUE(t.border_loops().empty());
  EXPECT_EQ(t.edge_count(), 6u);
  for (HalfedgeId h : ids<HalfedgeId>(t.halfedge_count())) {
    EXPECT_EQ(t.twin(t.twin(h)), h);
    EXPECT_EQ(t.from(t.rotate(h)), t.from(h));
  }
}

TEST(Topology, ComponentsAreCounted) {
  const auto components = Topology(mesh_of(6, {{0, 1, 2}, {3, 4, 5}})).components();
  EXPECT_EQ(components.raw(), (std::vector<int>{0, 1}));
}

TEST(Topology, NamesWhatIsNotManifold) {
  EXPECT_THROW(Topology(mesh_of(5, {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}})), InputError);
  EXPECT_THROW(Topology(mesh_of(4, {{0, 1, 2}, {0, 1, 3}})), InputError);
  EXPECT_THROW(Topology(mesh_of(5, {{0, 1, 2}, {0, 3, 4}})), InputError);
}

}  // namespace
}  // namespace cutis
