#include "cutis/body/cast/cast.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/surface/topology.h"
#include "cutis/surface/weld.h"

namespace cutis {
namespace {

double volume(const Mesh& mesh) {
  double sum = 0;
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    const auto face = mesh.face(f);
    for (std::size_t i = 1; i + 1 < face.size(); ++i)
      sum += mesh.positions[face[0]].dot(mesh.positions[face[i]].cross(mesh.positions[face[i + 1]])) / 6;
  }
  return sum;
}

class Cast : public testing::TestWithParam<CastMember> {};

TEST_P(Cast, IsAClosedSurfaceThatFacesOutwards) {
  for (double edge : {GetParam().default_edge, 2 * GetParam().default_edge}) {
    const Character character = GetParam().make(edge);
    const Weld welded = weld(character.meshes.at(0).mesh, 1e-9);
    EXPECT_EQ(welded.mesh.vertex_count(), character.meshes[0].mesh.vertex_count());
    EXPECT_EQ(welded.dropped_faces, 0);
    const Topology topology(welded.mesh);
    EXPECT_TRUE(topology.border_loops().empty());
    EXPECT_GT(volume(welded.mesh), 0);
  }
}

TEST_P(Cast, HasUvsAndWeightsThatSumToOne) {
  const Character character = GetParam().make(GetParam().default_edge);
  const MeshInstance& instance = character.meshes.at(0);
  ASSERT_EQ(instance.mesh.uvs.size(), instance.mesh.corner_count());
  for (const Vec2& uv : instance.mesh.uvs) {
    EXPECT_GE(uv.minCoeff(), 0);
    EXPECT_LE(uv.maxCoeff(), 1);
  }
  const Influences& influences = instance.influences;
  ASSERT_EQ(influences.offsets.size(), instance.mesh.vertex_count() + 1);
  for (std::size_t v = 0; v + 1 < influences.offsets.size(); ++v) {
    double sum = 0;
    for (int i = influences.offsets[v]; i < influences.offsets[v + 1]; ++i) sum += influences.weights[i];
    EXPECT_NEAR(sum, 1, 1e-12);
  }
}

TEST_P(Cast, UvChartsKeepTheirOrientationAndDoNotFold) {
  const SourceMesh mesh = GetParam().make(GetParam().default_edge).meshes.at(0).mesh;
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    const std::size_t first = mesh.first_corner(f).index();
    double area = 0;
    for (std::size_t i = 1; i + 1 < mesh.face_size(f); ++i) {
      const Vec2 a = mesh.uvs.raw()[first + i] - mesh.uvs.raw()[first];
      const Vec2 b = mesh.uvs.raw()[first + i + 1] - mesh.uvs.raw()[first];
      area += a.x() * b.y() - a.y() * b.x();
    }
    EXPECT_GT(area, 0) << "face " << f.value;
  }
}

INSTANTIATE_TEST_SUITE_P(Members, Cast, testing::ValuesIn(cast()),
                         [](const auto& tested) { return tested.param.name; });

TEST(CastNames, AnUnknownNameIsAnsweredWithANearOne) {
  try {
    make_cast_member("arn");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                testing::StartsWith("body \"arn\": no such body; did you mean \"arm\"?; there are: arm"));
  }
  EXPECT_THROW(make_cast_member("arm", 1e-6), InputError);
  EXPECT_THROW(make_cast_member("arm", -1), InputError);
}

}  // namespace
}  // namespace cutis
