#include "cutis/io/gltf/glb_writer.h"

#include <cmath>
#include <numbers>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cutis/core/error.h"
#include "cutis/core/version.h"
#include "cutis/io/bytes.h"
#include "cutis/surface/mesh/mesh.h"
#include "cutis/surface/mesh/triangulate.h"
#include "support/support.h"

namespace cutis {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// A GLB read by the letter of the specification.
class Glb {
 public:
  explicit Glb(const std::filesystem::path& path) : bytes_(read_file(path)) {
    EXPECT_EQ(word(0), 0x46546C67u);
    EXPECT_EQ(word(4), 2u);
    EXPECT_EQ(word(8), bytes_.size());
    const std::size_t length = word(12);
    EXPECT_EQ(word(16), 0x4E4F534Au);
    json =
        nlohmann::json::parse(bytes_.begin() + 20, bytes_.begin() + 20 + static_cast<std::ptrdiff_t>(length));
    EXPECT_EQ(word(20 + length + 4), 0x004E4942u);
    binary_ = 28 + length;
    EXPECT_EQ(binary_ + word(20 + length), bytes_.size());
    EXPECT_EQ(json["buffers"][0]["byteLength"], word(20 + length));
  }
  nlohmann::json json;

  const nlohmann::json& primitive() const { return json["meshes"][0]["primitives"][0]; }
  template <class T>
  std::vector<T> values(const nlohmann::json& accessor_index) const {
    const auto& accessor = json["accessors"][accessor_index.get<std::size_t>()];
    const auto& view = json["bufferViews"][accessor["bufferView"].get<std::size_t>()];
    const std::string type = accessor["type"];
    const std::size_t width = type == "SCALAR" ? 1 : type == "VEC2" ? 2 : 3;
    const std::size_t start =
        binary_ + view["byteOffset"].get<std::size_t>() + accessor["byteOffset"].get<std::size_t>();
    std::vector<T> result;
    for (std::size_t i = 0; i < width * accessor["count"].get<std::size_t>(); ++i)
      result.push_back(load<T>(bytes_.data() + start + sizeof(T) * i, std::endian::little));
    return result;
  }
  /// The third number of pairs is 0.
  std::vector<Vec3> vectors(const nlohmann::json& accessor_index) const {
    const std::vector<float> flat = values<float>(accessor_index);
    const bool pairs = json["accessors"][accessor_index.get<std::size_t>()]["type"] == "VEC2";
    std::vector<Vec3> result;
    for (std::size_t i = 0; i < flat.size(); i += pairs ? 2 : 3)
      result.emplace_back(flat[i], flat[i + 1], pairs ? 0 : flat[i + 2]);
    return result;
  }
  /// What a player shows at a key, an attribute of the mesh with its morph targets.
  std::vector<Vec3> played(std::size_t key, const char* attribute) const {
    std::vector<Vec3> result = vectors(primitive()["attributes"][attribute]);
    if (!json.contains("animations")) return result;
    const auto weights = values<float>(json["animations"][0]["samplers"][0]["output"]);
    const std::size_t targets = primitive()["targets"].size();
    for (std::size_t j = 0; j < targets; ++j) {
      if (weights.at(key * targets + j) == 0) continue;
      const std::vector<Vec3> offsets = vectors(primitive()["targets"][j][attribute]);
      for (std::size_t v = 0; v < result.size(); ++v) result[v] += weights[key * targets + j] * offsets[v];
    }
    return result;
  }

