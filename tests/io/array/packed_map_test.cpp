#include "cutis/io/array/packed_map.h"

#include <cmath>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/core/parallel.h"
#include "cutis/io/gltf/gltf_reader.h"
#include "cutis/surface/geodesic/closest_point.h"
#include "cutis/surface/mesh/surface.h"
#include "cutis/surface/mesh/triangle_mesh.h"
#include "cutis/surface/mesh/weld.h"
#include "support/meshes.h"
#include "support/support.h"

namespace cutis {
namespace {

using testing::HasSubstr;

constexpr double kTurn = 2 * std::numbers::pi;
constexpr int kKeyEvery = 24;

double longest_side(const Mesh& mesh, FaceId f) {
  const auto face = mesh.face(f);
  double longest = 0;
  for (int k = 0; k < 3; ++k)
    longest = std::max(longest, (mesh.positions[face[k]] - mesh.positions[face[(k + 1) % 3]]).norm());
  return longest;
}

SurfacePoint somewhere(std::size_t faces, test::Random& random) {
  const double a = random(), b = random();
  const Vec3 inside = a + b < 1 ? Vec3(1 - a - b, a, b) : Vec3(a + b - 1, 1 - a, 1 - b);
  return {FaceId(random.below(static_cast<int>(faces))), inside};
}

QuantizedMap scattered(const Mesh& mesh, std::size_t points, test::Random& random) {
  QuantizedMap map;
  for (std::size_t i = 0; i < points; ++i) map.push_back(quantized(somewhere(mesh.face_count(), random)));
  return map;
}

/// The skin of a mesh pushed about within its surface by a smooth field, there and back in four seconds.
std::vector<QuantizedMap> slid(const Mesh& mesh, double far, double wavelength, int frames) {
  const ClosestPointTree tree(mesh, mesh.positions);
  const auto normals = angle_weighted_normals(mesh, mesh.positions);
  std::vector<QuantizedMap> maps(static_cast<std::size_t>(frames), QuantizedMap(mesh.vertex_count()));
  parallel_for(mesh.vertex_count(), [&](std::size_t i) {
    const Vec3 &p = mesh.positions[VertexId(i)], &n = normals[VertexId(i)];
    const Vec3 wave = (kTurn / wavelength * p).array().sin();
    const Vec3 field = Vec3(wave.y() + wave.z(), wave.z() - wave.x(), 1 + wave.x()) / 2;
    const Vec3 push = far * (field - n * n.dot(field));
    for (std::size_t k = 0; k < maps.size(); ++k)
      maps[k][i] = quantized(tree(p + std::sin(kTurn * double(k) / 96) * push).point);
  });
  return maps;
}

std::vector<Bytes> packed(const MapPacker& packer, const std::vector<QuantizedMap>& frames) {
  std::vector<Bytes> result;
  std::vector<QuantizedMap> before;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (i % kKeyEvery == 0) before.clear();
    result.push_back(packer.pack(frames[i], before));
    before.insert(before.begin(), frames[i]);
    before.resize(std::min<std::size_t>(before.size(), 2));
  }
  return result;
}

/// Packs and unpacks the frames, which must be the same again; the size over that of float32 positions.
double share_of_float32(const Mesh& mesh, const std::vector<QuantizedMap>& frames) {
  const MapPacker packer(index_triangles(mesh));
  std::vector<QuantizedMap> before;
  double size = 0, plain = 0;
  std::size_t number = 0;
  for (const Bytes& bytes : packed(packer, frames)) {
    if (MapPacker::frames_needed(bytes, "f") == 0) before.clear();
    QuantizedMap back = packer.unpack(bytes, frames[number].size(), before, "f");
    EXPECT_TRUE(back == frames[number]) << "frame " << number;
    before.insert(before.begin(), std::move(back));
    before.resize(std::min<std::size_t>(before.size(), 2));
    size += double(bytes.size());
    plain += double(frames[number++].size()) * 12;
  }
  return size / plain;
}

TEST(QuantizedPoint, LiesWithinTheStatedErrorOfThePoint) {
  test::Random random(1);
  for (const auto& [name, mesh] : test::mesh_families()) {
    double worst = 0;
    for (int i = 0; i < 2000; ++i) {
      const SurfacePoint p = somewhere(mesh.face_count(), random), q = expanded(quantized(p));
      ASSERT_EQ(p.face, q.face);
      const double off = (interpolate(mesh, mesh.positions, p) - interpolate(mesh, mesh.positions, q)).norm();
      worst = std::max(worst, off / longest_side(mesh, p.face));
    }
    EXPECT_LT(worst, 2.0 / 3 / kMapSteps * (1 + 1e-9)) << name;  // 4.1e-5, as stated
    EXPECT_GT(worst, 0.3 / kMapSteps) << name;
  }
}

TEST(QuantizedPoint, CornersStayCornersAndWhatIsQuantizedStaysAsItIs) {
  for (int k = 0; k < 3; ++k)
    EXPECT_EQ(expanded(quantized({FaceId(4), Vec3::Unit(k)})).barycentric, Vec3::Unit(k));
  EXPECT_EQ(quantized({FaceId(4), Vec3(-1e-9, 0.5, 0.5)}).second + 0, (kMapSteps + 1) / 2);
  EXPECT_EQ(expanded(quantized({FaceId(4), Vec3(-1e-9, 0.25, 0.75)})).barycentric[0], 0);
  test::Random random(2);
  for (int i = 0; i < 20000; ++i) {
    const QuantizedPoint q = quantized(somewhere(100, random));
    EXPECT_EQ(quantized(expanded(q)), q);
    EXPECT_LE(q.second + q.third, kMapSteps);
  }
}

TEST(PackedMap, AnyMapComesBackToTheBit) {
  auto meshes = test::mesh_families();
  meshes.push_back({"fractured", test::fractured(test::icosphere(2), 0.3, 3)});
  test::Random random(3);
  for (const auto& [name, mesh] : meshes) {
    // Where triangles are only a list, more than two of them may share a side.
    std::vector<QuantizedMap> frames = slid(mesh, 0.1, 1, 6);
    frames.push_back(scattered(mesh, frames[0].size(), random));
    frames.push_back(scattered(mesh, frames[0].size(), random));
    frames.push_back(frames.back());
    SCOPED_TRACE(name);
    share_of_float32(mesh, frames);
  }
  share_of_float32(Mesh(), {QuantizedMap(), QuantizedMap()});
}

TEST(PackedMap, SkinThatDoesNotSlideCostsNothing) {
  const Mesh mesh = test::torus(164, 80, 1, 0.4);
  EXPECT_LT(share_of_float32(mesh, std::vector(24, slid(mesh, 0, 1, 1)[0])), 0.01);
}

TEST(PackedMap, ASlidingTorusTakesLessThanAQuarterOfFloat32) {
  // 13,120 vertices, 100 frames, slid by up to 2.6 edges.
  const Mesh mesh = test::torus(164, 80, 1, 0.4);
  const double share = share_of_float32(mesh, slid(mesh, 0.1, 2, 100));
  RecordProperty("share_of_float32", std::to_string(share));
  EXPECT_LT(share, 0.25);
}

TEST(PackedMap, ASlidingBodyTakesLessThanAQuarterOfFloat32) {
  const auto folder = test::data_folder();
  if (!folder) GTEST_SKIP() << "the shared characters are not there";
  const Character character =
      read_gltf(*folder / "makehuman-young-male/makehuman_young_male_default_rig.glb");
  const SourceMesh* body = &character.meshes.front().mesh;
  for (const MeshInstance& instance : character.meshes)
    if (instance.mesh.vertex_count() > body->vertex_count()) body = &instance.mesh;
  const Mesh mesh = triangulated(weld(*body, default_weld_tolerance(*body)).mesh).mesh;
  ASSERT_GT(mesh.vertex_count(), 10000u);
  RecordProperty("vertices", static_cast<int>(mesh.vertex_count()));
  // Up to 2 cm of sliding on a body of 1.7 m, also on fingers and ears.
  const double size = bounding_diagonal(mesh.positions.raw());
  const double share = share_of_float32(mesh, slid(mesh, size / 100, size / 4, 100));
  RecordProperty("share_of_float32", std::to_string(share));
  EXPECT_LT(share, 0.25);
}

class DamagedMap : public testing::Test {
 protected:
  Mesh mesh_ = test::torus(10, 6, 1, 0.4);
  MapPacker packer_{index_triangles(mesh_)};
  std::vector<QuantizedMap> frames_ = slid(mesh_, 0.1, 1, 3);
  std::vector<QuantizedMap> before_ = {frames_[1], frames_[0]};
  Bytes bytes_ = packer_.pack(frames_[2], before_);

