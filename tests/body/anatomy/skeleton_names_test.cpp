#include "cutis/body/anatomy/skeleton_names.h"

#include <sstream>

#include <gtest/gtest.h>

#include "cutis/body/procedural/procedural_bodies.h"
#include "cutis/core/error.h"
#include "cutis/io/gltf/gltf_reader.h"
#include "support/support.h"

namespace cutis {
namespace {

/// One joint a line, "name parent"; parents are names that came before.
std::vector<SkeletonJoint> tree(const std::string& text) {
  std::vector<SkeletonJoint> joints;
  std::istringstream in(text);
  for (std::string name, parent; in >> name >> parent;) {
    SkeletonJoint joint{name};
    for (std::size_t j = 0; j < joints.size(); ++j)
      if (joints[j].name == parent) joint.parent = static_cast<int>(j);
    joints.push_back(joint);
  }
  return joints;
}

using enum HumanJoint;
using enum BodySide;

void expect_role(const std::vector<SkeletonJoint>& joints, const std::string& name, HumanJoint joint,
                 BodySide side) {
  const std::vector<JointRole> roles = joint_roles(joints);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (joints[j].name != name) continue;
    EXPECT_EQ(static_cast<int>(roles[j].joint), static_cast<int>(joint)) << name;
    EXPECT_EQ(static_cast<int>(roles[j].side), static_cast<int>(side)) << name;
    return;
  }
  FAIL() << "no joint " << name;
}

/// Each convention names the same 22 joints.
struct Convention {
  const char* name;
  const char* joints;
  const char *pelvis, *chest, *neck, *head, *clavicle, *upper_arm, *forearm, *hand, *thigh, *shin, *foot,
      *toe;
};

const Convention kConventions[] = {
    {"Mixamo",
     "mixamorig:Hips - mixamorig:Spine mixamorig:Hips mixamorig:Spine1 mixamorig:Spine mixamorig:Spine2 "
     "mixamorig:Spine1 mixamorig:Neck mixamorig:Spine2 mixamorig:Head mixamorig:Neck "
     "mixamorig:LeftShoulder mixamorig:Spine2 mixamorig:LeftArm mixamorig:LeftShoulder "
     "mixamorig:LeftForeArm mixamorig:LeftArm mixamorig:LeftHand mixamorig:LeftForeArm "
     "mixamorig:LeftHandIndex1 mixamorig:LeftHand mixamorig:LeftUpLeg mixamorig:Hips mixamorig:LeftLeg "
     "mixamorig:LeftUpLeg mixamorig:LeftFoot mixamorig:LeftLeg mixamorig:LeftToeBase mixamorig:LeftFoot",
     "mixamorig:Hips", "mixamorig:Spine2", "mixamorig:Neck", "mixamorig:Head", "mixamorig:LeftShoulder",
     "mixamorig:LeftArm", "mixamorig:LeftForeArm", "mixamorig:LeftHand", "mixamorig:LeftUpLeg",
     "mixamorig:LeftLeg", "mixamorig:LeftFoot", "mixamorig:LeftToeBase"},
    {"SMPL",
     "pelvis - left_hip pelvis spine1 pelvis left_knee left_hip spine2 spine1 left_ankle left_knee spine3 "
     "spine2 left_foot left_ankle neck spine3 left_collar spine3 head neck left_shoulder left_collar "
     "left_elbow left_shoulder left_wrist left_elbow left_hand left_wrist",
     "pelvis", "spine3", "neck", "head", "left_collar", "left_shoulder", "left_elbow", "left_wrist",
     "left_hip", "left_knee", "left_ankle", "left_foot"},
    {"Rigify",
     "DEF-spine - DEF-spine.001 DEF-spine DEF-spine.002 DEF-spine.001 DEF-spine.003 DEF-spine.002 "
     "DEF-spine.004 DEF-spine.003 DEF-spine.005 DEF-spine.004 DEF-spine.006 DEF-spine.005 DEF-shoulder.L "
     "DEF-spine.003 DEF-upper_arm.L DEF-shoulder.L DEF-forearm.L DEF-upper_arm.L DEF-hand.L DEF-forearm.L "
     "DEF-f_index.01.L DEF-hand.L DEF-pelvis.L DEF-spine DEF-thigh.L DEF-spine DEF-shin.L DEF-thigh.L "
     "DEF-foot.L DEF-shin.L DEF-toe.L DEF-foot.L",
     "DEF-pelvis.L", "DEF-spine.003", "DEF-spine.005", "DEF-spine.006", "DEF-shoulder.L", "DEF-upper_arm.L",
     "DEF-forearm.L", "DEF-hand.L", "DEF-thigh.L", "DEF-shin.L", "DEF-foot.L", "DEF-toe.L"},
    {"Unreal",
     "pelvis - spine_01 pelvis spine_02 spine_01 spine_03 spine_02 neck_01 spine_03 head neck_01 clavicle_l "
     "spine_03 upperarm_l clavicle_l upperarm_twist_01_l upperarm_l lowerarm_l upperarm_l hand_l lowerarm_l "
     "thigh_l pelvis calf_l thigh_l foot_l calf_l ball_l foot_l",
     "pelvis", "spine_03", "neck_01", "head", "clavicle_l", "upperarm_l", "lowerarm_l", "hand_l", "thigh_l",
     "calf_l", "foot_l", "ball_l"}};

TEST(SkeletonNames, EveryConventionNamesTheSameJoints) {
  for (const Convention& c : kConventions) {
    SCOPED_TRACE(c.name);
    const auto joints = tree(c.joints);
    expect_role(joints, c.pelvis, Pelvis, std::string(c.name) == "Rigify" ? Left : Middle);
    expect_role(joints, c.chest, Chest, Middle);
    expect_role(joints, c.neck, Neck, Middle);
    expect_role(joints, c.head, Head, Middle);
    expect_role(joints, c.clavicle, Clavicle, Left);
    expect_role(joints, c.upper_arm, UpperArm, Left);
    expect_role(joints, c.forearm, Forearm, Left);
    expect_role(joints, c.hand, Hand, Left);
    expect_role(joints, c.thigh, Thigh, Left);
    expect_role(joints, c.shin, Shin, Left);
    expect_role(joints, c.foot, Foot, Left);
    expect_role(joints, c.toe, Toe, Left);
  }
}

TEST(SkeletonNames, JointsWithoutAWordOfTheirOwnFollowTheirNeighbours) {
  const auto joints = tree(
      "root - pelvis root spine pelvis clavicle.R spine upperarm01.R clavicle.R twist.R upperarm01.R "
      "head spine levator02.L head");
  const std::vector<JointRole> roles = joint_roles(joints);
  EXPECT_FALSE(roles[0].named);
  expect_role(joints, "root", Pelvis, Middle);
  expect_role(joints, "twist.R", UpperArm, Right);
  expect_role(joints, "levator02.L", Head, Left);
  EXPECT_EQ(find_joint(joints, roles, UpperArm, Right), 4);
  EXPECT_EQ(find_joint(joints, roles, UpperArm, Left), std::nullopt);
}

TEST(SkeletonNames, NothingIsGuessedFromUnknownWords) {
  for (const JointRole& role : joint_roles(tree("Bone - Bone.001 Bone Bone.002 Bone.001"))) {
    EXPECT_EQ(static_cast<int>(role.joint), static_cast<int>(Other));
    EXPECT_FALSE(role.named);
  }
}

TEST(SkeletonNames, ACycleIsRefused) {
  std::vector<SkeletonJoint> joints{{"pelvis", 1}, {"spine", 0}};
  EXPECT_THROW(joint_roles(joints), InputError);
}

TEST(SkeletonNames, EveryMemberOfTheCastWithABodyIsKnown) {
  for (const char* name : {"male", "torso", "head", "hand", "arm", "beast"}) {
    const auto skeleton = open_cast_member(name)->skeleton();
    ASSERT_TRUE(skeleton) << name;
    const auto roles = joint_roles(skeleton->joints);
    for (std::size_t j = 0; j < roles.size(); ++j)
      EXPECT_NE(static_cast<int>(roles[j].joint), static_cast<int>(Other)) << skeleton->joints[j].name;
  }
  const auto beast = open_cast_member("beast")->skeleton();
  expect_role(beast->joints, "left_fore_upper", UpperArm, Left);
  expect_role(beast->joints, "right_hind_cannon", Foot, Right);
  expect_role(beast->joints, "tail_2", Tail, Middle);
}

TEST(SkeletonNames, RealCharactersAreKnown) {
  const auto data = test::data_folder();
  if (!data) GTEST_SKIP() << "no real characters here";
  const auto joints_of = [&](const char* file) {
    return RigBody(read_gltf(*data / file)).skeleton()->joints;
  };
  const auto cmu = joints_of("makehuman-young-male/makehuman_young_male_cmu.glb");
  expect_role(cmu, "LHipJoint", Pelvis, Left);
  expect_role(cmu, "LowerBack", Spine, Middle);
  expect_role(cmu, "Spine1", Chest, Middle);
  expect_role(cmu, "LeftShoulder", Clavicle, Left);
  expect_role(cmu, "RightLeg", Shin, Right);
  expect_role(cmu, "RThumb", Thumb, Right);
  const auto rig = joints_of("makehuman-young-male/makehuman_young_male_default_rig.glb");
  expect_role(rig, "root", Pelvis, Middle);
  expect_role(rig, "shoulder01.L", Clavicle, Left);
  expect_role(rig, "upperarm02.L", UpperArm, Left);
  expect_role(rig, "lowerleg02.R", Shin, Right);
  expect_role(rig, "oris05", Lip, Middle);
  expect_role(rig, "metacarpal3.L", Hand, Left);
  expect_role(rig, "finger3-2.L", Finger, Left);
  expect_role(rig, "toe4-2.R", Toe, Right);
  const auto fox = joints_of("khronos-fox/Fox.glb");
  expect_role(fox, "b_LeftLeg01_015", Thigh, Left);
  expect_role(fox, "b_LeftLeg02_016", Shin, Left);
  expect_role(fox, "b_LeftFoot02_018", Toe, Left);
  expect_role(fox, "b_RightHand_08", Hand, Right);
  const auto man = joints_of("khronos-cesium-man/CesiumMan.glb");
  expect_role(man, "Skeleton_arm_joint_L__4_", UpperArm, Left);
  expect_role(man, "Skeleton_arm_joint_L__2_", Hand, Left);
  expect_role(man, "leg_joint_R_5", Toe, Right);
}

TEST(Skeleton, JointsStandInTheRestShapeWithTheirWeights) {
  const auto body = open_cast_member("arm");
  const auto skeleton = body->skeleton();
  ASSERT_EQ(skeleton->joints.size(), 3u);
  EXPECT_EQ(skeleton->joints[1].name, "forearm");
  EXPECT_EQ(skeleton->joints[2].parent, 1);
  EXPECT_NEAR((skeleton->joints[1].position - Vec3(0.30, 0, 0)).norm(), 0, 1e-12);
  EXPECT_NEAR((skeleton->joints[2].position - Vec3(0.55, 0, 0)).norm(), 0, 1e-12);
  const auto hand = body->attribute("hand");
  const Influences& w = skeleton->influences;
  ASSERT_EQ(w.offsets.size(), body->source().vertex_count() + 1);
  for (std::size_t v = 0; v + 1 < w.offsets.size(); ++v) {
    double weight = 0;
    for (auto k = w.offsets[v]; k < w.offsets[v + 1]; ++k)
      if (w.joints[k] == 2) weight += w.weights[k];
    ASSERT_EQ(weight, hand->values[v]);
  }
  RigChoice bent;
  bent.rest = "@1s";
  const auto posed = open_cast_member("arm", 0, bent)->skeleton();
  EXPECT_LT(posed->joints[2].position.x(), 0.25);  // the elbow is bent by 120 degrees
  EXPECT_NEAR((posed->joints[2].position - posed->joints[1].position).norm(), 0.25, 1e-9);
}

}  // namespace
}  // namespace cutis
