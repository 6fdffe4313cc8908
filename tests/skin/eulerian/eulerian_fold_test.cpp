// Skin at vertices where the body itself folds over.
#include <algorithm>
#include <cmath>
#include <iostream>

#include <gtest/gtest.h>

#include "cutis/skin/eulerian/eulerian.h"
#include "skin/lagrangian/lagrangian_bodies.h"
#include "support/meshes.h"

namespace cutis {
namespace {

using namespace test;

constexpr double kFolding = 0.02;  ///< [s]

/// A torus on whose outer rim some vertices are pushed over their neighbours, and then stay there.
std::unique_ptr<Body> folding_body(const Mesh& mesh) {
  return moving_body(mesh, [](const Vec3& x, double t) -> Vec3 {
    const double near = std::max(0.0, 1 - (x - Vec3(0.28, 0, 0)).norm() / 0.04);
    return x + std::min(1.0, t / kFolding) * near * Vec3(-0.03, 0.1, 0.03);
  });
}

double fastest(const EulerianSlide& skin) {
  double most = 0;
  for (const Vec3& velocity : skin.slide_velocities()) most = std::max(most, velocity.norm());
  return most;
}

// Where triangles around a vertex are turned over, skin may be carried to the wrong side: what elasticity
// takes back in one step would then make it faster in the next, and go on for good.
TEST(Eulerian, SkinInAFoldOfTheBodyComesToRest) {
  for (const unsigned seed : {1u, 3u}) {
    Mesh mesh = torus(48, 20, 0.2, 0.08);
    Random random(seed);
    for (Vec3& x : mesh.positions) x += 0.002 * Vec3(random(-1, 1), random(-1, 1), random(-1, 1));
    const auto body = folding_body(mesh);
    EulerianOptions options;
    options.material = simple_material(MaterialModel::StableNeoHookean, 1e5, 0.3);
    options.slide_limit.assign(mesh.vertex_count(), 0.004);
    options.time_step = 1e-3;
    EulerianSlide skin(*body, options);
    for (int i = 0; i <= 4; ++i) EXPECT_TRUE(skin.advance(i * kFolding).converged);
    std::cout << "jitter " << seed << ": fastest skin after the fold " << fastest(skin) << " m/s\n";
    EXPECT_LT(fastest(skin), 1);  // 3 m/s where velocities go on there
  }
}

}  // namespace
}  // namespace cutis
