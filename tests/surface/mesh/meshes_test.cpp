#include "support/meshes.h"

#include <gtest/gtest.h>

#include "cutis/surface/mesh/topology.h"

namespace cutis::test {
namespace {

double volume(const Mesh& mesh) {
  double sum = 0;
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    const auto v = mesh.face(f);
    sum += mesh.positions[v[0]].dot(mesh.positions[v[1]].cross(mesh.positions[v[2]])) / 6;
  }
  return sum;
}

TEST(MeshFamilies, AreManifoldTrianglesThatEnclosePositiveVolume) {
  for (const auto& [name, mesh] : mesh_families()) {
    SCOPED_TRACE(name);
    const Topology t(mesh);
    for (FaceId f : ids<FaceId>(mesh.face_count())) ASSERT_EQ(mesh.face_size(f), 3u);
    for (VertexId v : ids<VertexId>(mesh.vertex_count())) ASSERT_TRUE(t.halfedge(v).valid());
    if (t.border_loops().empty()) {
      EXPECT_GT(volume(mesh), 0);
    }
  }
  EXPECT_EQ(icosphere(3).face_count(), 20u * 64);
  EXPECT_NEAR(volume(icosphere(4)), 4.18879, 0.02);
}

}  // namespace
}  // namespace cutis::test
