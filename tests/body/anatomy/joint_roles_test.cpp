#include "cutis/body/anatomy/joint_roles.h"

#include <algorithm>
#include <random>
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
     "calf_l", "foot_l", "ball_l"},
    {"Character Creator",
     "CC_Base_Hip - CC_Base_Pelvis CC_Base_Hip CC_Base_Waist CC_Base_Hip CC_Base_Spine01 CC_Base_Waist "
     "CC_Base_Spine02 CC_Base_Spine01 CC_Base_NeckTwist01 CC_Base_Spine02 CC_Base_NeckTwist02 "
     "CC_Base_NeckTwist01 CC_Base_Head CC_Base_NeckTwist02 CC_Base_L_Clavicle CC_Base_Spine02 "
     "CC_Base_L_Upperarm CC_Base_L_Clavicle CC_Base_L_UpperarmTwist01 CC_Base_L_Upperarm CC_Base_L_Forearm "
     "CC_Base_L_Upperarm CC_Base_L_Hand CC_Base_L_Forearm CC_Base_L_Thigh CC_Base_Pelvis CC_Base_L_Calf "
     "CC_Base_L_Thigh CC_Base_L_Foot CC_Base_L_Calf CC_Base_L_ToeBase CC_Base_L_Foot",
     "CC_Base_Pelvis", "CC_Base_Spine02", "CC_Base_NeckTwist01", "CC_Base_Head", "CC_Base_L_Clavicle",
     "CC_Base_L_Upperarm", "CC_Base_L_Forearm", "CC_Base_L_Hand", "CC_Base_L_Thigh", "CC_Base_L_Calf",
     "CC_Base_L_Foot", "CC_Base_L_ToeBase"},
    {"Daz",
     "hip - pelvis hip lThighBend pelvis lThighTwist lThighBend lShin lThighTwist lFoot lShin lMetatarsals "
     "lFoot lToe lMetatarsals abdomenLower hip abdomenUpper abdomenLower chestLower abdomenUpper chestUpper "
     "chestLower neckLower chestUpper head neckLower lCollar chestUpper lShldrBend lCollar lForearmBend "
     "lShldrBend lHand lForearmBend",
     "pelvis", "chestUpper", "neckLower", "head", "lCollar", "lShldrBend", "lForearmBend", "lHand",
     "lThighBend", "lShin", "lFoot", "lToe"},
    {"other order, with a character's name",
     "Anna_Hips - Anna_Spine Anna_Hips Anna_Chest Anna_Spine Anna_Neck Anna_Chest Anna_Head Anna_Neck "
     "Anna_shoulder_l Anna_Chest Anna_arm_upper_l Anna_shoulder_l Anna_arm_lower_l Anna_arm_upper_l "
     "Anna_hand_l Anna_arm_lower_l Anna_leg_upper_l Anna_Hips Anna_leg_lower_l Anna_leg_upper_l Anna_foot_l "
     "Anna_leg_lower_l Anna_toe_l Anna_foot_l",
     "Anna_Hips", "Anna_Chest", "Anna_Neck", "Anna_Head", "Anna_shoulder_l", "Anna_arm_upper_l",
     "Anna_arm_lower_l", "Anna_hand_l", "Anna_leg_upper_l", "Anna_leg_lower_l", "Anna_foot_l", "Anna_toe_l"},
    {"a prefix that is a part, joined words",
     "Head_pelvis - Head_spine Head_pelvis Head_chest Head_spine Head_neck Head_chest Head_head Head_neck "
     "Head_leftcollar Head_chest Head_leftupperarm Head_leftcollar Head_leftforearm Head_leftupperarm "
     "Head_lefthand Head_leftforearm Head_lthigh Head_pelvis Head_lshin Head_lthigh Head_lfoot Head_lshin "
     "Head_ltoe Head_lfoot",
     "Head_pelvis", "Head_chest", "Head_neck", "Head_head", "Head_leftcollar", "Head_leftupperarm",
     "Head_leftforearm", "Head_lefthand", "Head_lthigh", "Head_lshin", "Head_lfoot", "Head_ltoe"},
    {"MMD",
     "センター - 下半身 センター 上半身 センター 上半身2 上半身 首 上半身2 頭 首 左肩 上半身2 左腕 左肩 "
     "左腕捩 左腕 左ひじ 左腕捩 "
     "左手首 左ひじ 左足 下半身 左ひざ 左足 左足首 左ひざ 左つま先 左足首 左足ＩＫ センター",
     "下半身", "上半身2", "首", "頭", "左肩", "左腕", "左ひじ", "左手首", "左足", "左ひざ", "左足首",
     "左つま先"},
    {"German",
     "Becken - Wirbelsäule Becken Brust Wirbelsäule Hals Brust Kopf Hals Schlüsselbein_links Brust "
     "Oberarm_links Schlüsselbein_links Unterarm_links Oberarm_links Hand_links Unterarm_links "
     "Oberschenkel_links Becken Unterschenkel_links Oberschenkel_links Fuß_links Unterschenkel_links "
     "Zehen_links Fuß_links",
     "Becken", "Brust", "Hals", "Kopf", "Schlüsselbein_links", "Oberarm_links", "Unterarm_links",
     "Hand_links", "Oberschenkel_links", "Unterschenkel_links", "Fuß_links", "Zehen_links"},
    {"Spanish",
     "Pelvis - Columna Pelvis Pecho Columna Cuello Pecho Cabeza Cuello Hombro_izq Pecho Brazo_izq Hombro_izq "
     "Antebrazo_izq Brazo_izq Mano_izq Antebrazo_izq Muslo_izq Pelvis Pantorrilla_izq Muslo_izq Pie_izq "
     "Pantorrilla_izq Dedos_pie_izq Pie_izq",
     "Pelvis", "Pecho", "Cuello", "Cabeza", "Hombro_izq", "Brazo_izq", "Antebrazo_izq", "Mano_izq",
     "Muslo_izq", "Pantorrilla_izq", "Pie_izq", "Dedos_pie_izq"}};

