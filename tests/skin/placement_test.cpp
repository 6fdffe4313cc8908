#include "cutis/skin/slide_surface.h"

#include <gtest/gtest.h>

#include "cutis/body/procedural/procedural_bodies.h"
#include "cutis/skin/force_density/force_density.h"
#include "cutis/skin/lagrangian/lagrangian.h"
#include "skin/lagrangian/lagrangian_bodies.h"
#include "support/patches.h"

namespace cutis::test {
namespace {

/// Where the map says that the skin is against where the slide says: in metres, the furthest of all vertices.
double furthest_apart(const Body& body, Slide& slide, SlidesOn on, double time) {
  EXPECT_TRUE(slide.advance(time).converged);
  SlideSurface surface(body, on);
  surface.update(body.positions(time));
  const SourcePoints placed =
      surface.place(body.source_positions(time), body.weld(), slide.skin().map->points());
  double worst = 0;
  for (SourceVertexId v : ids<SourceVertexId>(placed.size()))
    worst = std::max(worst, (placed[v] - slide.positions()[v]).norm());
  return worst;
}

TEST(Placement, AgreesWithEveryMethodOnItsOwnSurface) {
  const auto body = open_cast_member("arm", 0.016, RigChoice{{}, "bend", "", 1, -1});
  for (const bool smooth : {true, false}) {
    ForceDensityOptions patch;
    patch.patches = {{"elbow", faces_near(*body, Vec3(0.3, -0.047, 0), 0.09), {}, {}}};
    patch.limit_surface = smooth;
    ForceDensitySlide force_density(*body, patch);
    EXPECT_LT(furthest_apart(*body, force_density, smooth ? SlidesOn::Limit : SlidesOn::Polygon, 0.5), 1e-12);
    LagrangianOptions options;
    options.material = simple_material(MaterialModel::StableNeoHookean, 1e5, 0.3);
    options.slide_limit = IdVector<VertexId, double>(body->mesh().vertex_count(), 0.01);
    options.ligament = {0, 0.0025, 7e4, 0.02};
    options.limit_surface = smooth;
    LagrangianSlide lagrangian(*body, options);
    EXPECT_LT(furthest_apart(*body, lagrangian, smooth ? SlidesOn::Cage : SlidesOn::Polygon, 0.5), 1e-12);
  }
}

TEST(Placement, AtHomeIsPlainSkinningToTheBit) {
  const auto body = open_cast_member("finger", 0.0025);
  const SourcePoints now = body->source_positions(0.7);
  for (const SlidesOn on : {SlidesOn::Polygon, SlidesOn::Limit, SlidesOn::Cage}) {
    SlideSurface surface(*body, on);
    surface.update(body->weld().gather(now));
    EXPECT_EQ(surface.place(now, body->weld(), SurfaceMap::identity(body->surface()).points()), now);
  }
}

}  // namespace
}  // namespace cutis::test
