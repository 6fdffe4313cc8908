#include "cutis/surface/mesh/repair_weld.h"

#include <set>

#include <gtest/gtest.h>

#include "cutis/surface/mesh/topology.h"
#include "support/meshes.h"

namespace cutis {
namespace {

/// As a file would have it: every third vertex once more for the last face around it, as at a seam.
SourceMesh with_seams(const Mesh& mesh) {
  SourceMesh source;
  source.positions = SourcePoints(mesh.positions.raw());
  source.face_offsets = mesh.face_offsets;
  for (VertexId v : mesh.corners) source.corners.push_back(SourceVertexId(v.index()));
  std::vector<CornerId> last(mesh.vertex_count());
  for (CornerId c : ids<CornerId>(mesh.corner_count())) last[mesh.corners[c].index()] = c;
  for (std::size_t v = 0; v < last.size(); v += 3)
    if (last[v].valid()) source.corners[last[v]] = source.positions.push_back(mesh.positions[VertexId(v)]);
  return source;
}

TEST(Mend, LeavesASoundWeldAlone) {
  const SourceMesh source = with_seams(test::icosphere(2));
  const Weld before = weld(source, 1e-9), after = repaired_weld(before);
  EXPECT_EQ(after.mesh.corners, before.mesh.corners);
  EXPECT_EQ(after.vertex_of, before.vertex_of);
  EXPECT_EQ(after.representative, before.representative);
  EXPECT_EQ(after.source_face, before.source_face);
  EXPECT_TRUE(after.split_vertices().empty());
}

TEST(Mend, EverySourceVertexKeepsItsVertexWhateverIsBroken) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    const SourceMesh source = with_seams(test::fractured(test::icosphere(2), 0.5, seed));
    const Weld before = weld(source, 1e-9), after = repaired_weld(before);
    EXPECT_NO_THROW(Topology{after.mesh});
    EXPECT_EQ(after.vertex_of, before.vertex_of);
    EXPECT_EQ(after.gather(source.positions), after.mesh.positions);
    std::set<VertexId> split_vertices;
    ASSERT_EQ(after.representative.size(), after.mesh.vertex_count());
    for (VertexId v : ids<VertexId>(after.mesh.vertex_count())) {
      if (v.index() < before.mesh.vertex_count()) {
        EXPECT_EQ(after.first(v), v);
        continue;
      }
      EXPECT_LT(after.first(v).index(), before.mesh.vertex_count());
      split_vertices.insert({v, after.first(v)});
    }
    EXPECT_EQ(after.split_vertices(), std::vector<VertexId>(split_vertices.begin(), split_vertices.end()));
    EXPECT_FALSE(split_vertices.empty());
    ASSERT_EQ(after.source_face.size(), after.mesh.face_count());
    for (FaceId f : ids<FaceId>(after.mesh.face_count())) {
      std::set<VertexId> of_source;
      for (SourceVertexId s : source.face(after.source_face[f])) of_source.insert(after.vertex_of[s]);
      for (VertexId v : after.mesh.face(f)) EXPECT_TRUE(of_source.contains(after.first(v)));
    }
  }
}

}  // namespace
}  // namespace cutis
