#include "cutis/body/procedural/procedural_bodies.h"

#include <algorithm>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/surface/mesh/topology.h"
#include "cutis/surface/mesh/weld.h"

namespace cutis {
namespace {

/// How many borders a member has; those not named here are closed.
const std::map<std::string, std::size_t> kBorders = {
    {"sheet", 1}, {"bump", 1}, {"patch", 1}, {"cylinder", 2}};

double volume(const Mesh& mesh) {
  double sum = 0;
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    const auto face = mesh.face(f);
    for (std::size_t i = 1; i + 1 < face.size(); ++i)
      sum += mesh.positions[face[0]].dot(mesh.positions[face[i]].cross(mesh.positions[face[i + 1]])) / 6;
  }
  return sum;
}

SourceMesh mesh_of(const ProceduralShape& shape) {
  if (const auto* analytic = std::get_if<AnalyticShape>(&shape)) return analytic->mesh;
  return std::get<Character>(shape).meshes.at(0).mesh;
}

std::vector<std::string> clips_of(const ProceduralShape& shape) {
  std::vector<std::string> names;
  if (const auto* analytic = std::get_if<AnalyticShape>(&shape))
    for (const AnalyticMotion& motion : analytic->motions) names.push_back(motion.name);
  else
    for (const Clip& clip : std::get<Character>(shape).clips) names.push_back(clip.name);
  return names;
}

class Cast : public testing::TestWithParam<ProceduralBody> {};

TEST_P(Cast, IsOneWeldedSurfaceThatFacesOutwards) {
  const auto borders = kBorders.find(GetParam().name);
  for (double edge : {GetParam().default_edge, 2 * GetParam().default_edge}) {
    const SourceMesh mesh = mesh_of(GetParam().make(edge));
    const Weld welded = weld(mesh, 1e-9);
    EXPECT_EQ(welded.mesh.vertex_count(), mesh.vertex_count());
    EXPECT_EQ(welded.dropped_faces, 0);
    const Topology topology(welded.mesh);
    EXPECT_EQ(topology.border_loops().size(), borders == kBorders.end() ? 0 : borders->second);
    // A flat sheet lies in the plane through the origin and holds no volume.
    EXPECT_GE(volume(welded.mesh), 0);
    if (borders == kBorders.end()) {
      EXPECT_GT(volume(welded.mesh), 0);
    }
  }
}

TEST_P(Cast, ResolutionIsTheEdgeLengthAndTheSameMeshComesOutTwice) {
  const auto mean_edge = [](const SourceMesh& mesh) {
    double sum = 0;
    for (FaceId f : ids<FaceId>(mesh.face_count())) {
      const auto face = mesh.face(f);
      for (std::size_t i = 0; i < face.size(); ++i)
        sum += (mesh.positions[face[i]] - mesh.positions[face[(i + 1) % face.size()]]).norm();
    }
    return sum / static_cast<double>(mesh.corner_count());
  };
  for (double edge : {GetParam().default_edge, 2 * GetParam().default_edge}) {
    const SourceMesh mesh = mesh_of(GetParam().make(edge)), again = mesh_of(GetParam().make(edge));
    EXPECT_NEAR(mean_edge(mesh), edge, 0.25 * edge);
    EXPECT_EQ(mesh.positions.raw(), again.positions.raw());
    EXPECT_EQ(mesh.corners.raw(), again.corners.raw());
  }
}

TEST_P(Cast, HasUvsInTheUnitSquare) {
  const SourceMesh mesh = mesh_of(GetParam().make(GetParam().default_edge));
  ASSERT_EQ(mesh.uvs.size(), mesh.corner_count());
  for (const Vec2& uv : mesh.uvs) {
    EXPECT_GE(uv.minCoeff(), 0);
    EXPECT_LE(uv.maxCoeff(), 1);
  }
}

TEST_P(Cast, WeightsOfACharacterSumToOne) {
  const ProceduralShape shape = GetParam().make(GetParam().default_edge);
  const auto* character = std::get_if<Character>(&shape);
  if (!character || character->meshes.at(0).skin < 0) return;  // moves without joints
  const MeshInstance& instance = character->meshes.at(0);
  const Influences& influences = instance.influences;
  ASSERT_EQ(influences.offsets.size(), instance.mesh.vertex_count() + 1);
  for (std::size_t v = 0; v + 1 < influences.offsets.size(); ++v) {
    double sum = 0;
    for (int i = influences.offsets[v]; i < influences.offsets[v + 1]; ++i) sum += influences.weights[i];
    EXPECT_NEAR(sum, 1, 1e-12);
  }
}

TEST_P(Cast, UvChartsKeepTheirOrientationAndDoNotFold) {
  const SourceMesh mesh = mesh_of(GetParam().make(GetParam().default_edge));
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

double farthest(const SourcePoints& a, const SourcePoints& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, (a.raw()[i] - b.raw()[i]).norm());
  return most;
}

TEST_P(Cast, EveryClipMoves) {
  EXPECT_EQ(GetParam().clips, clips_of(GetParam().make(GetParam().default_edge)));
  ASSERT_FALSE(GetParam().clips.empty());
  for (const std::string& clip : GetParam().clips) {
    RigChoice choice;
    choice.clip = clip;
    const auto body = open_cast_member(GetParam().name, 2 * GetParam().default_edge, choice);
    const Interval time = body->duration();
    double travel = 0;
    for (int i = 0; i <= 12; ++i)
      travel = std::max(travel, farthest(body->source_positions(time.begin + time.length() * i / 12),
                                         body->source().positions));
    EXPECT_GT(travel, 0.04 * bounding_diagonal(body->source().positions.raw())) << clip;
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
                testing::StartsWith("body \"arn\": no such body; did you mean \"arm\"?; there are: "));
  }
  EXPECT_THROW(make_cast_member("arm", 1e-6), InputError);
  EXPECT_THROW(make_cast_member("arm", -1), InputError);
}

}  // namespace
}  // namespace cutis
