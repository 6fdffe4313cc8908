#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "cutis/body/anatomy/human_bone_names.h"
#include "cutis/body/anatomy/human_bones.h"
#include "cutis/body/anatomy/human_joints.h"
#include "cutis/body/anatomy/langer_lines.h"
#include "cutis/body/anatomy/lay_strokes.h"
#include "cutis/body/procedural/procedural_bodies.h"
#include "cutis/core/error.h"
#include "cutis/io/gltf/gltf_reader.h"
#include "cutis/surface/field/line_turn.h"
#include "cutis/surface/mesh/triangle_measures.h"
#include "cutis/surface/mesh/triangle_mesh.h"
#include "support/support.h"

namespace cutis {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

Surface surface_of(const Body& body) { return Surface(triangulated(body.mesh()).mesh); }

Vec3 centre(const Surface& s, FaceId f) { return s.position({f, Vec3::Constant(1.0 / 3)}); }

std::vector<SkeletonJoint> named(const std::vector<std::string>& names) {
  std::vector<SkeletonJoint> joints;
  for (const std::string& name : names)
    joints.push_back({name, joints.empty() ? -1 : 0, Vec3(double(joints.size()), 0, 0)});
  return joints;
}

/// How the field lies against a bone where the skin around its middle is near: mean angle [rad].
double mean_angle_to(const Surface& s, const LineDirections& field, const HumanBone& bone, const Vec3& line) {
  double sum = 0, count = 0;
  for (FaceId f : ids<FaceId>(field.size())) {
    const Vec3 c = centre(s, f);
    const double along = bone.coordinates(c).x();
    if (along < 0.35 || along > 0.65 || bone.distance(c) > bone.reach) continue;
    sum += line_angle(field[f], line);
    ++count;
  }
  return count > 0 ? sum / count : INFINITY;
}

/// The share of inner edges over which the field turns by more than `limit` [rad] in space.
double rough_share(const Surface& s, const LineDirections& field, double limit) {
  const Topology& t = s.topology();
  double rough = 0;
  for (EdgeId e : ids<EdgeId>(t.edge_count())) {
    const HalfedgeId h = t.halfedge(e);
    if (!t.is_border(e)) rough += line_angle(field[t.face(h)], field[t.face(t.twin(h))]) > limit;
  }
  return rough / double(t.edge_count());
}

/// 95th percentile of the angle between strokes and the field in the triangles beside them, where nothing
/// holds it [rad].
double angle_beside_strokes(const Surface& s, const LineDirections& field,
                            std::span<const LineSample> strokes) {
  std::vector<double> angles, lengths;
  for (const LineTurn& turn : stroke_turns(s.positions().raw(), index_triangles(s.mesh()), field, strokes)) {
    angles.push_back(turn.angle);
    lengths.push_back(turn.length);
  }
  return weighted_percentile(angles, lengths, 0.95);
}

TEST(HumanJoints, KnowTheNamesOfManyRigs) {
  const auto mixamo =
      human_joints(named({"mixamorig:Hips", "mixamorig:Neck", "mixamorig:LeftShoulder", "mixamorig:LeftArm",
                          "mixamorig:LeftForeArm", "mixamorig:RightUpLeg"}));
  EXPECT_EQ(mixamo.at("left_shoulder").x(), 3) << "the arm, not the collar bone";
  EXPECT_EQ(mixamo.at("right_hip").x(), 5);
  const auto smpl = human_joints(named({"pelvis", "left_hip", "left_knee", "left_ankle", "left_foot",
                                        "left_collar", "left_shoulder", "left_elbow"}));
  EXPECT_EQ(smpl.at("left_toes").x(), 4) << "what SMPL calls a foot";
  EXPECT_EQ(smpl.at("left_shoulder").x(), 6);
  const auto makehuman = human_joints(named({"root", "upperarm01.R", "lowerarm01.R", "wrist.R", "toe2-1.R"}));
  EXPECT_EQ(makehuman.at("right_wrist").x(), 3);
  EXPECT_EQ(makehuman.size(), 4u) << "a root need not be a pelvis";
  EXPECT_TRUE(human_joints(named({"tail_1", "wing.L"})).empty());
}

TEST(HumanJoints, StandWhereTheRigPutsThem) {
  const auto body = open_cast_member("male", 0.02);
  const auto joints = human_joints(body->joints());
  EXPECT_EQ(joints.size(), 17u);
  EXPECT_TRUE(joints.at("left_hip").isApprox(Vec3(0.092, 0.92, 0), 1e-12));
  // At another rest pose they move along with the skin.
  RigChoice squat;
  squat.clip = "squat";
  squat.rest = "@1s";
  const auto low = open_cast_member("male", 0.02, squat);
  const Vec3 moved = human_joints(low->joints()).at("left_hip") - joints.at("left_hip");
  EXPECT_LT(moved.y(), -0.1);
}

TEST(HumanBones, CoordinatesGoOutAndComeBack) {
  const auto body = open_cast_member("female", 0.015);
  const Surface s = surface_of(*body);
  const auto bones = human_bones(human_joints(body->joints()), s);
  EXPECT_EQ(bones.size(), human_bone_names().size());
  for (const auto& [name, bone] : bones) {
    SCOPED_TRACE(name);
    EXPECT_NEAR(bone.front.dot(bone.side), 0, 1e-12);
    EXPECT_NEAR(bone.front.dot(bone.to - bone.from), 0, 1e-12);
    const BoneRays rays(s, bone);
    for (double angle : {-120.0, -40.0, 15.0, 100.0}) {
      const SurfacePoint p = rays(0.5, angle * kDegree);
      ASSERT_TRUE(p.face.valid());
      EXPECT_TRUE(bone.coordinates(s.position(p)).isApprox(Vec2(0.5, angle * kDegree), 1e-9));
    }
    EXPECT_FALSE(rays(7, 0).face.valid());
  }
  EXPECT_GT(bones.at("left_thigh").side.x(), 0.9) << "outwards";
  EXPECT_LT(bones.at("right_thigh").side.x(), -0.9);
  EXPECT_GT(bones.at("left_foot").front.y(), 0.8) << "up";
}

TEST(LangerLines, MaleAndFemaleDifferOnTheTrunkOnly) {
  const auto male = langer_strokes(LangerSet::Male), female = langer_strokes(LangerSet::Female);
  int shared_trunk = 0, trunk = 0;
  for (const Stroke& stroke : female) {
    const bool shared = std::ranges::find(male, stroke) != male.end();
    if (stroke.bone == "trunk")
      ++trunk, shared_trunk += shared;
    else
      EXPECT_TRUE(shared) << stroke.bone;
  }
  EXPECT_GT(shared_trunk, 0);
  EXPECT_LT(shared_trunk, trunk);
}

/// The figure of the example "langer": the field goes on from its strokes within 15 degrees and is smooth
/// elsewhere.
class LangerField : public testing::TestWithParam<std::pair<const char*, LangerSet>> {};
TEST_P(LangerField, MeetsItsStrokesAndIsSmooth) {
  const auto body = open_cast_member(GetParam().first);
  const Surface s = surface_of(*body);
  const LaidStrokes laid = lay_strokes(langer_strokes(GetParam().second), body->joints(), s);
  EXPECT_TRUE(laid.missing.empty());
  for (std::size_t i = 0; i < laid.strokes.size(); ++i) EXPECT_GT(laid.strokes[i].size(), 4u) << i;
  const LineField field = line_field(s, laid.samples);
  EXPECT_EQ(field.bare_parts, 0);
  EXPECT_LT(angle_beside_strokes(s, field.directions, laid.samples), 15 * kDegree);
  EXPECT_LT(rough_share(s, field.directions, 20 * kDegree), 0.02);
  int half_turns = 0;
  for (const LineSingularity& at : line_singularities(s, field.directions)) half_turns += at.half_turns;
  EXPECT_EQ(half_turns, 4) << "a closed body without handles";
  const auto bones = human_bones(human_joints(body->joints()), s);
  for (const char* name : {"left_upper_arm", "right_forearm", "left_thigh", "right_shin"}) {
    const HumanBone& bone = bones.at(name);
    EXPECT_LT(mean_angle_to(s, field.directions, bone, bone.to - bone.from), 25 * kDegree) << name;
  }
  const HumanBone& neck = bones.at("neck");
  EXPECT_GT(mean_angle_to(s, field.directions, neck, neck.to - neck.from), 60 * kDegree) << "around it";
}
INSTANTIATE_TEST_SUITE_P(Mannequins, LangerField,
                         testing::Values(std::pair("male", LangerSet::Male),
                                         std::pair("female", LangerSet::Female),
                                         std::pair("heavy", LangerSet::Male)));

TEST(LangerLines, FitTheMakeHumanHuman) {
  const auto folder = test::data_folder();
  if (!folder) GTEST_SKIP() << "no real characters here";
  for (const char* file : {"makehuman_young_male_cmu.glb", "makehuman_young_male_default_rig.glb"}) {
    SCOPED_TRACE(file);
    const RigBody body(read_gltf(*folder / "makehuman-young-male" / file));
    const Surface s = surface_of(body);
    const LaidStrokes laid = lay_strokes(langer_strokes(LangerSet::Male), body.joints(), s);
    EXPECT_TRUE(laid.missing.empty());
    for (std::size_t i = 0; i < laid.strokes.size(); ++i) EXPECT_GT(laid.strokes[i].size(), 2u) << i;
    const LineField field = line_field(s, laid.samples);
    double met = 0;
    for (const LineSample& sample : laid.samples)
      met += line_angle(field.directions[sample.face], sample.direction) < 5 * kDegree;
    EXPECT_GT(met / double(laid.samples.size()), 0.99);
    const auto bones = human_bones(human_joints(body.joints()), s);
    for (const char* name : {"left_upper_arm", "left_forearm", "right_thigh", "left_shin"})
      EXPECT_LT(mean_angle_to(s, field.directions, bones.at(name), bones.at(name).to - bones.at(name).from),
                25 * kDegree)
          << name;
    const HumanBone& trunk = bones.at("trunk");
    EXPECT_GT(mean_angle_to(s, field.directions, trunk, trunk.to - trunk.from), 65 * kDegree);
  }
}

TEST(Strokes, AreCarriedExactlyToTheSameFaces) {
  const auto body = open_cast_member("male", 0.02);
  const Surface from = surface_of(*body);
  const LaidStrokes laid = lay_strokes(langer_strokes(LangerSet::Male), body->joints(), from);
  Mesh wide = from.mesh();
  Mat3 stretch = Mat3::Identity();
  stretch(0, 0) = 1.3;
  stretch(2, 1) = 0.1;
  for (Vec3& p : wide.positions) p = stretch * p;
  const Surface to(wide);
  for (const SurfaceStroke& stroke : laid.strokes)
    for (const SurfacePoint& p : stroke)
      EXPECT_LT((to.position(p) - stretch * from.position(p)).norm(), 1e-12);
  // One stroke a body, so that no two meet in a face: its direction is stretched with the body.
  for (const SurfaceStroke& stroke : laid.strokes) {
    const std::vector<SurfaceStroke> one = {stroke};
    const auto before = line_samples(from, one, INFINITY), after = line_samples(to, one, INFINITY);
    ASSERT_EQ(before.size(), after.size());
    double sum = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_EQ(before[i].face, after[i].face);
      sum += line_angle(stretch * before[i].direction, after[i].direction);
    }
    EXPECT_LT(sum / double(before.size()), 6 * kDegree) << "means over a face, before and after";
  }
}

