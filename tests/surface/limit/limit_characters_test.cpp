#include <gtest/gtest.h>

#include "cutis/surface/limit/limit_surface.h"
#include "cutis/surface/mesh/repair.h"
#include "support/real_meshes.h"

namespace cutis {
namespace {

/// All corners at a vertex agree, the surface stays within the mesh's bounds, the identity is exact.
void expect_sound(const Mesh& mesh, SubdivisionScheme scheme) {
  const TriangleMesh triangles = triangulated(mesh);
  LimitOptions options;
  options.scheme = scheme;
  const LimitSurface limit(mesh, triangles, options);
  const Points vertices = limit.vertex_positions();
  const double size = bounding_diagonal(mesh.positions.raw());
  Eigen::AlignedBox3d box;
  for (const Vec3& p : mesh.positions) box.extend(p);
  for (FaceId f : ids<FaceId>(triangles.mesh.face_count())) {
    for (int k = 0; k < 3; ++k) {
      const VertexId v = triangles.mesh.face(f)[k];
      const SurfacePoint corner{f, Vec3::Unit(k)};
      ASSERT_LT((limit.position(corner) - vertices[v]).norm(), 1e-13 * size);
      ASSERT_EQ(limit.slid_position(v, mesh.positions[v], corner), mesh.positions[v]);
    }
    const LimitJet middle = limit.evaluate({f, Vec3(0.3, 0.33, 0.37)});
    ASSERT_LT(box.exteriorDistance(middle.position), 1e-6 * size);
    ASSERT_TRUE(middle.d11.allFinite() && middle.d12.allFinite() && middle.d22.allFinite());
  }
}

TEST(LimitCharacters, RealMeshesHaveSoundLimits) {
  if (test::real_meshes().empty()) GTEST_SKIP() << "no shared characters";
  for (const auto& [name, as_welded] : test::real_meshes()) {
    SCOPED_TRACE(name);
    const Mesh mesh = repair(as_welded).mesh;
    if (mesh.corner_count() == 3 * mesh.face_count()) expect_sound(mesh, SubdivisionScheme::Loop);
    expect_sound(mesh, SubdivisionScheme::CatmullClark);
  }
}

}  // namespace
}  // namespace cutis
