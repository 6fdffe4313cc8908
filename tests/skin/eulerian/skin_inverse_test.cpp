#include "cutis/skin/eulerian/skin_inverse.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "support/meshes.h"

namespace cutis {
namespace {

/// A sphere drawn out into a finger whose faces are as long as it is thick.
SlideSurface finger(double length) {
  Mesh mesh = test::uv_sphere(4, 5);
  for (Vec3& p : mesh.positions) p.z() *= length;
  const TriangleMesh triangles = triangulated(mesh);
  SlideSurface surface(mesh, triangles, std::make_shared<const Surface>(triangles.mesh), SlidesOn::Cage);
  surface.drop_offsets();
  return surface;
}

/// Skin that slides over the tips is nowhere further from home than it is at the vertices of the body, and
/// none of its vertices is missed.
TEST(SkinInverse, KeepsSlidesAtTipsNarrowerThanTheirFacesAreLong) {
  for (const double length : {1.0, 4.0, 16.0}) {
    const SlideSurface surface = finger(length);
    const SkinInverse inverse(surface);
    const Surface& rest = surface.rest();
    for (const Vec3& flow : {Vec3(0.2, 0, 0), Vec3(0, 0, 0.2), Vec3(0.1, 0.05, 0.15)}) {
      SkinPoints points;
      double most = 0;
      for (VertexId v : ids<VertexId>(rest.mesh().vertex_count())) {
        const SurfaceJet jet = surface.evaluate(rest.point(v));
        points.push_back(surface.retract(rest.point(v), jet, jet.tangent.transpose() * flow));
        most = std::max(most, surface.slide(v, points[v]).norm());
      }
      const SkinPoints back = inverse(points, {});
      double furthest = 0;
      for (VertexId v : ids<VertexId>(back.size()))
        furthest = std::max(furthest, surface.slide(v, back[v]).norm());
      EXPECT_LT(furthest, 1.1 * most) << length << ", " << flow.transpose();
      EXPECT_GT(furthest, 0.5 * most);
    }
  }
}

}  // namespace
}  // namespace cutis
