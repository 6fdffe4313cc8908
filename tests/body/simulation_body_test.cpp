#include "cutis/body/simulation_body.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "cutis/body/procedural/procedural_bodies.h"
#include "support/skinned.h"

namespace cutis {
namespace {

TEST(SimulationBody, HasTheJointsOfItsBody) {
  const std::unique_ptr<Body> finger = open_cast_member("finger", 0.002);
  const auto coarse = std::make_shared<const SimulationMesh>(finger->surface(), 0.004);
  const SimulationBody body(*finger, coarse);
  ASSERT_TRUE(body.skeleton());
  EXPECT_EQ(body.joints().size(), finger->joints().size());
  const Influences w = body.skeleton()->influences;
  ASSERT_EQ(w.offsets.size(), body.source().vertex_count() + 1);
  std::vector<std::size_t> rigid;
  for (std::size_t v = 0; v + 1 < w.offsets.size(); ++v) {
    std::vector<double> sums(body.joints().size(), 0);
    for (auto k = w.offsets[v]; k < w.offsets[v + 1]; ++k) sums[w.joints[k]] += w.weights[k];
    EXPECT_NEAR(std::accumulate(sums.begin(), sums.end(), 0.0), 1, 1e-12);
    if (std::ranges::max(sums) > 1 - 1e-9) rigid.push_back(v);
  }
  const double time = 0.6 * finger->duration().end;
  EXPECT_EQ(body.joint_transforms(time), finger->joint_transforms(time));
  // Where two joints share a triangle, weights and places are linear over it, and their product is not.
  const SourcePoints skinned = test::skinned(body, time), smooth = body.smooth_positions(time);
  EXPECT_GT(rigid.size(), 10u);
  for (std::size_t v : rigid) EXPECT_LT((skinned.raw()[v] - smooth.raw()[v]).norm(), 1e-6);
  EXPECT_GT(test::largest_distance(body.source().positions, body.smooth_positions(time)), 0.005);
}

}  // namespace
}  // namespace cutis
