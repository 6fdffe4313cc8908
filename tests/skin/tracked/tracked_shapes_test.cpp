// What changes the shapes that tracked skin has without stress besides its target: plastic flow, and volume
// that is handed on.
#include <cmath>
#include <iostream>

#include <gtest/gtest.h>
#include <Eigen/LU>

#include "cutis/skin/skin_tissue.h"
#include "skin/tracked/tracked_bodies.h"
#include "support/meshes.h"

namespace cutis {
namespace {

using namespace test;

TEST(TrackedShapes, SkinKeepsADentWhereItYields) {
  // One half of a sheet is pulled away from the other for a second; then it has two seconds to come back.
  const Mesh mesh = sheet(12, 12, 0.2, 1);
  const auto body = moving_body(mesh, hold_still, 10);
  TrackedOptions options = tracked_options();
  options.targeting = DampedSpring::of(2, 0.7);
  KeyedForce pull;
  for (VertexId v : ids<VertexId>(mesh.vertex_count()))
    if (mesh.positions[v].x() > 0.5) pull.vertices.push_back(v);
  pull.times = {0, 0.1, 1, 1.1};
  pull.forces = {Vec3::Zero(), Vec3(8, 0, 0), Vec3(8, 0, 0), Vec3::Zero()};
  options.forces = {pull};
  const auto left = [&] {
    TrackedSlide skin(*body, options);
    for (int i = 0; i <= 72; ++i) skin.advance(i / 24.0);
    double most = 0;
    for (VertexId v : ids<VertexId>(mesh.vertex_count()))
      most = std::max(most, (skin.nodes()[v] - mesh.positions[v]).norm());
    return most;
  };
  const double elastic = left();
  options.plastic_yield = 0.02;
  options.plastic_rate = 5;
  const double plastic = left();
  std::cout << "left of a pull: elastic " << elastic << " m, plastic " << plastic << " m\n";
  EXPECT_LT(elastic, 1e-5);
  EXPECT_GT(plastic, 1e-3);
  options.plastic_yield = 0.5;
  EXPECT_LT(left(), 1e-5);
}

TEST(TrackedShapes, VolumeThatIsLostGoesToTheNeighbours) {
  // The middle fifth of a sheet is pressed to two thirds of its width, the rest comes closer as it is.
  const auto pressed = [](const Vec3& x, double t) -> Vec3 {
    const double share = rise(t, 0.5) / 3;
    return x - Vec3(share * (std::clamp(x.x(), 0.4, 0.6) - 0.5), 0, 0);
  };
  const auto body = moving_body(sheet(20, 10, 0, 1), pressed, 10);
  TrackedOptions options = tracked_options();
  options.targeting = DampedSpring::of(2, 0.7);
  double ratio[2], slide[2];
  for (int keeps = 0; keeps < 2; ++keeps) {
    options.keep_volume = keeps;
    TrackedSlide skin(*body, options);
    for (int i = 0; i <= 72; ++i) skin.advance(i / 24.0);
    const SkinTissue& tissue = *skin.tissue();
    double rest = 0, now = 0;
    for (std::size_t i = 0; i < tissue.rest.size(); ++i) {
      rest += tissue.rest[i].area * tissue.thickness[i];
      now += tissue.rest[i].area * tissue.thickness[i] / tissue.prestretch[i].determinant();
    }
    ratio[keeps] = now / rest;
    slide[keeps] = 0;
    const Points target = body->positions(3);
    for (VertexId v : ids<VertexId>(target.size()))
      slide[keeps] = std::max(slide[keeps], (skin.nodes()[v] - target[v]).norm());
  }
  std::cout << "volume without stress: " << ratio[0] << ", kept " << ratio[1] << "; slides " << slide[0]
            << ", " << slide[1] << " m\n";
  EXPECT_NEAR(ratio[0], 1 - 0.2 / 3, 1e-3);
  EXPECT_NEAR(ratio[1], 1, 0.01);
  // What has grown beside the middle pushes.
  EXPECT_LT(slide[0], 1e-5);
  EXPECT_GT(slide[1], 1e-3);
}

}  // namespace
}  // namespace cutis
