#include "cutis/energy/rest_shape.h"

#include <cmath>

#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "energy/plain_neo_hookean.h"
#include "support/meshes.h"

namespace cutis::test {
namespace {

const std::array<VertexId, 3> ids{VertexId(0), VertexId(1), VertexId(2)};
const std::array corners{Vec3(0.1, 0, 0.3), Vec3(0.4, 0.1, 0.2), Vec3(0.2, 0.5, 0.1)};

RestTriangle rest() { return rest_triangle(corners[0], corners[1], corners[2]); }
Points rest_points() { return Points(std::vector<Vec3>(corners.begin(), corners.end())); }

Mat32 deformation_at_rest(const SkinFace& face) {
  const MembraneEnergy sheet({membrane_element(ids, rest(), face)}, std::make_shared<PlainNeoHookean>(1, 1));
  return sheet.deformation(0, rest_points());
}

TEST(RestShape, WithoutPrestretchNothingIsDeformed) {
  const Vec3 along = (corners[2] - corners[0]).normalized();
  const Mat32 F = deformation_at_rest({3 * along, 1, 1, 1e-3});
  EXPECT_LT((F.transpose() * F - Mat2::Identity()).norm(), 1e-14);
  EXPECT_LT((F.col(0) - along).norm(), 1e-14);  // the x axis of the rest frame is the fibre
  const MembraneElement element = membrane_element(ids, rest(), {along, 1, 1, 1e-3});
  EXPECT_NEAR(element.volume, 1e-3 * rest().area, 1e-18);
  EXPECT_GT(element.rest_inverse.determinant(), 0);
}

TEST(RestShape, PrestretchPullsAlongTheDirectionAndAcrossIt) {
  const Vec3 along = (corners[1] + corners[2] - 2 * corners[0]).normalized();
  const Mat32 F = deformation_at_rest({along, 0.875, 0.95, 1e-3});
  EXPECT_LT((F.col(0) - along / 0.875).norm(), 1e-14);
  EXPECT_NEAR(F.col(1).norm(), 1 / 0.95, 1e-14);
  EXPECT_NEAR(F.col(0).dot(F.col(1)), 0, 1e-14);
  EXPECT_NEAR(membrane_element(ids, rest(), {along, 0.875, 0.95, 1e-3}).volume,
              0.875 * 0.95 * 1e-3 * rest().area, 1e-18);
}

TEST(RestShape, OnlyThePartOfADirectionInThePlaneCounts) {
  const Vec3 along = (corners[1] - corners[0]).normalized();
  const Vec3 normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalized();
  EXPECT_LT(
      (deformation_at_rest({along + 5 * normal, 0.8, 1, 1}) - deformation_at_rest({along, 0.8, 1, 1})).norm(),
      1e-13);
  // Along the normal, or none: every way alike.
  for (const Vec3& none : {normal, Vec3(Vec3::Zero())}) {
    const Mat32 F = deformation_at_rest({none, 0.8, 0.3, 1});
    EXPECT_LT((F.transpose() * F - Mat2::Identity() / 0.64).norm(), 1e-13);
  }
}

/// With a rest shape that is the geometry stretched by a known G, the triangle at rest has F = G⁻¹ in it, and
/// the fibre is carried along as a line drawn on the skin.
TEST(RestShape, AnotherShapeCarriesTheDirection) {
  Mat2 G;
  G << 1.2, 0.3, -0.1, 0.8;
  const Mat2 sides = G * rest().inverse.inverse();
  const Vec2 drawn(0.6, 0.8);
  const MembraneEnergy sheet({membrane_element(ids, rest(), sides, {rest().axes * drawn, 1, 1, 1})},
                             std::make_shared<PlainNeoHookean>(1, 1));
  const Mat32 F = sheet.deformation(0, rest_points());
  EXPECT_NEAR(F.squaredNorm(), G.inverse().squaredNorm(), 1e-13);
  // x of the rest frame is G drawn, shortened to one: F takes it to drawn / |G drawn|.
  EXPECT_LT((F.col(0) - rest().axes * drawn / (G * drawn).norm()).norm(), 1e-13);
}

TEST(RestShape, BadInputIsRefusedAndDegenerateTrianglesCarryNothing) {
  Mesh mesh = sheet(2, 2, 0.1, 1);
  std::vector<SkinFace> faces(mesh.face_count(), {Vec3::UnitX(), 0.9, 1, 1e-3});
  faces[3].thickness = 0;
  EXPECT_THROW(membrane_elements(mesh, faces), InputError);
  faces[3].thickness = 1e-3;
  faces[5].along = -1;
  EXPECT_THROW(membrane_elements(mesh, faces), InputError);
  faces[5].along = 1;
  for (VertexId v : mesh.face(FaceId(0))) mesh.positions[v] = Vec3(v.value, 0, 0);
  const auto elements = membrane_elements(mesh, faces);
  EXPECT_EQ(elements[0].volume, 0);
  EXPECT_TRUE(elements[0].rest_inverse.isZero(0));
}

}  // namespace
}  // namespace cutis::test
