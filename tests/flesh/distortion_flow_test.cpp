#include "cutis/flesh/distortion_flow.h"

#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/Dense>

namespace cutis {
namespace {

TEST(DistortionFlow, FlowsBeyondTheYieldTowardsItAndKeepsTheVolume) {
  const Mat3 held = Vec3(std::exp(0.4), std::exp(-0.2), std::exp(-0.2)).asDiagonal();
  PlasticFlow<3> plastic(1, 0.1, 3);
  const auto strain = [&] { return std::log((held * plastic[0].inverse())(0, 0)); };
  for (int i = 1; i <= 40; ++i) {
    flow_in_shape(plastic, 0, held * plastic[0].inverse(), 0.05);
    EXPECT_NEAR(strain(), 0.1 + 0.3 * std::exp(-3 * 0.05 * i), 1e-9);
    EXPECT_NEAR(plastic[0].determinant(), 1, 1e-9);
  }
}

TEST(DistortionFlow, NothingFlowsBelowTheYieldOrInAChangeOfVolumeOrACollapse) {
  PlasticFlow<3> plastic(1, 0.1, 3);
  Mat3 inverted = Mat3::Identity();
  inverted(2, 2) = -1;
  for (const Mat3& F :
       {Mat3(Vec3(1.05, 1, 1).asDiagonal()), Mat3(2 * Mat3::Identity()), inverted, Mat3(Mat3::Zero())})
    flow_in_shape(plastic, 0, F, 0.1);
  EXPECT_LT((plastic[0] - Mat3::Identity()).norm(), 1e-12);
}

}  // namespace
}  // namespace cutis