/// Strokes drawn in space on a fine man come to lie on a coarse woman as those around bones do.
TEST(Strokes, AreCarriedAroundBonesToOtherFaces) {
  const auto man = open_cast_member("male", 0.012), woman = open_cast_member("female", 0.016);
  const Surface from = surface_of(*man), to = surface_of(*woman);
  const std::vector<Stroke> original = {{{}, "left_forearm", {{0.2, 0.3}, {0.8, 0.1}}},
                                        {{}, "right_thigh", {{0.3, 0.5}, {0.8, 0.3}}},
                                        {{}, "trunk", {{0.3, -0.6}, {0.28, 0.6}}},
                                        {{}, "head", {{0.5, -0.6}, {0.5, 0.6}}}};
  std::vector<Stroke> drawn;
  for (const SurfaceStroke& stroke : lay_strokes(original, man->joints(), from).strokes) {
    Stroke& points = drawn.emplace_back();
    for (const SurfacePoint& p : stroke) points.points.push_back(from.position(p));
  }
  const std::vector<Stroke> carried = strokes_around_bones(drawn, man->joints(), from);
  const LaidStrokes there = lay_strokes(carried, woman->joints(), to),
                    expected = lay_strokes(original, woman->joints(), to);
  for (std::size_t i = 0; i < original.size(); ++i) {
    SCOPED_TRACE(original[i].bone);
    EXPECT_EQ(carried[i].bone, original[i].bone);
    for (const SurfacePoint& p : there.strokes[i]) {
      double nearest = INFINITY;
      for (const SurfacePoint& q : expected.strokes[i])
        nearest = std::min(nearest, (to.position(p) - to.position(q)).norm());
      EXPECT_LT(nearest, 0.004);
    }
  }
}

TEST(Strokes, SayWhichBonesAreMissing) {
  const auto torso = open_cast_member("torso", 0.02);
  const LaidStrokes laid = lay_strokes(langer_strokes(LangerSet::Male), torso->joints(), surface_of(*torso));
  EXPECT_NE(std::ranges::find(laid.missing, "left_shin"), laid.missing.end());
  EXPECT_EQ(std::ranges::find(laid.missing, "left_forearm"), laid.missing.end());
  EXPECT_FALSE(laid.samples.empty());
  const auto sheet = open_cast_member("sheet");
  const std::vector<Stroke> line = {{{{0, 0, 0}, {0.1, 0, 0}}, "", {}}};
  EXPECT_THROW(strokes_around_bones(line, sheet->joints(), surface_of(*sheet)), InputError);
}

}  // namespace
}  // namespace cutis
