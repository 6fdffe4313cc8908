#include "cutis/body/rig/rig_body.h"

#include <cmath>
#include <memory>
#include <random>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>

#include "cutis/body/rig/pose.h"
#include "cutis/core/error.h"
#include "cutis/core/log.h"
#include "support/same_bits.h"
#include "support/skinned.h"

namespace cutis {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

Quat about_z(double degrees) { return Quat(Eigen::AngleAxisd(degrees * M_PI / 180, Vec3::UnitZ())); }

Node node(int parent, const Vec3& translation = Vec3::Zero(), const Vec3& scale = Vec3::Ones(),
          const Quat& rotation = Quat::Identity()) {
  Node n;
  n.parent = parent;
  n.local = {translation, rotation, scale};
  return n;
}

SourceMesh triangle_at(const Vec3& a, const Vec3& b, const Vec3& c) {
  SourceMesh mesh;
  for (const Vec3& p : {a, b, c}) mesh.positions.push_back(p);
  const SourceVertexId face[] = {SourceVertexId(0), SourceVertexId(1), SourceVertexId(2)};
  mesh.add_face(face);
  return mesh;
}

MeshInstance instance(const std::string& name, int on_node, SourceMesh mesh) {
  MeshInstance m;
  m.name = name;
  m.node = on_node;
  m.mesh = std::move(mesh);
  return m;
}

/// Two bones along x, the second at x = 1, that a clip bends by 90 degrees within a second; a triangle with
/// one vertex on each bone and one halfway.
Character arm() {
  Character c;
  c.name = "arm";
  c.nodes = {node(-1), node(0, Vec3(1, 0, 0)), node(-1, Vec3(100, 0, 0), Vec3(7, 7, 7))};
  Mat4 second = Mat4::Identity();
  second(0, 3) = -1;
  c.skins.push_back({{0, 1}, {Mat4::Identity(), second}});
  MeshInstance m = instance("skin", 2, triangle_at(Vec3(0.5, 0, 0), Vec3(1, 0.25, 0), Vec3(2, 0, 0)));
  m.skin = 0;
  m.influences = {{0, 1, 3, 4}, {0, 0, 1, 1}, {1, 0.5, 0.5, 1}};
  c.meshes.push_back(std::move(m));
  Track bend{1, TrackPath::Rotation, Interpolation::Linear, {0, 1}, {0, 0, 0, 1, 0, 0, 0, 0}};
  bend.values[6] = bend.values[7] = std::sqrt(0.5);
  c.clips.push_back({"bend", {bend}});
  return c;
}

/// A node that moves and stretches a triangle with two blend shapes.
Character face() {
  Character c;
  c.name = "face";
  c.nodes = {node(-1, Vec3(0, 0, 1), Vec3(-2, 1, 3))};
  MeshInstance m = instance("lip", 0, triangle_at(Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)));
  m.morphs.push_back({"up", IdVector<SourceVertexId, Vec3>(3, Vec3(0, 1, 0))});
  m.morphs.push_back({"out", IdVector<SourceVertexId, Vec3>(3, Vec3(0, 0, 1))});
  m.morph_weights = {0.5, 0};
  c.meshes.push_back(std::move(m));
  c.clips.push_back({"talk", {{0, TrackPath::MorphWeights, Interpolation::Linear, {0, 1}, {0, 0, 1, 2}}}});
  return c;
}

void expect_point(const SourcePoints& points, int v, const Vec3& expected, double tolerance = 1e-14) {
  EXPECT_NEAR((points[SourceVertexId(v)] - expected).norm(), 0, tolerance)
      << "vertex " << v << " at " << points[SourceVertexId(v)].transpose();
}

/// What the library says while this object lives.
class Said {
 public:
  Said() {
    set_logger(
        std::make_shared<spdlog::logger>("test", std::make_shared<spdlog::sinks::ostream_sink_st>(text_)));
  }
  ~Said() { set_logger(nullptr); }
  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
};

TEST(RigBody, BlendsTwoBonesAndIgnoresItsOwnNode) {
  const RigBody body(arm());
  const SourcePoints points = body.source_positions(1);
  expect_point(points, 0, Vec3(0.5, 0, 0));
  // Halfway between (1, 0.25) and the same turned about (1, 0): (1 - 0.25, 0).
  expect_point(points, 1, Vec3(1 - 0.125, 0.125, 0));
  expect_point(points, 2, Vec3(1, 1, 0));
  const double s = std::sin(M_PI / 12), c = std::cos(M_PI / 12);
  expect_point(body.source_positions(1. / 6), 2, Vec3(1 + c, s, 0));
  EXPECT_EQ(body.duration().end, 1);
  EXPECT_EQ(body.clip_name(), "bend");
}