 private:
  Bytes bytes_;
  std::size_t binary_ = 0;
  std::uint32_t word(std::size_t at) const {
    return load<std::uint32_t>(bytes_.data() + at, std::endian::little);
  }
};

/// A unit sphere of quads with triangles at the poles, open texture seam: UVs at corners, poles have many.
SourceMesh sphere(int around, int rings) {
  using std::numbers::pi;
  SourceMesh mesh;
  mesh.positions.push_back(Vec3(0, 1, 0));
  for (int j = 1; j < rings; ++j)
    for (int i = 0; i < around; ++i) {
      const double a = 2 * pi * i / around, b = pi * j / rings;
      mesh.positions.push_back(Vec3(std::sin(b) * std::sin(a), std::cos(b), std::sin(b) * std::cos(a)));
    }
  mesh.positions.push_back(Vec3(0, -1, 0));
  const SourceVertexId south(mesh.vertex_count() - 1);
  const auto at = [&](int i, int j) {
    return j == 0       ? SourceVertexId(0)
           : j == rings ? south
                        : SourceVertexId(1 + (j - 1) * around + i % around);
  };
  for (int j = 0; j < rings; ++j)
    for (int i = 0; i < around; ++i) {
      std::vector<SourceVertexId> face;
      for (auto [a, b] : {std::pair{i, j}, {i, j + 1}, {i + 1, j + 1}, {i + 1, j}}) {
        if (!face.empty() && (face.back() == at(a, b) || face.front() == at(a, b))) continue;
        face.push_back(at(a, b));
        mesh.uvs.push_back(Vec2(double(a) / around, 1 - double(b) / rings));
      }
      mesh.add_face(face);
    }
  return mesh;
}

/// Every face with vertices of its own, as exporters split them where they like.
SourceMesh split(const SourceMesh& mesh) {
  SourceMesh result;
  result.face_offsets = mesh.face_offsets;
  result.uvs = mesh.uvs;
  for (SourceVertexId v : mesh.corners)
    result.corners.push_back(result.positions.push_back(mesh.positions[v]));
  return result;
}

SourcePoints moved(const SourceMesh& mesh, double t) {
  SourcePoints points = mesh.positions;
  const Mat3 turn = Eigen::AngleAxisd(t, Vec3(1, 1, 0).normalized()).toRotationMatrix();
  for (Vec3& p : points) p = turn * p + Vec3(t, 0, 0);
  return points;
}

using CornerUvs = IdVector<CornerId, Vec2>;

/// Each corner goes its own way from where it rests, so that those of a vertex part after the first frame.
CornerUvs slid(const CornerUvs& uvs, double t) {
  CornerUvs result = uvs;
  for (CornerId c : ids<CornerId>(uvs.size()))
    result[c] += 0.3 * t * Vec2(std::sin(c.value), std::cos(3 * c.value));
  return result;
}

Npz field(const CornerUvs& uvs) {
  std::vector<double> flat;
  for (const Vec2& uv : uvs) flat.insert(flat.end(), {uv.x(), uv.y()});
  return {{"uvs", npy_array(flat.data(), flat.size(), {uvs.size(), 2})}};
}

class GlbWriting : public testing::Test {
 protected:
  test::TemporaryFolder folder_;

