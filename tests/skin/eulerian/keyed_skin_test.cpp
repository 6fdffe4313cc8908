// Skin that keyed paths carry through the mesh of a body: where it is, and what it pulls along.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <numbers>

#include <gtest/gtest.h>

#include "cutis/core/parallel.h"
#include "cutis/skin/eulerian/eulerian.h"
#include "skin/lagrangian/lagrangian_bodies.h"
#include "support/meshes.h"

namespace cutis {
namespace {

using namespace test;
using std::numbers::pi;

constexpr double kRadius = 0.05, kLength = 0.3;

EulerianOptions carried_options(std::vector<SkinPath> paths) {
  EulerianOptions out;
  out.material = simple_material(MaterialModel::StableNeoHookean, 3e4, 0.3);
  out.paths = std::move(paths);
  out.integrator = Integrator::Static;
  return out;
}

/// Along the tube, from one third on by an eighth of its length.
SkinPath along_tube(std::vector<VertexId> vertices) {
  return {std::move(vertices), {Vec3(kRadius, 0, 0.1), Vec3(kRadius, 0, 0.1 + kLength / 8)}, {0, 1}};
}

struct Apart {
  double path = 0, rest = 0;  ///< skin of the path, and all other, at most [edges]
  double mean = 0;            ///< all skin, root of the mean square [edges]
  double slid = 0;            ///< by the skin of the Lagrangian method, at most [edges]
};

/// How far the skin of both methods is apart after a second of so many frames.
Apart apart_from_lagrangian(const Mesh& mesh, const Body& body, const EulerianOptions& options, int frames,
                            double edge) {
  LagrangianOptions sliding;
  static_cast<SkinOptions&>(sliding) = options;
  const auto border = body.surface()->topology();
  for (VertexId v : ids<VertexId>(mesh.vertex_count()))
    if (border.is_border(v)) sliding.fixed.push_back(v);
  EulerianSlide eulerian(body, options);
  LagrangianSlide lagrangian(body, sliding);
  for (int i = 0; i <= frames; ++i) {
    const StepReport report = eulerian.advance(static_cast<double>(i) / frames);
    EXPECT_TRUE(report.converged) << i << ": " << report.reason << ", " << report.residual;
    EXPECT_TRUE(lagrangian.advance(static_cast<double>(i) / frames).converged) << i;
  }
  Apart out;
  const SourcePoints at_rest = body.source_positions(1);
  for (VertexId v : ids<VertexId>(mesh.vertex_count())) {
    const SourceVertexId s(v.index());
    const double apart = (eulerian.positions()[s] - lagrangian.positions()[s]).norm() / edge;
    out.mean += apart * apart / static_cast<double>(mesh.vertex_count());
    bool moved = false;
    for (const SkinPath& path : options.paths)
      moved |= std::find(path.vertices.begin(), path.vertices.end(), v) != path.vertices.end();
    (moved ? out.path : out.rest) = std::max(moved ? out.path : out.rest, apart);
    out.slid = std::max(out.slid, (lagrangian.positions()[s] - at_rest[s]).norm() / edge);
  }
  out.mean = std::sqrt(out.mean);
  return out;
}

TEST(KeyedSkin, APieceIsCarriedAsByTheLagrangianMethod) {
  double last = 0;
  for (const int n : {24, 48}) {
    const Mesh mesh = cylinder(n, n, kRadius, kLength);
    const auto body = moving_body(mesh, hold_still);
    const auto piece =
        vertices_where(mesh, [](const Vec3& x) { return x.x() > 0.02 && std::abs(x.z() - 0.1) < 0.026; });
    const double edge = kLength / n;
    const Apart apart = apart_from_lagrangian(mesh, *body, carried_options({along_tube(piece)}), 6, edge);
    std::cout << n << " cells: a piece is carried over " << apart.slid << " edges; it is apart by "
              << apart.path << ", all skin by " << apart.mean << " edges in the mean, by up to " << apart.rest
              << "\n";
    EXPECT_LT(apart.path, 1e-9);
    EXPECT_LT(apart.rest, 0.25);
    if (last > 0) {
      EXPECT_LT(apart.mean / n, last);
    }
    last = apart.mean / n;
  }
}

TEST(KeyedSkin, AThinLineOfSkinIsCarried) {
  const Mesh mesh = cylinder(24, 24, kRadius, kLength);
  const auto body = moving_body(mesh, hold_still);
  const auto ring = vertices_where(mesh, [](const Vec3& x) { return std::abs(x.z() - 0.1) < 1e-6; });
  ASSERT_EQ(ring.size(), 24U);
  const Apart apart =
      apart_from_lagrangian(mesh, *body, carried_options({along_tube(ring)}), 6, kLength / 24);
  std::cout << "a ring is carried over " << apart.slid << " edges; it is apart by " << apart.path
            << ", the skin around by up to " << apart.rest << " edges\n";
  EXPECT_LT(apart.path, 1e-9);
  EXPECT_LT(apart.rest, 0.1);
}

TEST(KeyedSkin, IsCarriedOverABodyThatMoves) {
  double last = 0;
  for (const int n : {24, 48}) {
    const Mesh mesh = quad_torus(n, n / 2, 0.2, 0.08);
    const auto body = moving_body(mesh, [](const Vec3& x, double t) -> Vec3 {
      return Vec3(x.x() * (1 + 0.2 * t), x.y(), x.z() + 0.1 * t * x.x()) + Vec3(0.1 * t, 0, 0);
    });
    const auto piece =
        vertices_where(mesh, [](const Vec3& x) { return (x - Vec3(0.2, 0, 0.08)).norm() < 0.07; });
    EulerianOptions options =
        carried_options({{piece, {Vec3(0.2, 0, 0.08), Vec3(0.19, 0.06, 0.08)}, {0, 1}}});
    options.fixed = vertices_where(mesh, [](const Vec3& x) { return x.x() < -0.22; });
    const Apart apart = apart_from_lagrangian(mesh, *body, options, 6, 2 * pi * 0.2 / n);
    std::cout << n << " cells around a torus: a piece is carried over " << apart.slid
              << " edges; the skin around is apart by " << apart.mean << " edges in the mean, by up to "
              << apart.rest << "\n";
    EXPECT_LT(apart.path, 1e-9);
    EXPECT_LT(apart.rest, 0.25);
    if (last > 0) {
      EXPECT_LT(apart.mean / n, last);
    }
    last = apart.mean / n;
  }
}

TEST(KeyedSkin, BothIntegratorsEndWhereSkinComesToRest) {
  const Mesh mesh = cylinder(24, 24, kRadius, kLength);
  const auto body = moving_body(mesh, hold_still, 3);
  const auto piece =
      vertices_where(mesh, [](const Vec3& x) { return x.x() > 0.02 && std::abs(x.z() - 0.1) < 0.026; });
  EulerianOptions options = carried_options({along_tube(piece)});
  const auto after = [&](Integrator integrator, double damping) {
    options.integrator = integrator;
    options.damping = damping;
    EulerianSlide skin(*body, options);
    for (int i = 0; i <= 72; ++i) EXPECT_TRUE(skin.advance(i / 24.0).converged) << i;
    return skin.positions();
  };
  const SourcePoints settled = after(Integrator::Static, 0);
  for (const Integrator integrator : {Integrator::Bdf2, Integrator::ImplicitEuler}) {
    const SourcePoints now = after(integrator, 8);
    double worst = 0;
    for (SourceVertexId v : ids<SourceVertexId>(now.size()))
      worst = std::max(worst, (now[v] - settled[v]).norm());
    EXPECT_LT(worst, 0.01 * kLength / 24);
  }
}

TEST(KeyedSkin, TheSameBitsAfterARestoreAndOnOneThread) {
  const Mesh mesh = cylinder(16, 16, kRadius, kLength);
  const auto body = moving_body(mesh, [](const Vec3& x, double t) -> Vec3 { return x * (1 + 0.1 * t); });
  const auto piece =
      vertices_where(mesh, [](const Vec3& x) { return x.x() > 0.02 && std::abs(x.z() - 0.1) < 0.03; });
  for (const Integrator integrator : {Integrator::Static, Integrator::Bdf2}) {
    EulerianOptions options = carried_options({along_tube(piece)});
    options.integrator = integrator;
    EulerianSlide whole(*body, options), half(*body, options), rest(*body, options);
    for (double t : {0.2, 0.4, 0.7, 1.0}) whole.advance(t);
    set_threads(1);
    for (double t : {0.2, 0.4, 0.7}) half.advance(t);
    set_threads(0);
    rest.restore(half.save());
    rest.advance(1);
    EXPECT_EQ(whole.positions().raw(), rest.positions().raw());
    EXPECT_EQ(whole.save(), rest.save());
  }
}

}  // namespace
}  // namespace cutis
