#include <fstream>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/io/bytes.h"
#include "cutis/io/cache/mesh_sequence.h"
#include "cutis/io/mesh/obj.h"
#include "cutis/io/mesh/ply.h"
#include "cutis/io/mesh/ply_writer.h"
#include "support/support.h"

namespace cutis {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// A quad and a triangle over five coloured vertices, in any of the three encodings.
Bytes sample(const std::string& format, float shift = 0) {
  const std::string head =
      "ply\nformat " + format +
      " 1.0\ncomment made by hand\nelement vertex 5\nproperty float x\nproperty float y\nproperty double z\n"
      "property uchar red\nproperty uchar green\nproperty uchar blue\nproperty short other\n"
      "element face 2\nproperty uchar flags\nproperty list uchar int vertex_indices\n"
      "property list uchar float texcoord\nelement edge 1\nproperty int vertex1\nproperty int "
      "vertex2\nend_header\n";
  const auto order = format == "binary_big_endian" ? std::endian::big : std::endian::little;
  Bytes bytes(head.begin(), head.end());
  const auto put = [&](auto value) {
    if (format != "ascii") return append(bytes, value, order);
    const std::string text = fmt::format("{} ", value + 0);
    bytes.insert(bytes.end(), text.begin(), text.end());
  };
  const auto end_line = [&] {
    if (format == "ascii") bytes.push_back('\n');
  };
  for (int v = 0; v < 5; ++v) {
    put(0.1f * static_cast<float>(v) + shift);
    put(static_cast<float>(v % 2));
    put(v / 3.0);
    for (int k = 0; k < 3; ++k) put(static_cast<std::uint8_t>(51 * k + v));
    put(static_cast<std::int16_t>(-v));
    end_line();
  }
  for (const auto& face : {std::vector{0, 1, 2, 3}, {3, 2, 4}}) {
    put(std::uint8_t(7));
    put(static_cast<std::uint8_t>(face.size()));
    for (int v : face) put(v);
    put(static_cast<std::uint8_t>(2 * face.size()));
    for (int v : face)
      for (float uv : {0.25f * static_cast<float>(v), 0.5f}) put(uv);
    end_line();
  }
  put(0);
  put(1);
  end_line();
  return bytes;
}

class Ply : public testing::Test {
 protected:
  test::TemporaryFolder folder_;

