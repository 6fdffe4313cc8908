// Runs over clips: the same bits at any number of threads and after a resume, the same skin from any start
// frame.

#include <cmath>
#include <limits>
#include <tuple>

#include <gtest/gtest.h>

#include "cutis/body/procedural/procedural_bodies.h"
#include "cutis/core/error.h"
#include "cutis/energy/compression_barrier.h"
#include "cutis/material/membrane/presets.h"
#include "cutis/skin/skin_tissue.h"
#include "cutis/surface/mesh/deformation.h"
#include "cutis/surface/mesh/triangle_measures.h"
#include "skin/lagrangian/lagrangian_bodies.h"
#include "support/inverted_triangles.h"
#include "support/meshes.h"
#include "support/same_bits.h"
#include "support/support.h"

namespace cutis {
namespace {

using namespace test;

/// The pig's Fung skin without fibres; it may slide by 2 cm.
LagrangianOptions skin_options(const Body& body) {
  SkinLaw law = skin_preset(MaterialPreset::Pig).law;
  law.fibres = 0;
  LagrangianOptions options;
  options.material = make_material(law);
  law.fung_stiffness = 0;
  options.ramp = {make_material(law)};
  options.ligament = {0, 0.0025, 7e4, 0};
  options.slide_limit = IdVector<VertexId, double>(body.mesh().vertex_count(), 0.02);
  return options;
}

std::unique_ptr<Body> arm() { return open_cast_member("arm", 0.016, RigChoice{{}, "bend", "", 1, -1}); }

const bool lagrangian_bits = same_bits("Lagrangian", [] {
  const auto body = arm();
  LagrangianSlide slide(*body, skin_options(*body));
  for (const double time : {0.3, 0.35, 0.4}) EXPECT_TRUE(slide.advance(time).converged);
  return slide.positions();
});

TEST(LagrangianRun, GoesOnWithTheSameBitsAfterASave) {
  const auto body = arm();
  LagrangianSlide whole(*body, skin_options(*body)), resumed(*body, skin_options(*body));
  for (const double time : {0.3, 0.35, 0.4}) ASSERT_TRUE(whole.advance(time).converged);
  resumed.restore(whole.save());
  for (const double time : {0.45, 0.5}) {
    ASSERT_TRUE(whole.advance(time).converged);
    ASSERT_TRUE(resumed.advance(time).converged);
    EXPECT_EQ(whole.positions(), resumed.positions());
    EXPECT_EQ(whole.skin().map->points(), resumed.skin().map->points());
  }
}

TEST(LagrangianRun, AFrameAloneIsTheFrameInSequence) {
  const auto body = arm();
  LagrangianOptions options = skin_options(*body);
  options.tolerance = 1e-8;
  LagrangianSlide sequence(*body, options);
  // Bent further, the crease of the elbow can lie in more than one way.
  for (int i = 0; i <= 6; ++i) {
    ASSERT_TRUE(sequence.advance(i / 12.0).converged);
    if (i % 3 != 0) continue;
    LagrangianSlide alone(*body, options);
    ASSERT_TRUE(alone.advance(i / 12.0).converged);
    double worst = 0;
    for (SourceVertexId v : ids<SourceVertexId>(alone.positions().size()))
      worst = std::max(worst, (alone.positions()[v] - sequence.positions()[v]).norm());
    EXPECT_LT(worst, 1e-7) << i;
  }
}

TEST(LagrangianRun, OnFlatTrianglesTheSkinLiesOnThem) {
  const auto body = arm();
  LagrangianOptions options = skin_options(*body);
  options.limit_surface = false;
  LagrangianSlide slide(*body, options);
  ASSERT_TRUE(slide.advance(0.5).converged);
  const Points expected = slide.skin().map->pull(body->positions(0.5));
  const Points skin = body->weld().gather(slide.positions());
  for (VertexId v : ids<VertexId>(skin.size())) EXPECT_LT((skin[v] - expected[v]).norm(), 1e-15);
}

TEST(LagrangianRun, MistakesInTheOptionsAreSaid) {
  const auto body = arm();
  const auto message = [&](const auto& change) -> std::string {
    LagrangianOptions options = skin_options(*body);
    change(options);
    try {
      LagrangianSlide slide(*body, options);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  using Options = LagrangianOptions;
  const auto says = [](const std::string& text, const char* part) { return text.find(part) != text.npos; };
  EXPECT_TRUE(says(message([](Options& o) { o.material = nullptr; }), "material"));
  EXPECT_TRUE(says(message([](Options& o) { o.slide_limit.resize(3); }), "skin.slide_limit: 3 values"));
  EXPECT_TRUE(says(message([](Options& o) { o.slide_limit[VertexId(0)] = -1; }), "below zero"));
  EXPECT_TRUE(says(message([](Options& o) { o.thickness = IdVector<VertexId, double>(2, 1); }), "thickness"));
  EXPECT_TRUE(says(message([](Options& o) { o.fixed = {VertexId(1 << 20)}; }), "fixed"));
  EXPECT_TRUE(says(message([](Options& o) {
                     o.paths = {{{}, {Vec3::Zero(), Vec3::UnitX()}, {1, 0}}};
                   }),
                   "rise"));
  EXPECT_TRUE(says(message([](Options& o) { o.curves = {{{}, {Vec3::Zero()}}}; }), "two points"));
  const std::vector<VertexId> one = {VertexId(0)};
  const Vec3 home = body->mesh().positions[one[0]], x = Vec3::UnitX();
  EXPECT_TRUE(says(message([&](Options& o) {
                     o.curves = {{one, {home, home + 5 * x}}};
                   }),
                   "away from the body"));
  EXPECT_TRUE(says(message([&](Options& o) {
                     o.paths = {{one, {home, home + 5 * x}, {0, 1}}};
                   }),
                   "away from"));
  EXPECT_TRUE(says(message([&](Options& o) {
                     o.curves = {{one, {home + 0.1 * x, home + 0.2 * x}}};
                   }),
                   "1 of 1 vertices lie beyond its ends"));
}

bool on_border(const Vec3& x) { return std::min({x.x(), x.y(), 1 - x.x(), 1 - x.y()}) < 1e-9; }

/// The largest force on a vertex inside a flat body, from the written positions and the laws alone, against
/// the largest force that a triangle passes on.
double force_residual(const Body& body, const LagrangianSlide& slide, const LagrangianOptions& options,
                      const Points& under) {
  const Mesh triangles = triangulated(body.mesh()).mesh;
  const Points skin = body.weld().gather(slide.positions());
  IdVector<VertexId, Vec3> forces(skin.size(), Vec3::Zero());
  const CompressionBarrier material(options.material);
  double largest = 0;
  for (FaceId f : ids<FaceId>(triangles.face_count())) {
    const auto c = triangles.face(f);
    const Points& x = triangles.positions;
    const RestTriangle rest = rest_triangle(x[c[0]], x[c[1]], x[c[2]]);
    const Mat32 F = deformation_gradient(rest, skin[c[0]], skin[c[1]], skin[c[2]]);
    const Mat32 P = material.evaluate(F, kExact).stress;
    const Mat32 pull = rest.area * 1.5e-3 * P * rest.inverse.transpose();
    forces[c[1]] += pull.col(0);
    forces[c[2]] += pull.col(1);
    forces[c[0]] -= pull.col(0) + pull.col(1);
    largest = std::max(largest, pull.norm());
  }
  const std::vector<double> areas = triangle_areas(body.mesh().positions.raw(), index_triangles(body.mesh()));
  IdVector<VertexId, double> area(skin.size(), 0);
  for (FaceId f : ids<FaceId>(triangles.face_count()))
    for (VertexId v : triangles.face(f)) area[v] += areas[f.index()] / 3;
  const LigamentLaw& law = options.ligament;
  const SkinState state = slide.skin();
  const SlideSurface at_rest(body, SlidesOn::Cage);
  SlideSurface now = at_rest;
  now.update(under);
  double worst = 0;
  for (VertexId v : ids<VertexId>(skin.size())) {
    if (on_border(body.mesh().positions[v])) continue;
    const SurfacePoint& p = state.map->points()[v];
    const SurfaceJet here = now.evaluate(p), there = at_rest.evaluate(p);
    const Vec3 away = there.position - at_rest.evaluate(at_rest.home(v)).position;
    const double limit = options.slide_limit[v];
    const Vec3 pull = area[v] * 2 * away * law.strength * law.sharpness *
                      std::exp(law.sharpness * (away.squaredNorm() - limit * limit));
    // The body at rest follows the body now through the barycentrics that they have in common.
    const Mat2 follows = there.to_barycentric.inverse() * here.to_barycentric;
    forces[v] += here.tangent * (follows.transpose() * (there.tangent.transpose() * pull));
    worst = std::max(worst, forces[v].norm());
  }
  return worst / largest;
}

TEST(LagrangianRun, ForcesBalanceInTheWrittenPositions) {
  // A flat body, where the normal is known without the solver's own surface.
  const Mesh mesh = sheet(12, 12, 0.2, 3);
  const auto body = moving_body(mesh, [](const Vec3& x, double t) -> Vec3 {
    return x + 0.1 * t * Vec3(std::sin(3 * x.y()) * x.x(), std::cos(4 * x.x()) * x.y(), 0);
  });
  LagrangianOptions options = skin_options(*body);
  options.ligament = {0, 5, 3e3, 0};
  options.fixed = vertices_where(mesh, on_border);
  LagrangianSlide slide(*body, options);
  ASSERT_TRUE(slide.advance(1).converged);
  EXPECT_LT(force_residual(*body, slide, options, body->positions(1)), 2e-5);
}

TEST(LagrangianRun, ATriangleThatIsTurnedOverIsCounted) {
  const auto body = arm();
  const std::shared_ptr<const Surface>& surface = body->surface();
  const SlideSurface skin(*body, SlidesOn::Cage);
  SkinPoints points;
  for (VertexId v : ids<VertexId>(surface->mesh().vertex_count())) points.push_back(skin.home(v));
  InvertedTriangles inverted(*body);
  EXPECT_TRUE(inverted(SurfaceMap(surface, surface, points)).empty());
  // One corner goes to the middle of the side opposite, and a fifth further.
  const auto c = surface->mesh().face(FaceId(100));
  const Points& x = surface->positions();
  const SurfaceJet home = skin.evaluate(points[c[0]]);
  const Vec3 way = 1.2 * ((x[c[1]] + x[c[2]]) / 2 - x[c[0]]);
  points[c[0]] = skin.retract(points[c[0]], home, home.tangent.transpose() * way);
  EXPECT_EQ(inverted(SurfaceMap(surface, surface, points)), std::vector{FaceId(100)});
}

}  // namespace
}  // namespace cutis
