#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/io/array/npz_sequence.h"
#include "cutis/io/frame_fields.h"
#include "cutis/io/mesh/obj.h"
#include "cutis/io/mesh/obj_sequence.h"
#include "cutis/io/mesh/vtk_writer.h"
#include "cutis/io/usd/usda_writer.h"
#include "support/support.h"

namespace cutis {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

/// Two triangles: four vertices, two faces, six corners.
SourceMesh square() {
  SourceMesh mesh;
  for (const Vec3& p : {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 1, 0.1), Vec3(0, 1, 1.0 / 3)})
    mesh.positions.push_back(p);
  for (auto face : {std::array{0, 1, 2}, {0, 2, 3}})
    mesh.add_face(std::vector{SourceVertexId(face[0]), SourceVertexId(face[1]), SourceVertexId(face[2])});
  for (SourceVertexId v : mesh.corners) mesh.uvs.push_back(mesh.positions[v].head<2>());
  return mesh;
}

SourcePoints moved(const SourceMesh& mesh, int frame) {
  SourcePoints points = mesh.positions;
  for (Vec3& p : points) p += frame * Vec3(0.1, 1.0 / 3, -2);
  return points;
}

Npz fields_of(const SourceMesh& mesh, int frame) {
  std::vector<double> uvs;
  for (const Vec2& uv : mesh.uvs)
    for (int i = 0; i < 2; ++i) uvs.push_back(uv[i] + 0.01 * frame);
  return {{"uvs", npy_array(uvs.data(), uvs.size(), {mesh.corner_count(), 2})}};
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

TEST(FrameFields, AreToldApartByTheirRows) {
  const SourceMesh mesh = square();
  const Npz arrays{{"a", npy_array(std::vector<double>(4))},
                   {"b", npy_array(std::vector<double>(2))},
                   {"c", npy_array(std::vector<float>(12).data(), 12, {6, 2})},
                   {"number", npy_scalar(3.0)},
                   {"stranger", npy_array(std::vector<double>(5))},
                   {"uvs", npy_array(std::vector<double>(12).data(), 12, {6, 2})}};
  const auto fields = frame_fields(arrays, mesh);
  ASSERT_EQ(fields.size(), 3u);
  EXPECT_EQ(fields[0].place, FrameField::Place::Vertex);
  EXPECT_EQ(fields[1].place, FrameField::Place::Face);
  EXPECT_EQ(fields[2].place, FrameField::Place::Corner);
  EXPECT_EQ(fields[2].components, 2u);
  EXPECT_EQ(moving_uvs(arrays, mesh).size(), 6u);
}

TEST(FrameFields, FollowTheirNameWhereFacesAndVerticesAreEquallyMany) {
  SourceMesh mesh = square();
  mesh.add_face(std::vector{SourceVertexId(0), SourceVertexId(1), SourceVertexId(3)});
  mesh.add_face(std::vector{SourceVertexId(1), SourceVertexId(2), SourceVertexId(3)});
  const Npz arrays{{"face_strain", npy_array(std::vector<double>(4))},
                   {"strain", npy_array(std::vector<double>(4))}};
  const auto fields = frame_fields(arrays, mesh);
  ASSERT_EQ(fields.size(), 2u);
  EXPECT_EQ(fields[0].place, FrameField::Place::Face);
  EXPECT_EQ(fields[1].place, FrameField::Place::Vertex);
}

TEST(FrameFields, FollowTheirNameWhereCornersAndVerticesAreEquallyMany) {
  SourceMesh mesh;
  for (int i = 0; i < 6; ++i) mesh.positions.push_back(Vec3(i, i % 2, 0));
  mesh.add_face(std::vector{SourceVertexId(0), SourceVertexId(1), SourceVertexId(2)});
  mesh.add_face(std::vector{SourceVertexId(3), SourceVertexId(4), SourceVertexId(5)});
  const Npz arrays{{"corner_strain", npy_array(std::vector<double>(6))},
                   {"strain", npy_array(std::vector<double>(6))}};
  const auto fields = frame_fields(arrays, mesh);
  ASSERT_EQ(fields.size(), 2u);
  EXPECT_EQ(fields[0].place, FrameField::Place::Corner);
  EXPECT_EQ(fields[1].place, FrameField::Place::Vertex);
}

TEST(ObjSequence, ComesBackToTheBitWithItsMovingTextureCoordinates) {
  const test::TemporaryFolder folder;
  const SourceMesh mesh = square();
  ObjSequenceWriter writer(folder / "out", mesh, 3);
  for (int i = 0; i < 3; ++i) writer.add(moved(mesh, i), fields_of(mesh, i));
  writer.finish();
  for (int i = 0; i < 3; ++i) {
    const SourceMesh back = read_obj(folder / fmt::format("out/skin_00000{}.obj", i + 1));
    EXPECT_EQ(back.positions, moved(mesh, i));
    EXPECT_EQ(back.corners, mesh.corners);
    EXPECT_EQ(back.uvs, moving_uvs(fields_of(mesh, i), mesh));
  }
}

TEST(NpzSequence, HoldsPositionsTimesAndFieldsOfEachFrame) {
  const test::TemporaryFolder folder;
  const SourceMesh mesh = square();
  NpzSequenceWriter writer(folder / "out", mesh, {0, 0.5});
  for (int i = 0; i < 2; ++i) writer.add(moved(mesh, i), fields_of(mesh, i));
  writer.finish();
  const Npz polygons = read_npz(folder / "out/mesh.npz");
  EXPECT_EQ(polygons.at("face_corners").count(), mesh.corner_count());
  EXPECT_EQ(polygons.at("uvs").shape, (std::vector<std::size_t>{mesh.corner_count(), 2}));
  for (int i = 0; i < 2; ++i) {
    Npz frame = read_npz(folder / fmt::format("out/skin_00000{}.npz", i + 1));
    EXPECT_EQ(frame.at("time"), npy_scalar(0.5 * i));
    const SourcePoints points = moved(mesh, i);
    EXPECT_EQ(frame.at("positions"), npy_array(points.data()->data(), 3 * points.size(), {points.size(), 3}));
    frame.erase("time");
    frame.erase("positions");
    EXPECT_EQ(frame, fields_of(mesh, i));
  }
}

TEST(FrameFolders, LoseTheFilesOfALongerShotAndKeepOthers) {
  const test::TemporaryFolder folder;
  const SourceMesh mesh = square();
  for (int count : {4, 2}) {
    ObjSequenceWriter obj(folder / "obj", mesh, std::size_t(count));
    VtkWriter vtk(folder / "vtk", mesh, std::vector<double>(std::size_t(count)));
    for (int i = 0; i < count; ++i) {
      obj.add(moved(mesh, i));
      vtk.add(moved(mesh, i));
    }
    obj.finish();
    vtk.finish();
    write_file_whole(folder / "obj/mine.txt", "mine");
  }
  EXPECT_THAT(names_in(folder / "obj"), ElementsAre("mine.txt", "skin_000001.obj", "skin_000002.obj"));
  EXPECT_THAT(names_in(folder / "vtk"), ElementsAre("skin.pvd", "skin_000001.vtu", "skin_000002.vtu"));
}

TEST(FrameFolders, RefuseAFileOfTheirName) {
  const test::TemporaryFolder folder;
  write_file_whole(folder / "taken", "a file");
  EXPECT_THROW(VtkWriter(folder / "taken", square(), {0}), IoError);
}

TEST(UsdaWriter, LeavesNothingBehindWhenItIsNotFinished) {
  const test::TemporaryFolder folder;
  const SourceMesh mesh = square();
  {
    UsdaWriter writer(folder / "a.usda", mesh, {0, 1}, 24);
    writer.add(moved(mesh, 0), fields_of(mesh, 0));
  }
  EXPECT_TRUE(names_in(folder.path()).empty());
}

TEST(UsdaWriter, RefusesAFieldThatChangesItsShape) {
  const test::TemporaryFolder folder;
  const SourceMesh mesh = square();
  UsdaWriter writer(folder / "a.usda", mesh, {0, 1}, 24);
  writer.add(moved(mesh, 0), {{"strain", npy_array(std::vector<double>(4))}});
  try {
    writer.add(moved(mesh, 1), {{"strain", npy_array(std::vector<double>(2))}});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("a.usda: the field \"strain\" has another shape in frame 1"));
  }
}

}  // namespace
}  // namespace cutis
