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
  for (const double length : {1.0, 4.0, 12.0}) {
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

/// What is displaced by little next to what is displaced by much stays so: no vertex is further from home
/// than the skin at the corners of its face, each by its share.
TEST(SkinInverse, KeepsSmallSlidesNextToLargeOnes) {
  for (const double length : {1.0, 4.0, 16.0}) {
    const SlideSurface surface = finger(length);
    const SkinInverse inverse(surface);
    const Surface& rest = surface.rest();
    SkinPoints points;
    IdVector<VertexId, double> slides;
    for (VertexId v : ids<VertexId>(rest.mesh().vertex_count())) {
      const SurfaceJet jet = surface.evaluate(rest.point(v));
      const Vec3 flow = v.value % 3 == 0 ? Vec3(0.02, 0.01, 0.02) : Vec3(0.1, 0.05, 0.15);
      points.push_back(surface.retract(rest.point(v), jet, jet.tangent.transpose() * flow));
      slides.push_back(surface.slide(v, points[v]).norm());
    }
    const SkinPoints back = inverse(points, {});
    for (VertexId v : ids<VertexId>(back.size())) {
      // The surface passes the vertex of so coarse a mesh beside it.
      const SurfaceJet jet = surface.evaluate(back[v]);
      const Vec3 offset = rest.positions()[v] - surface.evaluate(rest.point(v)).position;
      const SurfacePoint below = surface.retract(back[v], jet, jet.tangent.transpose() * offset);
      const auto face = rest.mesh().face(below.face);
      double expected = 0;
      for (int k = 0; k < 3; ++k) expected += below.barycentric[k] * slides[face[k]];
      EXPECT_LT(surface.slide(v, back[v]).norm(), 1.1 * expected + 0.005) << length << ", " << v.value;
    }
  }
}

}  // namespace
}  // namespace cutis
