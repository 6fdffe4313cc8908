#include "cutis/skin/lagrangian/lagrangian_problem.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include "cutis/energy/compression_barrier.h"
#include "cutis/skin/problem/skin_elements.h"
#include "cutis/solve/newton.h"
#include "cutis/solve/sparse_cholesky.h"
#include "cutis/surface/mesh/triangle_measures.h"
#include "skin/lagrangian/lagrangian_bodies.h"
#include "support/meshes.h"

namespace cutis {
namespace {

using namespace test;

/// Skin on a torus that has been stretched along x, its vertices scattered about their places.
struct ScatteredSkin {
  Mesh mesh = quad_torus(16, 10, 1, 0.4);
  LagrangianOptions options;
  std::shared_ptr<const Surface> rest = std::make_shared<const Surface>(triangulated(mesh).mesh);
  std::optional<SlideSurface> surface;
  std::optional<SkinConstraints> constraints;
  SkinElements elements;
  std::optional<MembraneEnergy> membrane;
  std::optional<LigamentEnergy> ligaments;
  std::optional<SkinUnknowns> unknowns;
  std::optional<LagrangianProblem> problem;

  explicit ScatteredSkin(std::vector<SkinCurve> curves = {}) {
    options.curves = std::move(curves);
    options.material = simple_material(MaterialModel::StableNeoHookean, 1e5, 0.3);
    options.fixed = {VertexId(3), VertexId(40)};
    surface.emplace(mesh, triangulated(mesh), rest, SlidesOn::Cage);
    constraints.emplace(*surface, options);
    elements = skin_elements(*rest, options);
    membrane.emplace(elements.elements, std::make_shared<const CompressionBarrier>(options.material));
    std::vector<Ligament> ties;
    for (VertexId v : ids<VertexId>(mesh.vertex_count())) ties.push_back({v, 0.02, 0.1});
    ligaments.emplace(ties, LigamentLaw{10, 5, 20, 0});
    unknowns.emplace(elements.elements, *constraints, mesh.vertex_count());
    problem.emplace(*surface, *constraints, *unknowns, *ligaments, vertex_areas(rest->mesh()), 150);
    Points body = mesh.positions;
    for (Vec3& x : body) x.x() *= 1.2;
    surface->update(body);
    SkinPoints points(mesh.vertex_count());
    Random random(5);
    for (VertexId v : ids<VertexId>(mesh.vertex_count())) {
      const SurfaceJet jet = surface->evaluate(surface->home(v));
      const bool free = constraints->role(v) != SkinRole::Fixed;
      points[v] = surface->retract(surface->home(v), jet,
                                   free ? Vec2(0.04 * random(-1, 1), 0.04 * random(-1, 1)) : Vec2(0, 0));
    }
    problem->start(body, *membrane, points);
  }
};

TEST(SkinProblem, GradientAndHessianAreThoseOfTheEnergy) {
  ScatteredSkin skin;
  LagrangianProblem& problem = *skin.problem;
  const Eigen::VectorXd gradient = problem.gradient();
  const Eigen::SparseMatrix<double> lower = problem.hessian();
  const double energy = problem.energy();
  ASSERT_TRUE(std::isfinite(energy));
  Random random(8);
  for (int k = 0; k < 5; ++k) {
    Eigen::VectorXd step(gradient.size());
    for (double& x : step) x = random(-1, 1);
    const double slope = gradient.dot(step);
    const double bend = step.dot(lower.selfadjointView<Eigen::Lower>() * step);
    const double h = 1e-4;
    const double ahead = problem.trial(step, h), behind = problem.trial(step, -h);
    EXPECT_NEAR((ahead - behind) / (2 * h), slope, 1e-5 * gradient.norm() * step.norm());
    EXPECT_NEAR((ahead - 2 * energy + behind) / (h * h), bend, 2e-3 * std::abs(bend));
  }
}

TEST(SkinProblem, AlsoWhereATriangleLeansOnItsBarrier) {
  ScatteredSkin skin;
  LagrangianProblem& problem = *skin.problem;
  SkinPoints points = problem.points();
  const auto c = skin.unknowns->corners[120];
  const SurfaceJet jet = skin.surface->evaluate(points[c[0]]);
  const Vec3 way = (problem.positions()[c[1]] + problem.positions()[c[2]]) / 2 - problem.positions()[c[0]];
  points[c[0]] = skin.surface->retract(points[c[0]], jet, 0.9 * (jet.tangent.transpose() * way));
  const double energy = problem.start(points);
  ASSERT_TRUE(std::isfinite(energy));
  const SlideSurface at_rest(skin.mesh, triangulated(skin.mesh), skin.rest, SlidesOn::Cage);
  InversionBarrier::Places places(points.size());
  for (VertexId v : c) places[v] = at_rest.evaluate(points[v]);
  ASSERT_TRUE(InversionBarrier(at_rest, {{c[0], c[1], c[2]}}, 150).evaluate(0, points, places).active);
  const Eigen::VectorXd gradient = problem.gradient();
  const Eigen::MatrixXd lower = problem.hessian();
  for (VertexId v : c) {
    const int block = skin.unknowns->block[v];
    ASSERT_GE(block, 0);
    for (int k = 0; k < 2; ++k) {
      const Eigen::VectorXd step = Eigen::VectorXd::Unit(gradient.size(), 2 * block + k);
      const double h = 1e-5;
      const double ahead = problem.trial(step, h), behind = problem.trial(step, -h);
      const double bend = lower(2 * block + k, 2 * block + k);
      EXPECT_NEAR((ahead - behind) / (2 * h), gradient.dot(step), 1e-5 * gradient.norm());
      EXPECT_NEAR((ahead - 2 * energy + behind) / (h * h), bend, 1e-3 * std::abs(bend));
    }
  }
}

TEST(SkinProblem, OnCurvesTheGradientIsThatOfTheEnergyAlongThem) {
  const Mesh mesh = ScatteredSkin().mesh;
  SkinCurve wave{vertices_where(mesh, [](const Vec3& x) { return x.head<2>().norm() > 1.1; }), {}};
  for (int i = 0; i <= 40; ++i) {
    const double a = i * std::numbers::pi / 20, b = 0.3 * std::sin(2 * a), out = 1 + 0.4 * std::cos(b);
    wave.points.push_back({out * std::cos(a), out * std::sin(a), 0.4 * std::sin(b)});
  }
  ScatteredSkin skin({wave});
  LagrangianProblem& problem = *skin.problem;
  const Eigen::VectorXd gradient = problem.gradient();
  ASSERT_TRUE(std::isfinite(problem.energy()));
  const SkinPoints places = problem.points();
  int led = 0;
  for (VertexId v : wave.vertices) {
    const int block = skin.unknowns->block[v];
    if (skin.constraints->role(v) != SkinRole::OnCurve || block < 0) continue;
    const CurveConstraint::Place parallel = skin.constraints->on_curve(v, places[v]);
    if (parallel.begins || parallel.ends) continue;  // it moves one way only
    ++led;
    // What is left of the gradient lies along the parallel.
    Eigen::VectorXd step = Eigen::VectorXd::Zero(gradient.size());
    step.segment<2>(2 * block) = gradient.segment<2>(2 * block).normalized();
    const double h = 1e-5;
    const double ahead = problem.trial(step, h), behind = problem.trial(step, -h);
    EXPECT_NEAR((ahead - behind) / (2 * h), gradient.dot(step), 1e-6 * gradient.norm()) << v.value;
  }
  EXPECT_GT(led, 50);
}

TEST(SkinProblem, ModifiedHessiansAreDefinite) {
  ScatteredSkin skin;
  skin.problem->gradient();
  const Eigen::MatrixXd lower(*skin.problem->modified_hessian(1));
  const Eigen::MatrixXd whole = lower.selfadjointView<Eigen::Lower>();
  EXPECT_GT(Eigen::LDLT<Eigen::MatrixXd>(whole).vectorD().minCoeff(), 0);
  EXPECT_EQ(skin.problem->modified_hessian(2), nullptr);
}

TEST(SkinProblem, ASingleDisturbedPlaceIsSolvedWithoutAWholeStep) {
  ScatteredSkin skin;
  LagrangianProblem& problem = *skin.problem;
  SparseCholesky factor;
  NonlinearElimination elimination(problem);
  ASSERT_TRUE(minimize(problem, factor, {.tolerance = 1e-8}, &elimination).converged);
  const double rest = problem.energy();
  SkinPoints points = problem.points();
  const VertexId v = skin.unknowns->vertices[57];
  const SurfaceJet jet = skin.surface->evaluate(points[v]);
  points[v] = skin.surface->retract(points[v], jet, {0.05, 0.03});
  const double disturbed = problem.start(points);
  ASSERT_GT(disturbed, rest);
  const double forces = problem.gradient().norm();
  const double eliminated = elimination.eliminate_largest(1e-6 * (disturbed - rest));
  EXPECT_EQ(eliminated, problem.energy());
  EXPECT_LT(eliminated - rest, 0.02 * (disturbed - rest));
  // What it leaves to the next step is what is there.
  const Eigen::VectorXd gradient = problem.gradient();
  const Eigen::MatrixXd hessian = problem.hessian();
  EXPECT_NEAR(problem.start(SkinPoints(problem.points())), eliminated, 1e-12 * eliminated);
  EXPECT_LT((problem.gradient() - gradient).norm(), 1e-12 * forces);
  EXPECT_LT((Eigen::MatrixXd(problem.hessian()) - hessian).norm(), 1e-12 * hessian.norm());
}

TEST(CompressionBarrier, TheBarrierHasTheDerivativesItSays) {
  const CompressionBarrier material(simple_material(MaterialModel::StableNeoHookean, 1e5, 0.3));
  Mat32 F;
  F << 0.9, 0.1, 0.2, 0.07, -0.1, 0.03;
  ASSERT_LT(F.col(0).cross(F.col(1)).norm(), 0.1);
  const MembraneResponse at = material.evaluate(F, kExact);
  EXPECT_NEAR(at.energy, material.energy(F), 1e-9 * at.energy);
  EXPECT_NEAR(at.energy, material.stress(F).energy, 1e-14 * at.energy);
  EXPECT_LT((at.stress - material.stress(F).stress).norm(), 1e-14 * at.stress.norm());
  const double h = 1e-6;
  for (int i = 0; i < 6; ++i) {
    Mat32 ahead = F, behind = F;
    ahead(i) += h;
    behind(i) -= h;
    EXPECT_NEAR((material.energy(ahead) - material.energy(behind)) / (2 * h), at.stress(i),
                1e-6 * at.stress.norm());
    const Mat32 change =
        (material.evaluate(ahead, kExact).stress - material.evaluate(behind, kExact).stress) / (2 * h);
    EXPECT_LT((change.reshaped() - at.hessian.col(i)).norm(), 1e-5 * at.hessian.norm());
  }
}

TEST(InversionBarrier, IsInfiniteForATurnedTriangleAndHasTheSlopeItSays) {
  const Mesh mesh = quad_torus(16, 10, 1, 0.4);
  const TriangleMesh triangles = triangulated(mesh);
  const SlideSurface surface(mesh, triangles, std::make_shared<const Surface>(triangles.mesh),
                             SlidesOn::Cage);
  const auto c = surface.rest().mesh().face(FaceId(7));
  const InversionBarrier barrier(surface, {{c[0], c[1], c[2]}}, 150);
  // The first corner goes to the middle of the side opposite, and beyond.
  const SurfaceJet home = surface.evaluate(surface.home(c[0]));
  const Vec3 way = (mesh.positions[c[1]] + mesh.positions[c[2]]) / 2 - mesh.positions[c[0]];
  SkinPoints points(mesh.vertex_count());
  InversionBarrier::Places places(mesh.vertex_count());
  const auto put = [&](VertexId v, const SurfacePoint& p) {
    points[v] = p;
    places[v] = surface.evaluate(p);
  };
  for (VertexId v : c) put(v, surface.home(v));
  const auto energy_at = [&](double share) {
    put(c[0], surface.retract(surface.home(c[0]), home, share * (home.tangent.transpose() * way)));
    return barrier.energy(0, points, places);
  };
  EXPECT_EQ(energy_at(0), 0);
  EXPECT_GT(energy_at(0.85), 0);
  EXPECT_EQ(energy_at(1.3), std::numeric_limits<double>::infinity());

  const SurfacePoint near =
      surface.retract(surface.home(c[0]), home, 0.85 * (home.tangent.transpose() * way));
  const SurfaceJet jet = surface.evaluate(near);
  put(c[0], near);
  const InversionBarrier::Jet found = barrier.evaluate(0, points, places);
  ASSERT_TRUE(found.active);
  const double h = 1e-6;
  for (int k = 0; k < 2; ++k) {
    const auto at = [&](double q) {
      put(c[0], surface.retract(near, jet, q * Vec2::Unit(k)));
      return barrier.evaluate(0, points, places).gradient;
    };
    const auto energy = [&](double q) {
      at(q);
      return barrier.energy(0, points, places);
    };
    const double slope = (energy(h) - energy(-h)) / (2 * h);
    EXPECT_NEAR(slope, found.gradient[k], 1e-5 * std::abs(slope) + 1e-6);
    // The gradient of the other corners, whose coordinates do not turn with the first.
    const InversionBarrier::Vec6 change = (at(h) - at(-h)) / (2 * h);
    EXPECT_LT((change - found.hessian.col(k)).tail<4>().norm(), 1e-5 * change.norm());
    const double far = 1e-4;
    EXPECT_NEAR((energy(far) + energy(-far) - 2 * energy(0)) / (far * far), found.hessian(k, k),
                1e-3 * std::abs(found.hessian(k, k)));
  }
}

}  // namespace
}  // namespace cutis
