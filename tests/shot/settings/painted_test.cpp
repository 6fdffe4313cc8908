#include <cmath>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "cutis/io/image/exr.h"
#include "cutis/io/image/png_read.h"
#include "cutis/shot/open_body.h"
#include "cutis/shot/settings/painted.h"
#include "cutis/surface/field/uv_map.h"
#include "support/gltf_builder.h"
#include "support/support.h"

namespace cutis {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using Floats = std::vector<float>;
using Shorts = std::vector<std::uint16_t>;

/// Two triangles, split along their common edge, with colours, a custom attribute, two joints and two blend
/// shapes.
std::string quilt() {
  test::GltfBuilder b;
  const Floats p{0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
  Floats uvs, smile(18, 0), frown(18, 0);
  for (std::size_t v = 0; v < 6; ++v)
    for (float x : {0.1f + 0.8f * p[3 * v], 0.9f - 0.8f * p[3 * v + 1]}) uvs.push_back(x);
  smile[2] = 1;
  frown[5] = 2;
  const nlohmann::json attributes = {
      {"POSITION", b.accessor(p, "VEC3")},
      {"TEXCOORD_0", b.accessor(uvs, "VEC2")},
      {"COLOR_0", b.accessor(std::vector<std::uint8_t>{0,   255, 51, 255, 102, 0, 51, 255, 51, 255, 0, 0,  //
                                                       255, 0,   51, 255, 102, 0, 0,  0,   51, 0,   0, 0},
                             "VEC4", true)},
      {"_SLIDE", b.accessor(Floats{0, 1, 2, 3, 4, 5}, "SCALAR")},
      {"JOINTS_0", b.accessor(std::vector<std::uint8_t>{0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0,
                                                        0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0},
                              "VEC4")},
      {"WEIGHTS_0", b.accessor(Floats{1,    0,    0, 0, .75f, .25f, 0, 0, .5f, .5f, 0, 0,
                                      .75f, .25f, 0, 0, 0,    1,    0, 0, .5f, .5f, 0, 0},
                               "VEC4")}};
  const nlohmann::json targets = {{{"POSITION", b.accessor(smile, "VEC3")}},
                                  {{"POSITION", b.accessor(frown, "VEC3")}}};
  b.root["meshes"] = {{{"name", "quilt"},
                       {"primitives", {{{"attributes", attributes}, {"targets", targets}}}},
                       {"extras", {{"targetNames", {"smile", "frown"}}}}}};
  b.root["nodes"] = {{{"name", "body"}, {"mesh", 0}, {"skin", 0}}, {{"name", "Hip"}}, {{"name", "Knee"}}};
  b.root["skins"] = {{{"joints", {1, 2}}}};
  return b.glb();
}

class PaintedMaps : public testing::Test {
 protected:
  PaintedMaps() {
    std::ofstream(folder_ / "quilt.glb", std::ios::binary) << quilt();
    section_.file = folder_ / "quilt.glb";
    section_.scale = 1;
    body_ = open_body(section_);
  }
  static Painted map(Painted::Source source, Channel channel = Channel::Red) {
    Painted painted;
    painted.source = source;
    painted.channel = channel;
    painted.low = 10;
    painted.high = 20;
    return painted;
  }
  Painted group(const std::string& name) const {
    Painted painted = map(Painted::Source::Group);
    painted.group = name;
    return painted;
  }
  Painted image(const std::string& name, Channel channel = Channel::Red) const {
    Painted painted = map(Painted::Source::Image, channel);
    painted.image = folder_ / name;
    return painted;
  }
  std::vector<double> values(const Painted& painted) const {
    return painted_values(painted, *body_, "s.toml:1: key").raw();
  }
  std::string error(const Painted& painted) const {
    try {
      values(painted);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }

  test::TemporaryFolder folder_;
  BodySection section_;
  std::unique_ptr<Body> body_;
};

TEST_F(PaintedMaps, AConstantIsTheSameEverywhere) {
  Painted painted;
  painted.value = 3;
  EXPECT_EQ(values(painted), std::vector<double>(6, 3));
}

TEST_F(PaintedMaps, VertexColoursByChannel) {
  const std::vector<double> red = values(map(Painted::Source::VertexColor));
  const std::vector<double> alpha = values(map(Painted::Source::VertexColor, Channel::Alpha));
  const std::vector<double> reds{0, 102, 51, 255, 102, 51}, alphas{255, 255, 0, 255, 0, 0};
  for (std::size_t v = 0; v < 6; ++v) {
    EXPECT_NEAR(red[v], 10 + 10 * reds[v] / 255, 1e-12) << v;
    EXPECT_NEAR(alpha[v], 10 + 10 * alphas[v] / 255, 1e-12) << v;
  }
}

TEST_F(PaintedMaps, GroupsAreAttributesOrJointsWhateverTheirCase) {
  for (const char* name : {"_SLIDE", "slide", "Slide"})
    EXPECT_EQ(values(group(name)), (std::vector<double>{10, 20, 30, 40, 50, 60})) << name;
  EXPECT_EQ(values(group("knee")), (std::vector<double>{10, 12.5, 15, 12.5, 20, 15}));
  EXPECT_THAT(error(group("Kne")),
              AllOf(HasSubstr("s.toml:1: key: the body has no vertex group \"Kne\""),
                    HasSubstr("did you mean \"Knee\"?"), HasSubstr("color, _SLIDE, Hip, Knee")));
}

TEST_F(PaintedMaps, WeldedVerticesGetTheMean) {
  const auto welded = welded_values(body_->weld(), painted_values(group("slide"), *body_, ""));
  ASSERT_EQ(welded.size(), 4u);
  EXPECT_EQ(welded[body_->weld().vertex_of[SourceVertexId(1)]], 30);  // of 20 and 40
  EXPECT_EQ(welded[body_->weld().vertex_of[SourceVertexId(4)]], 50);
}

/// A field drawn as a map and read back at the vertices is the field.
TEST_F(PaintedMaps, ImagesRoundTripThroughTheMapThatWasDrawn) {
  const SourceMesh& mesh = body_->source();
  std::vector<double> corners;
  for (CornerId c : ids<CornerId>(mesh.corner_count())) {
    const Vec3& p = mesh.positions[mesh.corners[c]];
    for (double x : {0.2 + 0.5 * p.x(), 0.9 - 0.7 * p.y(), 0.5}) corners.push_back(x);
  }
  const FloatImage drawn = draw_uv_map(mesh, corners, 3, 256, 256, 4);
  write_exr(folder_ / "a.exr", drawn);
  write_png_map(folder_ / "a.png", drawn);
  for (const char* name : {"a.exr", "a.png"}) {
    const std::vector<double> red = values(image(name)), green = values(image(name, Channel::Green));
    for (SourceVertexId v : ids<SourceVertexId>(6)) {
      const Vec3& p = mesh.positions[v];
      EXPECT_NEAR(red[v.index()], 10 + 10 * (0.2 + 0.5 * p.x()), 0.05) << name << " " << v.value;
      EXPECT_NEAR(green[v.index()], 10 + 10 * (0.9 - 0.7 * p.y()), 0.05) << name << " " << v.value;
    }
    EXPECT_THAT(error(image(name, Channel::Alpha)), AllOf(HasSubstr(name), HasSubstr("no alpha channel")));
  }
  EXPECT_THAT(error(image("none.png")), HasSubstr("none.png: no such file"));
}

TEST_F(PaintedMaps, NotFiniteIsRefused) {
  FloatImage bad(4, 4, 1);
  bad.data.assign(16, std::nanf(""));
  write_exr(folder_ / "nan.exr", bad);
  EXPECT_THAT(error(image("nan.exr")),
              AllOf(HasSubstr("nan.exr is not finite at u ="), HasSubstr("s.toml:1: key")));
}

class MorphTables : public PaintedMaps {
 protected:
  std::unique_ptr<Body> open(const std::string& name, const std::string& text) {
    write_file_whole(folder_ / name, text);
    section_.weights = folder_ / name;
    return open_body(section_);
  }
  std::string error(const std::string& name, const std::string& text) {
    try {
      open(name, text);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }
};

TEST_F(MorphTables, MoveTheBlendShapesTheyName) {
  for (const auto& [name, text] : {std::pair{"w.csv", "time, frown\n1, 0\n3, 0.5\r\n"},
                                   std::pair{"w.json", R"({"time": [1, 3], "frown": [0, 0.5]})"}}) {
    const auto body = open(name, text);
    EXPECT_EQ(body->duration().begin, 1);
    EXPECT_EQ(body->duration().end, 3);
    for (double t : {1.0, 1.5, 2.0, 3.0}) {
      const SourcePoints points = body->source_positions(t);
      EXPECT_NEAR(points[SourceVertexId(1)].z(), 2 * 0.25 * (t - 1), 1e-12);
      EXPECT_EQ(points[SourceVertexId(0)].z(), 0);
    }
  }
}

TEST_F(MorphTables, MistakesNameFileAndLine) {
  EXPECT_THAT(error("w.csv", "time;smirk\n0;1\n"),
              AllOf(HasSubstr("w.csv: \"smirk\" is no blend shape"), HasSubstr("smile, frown")));
  EXPECT_THAT(error("w.csv", "smile\n0\n"), HasSubstr("w.csv:1: the first line names the columns"));
  EXPECT_THAT(error("w.csv", "time,smile\n0,1\n1\n"),
              HasSubstr("w.csv:3: 1 numbers where the first line names 2"));
  EXPECT_THAT(error("w.csv", "time,smile\n0,x\n"), HasSubstr("w.csv:2: \"x\" is not a finite number"));
  EXPECT_THAT(error("w.csv", "time,smile\n1,0\n1,0\n"), HasSubstr("times must rise (1 s after 1 s)"));
  EXPECT_THAT(error("w.csv", "time,smile\n"), HasSubstr("holds no weights"));
  EXPECT_THAT(error("w.json", "[1]"), HasSubstr("w.json: not an object of lists"));
  EXPECT_THAT(error("w.json", R"({"time": [0, 1], "smile": [0]})"),
              HasSubstr("smile has 1 numbers where time has 2"));
  EXPECT_THAT(error("w.json", R"({"time": ["a"], "smile": [0]})"),
              HasSubstr("time: entry 0 is not a finite number"));
}

}  // namespace
}  // namespace cutis
