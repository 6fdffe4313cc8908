#include "cutis/surface/geodesic/slide_distance.h"

#include <cmath>

#include <gtest/gtest.h>

#include "cutis/surface/geodesic/closest_point.h"
#include "support/meshes.h"
#include "support/same_bits.h"

namespace cutis {
namespace {

using SurfacePtr = SurfaceMap::SurfacePtr;

/// A sphere turned about an oblique axis: every vertex slides along a circle, to a place that is known.
SurfaceMap turned(const SurfacePtr& sphere, const Mat3& rotation) {
  const ClosestPointTree tree(sphere->mesh(), sphere->positions());
  SurfaceMap::Points points;
  for (const Vec3& p : sphere->positions()) points.push_back(tree(rotation * p).point);
  return SurfaceMap(sphere, sphere, points);
}

double arc_error(int level) {
  const auto sphere = std::make_shared<Surface>(test::icosphere(level));
  const Mat3 rotation = Eigen::AngleAxisd(0.25, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  const IdVector<VertexId, double> slide = SlideDistance(sphere)(turned(sphere, rotation));
  double worst = 0;
  for (VertexId v : ids<VertexId>(slide.size())) {
    const Vec3& p = sphere->positions()[v];
    // The shortest way between two points of a unit sphere is the angle between them.
    const double arc = std::atan2(p.cross(rotation * p).norm(), p.dot(rotation * p));
    worst = std::max(worst, std::abs(slide[v] - arc));
  }
  return worst;
}

TEST(SlideDistance, IsTheArcOnASphere) {
  const double coarse = arc_error(2), fine = arc_error(3), finest = arc_error(4);
  EXPECT_LT(finest, 1.5e-3);
  EXPECT_GT(coarse / fine, 3);
  EXPECT_GT(fine / finest, 3);
}

/// Every second vertex of a sheet moved.
SurfaceMap half_moved() {
  const auto sheet = std::make_shared<Surface>(test::sheet(40, 40, 0.3, 4));
  const ClosestPointTree tree(sheet->mesh(), sheet->positions());
  SurfaceMap::Points points = SurfaceMap::identity(sheet).points();
  for (VertexId v : ids<VertexId>(points.size()))
    if (v.value % 2) points[v] = tree(0.9 * sheet->positions()[v] + Vec3(0.05, 0.02, 0)).point;
  return SurfaceMap(sheet, sheet, points);
}

TEST(SlideDistance, IsStraightOnASheetAndZeroWhereNothingMoved) {
  const SurfaceMap map = half_moved();
  const Surface& sheet = *map.to();
  const IdVector<VertexId, double> slide = SlideDistance(map.to())(map);
  for (VertexId v : ids<VertexId>(map.points().size())) {
    if (v.value % 2 == 0)
      EXPECT_EQ(slide[v], 0);
    else
      EXPECT_NEAR(slide[v], (sheet.position(map[v]) - sheet.positions()[v]).norm(), 1e-13);
  }
}

const bool slide_distance_bits = test::same_bits("SlideDistance", [] {
  const SurfaceMap map = half_moved();
  return SlideDistance(map.to())(map);
});

}  // namespace
}  // namespace cutis
