#include <algorithm>

#include <gtest/gtest.h>

#include "cutis/body/rig/pose.h"
#include "cutis/body/rig/rig_body.h"
#include "cutis/io/gltf/gltf_reader.h"
#include "support/skinned.h"
#include "support/support.h"

namespace cutis {
namespace {

struct Known {
  const char* file;
  const char* mesh;
  std::size_t vertices, triangles;
  bool uvs;
  std::size_t joints, morphs, clips;
};

// What README.md in the folder of characters says of each: counts after welding.
const Known known[] = {
    {"makehuman-young-male/makehuman_young_male_cmu.glb", "body", 13380, 26756, true, 31, 0, 2},
    {"makehuman-young-male/makehuman_young_male_default_rig.glb", "body", 13380, 26756, true, 163, 0, 3},
    {"ict-face-neutral/ict_face_neutral_14expr.glb", "ict_skin", 14062, 28068, true, 0, 14, 1},
    {"babylon-alien-head/babylon_alien_head.glb", "AlienHead", 7986, 15968, true, 6, 2, 1},
    {"webxr-hand/webxr_hand_left_animated.glb", "Mesh", 1159, 2314, true, 25, 0, 1},
    {"webxr-hand/left.glb", "Mesh", 1159, 2314, true, 25, 0, 0},
    {"webxr-hand/right.glb", "Mesh.001", 1159, 2314, true, 25, 0, 0},
    {"godot-xr-hand/hand_l.gltf", "mesh_Hand_L", 1528, 3052, true, 26, 0, 0},
    {"godot-xr-hand/Hand_Nails_L.gltf", "mesh_Hand_Nails_L", 1711, 3408, true, 26, 0, 0},
    {"lee-perry-smith-head/LeePerrySmith.glb", "LeePerrySmith", 8844, 17684, true, 0, 0, 0},
    {"khronos-fox/Fox.glb", "fox1", 290, 576, true, 24, 0, 3},
    {"khronos-cesium-man/CesiumMan.glb", "Cesium_Man", 2338, 4672, true, 19, 0, 1},
    {"khronos-unit/MorphStressTest.glb", "Cube", 1224, 2412, true, 0, 8, 3},
    {"khronos-unit/SimpleMorph.gltf", "mesh_0", 3, 1, false, 0, 2, 1},
};

TEST(RealCharacters, HaveTheCountsTheirListSays) {
  const auto folder = test::data_folder();
  if (!folder) GTEST_SKIP() << "no real characters here";
  for (const Known& k : known) {
    SCOPED_TRACE(k.file);
    const Character character = read_gltf(*folder / k.file);
    const RigBody body(character);
    ASSERT_EQ(body.mesh_names(), std::vector<std::string>{k.mesh});
    EXPECT_EQ(std::ranges::max(body.weld().vertex_of).index() + 1, k.vertices);
    EXPECT_EQ(body.mesh().face_count(), k.triangles);
    EXPECT_EQ(body.source().has_uvs(), k.uvs);
    EXPECT_EQ(character.clips.size(), k.clips);
    const MeshInstance& mesh = character.meshes.front();
    EXPECT_EQ(mesh.skin < 0 ? 0 : character.skins[mesh.skin].joints.size(), k.joints);
    EXPECT_EQ(mesh.morphs.size(), k.morphs);
  }
}

TEST(RealCharacters, BindPoseKeepsTheShapeAsModelled) {
  const auto folder = test::data_folder();
  if (!folder) GTEST_SKIP() << "no real characters here";
  for (const Known& k : known) {
    SCOPED_TRACE(k.file);
    const Character character = read_gltf(*folder / k.file);
    const RigBody body(character);
    if (character.meshes.front().skin < 0) continue;
    // One placement for the whole mesh, so every length is scaled alike.
    const SourcePoints& rest = body.source().positions;
    const SourcePoints& modelled = character.meshes.front().mesh.positions;
    const double scale = bounding_diagonal(rest.raw()) / bounding_diagonal(modelled.raw());
    const Vec3& rest_0 = rest[SourceVertexId(0)];
    for (SourceVertexId v : ids<SourceVertexId>(rest.size())) {
      const double length = (modelled[v] - modelled[SourceVertexId(0)]).norm() * scale;
      ASSERT_NEAR((rest[v] - rest_0).norm(), length, 1e-5 * bounding_diagonal(rest.raw()));
    }
  }
}

TEST(RealCharacters, JointsCarryTheBindPoseAlongSmoothCurvesThroughTheKeys) {
  const auto folder = test::data_folder();
  if (!folder) GTEST_SKIP() << "no real characters here";
  for (const Known& k : known) {
    if (k.joints == 0 || k.morphs > 0) continue;
    SCOPED_TRACE(k.file);
    const Character character = read_gltf(*folder / k.file);
    const RigBody body(character);
    const double size = body.surface()->size();
    for (const double part : {0.0, 0.37, 0.71, 1.0}) {
      const double time = body.duration().begin + part * body.duration().length();
      const SourcePoints smooth = body.smooth_positions(time);
      EXPECT_LT(test::largest_distance(test::skinned(body, time), smooth), 1e-6 * size);
      EXPECT_LT(test::largest_distance(body.source_positions(time), smooth), 0.01 * size);
    }
    if (character.clips.empty()) continue;
    const std::vector<double>& keys = character.clips[0].tracks[0].times;
    const double key = keys[keys.size() / 2];
    EXPECT_LT(test::largest_distance(body.source_positions(key), body.smooth_positions(key)), 1e-5 * size);
  }
}

TEST(RealCharacters, SkinsOfOneSkeletonAreBoundTogether) {
  const auto folder = test::data_folder();
  if (!folder) GTEST_SKIP() << "no real characters here";
  const Character alien = read_gltf(*folder / "babylon-alien-head/babylon_alien_head.glb");
  const BindPose pose = bind_pose(alien, parents_first(alien.nodes));
  ASSERT_EQ(pose.placements.size(), 4u);
  // The file's own matrices for the eyes differ by 1e-3 between its skins; its pose is turned by 0.1 from
  // there.
  for (const Mat4& placement : pose.placements)
    EXPECT_NEAR((placement - pose.placements[0]).norm(), 0, 2e-3) << "eyes and head must fit together";
}

}  // namespace
}  // namespace cutis