  PlyMesh read(const Bytes& bytes) {
    std::ofstream(folder_ / "a.ply", std::ios::binary) << std::string(bytes.begin(), bytes.end());
    return read_ply(folder_ / "a.ply");
  }
  std::string error(const Bytes& bytes) {
    try {
      read(bytes);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }
  std::string error(const std::string& text) { return error(Bytes(text.begin(), text.end())); }
};

TEST_F(Ply, ReadsAllThreeEncodingsAlike) {
  for (const char* format : {"ascii", "binary_little_endian", "binary_big_endian"}) {
    SCOPED_TRACE(format);
    const PlyMesh ply = read(sample(format));
    ASSERT_EQ(ply.mesh.vertex_count(), 5u);
    for (int v = 0; v < 5; ++v) {
      const Vec3& p = ply.mesh.positions[SourceVertexId(v)];
      EXPECT_EQ(float(p.x()), 0.1f * static_cast<float>(v));
      EXPECT_EQ(p.y(), v % 2);
      EXPECT_EQ(p.z(), v / 3.0);
      EXPECT_EQ(ply.colors[SourceVertexId(v)], Vec4(v / 255.0, (51 + v) / 255.0, (102 + v) / 255.0, 1));
    }
    ASSERT_EQ(ply.properties.size(), 1u);
    EXPECT_EQ(ply.properties[0].name, "other");
    EXPECT_THAT(ply.properties[0].values, testing::ElementsAre(0, -1, -2, -3, -4));
    ASSERT_EQ(ply.mesh.face_count(), 2u);
    EXPECT_EQ(ply.mesh.face_size(FaceId(0)), 4u);
    EXPECT_EQ(ply.mesh.face(FaceId(1))[2], SourceVertexId(4));
    EXPECT_EQ(ply.mesh.uvs[CornerId(6)], Vec2(1, 0.5));
  }
}

TEST_F(Ply, WhatIsWrittenIsReadToTheBit) {
  Mesh mesh;
  for (int v = 0; v < 5; ++v) mesh.positions.push_back(Vec3(1.0 / (v + 1), v / 7.0, -v / 3.0));
  mesh.add_face(std::array{VertexId(0), VertexId(1), VertexId(2), VertexId(3)});
  mesh.add_face(std::array{VertexId(3), VertexId(2), VertexId(4)});
  const VertexAttribute height{"height", 1, {0.1, 0.2, 0.3, 0.4, 0.5}};
  VertexAttribute rest{"rest", 3, {}}, pair{"pair", 2, {}};
  for (int i = 0; i < 15; ++i) rest.values.push_back(i / 11.0);
  for (int i = 0; i < 10; ++i) pair.values.push_back(i / 13.0);
  write_ply(folder_ / "b.ply", mesh, {height, rest, pair});
  const PlyMesh again = read_ply(folder_ / "b.ply");
  EXPECT_EQ(again.mesh.positions.raw(), mesh.positions.raw());
  EXPECT_EQ(again.mesh.face_offsets, mesh.face_offsets);
  for (CornerId c : ids<CornerId>(mesh.corner_count()))
    EXPECT_EQ(again.mesh.corners[c].value, mesh.corners[c].value);
  std::vector<std::string> names;
  for (const VertexAttribute& property : again.properties) names.push_back(property.name);
  ASSERT_THAT(names, testing::ElementsAre("height", "rest_x", "rest_y", "rest_z", "pair_0", "pair_1"));
  EXPECT_EQ(again.properties[0].values, height.values);
  for (std::size_t v = 0; v < 5; ++v) {
    EXPECT_EQ(again.properties[2].values[v], rest.values[3 * v + 1]);
    EXPECT_EQ(again.properties[5].values[v], pair.values[2 * v + 1]);
  }
}

TEST_F(Ply, MistakesNameFileAndPlace) {
  const std::string head =
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
      "element face 1\nproperty list uchar int vertex_indices\nend_header\n";
  EXPECT_THAT(error(head + "0 0 0\n1 0 zero\n"),
              AllOf(HasSubstr("a.ply:11: vertex 1"), HasSubstr("\"zero\"")));
  EXPECT_THAT(error(head + "0 0 0\n1 0 nan\n"), AllOf(HasSubstr("vertex 1"), HasSubstr("z is nan")));
  EXPECT_THAT(error(head + "0 0 0\n1 0 0\n1 1 0\n3 0 1 3\n"),
              HasSubstr("face 0: vertex 3, but the file has 3"));
  EXPECT_THAT(error(head + "0 0 0\n1 0 0\n1 1 0\n2 0 1\n"), HasSubstr("face 0: 2 corners"));
  EXPECT_THAT(error(head + "0 0 0\n1 0 0\n1 1 0\n3 0 -1 2\n"), HasSubstr("-1 is not the index"));
  EXPECT_THAT(error(head + "0 0 0\n1 0 0\n1 1 0\n250 0 1 2\n"), HasSubstr("a list of 250 numbers"));
  EXPECT_THAT(error(head + "0 0 0\n1 0 0\n1 1 0\n"), HasSubstr("face 0: the file ends here"));
  EXPECT_THAT(error(std::string("solid thing\n")), HasSubstr("a.ply:1: does not begin with \"ply\""));
  EXPECT_THAT(error(std::string("ply\nformat morse 1.0\n")), HasSubstr("a.ply:2: format \"morse\""));
  EXPECT_THAT(error(std::string("ply\nformat ascii 1.0\nelement vertex 3\n")),
              HasSubstr("header does not end"));
  EXPECT_THAT(error(std::string("ply\nformat ascii 1.0\nelement vertex 99999999999\nend_header\n")),
              HasSubstr("no faces"));
  EXPECT_THAT(error(std::string("ply\nformat binary_little_endian 1.0\nelement vertex 99999999999\nproperty "
                                "float x\nend_header\n")),
              HasSubstr("vertex 0: the file ends here"));
}

TEST_F(Ply, DamageNeverBreaksIt) {
  std::mt19937 random(7);
  int refused = 0;
  for (const char* format : {"ascii", "binary_little_endian", "binary_big_endian"}) {
    const Bytes whole = sample(format);
    for (std::size_t size = 0; size < whole.size(); size += 5)
      refused += error(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size))) != "no error";
    for (int i = 0; i < 200; ++i) {
      Bytes bytes = whole;
      for (int k = 0; k < 3; ++k) bytes[random() % bytes.size()] = static_cast<unsigned char>(random());
      refused += error(bytes) != "no error";
    }
  }
  EXPECT_GT(refused, 400);
}