TEST(RigBody, EightWeightsAverageEightJoints) {
  Character c;
  c.nodes.push_back(node(-1));
  Skin skin;
  Influences influences{{0, 8, 16, 24}, {}, {}};
  for (int j = 0; j < 8; ++j) {
    c.nodes.push_back(node(0, Vec3(j, j * j, 0)));
    skin.joints.push_back(j + 1);
    skin.inverse_bind.push_back(Mat4::Identity());
  }
  for (int v = 0; v < 3; ++v)
    for (int j = 0; j < 8; ++j) {
      influences.joints.push_back(j);
      influences.weights.push_back((j + 1) / 36.);
    }
  c.skins.push_back(skin);
  MeshInstance m = instance("m", 0, triangle_at(Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)));
  m.skin = 0;
  m.influences = influences;
  c.meshes.push_back(m);
  // sum (j+1) j / 36 = 168/36 and sum (j+1) j² / 36 = 924/36.
  expect_point(RigBody(c).source_positions(0), 1, Vec3(1 + 168 / 36., 924 / 36., 0));
}

TEST(RigBody, UnskinnedMeshesFollowTheirNodeWithMirrorAndStretch) {
  const RigBody body(face());
  const SourcePoints points = body.source_positions(0.5);  // weights 0.5 and 1
  expect_point(points, 1, Vec3(-2, 0.5, 1 + 3));
  EXPECT_NEAR((body.source().positions[SourceVertexId(1)] - Vec3(-2, 0.5, 1)).norm(), 0, 1e-15);
}

TEST(RigBody, MirroredFacesStayOutside) {
  Character c = face();
  c.meshes[0].mesh.uvs = IdVector<CornerId, Vec2>(std::vector<Vec2>{Vec2(0, 0), Vec2(1, 0), Vec2(0, 1)});
  const SourceMesh mesh = RigBody(c).source();
  const auto normal = [&](int a, int b, int d) {
    const auto p = [&](int i) { return mesh.positions[mesh.face(FaceId(0))[i]]; };
    return (p(b) - p(a)).cross(p(d) - p(a)).eval();
  };
  // The triangle faces +z; the node mirrors x, which leaves +z outside.
  EXPECT_GT(normal(0, 1, 2).z(), 0);
  // Texture coordinates stay with their vertices.
  for (int i = 0; i < 3; ++i) {
    const SourceVertexId v = mesh.face(FaceId(0))[i];
    const Vec2 expected = v.value == 1 ? Vec2(1, 0) : v.value == 2 ? Vec2(0, 1) : Vec2(0, 0);
    EXPECT_EQ(mesh.uvs[CornerId(i)], expected);
  }
}

TEST(RigBody, MorphsComeBeforeSkinning) {
  Character c = arm();
  c.meshes[0].morphs.push_back({"thick", IdVector<SourceVertexId, Vec3>(3, Vec3(0, 0.5, 0))});
  c.meshes[0].morph_weights = {1};
  expect_point(RigBody(c).source_positions(1), 2, Vec3(1 - 0.5, 1, 0));
}

TEST(RigBody, ScaleIsMetresForOneUnit) {
  RigChoice choice;
  choice.scale = 0.01;
  const RigBody body(arm(), choice);
  expect_point(body.source_positions(1), 2, Vec3(0.01, 0.01, 0));
  expect_point(body.source().positions, 2, Vec3(0.02, 0, 0));
  choice.scale = 0;
  EXPECT_THAT([&] { RigBody(arm(), choice); }, ThrowsMessage<InputError>(HasSubstr("scale")));
}

TEST(RigBody, RestIsTheBindPoseOrTheStartOrANamedMoment) {
  Character c = arm();
  c.nodes[1].local.rotation = about_z(30);  // the file's own pose is bent; the bind pose is not
  RigChoice choice;
  expect_point(RigBody(c, choice).source().positions, 2, Vec3(2, 0, 0));
  choice.rest = "bind";
  expect_point(RigBody(c, choice).source().positions, 2, Vec3(2, 0, 0));
  choice.rest = "bend@1s";
  expect_point(RigBody(c, choice).source().positions, 2, Vec3(1, 1, 0));
  choice.rest = "@1";
  expect_point(RigBody(c, choice).source().positions, 2, Vec3(1, 1, 0));
  choice.rest = "first";
  expect_point(RigBody(c, choice).source().positions, 2, Vec3(2, 0, 0));
  choice.clip = "none";
  expect_point(RigBody(c, choice).source().positions, 2, Vec3(1 + std::cos(M_PI / 6), 0.5, 0));
}

