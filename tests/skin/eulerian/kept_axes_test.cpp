// A factor of one state of the skin, used at another.
#include <gtest/gtest.h>

#include "cutis/skin/eulerian/eulerian_model.h"
#include "cutis/solve/sparse_cholesky.h"
#include "skin/lagrangian/lagrangian_bodies.h"
#include "support/meshes.h"

namespace cutis {
namespace {

using namespace test;

/// Each vertex a tenth of the way along its first edge, as a point of the face before that edge or behind it.
SkinPoints along_first_edges(const Surface& surface, bool behind) {
  const Topology& topology = surface.topology();
  SkinPoints points;
  for (VertexId v : ids<VertexId>(surface.mesh().vertex_count())) {
    const HalfedgeId first = topology.halfedge(v), h = behind ? topology.twin(first) : first;
    const FaceId face = topology.face(h);
    SurfacePoint p{face, Vec3::Zero()};
    for (int k = 0; k < 3; ++k) {
      const VertexId corner = surface.mesh().face(face)[static_cast<std::size_t>(k)];
      if (corner == v) p.barycentric[k] = 0.9;
      if (corner == topology.to(first)) p.barycentric[k] = 0.1;
    }
    points.push_back(p);
  }
  return points;
}

TEST(SkinProblem, AFactorServesWherePointsHaveCrossedAnEdge) {
  const Mesh mesh = torus(24, 12, 0.2, 0.08);
  const auto body =
      moving_body(mesh, [](const Vec3& x, double t) -> Vec3 { return x * (1 + 0.1 * t * x.x()); });
  EulerianOptions options;
  options.material = simple_material(MaterialModel::StableNeoHookean, 3e4, 0.3);
  options.slide_limit.assign(mesh.vertex_count(), 0.02);
  EulerianModel model(*body, options);
  SkinProblem& problem = model.problem;
  const Points stretched = model.surface.on_surface(body->positions(1));
  problem.start(model.surface.on_surface(), along_first_edges(*model.rest, false));
  model.flow.set_body(stretched, problem.state());
  model.set_skin(problem.state());
  model.inertia.set_springs(model.surface.on_surface(),
                            IdVector<VertexId, double>(mesh.vertex_count(), 20.0));
  problem.start_again();

  SparseCholesky factor;
  const Eigen::VectorXd before = problem.gradient();
  factor.analyze(problem.hessian());
  ASSERT_TRUE(factor.factorize(problem.hessian()));
  problem.keep_axes();
  const Eigen::VectorXd step = factor.solve(before);
  EXPECT_LT((problem.from_kept_axes(factor.solve(problem.to_kept_axes(before))) - step).norm(),
            1e-12 * step.norm());

  // The same places, by other names and so in other axes.
  problem.start(along_first_edges(*model.rest, true));
  const Eigen::VectorXd after = problem.gradient();
  const Eigen::VectorXd by_old = problem.from_kept_axes(factor.solve(problem.to_kept_axes(after)));
  const Eigen::VectorXd blindly = factor.solve(after);
  ASSERT_TRUE(factor.factorize(problem.hessian()));
  const Eigen::VectorXd true_step = factor.solve(after);
  EXPECT_LT((by_old - true_step).norm(), 1e-3 * true_step.norm());
  EXPECT_GT((blindly - true_step).norm(), 0.5 * true_step.norm());
}

}  // namespace
}  // namespace cutis