TEST_F(Ply, NumberedFilesBecomeOneMeshThatMoves) {
  for (int i = 8; i <= 12; ++i)
    write_file_whole(folder_ / fmt::format("walk_{:02}.ply", i),
                     sample("binary_little_endian", 0.5f * static_cast<float>(i)));
  write_file_whole(folder_ / "walk_9.ply", sample("ascii"));    // too few digits
  write_file_whole(folder_ / "walk_010.ply", sample("ascii"));  // another numbering
  write_file_whole(folder_ / "walk_1x.ply", sample("ascii"));
  const MeshSequence sequence = read_mesh_sequence(folder_ / "walk_##.ply", 25);
  EXPECT_EQ(sequence.mesh.face_count(), 2u);
  EXPECT_EQ(sequence.attributes.size(), 1u);
  ASSERT_EQ(sequence.cache.frame_count(), 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(sequence.cache.times[i], static_cast<double>(i) / 25);
    EXPECT_EQ(sequence.cache.point(i, SourceVertexId(2)).x(), 0.2f + 0.5f * static_cast<float>(i + 8));
  }
}

TEST_F(Ply, SequencesKeepTheDigitsOfTheirFiles) {
  SourceMesh mesh = read(sample("ascii")).mesh;
  mesh.positions[SourceVertexId(1)] = Vec3(1.0 / 3, -1e-9, 1234.56789012345);
  write_obj(folder_ / "c_1.obj", mesh);
  EXPECT_EQ(read_mesh_sequence(folder_ / "c_#.obj", 24).cache.point(0, SourceVertexId(1)),
            mesh.positions[SourceVertexId(1)]);
}

TEST_F(Ply, SequencesNameWhatIsMissingOrDiffers) {
  const auto error = [&](const char* pattern) -> std::string {
    try {
      read_mesh_sequence(folder_ / pattern, 24);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_THAT(error("a_###.ply"), HasSubstr("a_###.ply: no file of this kind"));
  write_file_whole(folder_ / "a_001.ply", sample("ascii"));
  write_file_whole(folder_ / "a_003.ply", sample("ascii"));
  EXPECT_THAT(error("a_###.ply"), HasSubstr("number 2 is missing, though a_003.ply is there"));
  SourceMesh other = read_ply(folder_ / "a_001.ply").mesh;
  std::swap(other.corners[CornerId(0)], other.corners[CornerId(1)]);
  write_obj(folder_ / "b_1.obj", read_ply(folder_ / "a_001.ply").mesh);
  write_obj(folder_ / "b_2.obj", other);
  EXPECT_THAT(error("b_#.obj"), AllOf(HasSubstr("b_2.obj"), HasSubstr("not those of the first file")));
}

}  // namespace
}  // namespace cutis
