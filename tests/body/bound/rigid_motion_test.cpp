#include "cutis/body/bound/rigid_motion.h"

#include <vector>

#include <gtest/gtest.h>

namespace cutis {
namespace {

const Mat3 kTurn = Eigen::AngleAxisd(2.5, Vec3(1, -2, 0.5).normalized()).toRotationMatrix();

std::vector<Vec3> moved(const std::vector<Vec3>& points, const Mat3& turn) {
  std::vector<Vec3> result;
  for (const Vec3& p : points) result.push_back(turn * p + Vec3(3, 1, -2));
  return result;
}

TEST(RigidMotion, IsFoundFromPointsInSpaceAndInAPlane) {
  for (const double height : {0.7, 0.0}) {
    const std::vector<Vec3> points = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {1, 1, height}};
    const RigidMotion motion =
        fit_rigid_motion(points, moved(points, kTurn), std::vector<double>{1, 2, 1, 3});
    EXPECT_LT((motion.rotation - kTurn).norm(), 1e-8);
    EXPECT_LT((motion(Vec3(5, 5, 5)) - (kTurn * Vec3(5, 5, 5) + Vec3(3, 1, -2))).norm(), 1e-7);
  }
}

TEST(RigidMotion, IsTheNearestOneOfPointsThatChangeTheirShape) {
  const std::vector<Vec3> points = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
  const std::vector<Vec3> stretched = {{2, 0, 0}, {-2, 0, 0}, {0, 1, 0}, {0, -1, 0}};
  const RigidMotion motion = fit_rigid_motion(points, stretched, std::vector<double>(4, 1));
  EXPECT_LT((motion.rotation - Mat3::Identity()).norm(), 1e-8);
}

TEST(RigidMotion, MakesNoTurnThatItsPointsLeaveOpen) {
  const std::vector<Vec3> line = {{0, 0, 0}, {0, 0, 1}}, point = {{1, 2, 3}};
  const RigidMotion along = fit_rigid_motion(line, moved(line, Mat3::Identity()), std::vector<double>{1, 1});
  EXPECT_LT((along.rotation - Mat3::Identity()).norm(), 1e-6);
  EXPECT_EQ(fit_rigid_motion(point, moved(point, kTurn), std::vector<double>{1}).rotation, Mat3::Identity());
}

}  // namespace
}  // namespace cutis
