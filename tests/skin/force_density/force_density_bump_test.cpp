// A bump that moves under a sheet: the skin above it stays where it is.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "cutis/body/procedural/procedural_bodies.h"
#include "cutis/skin/force_density/force_density.h"
#include "cutis/surface/mesh/triangle_measures.h"
#include "support/patches.h"

namespace cutis::test {
namespace {

struct BumpFigures {
  double median = 0, largest = 0;  ///< of the motion along the sheet, as a share of plain skinning's
  double spread_gain = 1e9;        ///< how many times narrower log areas spread than under plain skinning
};

/// The worst of the frames in which plain skinning moves the bump by at least a fifth of its way.
BumpFigures bump_figures(EdgeDensity density, OutlineShape outline, bool limit_surface) {
  RigChoice choice;
  choice.clip = "carry";
  const auto body = open_cast_member("bump", 0.005, choice);
  EXPECT_EQ(body->mesh().vertex_count(), 41u * 41u);
  ForceDensityOptions options;
  options.patches = {{"sheet", all_faces(*body), {}, {}}};
  options.density = density;
  options.outline = outline;
  options.limit_surface = limit_surface;
  ForceDensitySlide slide(*body, options);
  const auto triangles = index_triangles(body->mesh());
  const std::vector<double> areas = triangle_areas(body->mesh().positions.raw(), triangles);
  const auto spread = [&](const Points& p) {
    return weighted_deviation(log_area_ratios(areas, triangle_areas(p.raw(), triangles)), areas);
  };
  BumpFigures figures;
  for (int frame = 1; frame < 48; ++frame) {
    slide.advance(frame / 24.0);
    const Points plain = body->positions(frame / 24.0), skin = body->weld().gather(slide.positions());
    std::vector<double> shares;
    for (VertexId v : ids<VertexId>(plain.size())) {
      const Vec3& rest = body->mesh().positions[v];
      const double carried = (plain[v] - rest).norm();  // along the sheet: "carry" keeps the height
      if (std::hypot(rest.x(), rest.z()) > 0.02 || carried < 0.005) continue;
      shares.push_back(std::hypot(skin[v].x() - rest.x(), skin[v].z() - rest.z()) / carried);
    }
    if (shares.empty()) continue;
    std::sort(shares.begin(), shares.end());
    figures.median = std::max(figures.median, shares[shares.size() / 2]);
    figures.largest = std::max(figures.largest, shares.back());
    figures.spread_gain = std::min(figures.spread_gain, spread(plain) / spread(skin));
  }
  return figures;
}

TEST(ForceDensityBump, SkinStaysInPlaceWithTheDefaultDensities) {
  for (OutlineShape outline : {OutlineShape::Developed, OutlineShape::Square})
    for (bool limit_surface : {false, true}) {
      const BumpFigures figures = bump_figures(EdgeDensity::Cotangent, outline, limit_surface);
      EXPECT_LT(figures.median, 0.10);
      EXPECT_LT(figures.largest, 0.15);
      EXPECT_GT(figures.spread_gain, 6);
    }
}

TEST(ForceDensityBump, MeanValuesDoAsWell) {
  const BumpFigures figures = bump_figures(EdgeDensity::MeanValue, OutlineShape::Developed, false);
  EXPECT_LT(figures.median, 0.10);
  EXPECT_LT(figures.largest, 0.15);
}

TEST(ForceDensityBump, ThePapersDensitiesLeaveHalfOfTheMotion) {
  const BumpFigures length = bump_figures(EdgeDensity::InverseLength, OutlineShape::Square, false);
  EXPECT_GT(length.median, 0.40);
  EXPECT_LT(length.median, 0.60);
  const BumpFigures fast = bump_figures(EdgeDensity::Fast, OutlineShape::Square, false);
  EXPECT_GT(fast.median, 0.40);
  EXPECT_LT(fast.median, 0.80);
}

}  // namespace
}  // namespace cutis::test
