#include "cutis/skin/lagrangian/skin_surface.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "cutis/surface/mesh/triangle_mesh.h"
#include "support/meshes.h"

namespace cutis {
namespace {

using namespace test;

SkinSurface skin_surface(const Mesh& mesh) {
  return SkinSurface(mesh, std::make_shared<const Surface>(triangulated(mesh).mesh));
}

SurfacePoint random_point(const Surface& surface, Random& random, int kind) {
  const FaceId f(random.below(static_cast<int>(surface.mesh().face_count())));
  if (kind == 0) return {f, Vec3::Unit(random.below(3))};
  if (kind == 1) {
    const double t = random(0.1, 0.9);
    Vec3 b = Vec3::Zero();
    const int k = random.below(3);
    b[k] = t;
    b[(k + 1) % 3] = 1 - t;
    return {f, b};
  }
  const double u = random(0.1, 0.4), v = random(0.1, 0.4);
  return {f, Vec3(1 - u - v, u, v)};
}

/// Largest distance of a walk from its second-order model, over random points and directions.
double model_error(const SkinSurface& skin, double length, int kind) {
  Random random(7);
  double worst = 0;
  for (int i = 0; i < 300; ++i) {
    const SurfacePoint p = random_point(skin.rest(), random, kind);
    const SurfaceJet jet = skin.evaluate(p);
    const double angle = random(0, 2 * std::numbers::pi);
    const Vec2 q = length * Vec2(std::cos(angle), std::sin(angle));
    const Vec3 model = jet.position + jet.tangent * q + 0.5 * q.dot(jet.curvature * q) * jet.normal;
    worst = std::max(worst, (skin.evaluate(skin.retract(p, jet, q)).position - model).norm());
  }
  return worst;
}

TEST(SkinSurface, AWalkAgreesWithItsNormalCoordinatesToThirdOrder) {
  for (const Mesh& mesh : {torus(40, 20, 1, 0.4), quad_torus(30, 15, 1, 0.4)}) {
    const SkinSurface skin = skin_surface(mesh);
    for (int kind = 0; kind < 3; ++kind) {  // at vertices, on edges, inside
      const double coarse = model_error(skin, 0.04, kind), fine = model_error(skin, 0.01, kind);
      EXPECT_LT(coarse, 0.2 * 0.04) << kind;
      EXPECT_GT(std::log(coarse / fine) / std::log(4.0), 2.6) << kind << ": " << coarse << " " << fine;
    }
  }
}

TEST(SkinSurface, AtHomeSkinIsTheBodyAndTheSurfaceIsAsHighAsItsVertices) {
  const Mesh mesh = icosphere(3);
  const SkinSurface skin = skin_surface(mesh);
  double highest = 0;
  for (VertexId v : ids<VertexId>(mesh.vertex_count())) {
    const SurfaceJet jet = skin.evaluate(skin.home(v));
    EXPECT_LT((skin.position(v, jet) - mesh.positions[v]).norm(), 1e-14);
    highest = std::max(highest, std::abs(jet.position.norm() - 1));
  }
  EXPECT_LT(highest, 1e-3);  // the limit surface of the mesh itself lies 9.8e-3 inside
}

TEST(SkinSurface, AWalkAlongEdgesGoesAllItsWay) {
  // Rings of a sphere of parallels and meridians: rounding leads to both sides of the edges along the way.
  const Mesh mesh = uv_sphere(12, 20);
  const SkinSurface skin = skin_surface(mesh);
  for (VertexId v : ids<VertexId>(mesh.vertex_count())) {
    const SurfaceJet jet = skin.evaluate(skin.home(v));
    const Vec3 east = Vec3::UnitZ().cross(jet.position);
    if (!(east.norm() > 0.3)) continue;
    for (double start : {0.0, 0.06}) {  // from the vertex, and from a place on the edge
      const SurfacePoint p =
          skin.retract(skin.home(v), jet, start * (jet.tangent.transpose() * east.normalized()));
      const SurfaceJet at = skin.evaluate(p);
      const Vec3 along = Vec3::UnitZ().cross(at.position).normalized();
      const Vec3 end = skin.evaluate(skin.retract(p, at, 0.1 * (at.tangent.transpose() * along))).position;
      // An arc of 0.1 over a sphere of radius 1, which the surface is to about a hundredth.
      EXPECT_NEAR((end - at.position).norm(), 2 * std::sin(0.05), 2e-3) << v.value << " from " << start;
    }
  }
}

TEST(SkinSurface, AtABorderAWalkGoesOnAlongIt) {
  const Mesh mesh = cylinder(40, 20, 1, 2);
  const SkinSurface skin = skin_surface(mesh);
  Random random(5);
  for (VertexId v : ids<VertexId>(mesh.vertex_count())) {
    if (mesh.positions[v].z() > 1e-9) continue;
    const SurfacePoint home = skin.home(v);
    const SurfaceJet jet = skin.evaluate(home);
    const Vec3 around = Vec3::UnitZ().cross(jet.normal);
    const Vec2 q = jet.tangent.transpose() * (0.3 * around - 0.2 * Vec3::UnitZ());
    const Vec3 end = skin.evaluate(skin.retract(home, jet, q)).position;
    ASSERT_NEAR(end.z(), 0, 1e-6);
    ASSERT_NEAR((end - jet.position).norm(), 2 * std::sin(0.15), 2e-3);
  }
}

}  // namespace
}  // namespace cutis
