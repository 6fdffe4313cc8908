#include "cutis/energy/rest_from_motion.h"

#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include "support/meshes.h"
#include "support/same_bits.h"

namespace cutis::test {
namespace {

/// The triangles of a mesh, none sharing a vertex, so that each can turn in space without any change of
/// shape.
struct LooseTriangles {
  std::vector<IndexTriangle> triangles;
  std::vector<std::array<Vec3, 3>> corners;

  explicit LooseTriangles(const Mesh& mesh) {
    for (std::size_t f = 0; f < mesh.face_count(); ++f) {
      const auto v = mesh.face(FaceId(f));
      corners.push_back({mesh.positions[v[0]], mesh.positions[v[1]], mesh.positions[v[2]]});
      const int first = 3 * int(f);
      triangles.push_back({first, first + 1, first + 2});
    }
  }
  /// Each triangle turned and moved at random, after `shape` was applied to it.
  template <class Shape>
  Points pose(unsigned seed, const Shape& shape) const {
    Random random(seed);
    Points points;
    for (const auto& triangle : corners) {
      const Mat3 R = Eigen::AngleAxisd(random(0, 6), random.in_cube().normalized()).toRotationMatrix();
      const Vec3 shift = random.in_cube();
      for (const Vec3& corner : triangle) points.push_back(R * shape(corner) + shift);
    }
    return points;
  }
};

/// Squared lengths of the two sides and their product, which say all about a shape.
Vec3 metric(const Mat2& sides) {
  const Mat2 C = sides.transpose() * sides;
  return {C(0, 0), C(0, 1), C(1, 1)};
}
Vec3 metric(const std::array<Vec3, 3>& corners) {
  const Vec3 u = corners[1] - corners[0], v = corners[2] - corners[0];
  return {u.squaredNorm(), u.dot(v), v.squaredNorm()};
}

TEST(RestFromMotion, RecoversShapesFromPosesThatKeepThem) {
  const LooseTriangles loose(noisy(torus(12, 8, 0.1, 0.04), 0.2, 1));
  RestFromMotion rest(loose.triangles);
  for (unsigned pose = 0; pose < 7; ++pose) rest.add(loose.pose(pose, [](const Vec3& x) { return x; }));
  const auto sides = rest.sides();
  for (std::size_t t = 0; t < sides.size(); ++t) {
    const Vec3 expected = metric(loose.corners[t]);
    EXPECT_LT((metric(sides[t]) - expected).norm(), 1e-8 * expected.norm());
    EXPECT_EQ(sides[t](1, 0), 0);
    EXPECT_GT(sides[t](0, 0), 0);
    EXPECT_GT(sides[t](1, 1), 0);
  }
}

/// Eq. 9 for poses scaled by s: F = s / r, and sum (s² / r² - 1)² is least at r² = sum s⁴ / sum s².
TEST(RestFromMotion, ScaledPosesGiveTheirScale) {
  const LooseTriangles loose(sheet(3, 3, 0.3, 2));
  RestFromMotion rest(loose.triangles);
  double s2 = 0, s4 = 0;
  unsigned seed = 0;
  for (const double s : {0.6, 0.9, 1.0, 1.4, 2.1}) {
    rest.add(loose.pose(++seed, [s](const Vec3& x) { return Vec3(s * x); }));
    s2 += s * s;
    s4 += s * s * s * s;
  }
  const auto sides = rest.sides();
  for (std::size_t t = 0; t < sides.size(); ++t) {
    const Vec3 expected = metric(loose.corners[t]) * (s4 / s2);
    EXPECT_LT((metric(sides[t]) - expected).norm(), 1e-8 * expected.norm());
  }
}

/// For poses of any shape no rest shape nearby has less strain (and the one found is not where it began).
TEST(RestFromMotion, IsAMinimumOfTheStrain) {
  const LooseTriangles loose(sheet(2, 2, 0.3, 5));
  std::vector<Mat3> shapes;
  Random random(4);
  RestFromMotion rest(loose.triangles);
  for (unsigned pose = 0; pose < 6; ++pose) {
    Mat3 G = Mat3::Identity();
    for (double& g : G.reshaped()) g += random(-0.5, 0.5);
    shapes.push_back(G);
    rest.add(loose.pose(pose, [&](const Vec3& x) { return Vec3(G * x); }));
  }
  const auto all = rest.sides();
  for (std::size_t t = 0; t < all.size(); ++t) {
    const auto strain = [&](const Mat2& sides) {
      double sum = 0;
      for (const Mat3& G : shapes) {
        Mat32 edges;
        edges << G * (loose.corners[t][1] - loose.corners[t][0]),
            G * (loose.corners[t][2] - loose.corners[t][0]);
        const Mat32 F = edges * sides.inverse();
        sum += (F.transpose() * F - Mat2::Identity()).squaredNorm();
      }
      return sum;
    };
    const double least = strain(all[t]);
    for (int i = 0; i < 60; ++i) {
      Mat2 nearby = all[t];
      const double size = std::pow(10, -(i % 4)) * 0.3;
      for (double& s : nearby.reshaped()) s += random(-size, size) * all[t].norm();
      if (nearby.determinant() < 1e-3 * all[t].determinant()) continue;
      EXPECT_GT(strain(nearby), least * (1 - 1e-12));
    }
  }
}

TEST(RestFromMotion, HasNoShapeForTrianglesThatNeverHaveOne) {
  const Points line(std::vector<Vec3>{Vec3::Zero(), Vec3::UnitX(), 2 * Vec3::UnitX(), Vec3::UnitY()});
  RestFromMotion rest({{0, 1, 2}, {0, 1, 3}});
  EXPECT_TRUE(rest.sides()[1].isZero(0));  // no pose yet
  rest.add(line);
  const auto sides = rest.sides();
  EXPECT_TRUE(sides[0].isZero(0));
  EXPECT_LT((sides[1] - Mat2::Identity()).norm(), 1e-12);
}

const bool rest_from_motion_bits = same_bits("RestFromMotion", [] {
  const LooseTriangles loose(torus(40, 20, 1, 0.4));
  RestFromMotion rest(loose.triangles);
  for (unsigned pose = 0; pose < 3; ++pose)
    rest.add(loose.pose(pose, [&](const Vec3& x) { return Vec3(x.x() * (1 + 0.1 * pose), x.y(), x.z()); }));
  return rest.sides();
});

}  // namespace
}  // namespace cutis::test
