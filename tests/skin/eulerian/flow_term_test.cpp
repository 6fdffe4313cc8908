// The energy of skin that flows through triangles, and its gradient.
#include "cutis/skin/eulerian/flow_term.h"

#include <algorithm>
#include <iostream>

#include <gtest/gtest.h>

#include "cutis/skin/eulerian/eulerian_model.h"
#include "skin/lagrangian/lagrangian_bodies.h"
#include "support/meshes.h"

namespace cutis {
namespace {

using namespace test;

// Means of the axes of faces lie in another plane than a triangle between points of the skin: turned into it
// from there in each evaluation, they would also turn within it when it tilts, and the gradient would miss
// that.
TEST(FlowTerm, GradientIsThatOfTheEnergyWithPrestretchOnCurvedSkin) {
  const Mesh mesh = torus(20, 10, 0.2, 0.08);
  const auto body = moving_body(mesh, hold_still);
  EulerianOptions options;
  options.material = simple_material(MaterialModel::StableNeoHookean, 3e4, 0.3);
  options.prestretch.assign(mesh.vertex_count(), 0.8);
  options.prestretch_across.assign(mesh.vertex_count(), 1.0);
  EulerianModel model(*body, options);
  SkinProblem& problem = model.problem;
  SkinPoints points;
  for (VertexId v : ids<VertexId>(mesh.vertex_count())) {
    SurfacePoint p = model.surface.home(v);
    p.barycentric = 0.7 * p.barycentric + Vec3::Constant(0.1);
    points.push_back(p);
  }
  problem.start(model.surface.on_surface(), points);
  model.flow.set_body(model.surface.on_surface(), problem.state());
  problem.start_again();
  const Eigen::VectorXd gradient = problem.gradient();
  const double h = 1e-6, scale = gradient.cwiseAbs().maxCoeff();
  double worst = 0;
  for (Eigen::Index i = 0; i < gradient.size(); i += 7) {
    const Eigen::VectorXd unit = Eigen::VectorXd::Unit(gradient.size(), i);
    const double slope = (problem.trial(unit, h) - problem.trial(unit, -h)) / (2 * h);
    worst = std::max(worst, std::abs(slope - gradient[i]) / scale);
  }
  std::cout << "off by " << worst << " of the largest entry\n";
  EXPECT_LT(worst, 1e-6);
}

}  // namespace
}  // namespace cutis