/// The arm bends twice, with straight lines between three keys; a bone without weights lies between.
Character waving_arm() {
  Character c = arm();
  c.nodes[1].parent = 3;
  c.nodes.push_back(node(0, Vec3(0, 0, 0), Vec3(1, 2, 1)));
  c.clips[0].tracks[0] = {1,
                          TrackPath::Rotation,
                          Interpolation::Linear,
                          {0, 0.5, 1},
                          {0, 0, 0, 1, 0, 0, std::sqrt(0.5), std::sqrt(0.5), 0, 0, 0, 1}};
  return c;
}

TEST(RigBody, JointsCarryTheRestShape) {
  for (const char* rest : {"bind", "first", "bend@0.3s"}) {
    RigChoice choice;
    choice.rest = rest;
    choice.scale = 0.01;
    const RigBody body(waving_arm(), choice);
    ASSERT_EQ(body.joint_transforms(0).size(), body.joints().size());
    for (const double time : {-1.0, 0.0, 0.2, 0.5, 0.9, 1.0})
      // What is skinned to both bones at a rest that is bent has no place of its own at rest.
      for (int v : {0, 2})
        expect_point(test::skinned(body, time), v, body.smooth_positions(time)[SourceVertexId(v)], 1e-16);
    for (const double key : {0.0, 0.5, 1.0})
      EXPECT_LT(test::largest_distance(body.smooth_positions(key), body.source_positions(key)), 1e-16);
    EXPECT_GT(test::largest_distance(body.smooth_positions(0.2), body.source_positions(0.2)), 1e-4);
  }
  EXPECT_TRUE(RigBody(face()).joint_transforms(0.5).empty());
}

TEST(RigBody, JointsMoveWithAContinuousVelocity) {
  const RigBody body(waving_arm());
  const double key = 0.5, step = 1e-5;
  const auto tip = [&](double time) { return test::skinned(body, time)[SourceVertexId(2)]; };
  const Vec3 before = (tip(key) - tip(key - step)) / step, after = (tip(key + step) - tip(key)) / step;
  EXPECT_LT((after - before).norm(), 1e-3);  // along the straight lines of the file: 6.3 m/s
  const auto file_tip = [&](double time) { return body.source_positions(time)[SourceVertexId(2)]; };
  EXPECT_GT((file_tip(key + step) + file_tip(key - step) - 2 * file_tip(key)).norm() / step, 6);
  const JointTransform rate = body.joint_velocities(0.2)[1];
  const JointTransform difference =
      (body.joint_transforms(0.2 + step)[1] - body.joint_transforms(0.2 - step)[1]) / (2 * step);
  EXPECT_LT((rate - difference).norm(), 1e-7 * rate.norm());
}

TEST(RigBody, AJointThatIsFlatAtRestHasATransform) {
  Character c = waving_arm();
  c.nodes[1].local.scale.setZero();
  RigChoice choice;
  choice.rest = "first";
  const RigBody body(c, choice);
  for (const JointTransform& m : body.joint_transforms(0.5)) EXPECT_TRUE(m.allFinite());
}

TEST(RigBody, ARestThatIsNotThereIsExplained) {
  RigChoice choice;
  for (const auto& [rest, word] :
       {std::pair("T-pose", "not understood"), std::pair("bend@soon", "not understood"),
        std::pair("bend@", "not understood"), std::pair("bend@nans", "not understood"),
        std::pair("bend@1.5s", "from 0 s to 1 s"), std::pair("bent@1s", "did you mean \"bend\"")}) {
    choice.rest = rest;
    EXPECT_THAT([&] { RigBody(arm(), choice); }, ThrowsMessage<InputError>(HasSubstr(word))) << rest;
  }
}

TEST(RigBody, ARestThatOverflowsIsRefused) {
  Character c = face();
  c.nodes[0].local.scale = Vec3(1e308, 1, 1);
  RigChoice choice;
  choice.scale = 100;
  EXPECT_THAT([&] { RigBody(c, choice); }, ThrowsMessage<InputError>(HasSubstr("too large")));
}

