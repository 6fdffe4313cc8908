#include <cmath>
#include <fstream>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "cutis/io/usd/usda_reader.h"
#include "cutis/io/usd/usda_writer.h"
#include "support/support.h"

namespace cutis {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

/// What other programs write: comments, a transform with samples, indexed texture coordinates, things to pass
/// over.
const char* exported = R"(#usda 1.0
(
    "Made by hand"
    defaultPrim = "root"
    metersPerUnit = 0.01
    upAxis = "Z"
    timeCodesPerSecond = 10
    customLayerData = { string a = "}"; dictionary b = { int c = 1 } }
)

def Xform "root" (
    prepend apiSchemas = ["SomeAPI"]
    variants = { string look = "red" }
)
{
    double3 xformOp:translate.timeSamples = { 0: (0, 0, 0), 10: (100, 0, 0), }
    float3 xformOp:rotateXYZ = (90, 0, 90)
    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateXYZ"] # order matters

    def Mesh "cloth"
    {
        uniform bool doubleSided = 1
        int[] faceVertexCounts = [4, 3]
        int[] faceVertexIndices = [0, 1, 2, 3, 3, 2, 4]
        rel material:binding = </Looks/red>
        point3f[] points = [(0, 0, 0), (100, 0, 0), (100, 100, 0), (0, 100, 0), (5e1, 200, -inf)]
        point3f[] points.timeSamples = {
            0: [(0, 0, 0), (100, 0, 0), (100, 100, 0), (0, 100, 0), (50, 200, 0)],
            5: None,
            20: [(0, 0, 0), (100, 0, 0), (100, 100, 0), (0, 100, 0), (50, 200, 100)],
        }
        color3f[] primvars:displayColor = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1), (0, 0, 0)] (
            interpolation = "vertex"
        )
        float[] primvars:slide = [0, 0.25, 0.5, 0.75, 1] ( interpolation = "vertex" )
        texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1)] (
            interpolation = "faceVarying"
        )
        int[] primvars:st:indices = [0, 1, 2, 0, 1, 2, 2]
        def GeomSubset "patch"
        {
            uniform token familyName = "materialBind"
            int[] indices = [1]
            rel material:binding = </Looks/blue>
        }
        def "nothing" { string s = """it's "quoted" }""" }
    }
    def Mesh "hat"
    {
        int[] faceVertexCounts = [3]
        int[] faceVertexIndices = [0, 1, 2]
        uniform token orientation = "leftHanded"
        point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
        texCoord2f[] primvars:st = [(0, 0), (1, 0), (0, 1)] ( interpolation = "vertex" )
        matrix4d xformOp:transform = ( (1, 0, 0, 0), (0, 2, 0, 0), (0, 0, 1, 0), (0, 0, 7, 1) )
        uniform token[] xformOpOrder = ["!resetXformStack!", "xformOp:transform"]
    }
}
)";

class UsdaReader : public testing::Test {
 protected:
  test::TemporaryFolder folder_;