TEST(JointRoles, EveryConventionNamesTheSameJoints) {
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

TEST(JointRoles, JointsWithoutAWordOfTheirOwnFollowTheirNeighbours) {
  const auto joints = tree(
      "root - pelvis root spine pelvis clavicle.R spine upperarm01.R clavicle.R twist.R upperarm01.R "
      "head spine levator02.L head");
  const std::vector<JointRole> roles = joint_roles(joints);
  EXPECT_FALSE(roles[0].recognised());
  expect_role(joints, "root", Pelvis, Middle);
  expect_role(joints, "twist.R", UpperArm, Right);
  expect_role(joints, "levator02.L", Head, Left);
  EXPECT_EQ(find_joint(joints, roles, UpperArm, Right), 4);
  EXPECT_EQ(find_joint(joints, roles, UpperArm, Left), std::nullopt);
}

TEST(JointRoles, NothingIsGuessedFromUnknownWords) {
  for (const JointRole& role : joint_roles(tree("Bone - Bone.001 Bone Bone.002 Bone.001"))) {
    EXPECT_EQ(static_cast<int>(role.joint), static_cast<int>(Other));
    EXPECT_FALSE(role.recognised());
  }
}

TEST(JointRoles, LegsInFrontAreArms) {
  const auto joints = tree(
      "Pelvis - Spine Pelvis Chest Spine FrontUpperLeg.L Chest FrontLowerLeg.L FrontUpperLeg.L FrontFoot.L "
      "FrontLowerLeg.L BackUpperLeg.L Pelvis BackLowerLeg.L BackUpperLeg.L BackFoot.L BackLowerLeg.L "
      "front_leg_1.R Chest front_leg_2.R front_leg_1.R front_leg_3.R front_leg_2.R Tail1 Pelvis");
  expect_role(joints, "FrontUpperLeg.L", UpperArm, Left);
  expect_role(joints, "FrontLowerLeg.L", Forearm, Left);
  expect_role(joints, "FrontFoot.L", Hand, Left);
  expect_role(joints, "BackUpperLeg.L", Thigh, Left);
  expect_role(joints, "BackLowerLeg.L", Shin, Left);
  expect_role(joints, "BackFoot.L", Foot, Left);
  expect_role(joints, "front_leg_2.R", Forearm, Right);
  expect_role(joints, "Tail1", Tail, Middle);
}

/// Made once: its skin takes a while to grow.
const Skeleton& male() {
  static const Skeleton skeleton = *open_cast_member("male")->skeleton();
  return skeleton;
}

/// Joints with the same part and side.
std::size_t count_same(const std::vector<JointRole>& a, const std::vector<JointRole>& b) {
  std::size_t same = 0;
  for (std::size_t j = 0; j < a.size(); ++j) same += a[j].joint == b[j].joint && a[j].side == b[j].side;
  return same;
}

TEST(JointRoles, WithoutNamesTheShapeTellsThem) {
  for (const char* name : {"male", "torso", "beast", "hand"}) {
    SCOPED_TRACE(name);
    Skeleton skeleton = std::string(name) == "male" ? male() : *open_cast_member(name)->skeleton();
    const auto named = joint_roles(skeleton);
    for (SkeletonJoint& joint : skeleton.joints) joint.name.clear();
    const auto unnamed = joint_roles(skeleton);
    // A thumb is not told from fingers, a forearm alone from its hand, nor ears from the head.
    const bool whole = std::string(name) == "male" || std::string(name) == "torso";
    EXPECT_GE(count_same(named, unnamed) + (whole ? 0 : 4), named.size());
    EXPECT_NE(describe_joints(skeleton).find("by shape"), std::string::npos);
  }
}

TEST(JointRoles, AChainAloneIsNotGuessed) {
  Skeleton skeleton = *open_cast_member("arm")->skeleton();
  for (SkeletonJoint& joint : skeleton.joints) joint.name.clear();
  for (const JointRole& role : joint_roles(skeleton)) EXPECT_EQ(role, JointRole());
  EXPECT_EQ(describe_joints(skeleton),
            "the rig is not understood: too few of its 3 joints are recognised by name or shape");
}

TEST(JointRoles, OneWordIsNotARig) {
  std::string text = "Bone0 - head Bone0";
  for (int i = 1; i < 9; ++i) text += " Bone" + std::to_string(i) + " Bone" + std::to_string(i - 1);
  for (const JointRole& role : joint_roles(tree(text))) EXPECT_EQ(role, JointRole());
}

TEST(JointRoles, WrongNamesAreOutvoted) {
  const Skeleton& right = male();
  const auto roles = joint_roles(right);
  // Any one joint with the name of any other, or with none.
  for (std::size_t j = 0; j < right.joints.size(); ++j)
    for (std::size_t other = 0; other <= right.joints.size(); ++other) {
      Skeleton wrong = right;
      wrong.joints[j].name = other < right.joints.size() ? right.joints[other].name : "Bone.007";
      // At most its own role and a neighbour's that follows from it are lost.
      EXPECT_GE(count_same(roles, joint_roles(wrong)) + 2, roles.size())
          << right.joints[j].name << " called " << wrong.joints[j].name;
    }
}

TEST(JointRoles, ShuffledNamesAreNotBelieved) {
  const Skeleton& right = male();
  const auto roles = joint_roles(right);
  std::mt19937 random(1);
  for (int trial = 0; trial < 20; ++trial) {
    Skeleton wrong = right;
    std::vector<std::string> names;
    for (const SkeletonJoint& joint : right.joints) names.push_back(joint.name);
    std::shuffle(names.begin(), names.end(), random);
    for (std::size_t j = 0; j < names.size(); ++j) wrong.joints[j].name = names[j];
    EXPECT_EQ(count_same(roles, joint_roles(wrong)), roles.size());
  }
}

TEST(JointRoles, LimbsWithoutAParentAreJoinedToTheTrunk) {
  Skeleton skeleton = male();
  const auto named = joint_roles(skeleton);
  for (std::size_t j = 0; j < named.size(); ++j) {
    skeleton.joints[j].name.clear();
    if (named[j].joint == Thigh || named[j].joint == UpperArm) skeleton.joints[j].parent = -1;
  }
  EXPECT_EQ(count_same(named, joint_roles(skeleton)), named.size());
}

TEST(JointRoles, EndsThatMoveNoSkinAreNoParts) {
  Skeleton skeleton = male();
  const auto named = joint_roles(skeleton);
  const int head = *find_joint(skeleton.joints, named, Head);
  const int hand = *find_joint(skeleton.joints, named, Hand, Left);
  for (SkeletonJoint& joint : skeleton.joints) joint.name.clear();
  skeleton.joints.push_back({"", head, skeleton.joints[head].position + Vec3(0, 0.2, 0)});
  skeleton.joints.push_back({"", hand, skeleton.joints[hand].position + Vec3(0.5, 0, 0)});
  const auto unnamed = joint_roles(skeleton);
  EXPECT_EQ(static_cast<int>(unnamed[head].joint), static_cast<int>(Head));
  EXPECT_EQ(static_cast<int>(unnamed[hand].joint), static_cast<int>(Hand));
}

TEST(JointRoles, AreSaidInWords) {
  EXPECT_EQ(describe_joints(male()),
            "21 of 21 joints recognised by name: 2 arms, 2 legs, spine, neck, head, 2 toes");
  EXPECT_EQ(describe_joints(*open_cast_member("hand")->skeleton()),
            "17 of 17 joints recognised by name: an arm, 5 fingers");
}

TEST(JointRoles, ACycleIsRefused) {
  std::vector<SkeletonJoint> joints{{"pelvis", 1}, {"spine", 0}};
  EXPECT_THROW(joint_roles(joints), InputError);
}

TEST(JointRoles, EveryMemberOfTheCastWithABodyIsKnown) {
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

TEST(JointRoles, RealCharactersAreKnown) {
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
