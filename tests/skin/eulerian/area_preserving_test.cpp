// Skin that keeps its area, on a body that keeps its own as a whole but not everywhere.
#include <cmath>
#include <iostream>
#include <numbers>

#include <gtest/gtest.h>

#include "cutis/skin/eulerian/eulerian.h"
#include "cutis/surface/mesh/deformation.h"
#include "skin/lagrangian/lagrangian_bodies.h"
#include "support/meshes.h"

namespace cutis {
namespace {

using namespace test;
using std::numbers::pi;

constexpr double kLength = 0.4, kSwell = 0.3;

/// A tube that swells here and grows thin there, by up to 30 %.
Vec3 swelling(const Vec3& x, double t) {
  const double wide = 1 + kSwell * t * std::sin(2 * pi * x.z() / kLength);
  return {wide * x.x(), wide * x.y(), x.z()};
}

/// |ln J| over all triangles, root of the mean square.
double area_change(const SkinState& state) {
  double sum = 0;
  for (const Mat32& F : state.deformation) {
    const double change = std::log(F.col(0).cross(F.col(1)).norm());
    sum += change * change / static_cast<double>(state.deformation.size());
  }
  return std::sqrt(sum);
}

template <class Slide, class Options>
SkinState settled(const Body& body, const Options& options) {
  Slide skin(body, options);
  for (int i = 0; i <= 4; ++i) {
    const StepReport report = skin.advance(i / 4.0);
    EXPECT_TRUE(report.converged) << i << ": " << report.reason << ", " << report.residual;
  }
  return skin.skin();
}

TEST(AreaPreserving, SkinSlidesToKeepItsAreaInBothMethods) {
  const Mesh mesh = cylinder(24, 40, 0.05, kLength);
  const auto body = moving_body(mesh, swelling);
  EulerianOptions flowing;
  flowing.material = simple_material(MaterialModel::StableNeoHookean, 3e4, 0.3);
  flowing.integrator = Integrator::Static;
  LagrangianOptions sliding;
  const double plain = area_change(settled<EulerianSlide>(*body, flowing));
  flowing.area_preserving = true;
  static_cast<SkinOptions&>(sliding) = flowing;
  sliding.fixed = vertices_where(mesh, [](const Vec3& x) { return x.z() < 1e-9 || x.z() > kLength - 1e-9; });
  const double kept = area_change(settled<EulerianSlide>(*body, flowing)),
               kept_by_lagrangian = area_change(settled<LagrangianSlide>(*body, sliding));
  std::cout << "ln J, root mean square: " << plain << "; of skin that keeps its area " << kept
            << ", by the Lagrangian method " << kept_by_lagrangian << "\n";
  EXPECT_GT(plain, 0.1);
  EXPECT_LT(kept, 0.02);
  EXPECT_NEAR(kept, kept_by_lagrangian, 0.005);
}

}  // namespace
}  // namespace cutis
