#include "cutis/body/avatar/avatar_body.h"

#include <cmath>
#include <numbers>

#include <gmock/gmock.h>

#include "cutis/body/anatomy/joint_roles.h"
#include "cutis/core/error.h"
#include "cutis/core/parallel.h"
#include "support/skinned.h"

namespace cutis {
namespace {

/// A strip along y with a joint at each end, as files of two joints have it; the upper half follows joint 1.
AvatarModel strip() {
  AvatarModel model;
  model.file = "strip.npz";
  for (int i = 0; i < 8; ++i) model.mesh.positions.push_back(Vec3(i % 2, i / 2, 0));
  for (int i = 0; i + 3 < 8; i += 2)
    model.mesh.add_face(
        std::array{SourceVertexId(i), SourceVertexId(i + 1), SourceVertexId(i + 3), SourceVertexId(i + 2)});
  model.joint_names = {"pelvis", "spine1"};
  model.parents = {-1, 0};
  model.regressor = {{0, 0, 1}, {1, 4, 1}};
  model.influences.offsets = {0};
  for (int i = 0; i < 8; ++i) {
    model.influences.joints.push_back(i < 4 ? 0 : 1);
    model.influences.weights.push_back(1);
    model.influences.offsets.push_back(i + 1);
  }
  model.shape_count = 1;
  model.shape_directions.assign(24, 0);
  for (int i = 0; i < 8; ++i) model.shape_directions[3 * i + 1] = i / 2;  // taller by its own height
  model.pose_directions.assign(24 * 9, 0);
  return model;
}

/// Joint 1 turns by `angle` about z from the first frame to the second, while the body goes 1 m along x.
AvatarMotion bend(double angle) {
  AvatarMotion motion;
  motion.file = "bend.npz";
  motion.fps = 10;
  motion.joint_names = {"pelvis", "spine1"};
  motion.translations = {Vec3::Zero(), Vec3::UnitX()};
  motion.rotations = {Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3(0, 0, angle)};
  return motion;
}

TEST(AvatarBody, TurnsAtOneSpeedAndGoesStraightBetweenFrames) {
  AvatarOptions options;
  options.up = UpAxis::Y;
  const double angle = std::numbers::pi / 2;
  const AvatarBody body(strip(), bend(angle), options);
  EXPECT_DOUBLE_EQ(body.duration().end, 0.1);
  for (double part : {0.0, 0.25, 0.5, 0.8, 1.0}) {
    const SourcePoints points = body.source_positions(0.1 * part);
    const double c = std::cos(part * angle), s = std::sin(part * angle);
    // Vertex 7 stands at (1, 1) from joint 1, which stands at (0, 2).
    EXPECT_NEAR((points[SourceVertexId(7)] - Vec3(part + c - s, 2 + s + c, 0)).norm(), 0, 1e-12) << part;
    EXPECT_NEAR((points[SourceVertexId(1)] - Vec3(part + 1, 0, 0)).norm(), 0, 1e-12);
  }
  EXPECT_EQ(body.source_positions(-1), body.source_positions(0));
  EXPECT_EQ(body.source_positions(9), body.source_positions(0.1));
}

TEST(AvatarBody, TakesTheShorterWayAround) {
  AvatarOptions options;
  options.up = UpAxis::Y;
  const AvatarBody body(strip(), bend(1.5 * std::numbers::pi), options);  // a quarter turn backwards
  const double c = std::cos(-std::numbers::pi / 4), s = std::sin(-std::numbers::pi / 4);
  EXPECT_NEAR((body.source_positions(0.05)[SourceVertexId(7)] - Vec3(0.5 + c - s, 2 + s + c, 0)).norm(), 0,
              1e-12);
}

TEST(AvatarBody, ShapesMoveJointsAndZUpIsTurned) {
  AvatarOptions options;
  options.betas = {{0.5}};
  options.rest = "first";
  options.scale = 2;
  const AvatarBody body(strip(), bend(1), options);
  const auto skeleton = body.skeleton();
  ASSERT_TRUE(skeleton);
  // Joint 1 is at y = 2 · 1.5 in the model; as z is up there, y becomes -z; and all is twice as large.
  EXPECT_NEAR((skeleton->joints[1].position - Vec3(0, 0, -6)).norm(), 0, 1e-12);
  EXPECT_NEAR((body.source().positions[SourceVertexId(7)] - Vec3(2, 0, -9)).norm(), 0, 1e-12);
  EXPECT_EQ(body.betas(), std::vector<double>{0.5});
}

TEST(AvatarBody, JointsCarryTheRestShapeAlongASmoothCurve) {
  AvatarMotion motion = bend(2);
  motion.translations.push_back(Vec3(1, 2, 0));
  motion.rotations.insert(motion.rotations.end(), {Vec3(0, 0.3, 0), Vec3(1, 0, 0)});
  for (const char* rest : {"bind", "first", "@0.13s"}) {
    AvatarOptions options;
    options.rest = rest;
    options.scale = 0.5;
    options.betas = {{0.5}};
    const AvatarBody body(strip(), motion, options);
    for (const double time : {-1.0, 0.0, 0.04, 0.1, 0.17, 0.2})
      EXPECT_LT(test::largest_distance(test::skinned(body, time), body.smooth_positions(time)), 1e-14);
    for (const double frame : {0.0, 0.1, 0.2})
      EXPECT_LT(test::largest_distance(body.source_positions(frame), body.smooth_positions(frame)), 1e-14);
    const double step = 1e-6;
    const auto tip = [&](double time) { return body.smooth_positions(time)[SourceVertexId(7)]; };
    EXPECT_LT((tip(0.1 + step) + tip(0.1 - step) - 2 * tip(0.1)).norm() / step, 1e-3);
  }
}

TEST(AvatarBody, JointsAreVertexGroups) {
  const AvatarBody body(strip(), std::nullopt);
  EXPECT_EQ(body.attribute_names(), (std::vector<std::string>{"pelvis", "spine1"}));
  const auto upper = body.attribute("Spine1");
  ASSERT_TRUE(upper);
  EXPECT_EQ(upper->values, (std::vector<double>{0, 0, 0, 0, 1, 1, 1, 1}));
  EXPECT_FALSE(body.attribute("tail"));
}

TEST(AvatarBody, SaysWhatDoesNotFit) {
  AvatarMotion other = bend(1);
  other.joint_names = {"root", "tail"};
  EXPECT_THROW(AvatarBody(strip(), other), InputError);
  AvatarOptions options;
  options.betas = {{std::nan("")}};
  EXPECT_THROW(AvatarBody(strip(), std::nullopt, options), InputError);
  options = {};
  options.scale = 0;
  EXPECT_THROW(AvatarBody(strip(), std::nullopt, options), InputError);
}

TEST(AvatarJointNames, AreKnownRigs) {
  for (std::size_t count : {22, 24, 52, 55}) {
    const std::vector<std::string> names = avatar_joint_names(count);
    ASSERT_EQ(names.size(), count);
    std::vector<SkeletonJoint> joints;
    for (const std::string& name : names) joints.push_back({name, joints.empty() ? -1 : 0});
    for (const JointRole& role : joint_roles(joints)) EXPECT_TRUE(role.recognised());
  }
  EXPECT_EQ(avatar_joint_names(3)[2], "joint_2");
}

}  // namespace
}  // namespace cutis