TEST(RigBody, UnknownNamesListWhatThereIs) {
  RigChoice choice;
  choice.meshes = {"skim"};
  EXPECT_THAT([&] { RigBody(arm(), choice); }, ThrowsMessage<InputError>(HasSubstr("did you mean \"skin\"")));
  choice = {};
  choice.clip = "walk";
  EXPECT_THAT([&] { RigBody(arm(), choice); }, ThrowsMessage<InputError>(HasSubstr("it has bend")));
  EXPECT_THAT([] { RigBody{Character{}}; }, ThrowsMessage<InputError>(HasSubstr("no mesh")));
}

TEST(RigBody, MergesMeshesInTheOrderGiven) {
  Character c = arm();
  c.nodes.push_back(c.nodes[2]);
  c.nodes[3].name = "hat_node";
  MeshInstance hat = instance("hat", 3, triangle_at(Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)));
  hat.morphs.push_back({"dent", IdVector<SourceVertexId, Vec3>(3, Vec3(0, 0, -1))});
  hat.morph_weights = {1};
  c.meshes.push_back(hat);
  RigChoice choice;
  choice.meshes = {"hat", "skin"};
  const RigBody body(c, choice);
  ASSERT_EQ(body.source().vertex_count(), 6u);
  ASSERT_EQ(body.source().face_count(), 2u);
  EXPECT_EQ(body.source().face(FaceId(1))[2], SourceVertexId(5));
  const SourcePoints points = body.source_positions(1);
  expect_point(points, 1, Vec3(107, 0, -7));
  expect_point(points, 5, Vec3(1, 1, 0));
  choice.meshes = {"*"};
  EXPECT_EQ(RigBody(c, choice).mesh_names(), (std::vector<std::string>{"skin", "hat"}));
  choice.meshes = {"hat_node"};
  EXPECT_EQ(RigBody(c, choice).mesh_names(), std::vector<std::string>{"hat"}) << "a node's name will do";
  choice.meshes = {"hat", "*"};
  EXPECT_THAT([&] { RigBody(c, choice); }, ThrowsMessage<InputError>(HasSubstr("twice")));
}

TEST(RigBody, TakesTheLargestMeshAndNamesTheOthers) {
  Character c = arm();
  SourceMesh large = triangle_at(Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0));
  large.positions.push_back(Vec3(0, 0, 1));
  c.meshes.push_back(instance("cape", 2, large));
  const Said said;
  EXPECT_EQ(RigBody(c).mesh_names(), std::vector<std::string>{"cape"});
  EXPECT_THAT(said.text(), HasSubstr("left out: skin"));
}

TEST(RigBody, SaysWhenWeldedVerticesWouldTear) {
  Character c = arm();
  c.meshes[0].mesh.positions[SourceVertexId(2)] = c.meshes[0].mesh.positions[SourceVertexId(1)];
  {
    const Said said;
    RigBody{c};
    EXPECT_THAT(said.text(), HasSubstr("1 vertices"));
  }
  c.meshes[0].influences = {{0, 1, 3, 5}, {0, 0, 1, 1, 0}, {1, 0.5, 0.5, 0.5, 0.5}};
  {
    const Said said;
    RigBody{c};
    EXPECT_THAT(said.text(), IsEmpty());
  }
  c.meshes[0].morphs.push_back({"split", IdVector<SourceVertexId, Vec3>(3, Vec3::Zero())});
  c.meshes[0].morphs[0].offsets[SourceVertexId(2)] = Vec3(0, 0.1, 0);
  c.meshes[0].morph_weights = {0};
  const Said said;
  RigBody{c};
  EXPECT_THAT(said.text(), HasSubstr("1 vertices"));
}

const bool rig_body_bits = test::same_bits("RigBody", [] {
  Character c = arm();
  MeshInstance& m = c.meshes[0];
  m.mesh.positions = {};
  m.influences = {{0}, {}, {}};
  m.morphs.push_back({"noise", {}});
  m.morph_weights = {0.3};
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int v = 0; v < 20000; ++v) {
    m.mesh.positions.push_back(Vec3(uniform(random), uniform(random), uniform(random)));
    m.morphs[0].offsets.push_back(Vec3(uniform(random), 0, uniform(random)));
    const double w = uniform(random);
    m.influences.joints.insert(m.influences.joints.end(), {0, 1});
    m.influences.weights.insert(m.influences.weights.end(), {w, 1 - w});
    m.influences.offsets.push_back(2 * v + 2);
  }
  return RigBody(c).source_positions(0.7);
});

}  // namespace
}  // namespace cutis