  Glb write(const SourceMesh& mesh, const std::vector<double>& times, const std::vector<SourcePoints>& frames,
            const std::vector<CornerUvs>& uvs = {}) {
    GlbWriter writer(folder_ / "a.glb", mesh, times, "hero");
    for (std::size_t i = 0; i < frames.size(); ++i)
      writer.add(frames[i], uvs.empty() ? Npz() : field(uvs[i]));
    writer.finish();
    return Glb(folder_ / "a.glb");
  }
};

TEST_F(GlbWriting, PlaysThePositionsThatWereGiven) {
  const SourceMesh mesh = sphere(16, 8);
  std::vector<SourcePoints> frames;
  for (int i = 0; i < 5; ++i) frames.push_back(moved(mesh, 0.2 * i));
  const Glb glb = write(mesh, {0, 0.25, 0.5, 0.75, 1}, frames);
  EXPECT_EQ(glb.json["asset"]["generator"], std::string("cutis ") + version());
  EXPECT_EQ(glb.json["nodes"][0]["name"], "hero");
  for (std::size_t i = 0; i < 5; ++i) {
    const auto played = glb.played(i, "POSITION");
    for (SourceVertexId v : ids<SourceVertexId>(mesh.vertex_count()))
      EXPECT_LT((played[v.index()] - frames[i][v]).norm(), 2e-7);
  }
  const auto times = glb.values<float>(glb.json["animations"][0]["samplers"][0]["input"]);
  EXPECT_EQ(times, (std::vector<float>{0, 0.25, 0.5, 0.75, 1}));
  EXPECT_EQ(glb.json["animations"][0]["samplers"][0]["interpolation"], "LINEAR");
}

// On a sphere the normal is the way from the centre, but for the mesh being coarse; it turns with the motion.
// Where the seam showed, it would be off by half a quad, 0.05.
TEST_F(GlbWriting, NormalsAreSmoothUnitAndTurnWithTheMotion) {
  for (const SourceMesh& mesh : {sphere(64, 32), split(sphere(64, 32))}) {
    const Glb glb = write(mesh, {0, 1}, {mesh.positions, moved(mesh, 0.8)});
    for (std::size_t key = 0; key < 2; ++key) {
      const auto normals = glb.played(key, "NORMAL"), positions = glb.played(key, "POSITION");
      const Vec3 centre(key == 0 ? 0 : 0.8, 0, 0);
      for (std::size_t v = 0; v < normals.size(); ++v) {
        ASSERT_NEAR(normals[v].norm(), 1, 1e-6);
        ASSERT_LT((normals[v] - (positions[v] - centre)).norm(), 0.03) << "vertex " << v;
      }
    }
  }
}

TEST_F(GlbWriting, SourceVerticesComeFirstAndCopiesCarryTheOtherTextureCoordinates) {
  const SourceMesh mesh = sphere(8, 4);
  const Glb glb = write(mesh, {0, 1}, {mesh.positions, moved(mesh, 1)});
  const auto positions = glb.vectors(glb.primitive()["attributes"]["POSITION"]);
  const auto uvs = glb.values<float>(glb.primitive()["attributes"]["TEXCOORD_0"]);
  const auto indices = glb.values<std::uint32_t>(glb.primitive()["indices"]);
  // Three seam vertices once more, each pole has eight.
  EXPECT_EQ(positions.size(), mesh.vertex_count() + 3 + 2 * 7);
  // Every triangle's corner must be a corner of the mesh: same place, same texture coordinate turned over.
  for (std::uint32_t i : indices) {
    bool found = false;
    for (CornerId c : ids<CornerId>(mesh.corner_count()))
      found = found || ((mesh.positions[mesh.corners[c]] - positions[i]).norm() < 1e-6 &&
                        (mesh.uvs[c] - Vec2(uvs[2 * i], 1 - uvs[2 * i + 1])).norm() < 1e-6);
    EXPECT_TRUE(found) << "vertex " << i;
  }
}

TEST_F(GlbWriting, MovingTextureCoordinatesPlayAtEveryCorner) {
  SourceMesh mesh = sphere(8, 4);
  mesh.positions.push_back(Vec3(2, 2, 2));  // no face has it
  std::vector<SourcePoints> frames;
  std::vector<CornerUvs> uvs;
  for (int i = 0; i < 5; ++i) {
    frames.push_back(moved(mesh, 0.2 * i));
    uvs.push_back(slid(mesh.uvs, 0.2 * i));
  }
  CornerUvs rest;
  std::swap(rest, mesh.uvs);
  for (const CornerUvs& at_rest : {CornerUvs(), rest}) {
    mesh.uvs = at_rest;
    const Glb glb = write(mesh, {0, 0.25, 0.5, 0.75, 1}, frames, uvs);
    const auto indices = glb.values<std::uint32_t>(glb.primitive()["indices"]);
    const auto triangles = triangulate(mesh);
    ASSERT_EQ(indices.size(), 3 * triangles.size());
    for (std::size_t key = 0; key < 5; ++key) {
      const auto positions = glb.played(key, "POSITION"), coordinates = glb.played(key, "TEXCOORD_0");
      const auto normals = glb.played(key, "NORMAL");
      ASSERT_EQ(positions.size(), mesh.corner_count() + 1);
      ASSERT_EQ(coordinates.size(), positions.size());
      for (SourceVertexId v : ids<SourceVertexId>(mesh.vertex_count()))
        EXPECT_LT((positions[v.index()] - frames[key][v]).norm(), 4e-7);
      for (std::size_t i = 0; i < indices.size(); ++i) {
        const CornerId c = triangles[i / 3].corners[i % 3];
        const SourceVertexId v = mesh.corners[c];
        const Vec2 uv = uvs[key][c];
        EXPECT_LT((positions[indices[i]] - frames[key][v]).norm(), 4e-7) << "key " << key << ", corner " << i;
        EXPECT_LT((coordinates[indices[i]] - Vec3(uv.x(), 1 - uv.y(), 0)).norm(), 2e-7)
            << "key " << key << ", corner " << i;
        EXPECT_EQ(normals[indices[i]], normals[v.index()]);
      }
    }
  }
}

TEST_F(GlbWriting, TextureCoordinatesThatMoveAloneMakeTargets) {
  const SourceMesh mesh = sphere(8, 4);
  const std::vector<SourcePoints> stands(5, moved(mesh, 0.3));
  const CornerUvs a = slid(mesh.uvs, 0.1), b = slid(mesh.uvs, 0.2), c = slid(mesh.uvs, 0.3);
  const Glb glb = write(mesh, {0, 1, 2, 3, 4}, stands, {a, b, b, a, c});
  EXPECT_EQ(glb.json["meshes"][0]["extras"]["targetNames"],
            nlohmann::json::parse(R"(["frame 1", "frame 4"])"));
  const std::vector<float> expected{0, 0, 1, 0, 1, 0, 0, 0, 0, 1};
  EXPECT_EQ(glb.values<float>(glb.json["animations"][0]["samplers"][0]["output"]), expected);
  const Glb still = write(mesh, {0, 1, 2, 3, 4}, stands, {a, a, a, a, a});
  EXPECT_FALSE(still.json.contains("animations"));
}

TEST_F(GlbWriting, MovingTextureCoordinatesThatCannotBeWrittenAreAClearError) {
  const SourceMesh mesh = sphere(8, 4);
  const auto error = [&](const SourceMesh& m, std::size_t frame_count, const std::vector<Npz>& fields) {
    std::vector<double> times(frame_count);
    for (std::size_t i = 0; i < times.size(); ++i) times[i] = double(i) / 24;
    GlbWriter writer(folder_ / "a.glb", m, times);
    try {
      for (const Npz& frame : fields) writer.add(m.positions, frame);
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  const Npz moving = field(mesh.uvs);
  EXPECT_THAT(error(mesh, 3, {moving, moving, {}}), HasSubstr("a.glb: frame 2 has no moving texture"));
  EXPECT_THAT(error(mesh, 3, {{}, moving, {}}), HasSubstr("a.glb: frame 1 has moving texture"));
  CornerUvs bad = mesh.uvs;
  bad[CornerId(5)] = Vec2(0.5, NAN);
  EXPECT_THAT(error(mesh, 2, {moving, field(bad)}),
              HasSubstr(fmt::format("frame 1, vertex {} has the texture coordinate (0.5, nan)",
                                    mesh.corners[CornerId(5)].value)));
  bad[CornerId(5)] = Vec2(-1e39, 0);
  EXPECT_THAT(error(mesh, 2, {field(bad)}), HasSubstr("frame 0, vertex"));
  // Fits as it is, but not with a vertex for each of its corners.
  const SourceMesh dense = sphere(200, 100);
  EXPECT_THAT(error(dense, 2000, {field(dense.uvs)}),
              AllOf(HasSubstr("a.glb: 2000 frames of 79600 vertices"), HasSubstr("write a USD")));
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(GlbWriting, TrianglesCoverTheirPolygonsTheRightWayRound) {
  SourceMesh mesh;  // an arrow head, concave at its third corner
  for (const Vec3& p : {Vec3(0, 0, 0), Vec3(2, 0, 0), Vec3(2, 2, 0), Vec3(1.5, 0.5, 0)})
    mesh.positions.push_back(p);
  mesh.add_face(std::vector{SourceVertexId(0), SourceVertexId(1), SourceVertexId(2), SourceVertexId(3)});
  mesh.add_face(std::vector{SourceVertexId(0), SourceVertexId(1), SourceVertexId(1)});
  const Glb glb = write(mesh, {0}, {mesh.positions});
  const auto indices = glb.values<std::uint32_t>(glb.primitive()["indices"]);
  const auto p = glb.vectors(glb.primitive()["attributes"]["POSITION"]);
  ASSERT_EQ(indices.size(), 6u);
  double area = 0;
  for (std::size_t i = 0; i < 6; i += 3) {
    const Vec3 normal = (p[indices[i + 1]] - p[indices[i]]).cross(p[indices[i + 2]] - p[indices[i]]);
    EXPECT_GT(normal.z(), 0);
    area += normal.norm() / 2;
  }
  EXPECT_NEAR(area, 1, 1e-6);
  EXPECT_FALSE(glb.primitive()["attributes"].contains("TEXCOORD_0"));
}

TEST_F(GlbWriting, AStillShotHasNoAnimation) {
  const SourceMesh mesh = sphere(8, 4);
  const SourcePoints pose = moved(mesh, 0.3);
  const Glb glb = write(mesh, {0, 1, 2}, {pose, pose, pose});
  EXPECT_FALSE(glb.json.contains("animations"));
  EXPECT_FALSE(glb.primitive().contains("targets"));
  const auto positions = glb.played(0, "POSITION");
  for (SourceVertexId v : ids<SourceVertexId>(mesh.vertex_count()))
    EXPECT_LT((positions[v.index()] - pose[v]).norm(), 1e-7);
}

TEST_F(GlbWriting, FramesThatStandShareATarget) {
  const SourceMesh mesh = sphere(8, 4);
  const SourcePoints a = mesh.positions, b = moved(mesh, 0.3), c = moved(mesh, 0.6);
  const Glb glb = write(mesh, {0, 1, 2, 3, 4, 5}, {a, a, b, b, c, a});
  EXPECT_EQ(glb.primitive()["targets"].size(), 2u);
  EXPECT_EQ(glb.json["meshes"][0]["extras"]["targetNames"],
            nlohmann::json::parse(R"(["frame 2", "frame 4"])"));
  const std::vector<float> expected{0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0};
  EXPECT_EQ(glb.values<float>(glb.json["animations"][0]["samplers"][0]["output"]), expected);
}

TEST_F(GlbWriting, TimesBeforeZeroMoveToZero) {
  const SourceMesh mesh = sphere(8, 4);
  const std::vector<SourcePoints> frames{mesh.positions, moved(mesh, 1)};
  const auto times = [](const Glb& glb) {
    return glb.values<float>(glb.json["animations"][0]["samplers"][0]["input"]);
  };
  EXPECT_EQ(times(write(mesh, {-0.5, 1}, frames)), (std::vector<float>{0, 1.5}));
  EXPECT_EQ(times(write(mesh, {0.5, 1}, frames)), (std::vector<float>{0.5, 1}));
}

// The JSON part is written into room that was kept before any frame was known.
TEST_F(GlbWriting, AnyNumbersFitTheRoomKeptForTheirBounds) {
  const SourceMesh mesh = sphere(4, 2);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> exponent(-44, 37), mantissa(-9, 9);
  std::vector<double> times;
  std::vector<SourcePoints> frames;
  for (int i = 0; i < 300; ++i) {
    times.push_back(1e-5 * std::pow(1.07, i));
    frames.push_back(mesh.positions);
    for (Vec3& p : frames.back())
      for (int k = 0; k < 3; ++k) p[k] = mantissa(random) * std::pow(10.0, exponent(random));
  }
  const Glb glb = write(mesh, times, frames);
  EXPECT_EQ(glb.primitive()["targets"].size(), 299u);
  const auto offsets = glb.vectors(glb.primitive()["targets"][100]["POSITION"]);
  const auto& accessor =
      glb.json["accessors"][glb.primitive()["targets"][100]["POSITION"].get<std::size_t>()];
  for (int k = 0; k < 3; ++k) {
    double least = INFINITY;
    for (const Vec3& p : offsets) least = std::min(least, p[k]);
    EXPECT_EQ(accessor["min"][static_cast<std::size_t>(k)], least);
  }
}

TEST_F(GlbWriting, WhatCannotBeWrittenIsAClearError) {
  const SourceMesh mesh = sphere(8, 4);
  const auto error = [&](const SourceMesh& m, const std::vector<double>& times) -> std::string {
    try {
      GlbWriter(folder_ / "a.glb", m, times);
    } catch (const InputError& e) {
      return e.what();
    }
    return "no error";
  };
  std::vector<double> endless(40000);
  for (std::size_t i = 0; i < endless.size(); ++i) endless[i] = double(i) / 24;
  EXPECT_THAT(error(mesh, endless), AllOf(HasSubstr("a.glb: 40000 frames"), HasSubstr("PC2 or MDD")));
  EXPECT_THAT(error(mesh, {0, 2, 1}), HasSubstr("a.glb: frame 2 at 1 s"));
  EXPECT_THAT(error(mesh, {0, NAN}), HasSubstr("frame 1 at nan s"));
  EXPECT_THAT(error(mesh, {}), HasSubstr("0 frames"));
  SourceMesh points;
  points.positions = mesh.positions;
  EXPECT_THAT(error(points, {0}), HasSubstr("no faces"));
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

}  // namespace
}  // namespace cutis
