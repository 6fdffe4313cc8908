#include "cutis/flesh/distance/signed_distance.h"

#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/flesh/distance/outward_triangles.h"
#include "cutis/flesh/distance/winding_number.h"
#include "support/meshes.h"
#include "support/same_bits.h"

namespace cutis {
namespace {

/// Without the faces whose vertices all lie above `z`.
Mesh opened(const Mesh& mesh, double z) {
  Mesh open;
  open.positions = mesh.positions;
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    const auto v = mesh.face(f);
    if (mesh.positions[v[0]].z() < z || mesh.positions[v[1]].z() < z || mesh.positions[v[2]].z() < z)
      open.add_face(v);
  }
  return open;
}

Mesh inside_out(const Mesh& mesh) {
  Mesh turned;
  turned.positions = mesh.positions;
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    const auto v = mesh.face(f);
    turned.add_face(std::array<VertexId, 3>{v[0], v[2], v[1]});
  }
  return turned;
}

double winding(const Mesh& mesh, const Vec3& p) {
  return WindingNumber(mesh.positions.raw(), outward_triangles(mesh))(p);
}

}  // namespace

TEST(WindingNumber, CountsHowOftenTheSurfaceGoesRound) {
  const Mesh ball = test::icosphere(3);
  test::Random random(1);
  const WindingNumber number(ball.positions.raw(), outward_triangles(ball));
  for (int i = 0; i < 500; ++i) {
    const Vec3 p = 2 * random.in_cube();
    if (std::abs(p.norm() - 1) < 0.02) continue;
    EXPECT_NEAR(number(p), p.norm() < 1 ? 1 : 0, 0.05) << p.transpose();
  }
  const Mesh two = test::joined(ball, ball, Vec3(1, 0, 0));
  EXPECT_NEAR(winding(two, Vec3(0.5, 0, 0)), 2, 0.05);
  EXPECT_NEAR(winding(two, Vec3(-0.5, 0, 0)), 1, 0.05);
  EXPECT_NEAR(winding(inside_out(ball), Vec3::Zero()), 1, 0.05);
}

TEST(SignedDistance, OfABall) {
  const Mesh ball = test::icosphere(5);
  const SignedDistance distance(ball, 0.05);
  test::Random random(2);
  for (int i = 0; i < 1000; ++i) {
    const Vec3 p = 1.5 * random.in_cube();
    // Linear interpolation of a distance of curvature 2 errs by voxel² / 4, the flat triangles by 0.0005, and
    // OpenVDB's own distances by up to a tenth of a voxel where they are passed on from voxel to voxel.
    const double expected = p.norm() - 1;
    EXPECT_NEAR(distance(p), expected, std::abs(expected) < 0.04 ? 0.0015 : 0.005) << p.transpose();
    EXPECT_EQ(distance.clamped(p) < 0, distance(p) < 0);
    if (p.norm() < 0.3) continue;
    EXPECT_NEAR((distance.gradient(p) - p.normalized()).norm(), 0, 0.12);
  }
}

TEST(SignedDistance, ClosesHolesAndUnitesParts) {
  const Mesh ball = test::icosphere(4);
  const Mesh open = opened(ball, 0.9);
  const SignedDistance with_hole(open, 0.05);
  EXPECT_LT(with_hole(Vec3(0, 0, 0.7)), 0);
  EXPECT_GT(with_hole(Vec3(0, 0, 1.05)), 0);
  EXPECT_LT(with_hole(Vec3(0, 0, -0.9)), 0);
  const Mesh two = test::joined(ball, ball, Vec3(1, 0, 0));
  const SignedDistance united(two, 0.05);
  EXPECT_LT(united(Vec3(0.5, 0, 0)), 0);
  EXPECT_GT(united(Vec3(0.5, 0, 0.95)), 0);
}

TEST(SignedDistance, RefusesWhatIsNoSurface) {
  EXPECT_THROW(outward_triangles(Mesh()), InputError);
  Mesh broken = test::icosphere(1);
  broken.positions[VertexId(3)].x() = std::nan("");
  EXPECT_THROW(SignedDistance(broken, 0.1), InputError);
}

const bool signed_distance_bits = test::same_bits("SignedDistance", [] {
  const Mesh mesh = test::noisy(test::torus(40, 20, 1, 0.3), 0.3, 1);
  const SignedDistance distance(mesh, 0.03);
  test::Random random(1);
  std::vector<double> values;
  for (int i = 0; i < 20000; ++i)
    values.push_back(distance(1.4 * random.in_cube().cwiseProduct(Vec3(1, 1, 0.4))));
  return values;
});

}  // namespace cutis
