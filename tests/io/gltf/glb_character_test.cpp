#include "cutis/io/gltf/glb_character.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/body/procedural/procedural_bodies.h"
#include "cutis/core/file.h"
#include "cutis/io/gltf/gltf_reader.h"
#include "support/gltf_builder.h"
#include "support/support.h"

namespace cutis {
namespace {

Character write_and_read(const Character& character) {
  const test::TemporaryFolder folder;
  write_glb_character(folder / "again.glb", character);
  return read_gltf(folder / "again.glb");
}

/// Both play the same in every clip: each vertex of `a` is that of `b` to within the rounding to floats.
void expect_same_motion(const Character& a, const Character& b) {
  ASSERT_EQ(a.clips.size(), b.clips.size());
  for (std::size_t c = 0; c < a.clips.size(); ++c) {
    SCOPED_TRACE(a.clips[c].name);
    EXPECT_EQ(a.clips[c].name, b.clips[c].name);
    RigChoice choice;
    choice.clip = a.clips[c].name;
    const RigBody body(a, choice), again(b, choice);
    EXPECT_NEAR(body.duration().end, again.duration().end, 1e-6);
    const double size = bounding_diagonal(body.source().positions.raw());
    for (double share : {0.0, 0.3, 0.77, 1.0}) {
      const double time = body.duration().begin + share * (body.duration().end - body.duration().begin);
      const SourcePoints p = body.source_positions(time), q = again.source_positions(time);
      ASSERT_GE(q.size(), p.size());
      for (SourceVertexId v : ids<SourceVertexId>(p.size()))
        ASSERT_LT((p[v] - q[v]).norm(), 2e-6 * size) << "vertex " << v.value << " at " << time << " s";
    }
  }
}

/// The arm has a blend shape, the man up to eight joints a vertex.
TEST(GlbCharacter, BodiesPlayAsBefore) {
  for (const char* name : {"arm", "male"}) {
    SCOPED_TRACE(name);
    const auto character = std::get<Character>(make_cast_member(name, 0.02));
    const Character again = write_and_read(character);
    expect_same_motion(character, again);
    ASSERT_EQ(again.nodes.size(), character.nodes.size());
    for (std::size_t n = 0; n < again.nodes.size(); ++n) {
      EXPECT_EQ(again.nodes[n].name, character.nodes[n].name);
      EXPECT_EQ(again.nodes[n].parent, character.nodes[n].parent);
    }
    EXPECT_TRUE(again.meshes[0].mesh.has_uvs());
    EXPECT_THAT(again.meshes[0].repairs, testing::IsEmpty());
  }
}

/// A default weight of a blend shape, a node with a matrix, every kind of interpolation.
TEST(GlbCharacter, KeepsAllThatARigHas) {
  const test::TemporaryFolder folder;
  write_file_whole(folder / "puppet.glb", test::gltf_puppet().glb());
  const Character puppet = read_gltf(folder / "puppet.glb");
  ASSERT_FALSE(puppet.meshes[0].morphs.empty());
  const Character again = write_and_read(puppet);
  expect_same_motion(puppet, again);
  ASSERT_EQ(again.meshes[0].morphs.size(), puppet.meshes[0].morphs.size());
  for (std::size_t i = 0; i < again.meshes[0].morphs.size(); ++i)
    EXPECT_EQ(again.meshes[0].morphs[i].name, puppet.meshes[0].morphs[i].name);
}

}  // namespace
}  // namespace cutis
