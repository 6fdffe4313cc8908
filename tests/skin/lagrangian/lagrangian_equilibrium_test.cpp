// Equilibria with closed forms: a patch, a ring, a twisted tube, a strip over a bump, a ball that spins.

#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>

#include <gtest/gtest.h>

#include "cutis/body/procedural/geometric/cylinder.h"
#include "cutis/material/membrane/membrane_stress.h"
#include "cutis/surface/mesh/deformation.h"
#include "skin/lagrangian/lagrangian_bodies.h"
#include "support/meshes.h"
#include "support/polygon_meshes.h"

namespace cutis {
namespace {

using std::numbers::pi;
using namespace test;

/// The principal tensions in each triangle now [N/m].
std::vector<PrincipalValues> tensions(const LagrangianSlide& slide) {
  const SkinState skin = slide.skin();
  std::vector<PrincipalValues> out;
  for (std::size_t i = 0; i < skin.stress.size(); ++i)
    out.push_back(principal_values(tension(skin.deformation[i], skin.stress[i]), skin.deformation[i]));
  return out;
}

bool on_square_border(const Vec3& x) { return std::min({x.x(), x.y(), 1 - x.x(), 1 - x.y()}) < 1e-9; }

TEST(LagrangianEquilibrium, APatchStretchesEvenlyWhateverTheBodyDoesInside) {
  const Mesh mesh = sheet(9, 9, 0.3, 4);
  const Vec3 a(0.08, 0.05, 0), b(-0.03, 0.12, 0);
  const auto stretched = [&](const Vec3& x) -> Vec3 { return x + x.x() * a + x.y() * b; };
  const auto body = moving_body(mesh, [&](const Vec3& x, double t) -> Vec3 {
    const double inside = 16 * x.x() * x.y() * (1 - x.x()) * (1 - x.y());
    return (1 - t) * x +
           t * (stretched(x) + 0.05 * inside * Vec3(std::sin(9 * x.y()), std::cos(7 * x.x()), 0));
  });
  for (const auto& [model, poisson, smooth] : {std::tuple{MaterialModel::StVenantKirchhoff, 0.3, true},
                                               {MaterialModel::NeoHookean, 0.5, true},
                                               {MaterialModel::StableNeoHookean, 0.3, true},
                                               {MaterialModel::StableNeoHookean, 0.3, false}}) {
    LagrangianOptions options;
    options.limit_surface = smooth;
    options.material = simple_material(model, 1e4, poisson);
    options.fixed = vertices_where(mesh, on_square_border);
    options.tolerance = 1e-12;
    LagrangianSlide slide(*body, options);
    const StepReport report = slide.advance(1);
    ASSERT_TRUE(report.converged) << report.reason;
    EXPECT_GT(report.iterations, 0);
    const Points skin = body->weld().gather(slide.positions());
    for (VertexId v : ids<VertexId>(mesh.vertex_count()))
      EXPECT_LT((skin[v] - stretched(mesh.positions[v])).norm(), 1e-10);
  }
}

struct Errors {
  double edge, displacement, stress;
};
/// Linear triangles converge with order 2 in displacement and 1 in stress; a tenth of that is allowed for
/// meshes that are not yet fine.
double order(double coarse, double fine, double ratio) { return std::log(coarse / fine) / std::log(ratio); }

/// A tube whose body is twisted unevenly along its length: frictionless skin between its two ends shears
/// evenly. `jitter` moves vertices along it and around it by up to this share of an edge.
Errors twisted_tube(double edge, double jitter, bool smooth) {
  AnalyticShape tube = make_cylinder(edge);
  Random random(5);
  for (Vec3& x : tube.mesh.positions) {
    if (std::abs(x.x()) > 0.2 - 1e-9) continue;
    const double along = jitter * edge * random(-1, 1), around = jitter * edge / 0.06 * random(-1, 1);
    x = Eigen::AngleAxisd(around, Vec3::UnitX()) * x + Vec3(along, 0, 0);
  }
  tube.motions = {{"twist", 1, [](const Vec3& x, double t) -> Vec3 {
                     const double u = (x.x() + 0.2) / 0.4;
                     return Eigen::AngleAxisd(t * pi / 2 * u * u * (3 - 2 * u), Vec3::UnitX()) * x;
                   }}};
  const AnalyticBody body(tube);
  const Mesh& mesh = body.mesh();
  LagrangianOptions options;
  options.limit_surface = smooth;
  options.material = simple_material(MaterialModel::StVenantKirchhoff, 1e4, 0.3);
  options.fixed = vertices_where(mesh, [](const Vec3& x) { return std::abs(x.x()) > 0.2 - 1e-9; });
  options.tolerance = 1e-9;
  LagrangianSlide slide(body, options);
  slide.advance(0);
  StepReport report;
  for (int i = 1; i <= 4; ++i) report = slide.advance(0.25 * i);
  EXPECT_TRUE(report.converged) << report.reason;
  const Points skin = body.weld().gather(slide.positions());
  Errors errors{edge, 0, 0};
  for (VertexId v : ids<VertexId>(mesh.vertex_count())) {
    const Vec3& x = mesh.positions[v];
    const Vec3 expected = Eigen::AngleAxisd(pi / 2 * (x.x() + 0.2) / 0.4, Vec3::UnitX()) * x;
    errors.displacement = std::max(errors.displacement, (skin[v] - expected).norm());
  }
  Mat32 F = Mat32::Zero();
  F << 1, 0, 0.06 * (pi / 2) / 0.4, 1, 0, 0;  // x axis, then around
  const Mat3 expected = tension(F, 1.5e-3 * options.material->evaluate(F, kExact).stress);
  const double size = expected.norm();
  const PrincipalValues values = principal_values(expected, F);
  for (const PrincipalValues& now : tensions(slide))
    errors.stress = std::max(
        {errors.stress, std::abs(now.max - values.max) / size, std::abs(now.min - values.min) / size});
  return errors;
}

TEST(LagrangianEquilibrium, ATwistedTubeShearsEvenly) {
  const Errors coarse = twisted_tube(0.02, 0, true), fine = twisted_tube(0.01, 0, true);
  EXPECT_GT(order(coarse.displacement, fine.displacement, 2), 1.8)
      << coarse.displacement << " " << fine.displacement;
  EXPECT_GT(order(coarse.stress, fine.stress, 2), 0.9) << coarse.stress << " " << fine.stress;
  EXPECT_LT(fine.stress, 0.02);
  std::printf("  order %.2f in displacement, %.2f in stress\n",
              order(coarse.displacement, fine.displacement, 2), order(coarse.stress, fine.stress, 2));
}

TEST(LagrangianEquilibrium, OnAnUnevenMeshStressConvergesOnBothSurfaces) {
  for (const bool smooth : {true, false}) {
    const Errors coarse = twisted_tube(0.02, 0.25, smooth), fine = twisted_tube(0.01, 0.25, smooth);
    EXPECT_GT(order(coarse.displacement, fine.displacement, 2), 1.4)
        << coarse.displacement << " " << fine.displacement;
    EXPECT_GT(order(coarse.stress, fine.stress, 2), 0.9) << coarse.stress << " " << fine.stress;
    EXPECT_LT(fine.stress, 0.1);
  }
}

Mesh annulus(int around, int across) {
  Mesh mesh;
  for (int j = 0; j <= across; ++j)
    for (int i = 0; i < around; ++i) {
      const double angle = 2 * pi * i / around, r = 0.5 + 0.5 * j / across;
      mesh.positions.push_back(Vec3(r * std::cos(angle), r * std::sin(angle), 0));
    }
  const auto at = [&](int i, int j) { return VertexId(j * around + i % around); };
  for (int j = 0; j < across; ++j)
    for (int i = 0; i < around; ++i)
      mesh.add_face(std::array{at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)});
  return mesh;
}

/// A ring from r = 0.5 to 1 whose outer border is drawn out by a little: u = A r + B / r (Lame).
Errors stretched_annulus(int around) {
  constexpr double pull = 1e-5, young = 1e4, poisson = 0.3;
  const Mesh mesh = annulus(around, around / 8);
  const auto body = moving_body(mesh, [](const Vec3& x, double t) -> Vec3 {
    const double r = x.norm(), u = (r - 0.5) / 0.5;
    return x * (1 + t * pull * u * u * u / r);
  });
  LagrangianOptions options;
  options.material = simple_material(MaterialModel::StVenantKirchhoff, young, poisson);
  options.fixed =
      vertices_where(mesh, [](const Vec3& x) { return x.norm() < 0.5 + 1e-9 || x.norm() > 1 - 1e-9; });
  options.tolerance = 1e-12;
  LagrangianSlide slide(*body, options);
  const StepReport report = slide.advance(1);
  EXPECT_TRUE(report.converged) << report.reason;
  const Points skin = body->weld().gather(slide.positions());
  const double A = pull / 0.75, B = -0.25 * A;
  Errors errors{1.0 / around, 0, 0};
  for (VertexId v : ids<VertexId>(mesh.vertex_count())) {
    const double r = mesh.positions[v].norm();
    errors.displacement =
        std::max(errors.displacement, (skin[v] - mesh.positions[v] * (1 + A + B / (r * r))).norm() / pull);
  }
  const Mesh triangles = triangulated(mesh).mesh;
  const std::vector<PrincipalValues> now = tensions(slide);
  const double stiffness = 1.5e-3 * young / (1 - poisson * poisson);
  for (FaceId f : ids<FaceId>(triangles.face_count())) {
    const auto c = triangles.face(f);
    const double r =
        ((triangles.positions[c[0]] + triangles.positions[c[1]] + triangles.positions[c[2]]) / 3).norm();
    const double out = A - B / (r * r), round = A + B / (r * r);
    const double max = stiffness * (out + poisson * round), min = stiffness * (round + poisson * out);
    const double size = stiffness * pull;
    errors.stress = std::max({errors.stress, std::abs(now[f.index()].max - max) / size,
                              std::abs(now[f.index()].min - min) / size});
  }
  return errors;
}

TEST(LagrangianEquilibrium, AStretchedAnnulusFollowsLame) {
  const Errors coarse = stretched_annulus(64), fine = stretched_annulus(128);
  EXPECT_GT(order(coarse.displacement, fine.displacement, 2), 1.8)
      << coarse.displacement << " " << fine.displacement;
  EXPECT_GT(order(coarse.stress, fine.stress, 2), 0.9) << coarse.stress << " " << fine.stress;
  std::printf("  order %.2f in displacement, %.2f in stress\n",
              order(coarse.displacement, fine.displacement, 2), order(coarse.stress, fine.stress, 2));
}

}  // namespace
}  // namespace cutis
