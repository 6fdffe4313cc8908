#include "cutis/body/rig/pose.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/core/error.h"

namespace cutis {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

Node node(int parent, const Vec3& translation, const Vec3& scale = Vec3::Ones(),
          const Quat& rotation = Quat::Identity()) {
  Node n;
  n.parent = parent;
  n.local = {translation, rotation, scale};
  return n;
}

Quat about_z(double degrees) { return Quat(Eigen::AngleAxisd(degrees * M_PI / 180, Vec3::UnitZ())); }

Vec3 origin(const Mat4& m) { return m.topRightCorner<3, 1>(); }

TEST(Pose, TransformIsTranslationTimesRotationTimesScale) {
  const Transform t{Vec3(1, 2, 3), about_z(90), Vec3(2, 3, 4)};
  const Vec4 p = t.matrix() * Vec4(1, 1, 1, 1);
  EXPECT_NEAR((p - Vec4(1 - 3, 2 + 2, 3 + 4, 1)).norm(), 0, 1e-14);
}

TEST(Pose, DecomposeUndoesMatrixAlsoWhenMirrored) {
  for (const Vec3& scale : {Vec3(2, 3, 4), Vec3(-2, 3, 4), Vec3(-2, -3, -4)}) {
    const Transform t{Vec3(1, 2, 3), about_z(70), scale};
    EXPECT_NEAR((decompose(t.matrix()).matrix() - t.matrix()).norm(), 0, 1e-13);
  }
}

TEST(Pose, ScaleOfAParentReachesItsChildrenAndParentsMayComeLast) {
  // Child, then its parent: the child's offset of (1, 0, 0) is turned to y, stretched by the parent's x
  // scale.
  const std::vector<Node> nodes = {node(1, Vec3(1, 0, 0)),
                                   node(-1, Vec3(10, 0, 0), Vec3(2, 5, 1), about_z(90))};
  const auto globals = global_matrices(nodes, parents_first(nodes), nullptr, 0);
  EXPECT_NEAR((origin(globals[0]) - Vec3(10, 2, 0)).norm(), 0, 1e-14);
}

TEST(Pose, AMatrixWithShearIsKept) {
  std::vector<Node> nodes = {node(-1, Vec3::Zero()), node(0, Vec3(0, 1, 0))};
  nodes[0].has_matrix = true;
  nodes[0].matrix(0, 1) = 0.5;  // x grows with y
  const auto globals = global_matrices(nodes, parents_first(nodes), nullptr, 0);
  EXPECT_NEAR((origin(globals[1]) - Vec3(0.5, 1, 0)).norm(), 0, 1e-15);
}

TEST(Pose, AClipMovesWhatItNamesAndLeavesTheRest) {
  const std::vector<Node> nodes = {node(-1, Vec3(1, 0, 0), Vec3(2, 2, 2)), node(0, Vec3(0, 1, 0))};
  Clip clip;
  clip.tracks.push_back({0, TrackPath::Translation, Interpolation::Linear, {0, 1}, {0, 0, 0, 0, 0, 8}});
  const auto globals = global_matrices(nodes, parents_first(nodes), &clip, 0.5);
  EXPECT_NEAR((origin(globals[1]) - Vec3(0, 2, 4)).norm(), 0, 1e-15);
}

TEST(Pose, CyclesAndLostParentsAreNamed) {
  const std::vector<Node> cycle = {node(-1, Vec3::Zero()), node(2, Vec3::Zero()), node(1, Vec3::Zero())};
  EXPECT_THAT([&] { parents_first(cycle); }, ThrowsMessage<InputError>(HasSubstr("node 1")));
  const std::vector<Node> lost = {node(7, Vec3::Zero())};
  EXPECT_THAT([&] { parents_first(lost); }, ThrowsMessage<InputError>(HasSubstr("node 7")));
}

/// Root joint, its child, a node below the child; bound upright, left bent in the file's own pose.
Character bent_rig() {
  Character c;
  c.nodes = {node(-1, Vec3(5, 0, 0), Vec3::Ones(), about_z(90)),
             node(0, Vec3(0, 1, 0), Vec3::Ones(), about_z(40)), node(1, Vec3(0, 1, 0))};
  Mat4 child = Mat4::Identity();
  child(1, 3) = -1;
  c.skins.push_back({{0, 1}, {Mat4::Identity(), child}});
  return c;
}

TEST(Pose, BindPoseStandsWhereTheTopmostJointStands) {
  const Character c = bent_rig();
  const BindPose pose = bind_pose(c, parents_first(c.nodes));
  const Mat4 root = c.nodes[0].local.matrix();
  EXPECT_NEAR((pose.placements[0] - root).norm(), 0, 1e-14);
  // Bound upright: the child stands one above the root, which the file has turned by 90 degrees; no bend
  // of 40.
  EXPECT_NEAR((origin(pose.globals[1]) - Vec3(4, 0, 0)).norm(), 0, 1e-14);
  EXPECT_NEAR((origin(pose.globals[2]) - Vec3(3, 0, 0)).norm(), 0, 1e-14);
}

TEST(Pose, SkinsThatShareJointsAreBoundInOnePlace) {
  Character c = bent_rig();
  // A second skin hangs on the child alone, for a mesh modelled 3 further along z; given first in the file.
  Mat4 shifted = c.skins[0].inverse_bind[1];
  shifted(2, 3) -= 3;
  c.skins.insert(c.skins.begin(), Skin{{1}, {shifted}});
  const BindPose pose = bind_pose(c, parents_first(c.nodes));
  Mat4 shift = Mat4::Identity();
  shift(2, 3) = -3;
  EXPECT_NEAR((pose.placements[0] - pose.placements[1] * shift).norm(), 0, 1e-14);
}

}  // namespace
}  // namespace cutis
