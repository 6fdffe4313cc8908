#include "cutis/shot/settings/flesh_depth.h"

#include <map>
#include <optional>
#include <sstream>

#include <gmock/gmock.h>
#include <spdlog/sinks/ostream_sink.h>

#include "cutis/body/anatomy/body_parts.h"
#include "cutis/core/error.h"
#include "cutis/core/log.h"
#include "cutis/flesh/distance/local_thickness.h"
#include "cutis/shot/open_body.h"
#include "cutis/shot/settings/flesh_settings.h"
#include "cutis/shot/spec/spec.h"
#include "cutis/surface/mesh/triangle_measures.h"
#include "support/meshes.h"
#include "support/still_body.h"
#include "support/support.h"

namespace cutis {
namespace {

using testing::HasSubstr;

struct Made {
  Shot shot;
  std::unique_ptr<Body> body;
  FleshOptions options;

  explicit Made(const std::string& text)
      : shot(parse_shot(text, {})),
        body(open_body(shot.body)),
        options(flesh_options(SkinSettings(shot, *body))) {}
};

std::string making(const std::string& name, const std::string& more = "") {
  return "[body]\nmake = \"" + name + "\"\nclip = \"none\"\n[flesh]\nuse = true\n" + more;
}

/// Made once.
const Made& female() {
  static const Made made(making("female"));
  return made;
}

/// The median of a quantity on each part.
std::map<std::string, double> on_parts(const Body& body, const IdVector<VertexId, double>& values) {
  const BodyParts parts = body_parts(body);
  const IdVector<VertexId, double> areas = vertex_areas(body.triangles().mesh);
  std::map<std::string, double> out;
  for (std::size_t i = 0; i < parts.names.size(); ++i) {
    std::vector<double> own, weights;
    for (VertexId v : ids<VertexId>(values.size()))
      if (parts.part_of[v] == static_cast<int>(i)) own.push_back(values[v]), weights.push_back(areas[v]);
    out[parts.names[i]] = weighted_percentile(own, weights, 0.5);
  }
  return out;
}

std::string refusal(const std::string& text) {
  try {
    const Made made(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// A ball of 1 m and one of 30 cm beside it.
class TwoBalls : public testing::Test {
 protected:
  TwoBalls() {
    const Mesh ball = test::icosphere(2);
    Mesh small = ball;
    for (Vec3& p : small.positions) p *= 0.3;
    SourceMesh mesh;
    const Mesh both = test::joined(ball, small, Vec3(3, 0, 0));
    for (const Vec3& p : both.positions) mesh.positions.push_back(p);
    for (FaceId f : ids<FaceId>(both.face_count())) {
      std::vector<SourceVertexId> corners;
      for (VertexId v : both.face(f)) corners.emplace_back(v.value);
      mesh.add_face(corners);
    }
    body_.emplace(std::move(mesh));
    set_logger(
        std::make_shared<spdlog::logger>("test", std::make_shared<spdlog::sinks::ostream_sink_st>(said_)));
  }
  ~TwoBalls() override { set_logger(nullptr); }

  FleshOptions options(const std::string& more) const {
    const Shot shot = parse_shot(making("sphere", more), {});
    return flesh_options(SkinSettings(shot, *body_));
  }
  std::ostringstream said_;
  std::optional<test::StillBody> body_;
};

}  // namespace

TEST(FleshDepth, IsThinOverBoneAndLooseOnTheTrunk) {
  const Made horse(making("horse"));
  for (const Made* body : {&female(), &horse}) {
    const Made& made = *body;
    const std::string name = *made.shot.body.make;
    const auto depth = on_parts(*made.body, made.options.depth),
               stiffness = on_parts(*made.body, made.options.stiffness),
               radius = on_parts(*made.body, inner_radius(made.body->triangles().mesh));
    const double loose = depth.at("trunk");
    EXPECT_GT(loose, 0.25 * radius.at("trunk")) << name;
    EXPECT_GT(depth.at("thighs"), 0.25 * radius.at("thighs")) << name;
    for (const char* bone : {"head", "hands", "feet"}) {
      EXPECT_LT(depth.at(bone), 0.15 * loose) << name << " " << bone;
      EXPECT_LT(depth.at(bone), 0.15 * radius.at(bone)) << name << " " << bone;
      EXPECT_GT(stiffness.at(bone), 4 * stiffness.at("trunk")) << name << " " << bone;
    }
  }
}

TEST(FleshDepth, NeverReachesTheMiddleAndIsSmooth) {
  const Made& made = female();
  const IdVector<VertexId, double> radius = inner_radius(made.body->triangles().mesh);
  const Mesh& mesh = made.body->triangles().mesh;
  for (VertexId v : ids<VertexId>(radius.size())) EXPECT_LE(made.options.depth[v], 0.75 * radius[v] + 1e-12);
  // It changes by no more than the way along the surface: a core without steps.
  std::size_t steep = 0;
  for (FaceId f : ids<FaceId>(mesh.face_count()))
    for (std::size_t k = 0; k < 3; ++k) {
      const VertexId a = mesh.face(f)[k], b = mesh.face(f)[(k + 1) % 3];
      const double way = (mesh.positions[a] - mesh.positions[b]).norm();
      steep += std::abs(made.options.depth[a] - made.options.depth[b]) > way;
    }
  EXPECT_LT(static_cast<double>(steep), 0.005 * 3 * static_cast<double>(mesh.face_count()));
}

TEST(FleshDepth, WithoutARigShrinksWithTheThickness) {
  const Made made(making("torus"));
  EXPECT_TRUE(made.options.stiffness.empty());
  const IdVector<VertexId, double> radius = inner_radius(made.body->triangles().mesh);
  for (VertexId v : ids<VertexId>(radius.size()))
    EXPECT_NEAR(made.options.depth[v], 0.5 * radius[v], 0.05 * radius[v]);
  EXPECT_EQ(body_parts(*made.body).names, std::vector<std::string>{"body"});
}

TEST(FleshDepth, AFaceHasASkull) {
  const auto data = test::data_folder();
  if (!data) GTEST_SKIP() << "no real characters here";
  const std::string file = (*data / "ict-face-neutral/ict_face_neutral_14expr.glb").string();
  const Made made("[body]\nfile = \"" + file + "\"\nscale = \"1 cm\"\n[flesh]\nuse = true\n");
  EXPECT_LT(*std::ranges::max_element(made.options.depth), 0.012);
  EXPECT_GT(*std::ranges::min_element(made.options.stiffness), 4);
}

TEST(FleshDepth, AHeadThatIsSkinnedToItsNeckIsAHead) {
  const auto data = test::data_folder();
  if (!data) GTEST_SKIP() << "no real characters here";
  const std::string file = (*data / "songs-elephant/elephant.glb").string();
  const Made made("[body]\nfile = \"" + file + "\"\n[flesh]\nuse = true\n");
  const auto depth = on_parts(*made.body, made.options.depth);
  EXPECT_EQ(depth.count("neck"), 0u);
  EXPECT_LT(depth.at("head"), 0.2 * depth.at("trunk"));
}

TEST(FleshDepth, WhatIsGivenHoldsEverywhere) {
  const Made made(making("torus", "depth = \"1 mm\"\n"));
  EXPECT_TRUE(made.options.stiffness.empty());
  for (double depth : made.options.depth) EXPECT_EQ(depth, 1e-3);
  EXPECT_THAT(describe_flesh_depth(made.shot, *made.body), HasSubstr("as given"));
  EXPECT_THAT(describe_flesh_depth(female().shot, *female().body), HasSubstr("by body part"));
}

TEST_F(TwoBalls, ADepthThatNoneOfThemHasIsRefusedAndOneThatOneHasIsNamed) {
  try {
    options("depth = \"10 m\"\n");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                testing::AllOf(HasSubstr("flesh.depth"), HasSubstr("10 m"), HasSubstr("flesh.core")));
  }
  for (double depth : options("depth = \"10 cm\"\n").depth) EXPECT_EQ(depth, 0.1);
  EXPECT_EQ(said_.str(), "");
  for (double depth : options("depth = \"50 cm\"\n").depth) EXPECT_EQ(depth, 0.5);
  EXPECT_THAT(said_.str(), HasSubstr("deeper than the middle of the body at 162 of 324 vertices"));
}

TEST_F(TwoBalls, AThinOneHasLessFleshForItsSize) {
  const FleshOptions options = this->options("");
  const IdVector<VertexId, double> radius = inner_radius(body_->triangles().mesh);
  EXPECT_NEAR(options.depth[VertexId(0)] / radius[VertexId(0)], 0.5, 0.01);
  EXPECT_NEAR(options.depth[VertexId(300)] / radius[VertexId(300)], 0.5 * 0.3 / 0.35, 0.02);
}

TEST_F(TwoBalls, ARegionAloneIsHeld) {
  const FleshOptions options = this->options(
      "core = \"region\"\ncore_region = \"top\"\n[[skin.region]]\nname = \"top\"\ncenter = [0, 1, 0]\nradius "
      "= "
      "\"80 cm\"\n");
  EXPECT_TRUE(options.depth.empty());
  const auto held = std::ranges::count(options.core_region, 1.0);
  EXPECT_GT(held, 0);
  EXPECT_LT(held, 80);
}

TEST(FleshCoreSettings, BonesAreMeshesOfTheCharacterOrOfAFile) {
  const auto data = test::data_folder();
  if (!data) GTEST_SKIP() << "no real characters here";
  const std::string file = (*data / "babylon-alien-head/babylon_alien_head.glb").string();
  const std::string body = "[body]\nfile = \"" + file + "\"\nmesh = \"AlienHead\"\n[flesh]\nuse = true\n";
  const Made made(body + "core = \"bones\"\nbones = [\"Teeth\"]\n");
  ASSERT_TRUE(made.options.bones);
  // In the mouth, at rest.
  Eigen::AlignedBox3d head, teeth;
  for (const Vec3& p : made.body->mesh().positions) head.extend(p);
  for (const Vec3& p : made.options.bones->positions) teeth.extend(p);
  EXPECT_TRUE(head.contains(teeth));
  EXPECT_THAT(refusal(body + "core = \"bones\"\nbones = [\"Skull\"]\n"),
              testing::AllOf(HasSubstr("flesh.bones"), HasSubstr("Skull"), HasSubstr("Teeth")));
}

TEST(FleshCoreSettings, KeysThatSayNothingAreRefused) {
  EXPECT_THAT(refusal(making("sphere", "bones = [\"A\"]\n")), HasSubstr("only says something with"));
  EXPECT_THAT(refusal(making("sphere", "core = \"bones\"\n")), HasSubstr("bones_file"));
  EXPECT_THAT(refusal(making("sphere", "core = \"bones\"\nbones = [\"A\"]\n")), HasSubstr("bones_file"));
  EXPECT_THAT(refusal(making("sphere", "core = \"region\"\ncore_region = \"a\"\n")),
              HasSubstr("no [[skin.region]] has this name"));
}

}  // namespace cutis
