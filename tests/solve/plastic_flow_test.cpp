#include "cutis/solve/plastic_flow.h"

#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/Dense>

namespace cutis {
namespace {

TEST(PlasticFlow, FlowsBeyondTheYieldTowardsIt) {
  const double c = std::cos(0.4), s = std::sin(0.4);
  const Eigen::Matrix2d axes{{c, -s}, {s, c}};
  const Eigen::Vector2d held(0.4, -0.2);
  PlasticFlow<2> plastic(1, 0.1, 3);
  const auto strains = [&]() -> Eigen::Vector2d {
    return held - Eigen::Vector2d((axes.transpose() * plastic[0] * axes).diagonal().array().log());
  };
  for (int i = 1; i <= 40; ++i) {
    plastic.advance(0, strains(), axes, 0.05);
    const double largest = 0.1 + 0.3 * std::exp(-3 * 0.05 * i);
    EXPECT_NEAR(strains()[0], largest, 1e-9);
    EXPECT_NEAR(strains()[1], -largest / 2, 1e-9);
  }
  PlasticFlow<2> restored(1, 0.1, 3);
  restored.restore(plastic.save());
  EXPECT_EQ(restored[0], plastic[0]);
}

TEST(PlasticFlow, NothingFlowsBelowTheYield) {
  PlasticFlow<3> plastic(1, 0.1, 3);
  plastic.advance(0, {0.09, -0.09, 0}, Eigen::Matrix3d::Identity(), 1);
  EXPECT_EQ(plastic[0], Eigen::Matrix3d::Identity());
}

}  // namespace
}  // namespace cutis