  std::string refusal(const Bytes& bytes, std::span<const QuantizedMap> before) const {
    try {
      packer_.unpack(bytes, mesh_.vertex_count(), before, "000003.npz");
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::StartsWith("000003.npz: "));
      return error.what();
    }
    return "";
  }
};

TEST_F(DamagedMap, EveryTruncationAndEveryFlippedBitIsRefused) {
  EXPECT_EQ(refusal(bytes_, before_), "");
  for (std::size_t n = 0; n < bytes_.size(); ++n)
    EXPECT_NE(refusal(Bytes(bytes_.begin(), bytes_.begin() + n), before_), "") << n;
  for (std::size_t bit = 0; bit < 8 * bytes_.size(); ++bit) {
    Bytes bytes = bytes_;
    bytes[bit / 8] ^= 1 << (bit % 8);
    // A flipped bit may leave what is unpacked as it was (zlib's own header has such bits); never another
    // map.
    const std::string said = refusal(bytes, before_);
    if (said.empty()) {
      EXPECT_EQ(packer_.unpack(bytes, mesh_.vertex_count(), before_, ""), frames_[2]) << bit;
    }
  }
  Bytes longer = bytes_;
  longer.push_back(0);
  EXPECT_NE(refusal(longer, before_), "");
}

TEST_F(DamagedMap, OtherFramesBeforeOtherMeshesAndOtherVersionsAreRefused) {
  std::vector<QuantizedMap> other = before_;
  other[1][5].second ^= 1;
  EXPECT_THAT(refusal(bytes_, other), HasSubstr("checksum"));
  EXPECT_THAT(refusal(bytes_, {}), HasSubstr("frames before it are missing"));
  EXPECT_EQ(MapPacker::frames_needed(bytes_, ""), 2);
  EXPECT_EQ(MapPacker::frames_needed(packer_.pack(frames_[0], {}), ""), 0);
  EXPECT_THROW(packer_.unpack(bytes_, 7, before_, "x"), InputError);
  EXPECT_THROW(MapPacker({}).unpack(bytes_, mesh_.vertex_count(), before_, "x"), InputError);
  Bytes later = bytes_;
  later[4] = 9;
  EXPECT_THAT(refusal(later, before_), HasSubstr("version 9"));
}

}  // namespace
}  // namespace cutis
