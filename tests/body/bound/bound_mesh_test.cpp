#include "cutis/body/bound/bound_mesh.h"

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "support/meshes.h"
#include "support/still_body.h"

namespace cutis {
namespace {

using test::StillBody;

/// A sphere around the origin of the given radius [m].
SourceMesh sphere(double radius, const Vec3& centre = Vec3::Zero()) {
  const Mesh unit = test::icosphere(3);
  SourceMesh mesh;
  for (const Vec3& p : unit.positions) mesh.positions.push_back(centre + radius * p);
  for (FaceId f : ids<FaceId>(unit.face_count())) {
    std::vector<SourceVertexId> corners;
    for (VertexId v : unit.face(f)) corners.emplace_back(v.value);
    mesh.add_face(corners);
  }
  return mesh;
}

std::unique_ptr<const Body> still(SourceMesh mesh) { return std::make_unique<StillBody>(std::move(mesh)); }

/// A patch of the sphere's own faces, a little above it.
SourceMesh patch(const SourceMesh& of, double above) {
  SourceMesh mesh;
  for (const Vec3& p : of.positions) mesh.positions.push_back(p + above * p.normalized());
  for (FaceId f : ids<FaceId>(of.face_count()))
    if (of.positions[of.face(f)[0]].z() > 0.5 * of.positions[SourceVertexId(0)].norm())
      mesh.add_face(of.face(f));
  return mesh;
}

/// Skin that turns about z, the more the higher it lies, and swells.
Vec3 twisted(const Vec3& p) { return Eigen::AngleAxisd(0.3 * (1 + p.z()), Vec3::UnitZ()) * (1.05 * p); }

Points all(const Points& points, const std::function<Vec3(const Vec3&)>& moved) {
  Points result;
  for (const Vec3& p : points) result.push_back(moved(p));
  return result;
}

TEST(BoundMesh, GoesWithSkinThatMovesAsAWhole) {
  const StillBody skin(sphere(1));
  const Mat3 turn = Eigen::AngleAxisd(1.2, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  const auto moved = [&](const Vec3& p) -> Vec3 { return turn * p + Vec3(1, 2, 3); };
  for (const char* name : {"cape hair", "teeth"}) {
    const BoundMesh bound(skin, still(patch(skin.source(), 0.05)), name);
    const SourcePoints points = bound.positions(skin.mesh().positions, all(skin.mesh().positions, moved), 0);
    for (SourceVertexId v : ids<SourceVertexId>(points.size()))
      EXPECT_LT((points[v] - moved(bound.mesh().source().positions[v])).norm(), 1e-8) << name;
  }
}

TEST(BoundMesh, StaysWhereItIsBesideSkinThatFollowsTheAnimation) {
  const StillBody skin(sphere(1));
  const BoundMesh bound(skin, still(sphere(0.2, {0, 0, 1.1})), "shirt");
  const SourcePoints points = bound.positions(skin.mesh().positions, skin.mesh().positions, 0);
  for (SourceVertexId v : ids<SourceVertexId>(points.size()))
    EXPECT_LT((points[v] - bound.mesh().source().positions[v]).norm(), 1e-12);
}

TEST(BoundMesh, WhatLiesOnSkinStaysOnItsPlace) {
  const StillBody skin(sphere(1));
  const BoundMesh bound(skin, still(patch(skin.source(), 0)), "hair");
  EXPECT_EQ(bound.rigid_pieces(), 0u);
  const Points carried = all(skin.mesh().positions, twisted);
  const SourcePoints points = bound.positions(skin.mesh().positions, carried, 0);
  for (SourceVertexId v : ids<SourceVertexId>(points.size()))
    EXPECT_LT((points[v] - carried[skin.weld().vertex_of[v]]).norm(), 1e-12);
}

TEST(BoundMesh, WhatHangsOnlyFarAwayFollowsTheAnimation) {
  const StillBody skin(sphere(1));
  const BoundMesh bound(skin, still(sphere(0.1, {0, 0, 3})), "flag cloth");
  const SourcePoints points = bound.positions(skin.mesh().positions, all(skin.mesh().positions, twisted), 0);
  for (SourceVertexId v : ids<SourceVertexId>(points.size()))
    EXPECT_LT((points[v] - bound.mesh().source().positions[v]).norm(), 1e-12);
}

TEST(BoundMesh, EyesKeepTheirShape) {
  const StillBody skin(sphere(1));
  const BoundMesh bound(skin, still(sphere(0.2, {0, 0, 0.95})), "LeftEye");
  EXPECT_EQ(bound.rigid_pieces(), 1u);
  const SourcePoints& rest = bound.mesh().source().positions;
  const SourcePoints points = bound.positions(skin.mesh().positions, all(skin.mesh().positions, twisted), 0);
  double furthest = 0;
  for (SourceVertexId v : ids<SourceVertexId>(points.size())) {
    EXPECT_NEAR((points[v] - points[SourceVertexId(0)]).norm(), (rest[v] - rest[SourceVertexId(0)]).norm(),
                1e-9);
    furthest = std::max(furthest, (points[v] - rest[v]).norm());
  }
  EXPECT_GT(furthest, 0.03);  // it goes outwards with the skin and turns with it
}

}  // namespace
}  // namespace cutis