  MeshSequence read(const std::string& text, const std::vector<std::string>& names = {}) {
    std::ofstream(folder_ / "a.usda", std::ios::binary) << text;
    return UsdaScene(folder_ / "a.usda").read(names);
  }
  std::string error(const std::string& text, const std::vector<std::string>& names = {}) {
    try {
      read(text, names);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }
  static std::string replaced(std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
  }
};

TEST_F(UsdaReader, ReadsMeshesAsOtherProgramsWriteThem) {
  const MeshSequence cloth = read(exported);  // the one with the most vertices
  EXPECT_EQ(cloth.mesh.vertex_count(), 5u);
  ASSERT_EQ(cloth.mesh.face_count(), 2u);
  EXPECT_EQ(cloth.mesh.face(FaceId(1))[2], SourceVertexId(4));
  EXPECT_EQ(cloth.mesh.uvs[CornerId(5)], Vec2(1, 1));
  EXPECT_THAT(cloth.cache.times, ElementsAre(0, 1, 2));
  ASSERT_EQ(cloth.attributes.size(), 2u);
  EXPECT_EQ(cloth.attributes[0].name, "color");
  EXPECT_THAT(cloth.attributes[1].values, ElementsAre(0, 0.25, 0.5, 0.75, 1));
  // Turned by 90 degrees about x, then z, moved along x; then centimetres with z up to metres with y up:
  // (x, y, z) -> (x, -z, y) -> (z, x, y) -> + (100, 0, 0) at code 10 -> / 100 -> (z, y, -x).
  for (std::size_t frame : {0u, 1u, 2u}) {
    const double shift = frame == 0 ? 0 : 1, height = 0.5 * static_cast<double>(frame);
    EXPECT_LT((cloth.cache.point(frame, SourceVertexId(4)) - Vec3(height + shift, 2, -0.5)).norm(), 1e-6)
        << frame;
    EXPECT_LT((cloth.cache.point(frame, SourceVertexId(1)) - Vec3(shift, 0, -1)).norm(), 1e-6) << frame;
  }
}

TEST_F(UsdaReader, FacesKeepTheNamesOfTheirMaterials) {
  const MeshSequence cloth = read(exported), both = read(exported, {"*"});
  EXPECT_THAT(cloth.materials.names, ElementsAre("red", "blue"));
  EXPECT_THAT(cloth.materials.of_face, ElementsAre(0, 1));
  EXPECT_TRUE(cloth.parts.empty());
  EXPECT_THAT(both.materials.of_face, ElementsAre(0, 1, -1));
  EXPECT_THAT(both.parts.names, ElementsAre("cloth", "hat"));
  EXPECT_THAT(error(replaced(exported, "indices = [1]", "indices = [2]")), HasSubstr("GeomSubset patch"));
}

TEST_F(UsdaReader, LeftHandedFacesAndResetTransformsAreTurned) {
  const MeshSequence hat = read(exported, {"hat"});
  EXPECT_EQ(hat.mesh.face(FaceId(0))[0], SourceVertexId(2));
  EXPECT_EQ(hat.mesh.uvs[CornerId(0)], Vec2(0, 1));
  EXPECT_LT((hat.mesh.positions[SourceVertexId(2)] - Vec3(0, 0.07, -0.02)).norm(), 1e-8);
  const MeshSequence both = read(exported, {"*"});
  EXPECT_EQ(both.mesh.vertex_count(), 8u);
  EXPECT_EQ(both.cache.frame_count(), 3u);
}

TEST_F(UsdaReader, ComesBackToTheBitAsItWasWritten) {
  SourceMesh mesh;
  for (int v = 0; v < 6; ++v) mesh.positions.push_back(Vec3(std::sin(v), std::cos(2 * v), v / 3.0));
  mesh.add_face(std::vector{SourceVertexId(0), SourceVertexId(1), SourceVertexId(2), SourceVertexId(3)});
  mesh.add_face(std::vector{SourceVertexId(3), SourceVertexId(4), SourceVertexId(5)});
  for (int c = 0; c < 7; ++c) mesh.uvs.push_back(Vec2(c / 7.0, c % 3));
  UsdaWriter writer(folder_ / "b.usda", mesh, {0.5, 0.5 + 1 / 30.0, 1}, 30);
  std::vector<SourcePoints> frames;
  for (int i = 0; i < 3; ++i) {
    frames.push_back(mesh.positions);
    for (Vec3& p : frames.back()) p *= 1 + i / 3.0;
    writer.add(frames.back());
  }
  writer.finish();
  const MeshSequence back = UsdaScene(folder_ / "b.usda").read();
  EXPECT_EQ(back.mesh.corners, mesh.corners);
  EXPECT_EQ(back.mesh.face_offsets, mesh.face_offsets);
  for (CornerId c : ids<CornerId>(7)) EXPECT_EQ(back.mesh.uvs[c].cast<float>(), mesh.uvs[c].cast<float>());
  ASSERT_EQ(back.cache.frame_count(), 3u);
  EXPECT_NEAR(back.cache.times[1], 0.5 + 1 / 30.0, 1e-12);
  for (std::size_t i = 0; i < 3; ++i)
    for (SourceVertexId v : ids<SourceVertexId>(6))
      EXPECT_EQ(back.cache.point(i, v).cast<float>(), frames[i][v].cast<float>());
}

TEST_F(UsdaReader, MistakesNameFileAndPlace) {
  const std::string good = exported;
  EXPECT_THAT(error("PXR-USDC"), HasSubstr("a.usda:1: is a binary USD file"));
  EXPECT_THAT(error("#usda 1.0\ndef Xform \"a\" {}"), HasSubstr("has no mesh of its own"));
  EXPECT_THAT(error("#usda 1.0\n\ndef Mesh \"a\" { int[] x = [1, }"), HasSubstr("a.usda:3:"));
  EXPECT_THAT(error(replaced(good, "[4, 3]", "[4, 4]")),
              AllOf(HasSubstr("mesh /root/cloth"), HasSubstr("face 1 has 4 corners")));
  EXPECT_THAT(error(replaced(good, "[4, 3]", "[4]")), HasSubstr("7 numbers where the faces have 4 corners"));
  EXPECT_THAT(error(replaced(good, "3, 3, 2, 4]", "3, 3, 2, 5]")),
              HasSubstr("number 6 is 5, where 5 are there"));
  EXPECT_THAT(error(replaced(good, "1, 2, 2]", "1, 2, 3]")), HasSubstr("primvars:st:indices"));
  EXPECT_THAT(error(replaced(good, "(50, 200, 100)", "(50, 200, nan)")),
              HasSubstr("point 4 at time 10 is not finite"));
  EXPECT_THAT(error(replaced(good, ", (50, 200, 100)", "")), HasSubstr("12 numbers at time 20"));
  EXPECT_THAT(error(replaced(good, "rotateXYZ = (90, 0, 90)", "rotateXYZ = (90, 0)")),
              HasSubstr("xformOp:rotateXYZ cannot be"));
  EXPECT_THAT(error(replaced(good, "metersPerUnit = 0.01", "metersPerUnit = -1")),
              HasSubstr("metersPerUnit = -1"));
  EXPECT_THAT(error(good, {"shoe"}), HasSubstr("no mesh \"shoe\"; it has cloth, hat"));
  EXPECT_THAT(error("#usda 1.0\ndef Mesh \"a\" { int[] x = " + std::string(5000, '[')),
              HasSubstr("nested too deeply"));
}

TEST_F(UsdaReader, DamageNeverBreaksIt) {
  const std::string whole = exported;
  std::mt19937 random(11);
  int refused = 0;
  for (std::size_t size = 0; size < whole.size(); size += 7)
    refused += error(whole.substr(0, size)) != "no error";
  for (int i = 0; i < 500; ++i) {
    std::string text = whole;
    for (int k = 0; k < 3; ++k) text[random() % text.size()] = static_cast<char>(random());
    refused += error(text) != "no error";
  }
  EXPECT_GT(refused, 400);
}

}  // namespace
}  // namespace cutis
