#include "cutis/io/mesh/obj.h"

#include <fstream>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "support/support.h"

namespace cutis {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Obj : public testing::Test {
 protected:
  test::TemporaryFolder folder_;

  SourceMesh read(std::string_view text) {
    std::filesystem::remove(folder_ /
                            "a.obj");  // some file systems flush a file that is cut and written again
    std::ofstream(folder_ / "a.obj", std::ios::binary) << text;
    return read_obj(folder_ / "a.obj");
  }
  std::string error(std::string_view text) {
    try {
      read(text);
    } catch (const InputError& e) {
      return e.what();
    }
    return "no error";
  }
  static std::vector<int> face(const SourceMesh& mesh, int f) {
    std::vector<int> vertices;
    for (SourceVertexId v : mesh.face(FaceId(f))) vertices.push_back(v.value);
    return vertices;
  }
};

const std::string square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

TEST_F(Obj, ReadsPolygonsOfAnySize) {
  const SourceMesh mesh = read(square + "v 0.5 2 0\nf 1 2 3 5 4\nf 1 2 3 4\nf 1 2 3\n");
  EXPECT_EQ(mesh.vertex_count(), 5u);
  EXPECT_EQ(mesh.face_count(), 3u);
  EXPECT_EQ(face(mesh, 0), (std::vector{0, 1, 2, 4, 3}));
  EXPECT_EQ(face(mesh, 1), (std::vector{0, 1, 2, 3}));
  EXPECT_EQ(face(mesh, 2), (std::vector{0, 1, 2}));
  EXPECT_EQ(mesh.positions[SourceVertexId(4)], Vec3(0.5, 2, 0));
  EXPECT_FALSE(mesh.has_uvs());
}

TEST_F(Obj, NegativeIndicesCountBackFromWhereTheyStand) {
  const SourceMesh mesh = read(square + "f -4 -3 -2 -1\nv 5 5 5\nf -1 -5 -4\n");
  EXPECT_EQ(face(mesh, 0), (std::vector{0, 1, 2, 3}));
  EXPECT_EQ(face(mesh, 1), (std::vector{4, 0, 1}));
}

TEST_F(Obj, KeepsTextureCoordinatesApartFromVertices) {
  const SourceMesh mesh = read(square +
                               "vt 0.1 0.2\nvt 0.3 0.4 0\nvt 0.5\nvn 0 0 1\n"
                               "f 1/3/1 2/2/1 3/1/1\nf 1/-3 3/2 4/1\n");
  const std::vector<Vec2> expected{{0.5, 0}, {0.3, 0.4}, {0.1, 0.2}, {0.1, 0.2}, {0.3, 0.4}, {0.1, 0.2}};
  EXPECT_EQ(mesh.uvs.raw(), expected);
}

TEST_F(Obj, KeepsTheNamesOfMaterialsAndGroups) {
  read(
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no Hero\nusemtl Old Skin # mine\nf 1 2 3\ng teeth\nf 1 2 3\n"
      "usemtl Bone\nf 1 2 3\no Hat\nf 1 2 3\n");
  const ObjMesh obj = read_obj_groups(folder_ / "a.obj");
  EXPECT_THAT(obj.materials.names, testing::ElementsAre("Old Skin", "Bone"));
  EXPECT_THAT(obj.materials.of_face, testing::ElementsAre(-1, 0, 0, 1, 1));
  EXPECT_THAT(obj.parts.names, testing::ElementsAre("Hero", "teeth", "Hat"));
  EXPECT_THAT(obj.parts.of_face, testing::ElementsAre(-1, 0, 1, 1, 2));
}

TEST_F(Obj, CornersWithoutTextureCoordinatesGetZeroWhereOthersHaveThem) {
  const SourceMesh mesh = read(square + "vt 1 1\nvn 0 0 1\nf 1/1 2/1 3/1\nf 1//1 3//-1 4\n");
  const std::vector<Vec2> expected{{1, 1}, {1, 1}, {1, 1}, {0, 0}, {0, 0}, {0, 0}};
  EXPECT_EQ(mesh.uvs.raw(), expected);
  EXPECT_FALSE(read(square + "vn 0 0 1\nf 1//1 2//1 3//1\n").has_uvs());
}

TEST_F(Obj, ReadsWhatExportersWrite) {
  const SourceMesh mesh = read(
      "\xEF\xBB\xBF# saved in C:\\models\\\r\nmtllib a.mtl\r\no one\r\ng left right\r\ns off\r\n"
      "v +1e0 2.5E-1 -.5 0.8 0.7 0.6 # with a colour\r\n  v\t0 0 0 1.0\r\nv 0 1 \\\r\n 0\r\nusemtl skin\r\n"
      "l 1 2\r\np 1\r\nf 1 \\\r\n2 3\r\no two\r\nv 7 7 1e-400\r\nf 2 3 4");
  EXPECT_EQ(mesh.vertex_count(), 4u);
  EXPECT_EQ(mesh.positions[SourceVertexId(0)], Vec3(1, 0.25, -0.5));
  EXPECT_EQ(mesh.positions[SourceVertexId(2)], Vec3(0, 1, 0));
  EXPECT_EQ(mesh.positions[SourceVertexId(3)], Vec3(7, 7, 0));
  EXPECT_EQ(mesh.face_count(), 2u);
  EXPECT_EQ(face(mesh, 0), (std::vector{0, 1, 2}));
  EXPECT_EQ(face(mesh, 1), (std::vector{1, 2, 3}));
}

TEST_F(Obj, FacesMayComeBeforeTheirVertices) {
  EXPECT_EQ(face(read("f 1 2 3\n" + square), 0), (std::vector{0, 1, 2}));
}

TEST_F(Obj, MistakesNameFileLineAndValue) {
  EXPECT_THAT(error(square + "f 1 2 9\n"),
              AllOf(HasSubstr("a.obj:5: vertex 9"), HasSubstr("the file has 4")));
  EXPECT_THAT(error(square + "vt 0 0\nf 1/1 2/2 3/1\n"), HasSubstr("a.obj:6: texture coordinate 2"));
  EXPECT_THAT(error(square + "f 0 1 2\n"), HasSubstr("a.obj:5: \"0\" in a face"));
  EXPECT_THAT(error(square + "f -5 1 2\n"), AllOf(HasSubstr("a.obj:5: \"-5\" in a face"), HasSubstr("4 v")));
  EXPECT_THAT(error(square + "f 1 2 3/\n\nf 1/x 2 3\n"), HasSubstr("a.obj:7: \"1/x\""));
  EXPECT_THAT(error(square + "f 1/1/1/1 2 3\n"), HasSubstr("\"1/1/1/1\""));
  EXPECT_THAT(error(square + "f 99999999999 2 3\n"), HasSubstr("\"99999999999\""));
  EXPECT_THAT(error(square + "f 1 2\n"), HasSubstr("a.obj:5: a face of 2 corners"));
  EXPECT_THAT(error(square + "f\n"), HasSubstr("a.obj:5: a face of 0 corners"));
  EXPECT_THAT(error("v 1 \\\n2\nf 1 1 1\n"), HasSubstr("a.obj:2: a position of 2 numbers"));
  EXPECT_THAT(error("v 1 nan 2\n"), HasSubstr("a.obj:1: \"nan\" in a position"));
  EXPECT_THAT(error("v 1 -inf 2\n"), HasSubstr("\"-inf\""));
  EXPECT_THAT(error("v 1 1e999 2\n"), HasSubstr("\"1e999\""));
  EXPECT_THAT(error("v 1 2x 2\n"), HasSubstr("\"2x\""));
  EXPECT_THAT(error("vt inf 0\n"), HasSubstr("a.obj:1: \"inf\" in a texture coordinate"));
  EXPECT_THAT(error("vt\n"), HasSubstr("a texture coordinate of 0 numbers"));
}

TEST_F(Obj, AFileWithoutFacesSaysSo) {
  EXPECT_THAT(error(square), AllOf(HasSubstr("a.obj: has no faces"), HasSubstr("4 vertices")));
  EXPECT_THAT(error(""), HasSubstr("has no faces"));
  EXPECT_THAT(error(std::string_view("\0\1\2\\\xff", 5)), HasSubstr("has no faces"));
  EXPECT_THROW(read_obj(folder_ / "missing.obj"), InputError);
}

TEST_F(Obj, ReportsSeveralMistakesAtOnceButNotAllOfThousands) {
  const std::string two = error("v x 0 0\nv 0 0 0\nv 0 0\nf 1 2 3\n");
  EXPECT_THAT(two, AllOf(HasSubstr("a.obj:1:"), HasSubstr("a.obj:3:")));
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "v x y z\n";
  const std::string reported = error(many);
  EXPECT_EQ(std::count(reported.begin(), reported.end(), '\n'), 9);
}

TEST_F(Obj, PlacesTooFarToComputeWithAreRefused) {
  EXPECT_NO_THROW(read(square + "v 1e12 0 -1e12\nf 1 2 3\n"));
  EXPECT_THAT(error("v 0 1.1e12 0\n" + square + "f 1 2 3\n"), testing::HasSubstr(":1: a position at"));
}

// Whatever bytes arrive, the reader returns a mesh whose indices hold or throws an InputError.
TEST_F(Obj, RandomDamageNeverBreaksIt) {
  const std::string whole = square + "vt 0 0\nvt 1 1\nvn 0 0 1\nf 1/1/1 2/2/1 3/-1/-1 \\\n 4/1/1\nf 1 2 -1\n";
  std::mt19937 random(7);
  const std::string alphabet = "0123456789-+./\\ \n\r\tvfnte#\xff";
  for (int trial = 0; trial < 3000; ++trial) {
    std::string text = whole;
    for (int i = 0; i < 3; ++i) text[random() % text.size()] = alphabet[random() % alphabet.size()];
    text.resize(text.size() - random() % 8);
    try {
      const SourceMesh mesh = read(text);
      for (SourceVertexId v : mesh.corners) ASSERT_LT(v.index(), mesh.vertex_count());
      for (const Vec3& p : mesh.positions) ASSERT_TRUE(p.allFinite());
    } catch (const InputError&) {
    }
  }
}

TEST_F(Obj, ComesBackWithTheSameBits) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-1, 1);
  SourceMesh mesh;
  for (int i = 0; i < 50; ++i)
    mesh.positions.push_back(Vec3(number(random), 1e-9 * number(random), 1e9 * number(random)));
  for (int f = 0; f < 30; ++f) {
    std::vector<SourceVertexId> face;
    for (int i = 0; i < 3 + f % 4; ++i) face.emplace_back(int((7 * f + 3 * i) % 50));
    mesh.add_face(face);
    for (std::size_t i = 0; i < face.size(); ++i) mesh.uvs.push_back(Vec2(f % 3 / 3.0, number(random)));
  }
  write_obj(folder_ / "b.obj", mesh);
  const SourceMesh back = read_obj(folder_ / "b.obj");
  EXPECT_EQ(back.positions, mesh.positions);
  EXPECT_EQ(back.face_offsets, mesh.face_offsets);
  EXPECT_EQ(back.corners, mesh.corners);
  EXPECT_EQ(back.uvs, mesh.uvs);
}

TEST_F(Obj, RealMeshesComeInWhole) {
  const auto data = test::data_folder();
  if (!data) GTEST_SKIP() << "no real characters";
  for (const char* name :
       {"makehuman-young-male/source/base.obj", "ict-face-neutral/generic_neutral_mesh.obj"}) {
    std::size_t vertices = 0, faces = 0;
    std::ifstream in(*data / name);
    for (std::string line; std::getline(in, line);) {
      vertices += line.starts_with("v ");
      faces += line.starts_with("f ");
    }
    const SourceMesh mesh = read_obj(*data / name);
    EXPECT_EQ(mesh.vertex_count(), vertices) << name;
    EXPECT_EQ(mesh.face_count(), faces) << name;
    EXPECT_TRUE(mesh.has_uvs()) << name;
    write_obj(folder_ / "back.obj", mesh);
    const SourceMesh back = read_obj(folder_ / "back.obj");
    EXPECT_EQ(back.positions, mesh.positions) << name;
    EXPECT_EQ(back.corners, mesh.corners) << name;
    EXPECT_EQ(back.uvs, mesh.uvs) << name;
  }
}

}  // namespace
}  // namespace cutis
