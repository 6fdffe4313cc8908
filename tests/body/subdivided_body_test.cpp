#include "cutis/body/subdivided_body.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "cutis/body/procedural/procedural_bodies.h"
#include "cutis/surface/mesh/topology.h"
#include "cutis/surface/mesh/triangle_measures.h"
#include "support/meshes.h"
#include "support/polygon_meshes.h"
#include "support/skinned.h"
#include "support/still_body.h"

namespace cutis {
namespace {

using Chosen = IdVector<FaceId, char>;

/// Each vertex of the mesh as a vertex of a file; with `split`, once for each face around it, as files do
/// that have texture coordinates at vertices.
SourceMesh as_source(const Mesh& mesh, bool split) {
  SourceMesh source;
  if (!split)
    for (const Vec3& p : mesh.positions) source.positions.push_back(p);
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    std::vector<SourceVertexId> corners;
    for (VertexId v : mesh.face(f))
      corners.push_back(split ? source.positions.push_back(mesh.positions[v]) : SourceVertexId(v.value));
    source.add_face(corners);
  }
  source.uvs = mesh.uvs;
  return source;
}

/// A body that moves in a way that no plane stays one, with numbers on its vertices.
class WavingBody final : public Body {
 public:
  explicit WavingBody(SourceMesh mesh) {
    VertexAttribute painted{"place", 3, {}};
    for (const Vec3& p : mesh.positions) painted.values.insert(painted.values.end(), {p.x(), p.y(), p.z()});
    set_rest(std::move(mesh));
    set_attributes({painted});
  }
  Interval duration() const override { return {0, 1}; }
  double frame_rate() const override { return 30; }
  SourcePoints compute_positions(double time) const override {
    SourcePoints points = source().positions;
    for (Vec3& p : points) p += time * Vec3(p.y() * p.z(), std::sin(3 * p.x()), p.x() * p.y());
    return points;
  }
};

std::vector<test::NamedMesh> polygon_meshes() {
  return {{"triangles", test::icosphere(2)},
          {"torus", test::torus(12, 8, 1, 0.4)},
          {"quads", test::quad_torus(10, 6, 1, 0.4)},
          {"cube", test::cube()},
          {"polygons", test::dual(test::icosphere(1))},
          {"mixed", test::mixed_torus(10, 6, 1, 0.4)},
          {"open", test::quad_sheet(6, 5, 0.3, 7)}};
}

/// All, or about half of them in one piece.
Chosen choose(const Mesh& mesh, bool half) {
  Chosen chosen(mesh.face_count(), 1);
  for (FaceId f : ids<FaceId>(mesh.face_count()))
    if (half) chosen[f] = mesh.positions[mesh.face(f)[0]].x() > 0.3 ? 1 : 0;
  return chosen;
}

double area(const Body& body) {
  const Mesh& mesh = body.triangles().mesh;
  return total_area(mesh.positions.raw(), index_triangles(mesh));
}

/// Number of edges and vertices, and which of them are borders, from the mesh alone.
long euler(const Mesh& mesh) {
  const Topology t(mesh);
  return long(t.vertex_count()) - long(t.edge_count()) + long(t.face_count());
}

TEST(SubdividedBody, IsConformingAndTheSameSurface) {
  for (const auto& [name, mesh] : polygon_meshes())
    for (const bool half : {false, true})
      for (const int level : {1, 2, 3}) {
        SCOPED_TRACE(name + (half ? ", a half, level " : ", level ") + std::to_string(level));
        const test::StillBody inner(as_source(mesh, false));
        const Chosen chosen = choose(inner.mesh(), half);
        const SubdividedBody body(inner, chosen, level);
        EXPECT_EQ(euler(body.mesh()), euler(inner.mesh()));
        EXPECT_EQ(Topology(body.mesh()).border_loops().size(), Topology(inner.mesh()).border_loops().size());
        EXPECT_EQ(body.mesh().vertex_count(), subdivided_vertex_count(inner.mesh(), chosen, level));
        EXPECT_EQ(body.source().vertex_count(), body.mesh().vertex_count());
        EXPECT_TRUE(name == "cube" || std::ranges::count(chosen, 1) > 0);
        EXPECT_TRUE(!half || std::ranges::count(chosen, 0) > 0);
        // Quads that are not flat are cut another way when they are smaller.
        EXPECT_NEAR(area(body), area(inner), 0.01 * area(inner));
        for (const double a : triangle_areas(body.mesh().positions.raw(), index_triangles(body.mesh())))
          EXPECT_GT(a, 1e-9);
      }
}

TEST(SubdividedBody, FacesThatAreNotChosenKeepTheirCorners) {
  const test::StillBody inner(as_source(test::quad_torus(10, 6, 1, 0.4), false));
  const Chosen chosen = choose(inner.mesh(), true);
  const SubdividedBody body(inner, chosen, 2);
  std::vector<int> pieces(inner.mesh().face_count(), 0);
  for (FaceId f : ids<FaceId>(body.mesh().face_count())) {
    const FaceId from = body.polygon(f);
    ++pieces[from.index()];
    if (chosen[from]) {
      EXPECT_EQ(body.mesh().face_size(f), 4u);
      continue;
    }
    std::vector<VertexId> old;
    for (VertexId v : body.mesh().face(f))
      if (v.index() < inner.mesh().vertex_count()) old.push_back(v);
    EXPECT_TRUE(std::ranges::equal(old, inner.mesh().face(from)));
    EXPECT_EQ((body.mesh().face_size(f) - 4) % 3, 0u);
  }
  for (FaceId f : ids<FaceId>(inner.mesh().face_count())) EXPECT_EQ(pieces[f.index()], chosen[f] ? 16 : 1);
}

TEST(SubdividedBody, LiesOnTheBodyBelowAtRestAndInMotion) {
  for (const auto& [name, mesh] : polygon_meshes()) {
    SCOPED_TRACE(name);
    const WavingBody inner(as_source(mesh, false));
    const SubdividedBody body(inner, choose(inner.mesh(), true), 2);
    EXPECT_EQ(body.duration().end, 1);
    EXPECT_EQ(body.frame_rate(), 30);
    EXPECT_EQ(body.mesh().positions, body.positions(0));
    for (const double time : {0.0, 0.37, 1.0}) {
      const SourcePoints own = body.source_positions(time), below = inner.source_positions(time);
      EXPECT_TRUE(std::equal(below.begin(), below.end(), own.begin()));
      EXPECT_EQ(own, body.smooth_positions(time));
      const Points now = inner.positions(time), finer = body.positions(time);
      ASSERT_EQ(body.places().size(), finer.size());
      for (VertexId v : ids<VertexId>(finer.size())) {
        const SurfacePoint& p = body.places()[v];
        ASSERT_TRUE(p.face.valid());
        EXPECT_EQ(p.barycentric.sum(), 1);
        EXPECT_GE(p.barycentric.minCoeff(), 0);
        EXPECT_EQ(finer[v], interpolate(inner.triangles().mesh, now, p));
      }
    }
  }
}

/// The largest angle between two faces that were cut from chosen ones and share an edge [rad].
double sharpest_edge(const SubdividedBody& body, const Points& positions, const Chosen& chosen) {
  const Mesh& mesh = body.triangles().mesh;
  const Topology t(mesh);
  const auto normal = [&](FaceId f) -> Vec3 {
    const auto v = mesh.face(f);
    return (positions[v[1]] - positions[v[0]]).cross(positions[v[2]] - positions[v[0]]).normalized();
  };
  const auto counts = [&](FaceId f) { return chosen[body.polygon(body.triangles().polygon[f])] != 0; };
  double largest = 0;
  for (EdgeId e : ids<EdgeId>(t.edge_count())) {
    if (t.is_border(e)) continue;
    const FaceId a = t.face(t.halfedge(e)), b = t.face(t.twin(t.halfedge(e)));
    if (counts(a) && counts(b))
      largest = std::max(largest, std::atan2(normal(a).cross(normal(b)).norm(), normal(a).dot(normal(b))));
  }
  return largest;
}

/// Facets are gone, at rest and in motion, and the vertices of the body stay.
TEST(SubdividedBody, ASmoothSurfaceThroughItsVerticesHasNoFacets) {
  for (const auto& [name, mesh] : {test::NamedMesh{"triangles", test::icosphere(1)},
                                   test::NamedMesh{"quads", test::quad_torus(14, 9, 1, 0.4)},
                                   test::NamedMesh{"polygons", test::dual(test::icosphere(1))}})
    for (const bool half : {false, true}) {
      SCOPED_TRACE(name + (half ? ", a half" : ""));
      const WavingBody inner(as_source(mesh, false));
      const Chosen chosen = choose(inner.mesh(), half);
      const SubdividedBody flat(inner, chosen, 3);
      const SubdividedBody smooth(inner, chosen, 3, SubdividedSurface::Limit);
      EXPECT_EQ(smooth.mesh().corners, flat.mesh().corners);
      EXPECT_EQ(smooth.mesh().positions, smooth.positions(0));
      for (const double time : {0.0, 0.3}) {
        const SourcePoints own = smooth.source_positions(time), below = inner.source_positions(time);
        EXPECT_TRUE(std::equal(below.begin(), below.end(), own.begin()));
        const double facets = sharpest_edge(flat, flat.positions(time), chosen);
        const double left = sharpest_edge(smooth, smooth.positions(time), chosen);
        EXPECT_LT(left, 0.3 * facets) << left << " of " << facets;
      }
    }
}

/// Where a sphere's triangles were off by a twentieth of its radius, the smooth surface is off by a tenth of
/// that.
TEST(SubdividedBody, ASmoothSurfaceOfASphereIsNearlyASphere) {
  const test::StillBody inner(as_source(test::icosphere(1), false));
  const auto off = [](const SubdividedBody& body) {
    double largest = 0;
    for (const Vec3& x : body.mesh().positions) largest = std::max(largest, std::abs(x.norm() - 1));
    return largest;
  };
  EXPECT_LT(off(SubdividedBody(inner, {}, 3, SubdividedSurface::Limit)),
            0.1 * off(SubdividedBody(inner, {}, 3)));
}

TEST(SubdividedBody, LevelZeroIsTheSameMesh) {
  for (const auto& [name, mesh] : polygon_meshes()) {
    SCOPED_TRACE(name);
    const test::StillBody inner(as_source(mesh, true));
    const SubdividedBody body(inner, {}, 0);
    EXPECT_EQ(body.source().corners, inner.source().corners);
    EXPECT_EQ(body.source().face_offsets, inner.source().face_offsets);
    EXPECT_EQ(body.source().positions, inner.source().positions);
    EXPECT_EQ(body.source().uvs, inner.source().uvs);
    EXPECT_EQ(body.mesh().corners, inner.mesh().corners);
    EXPECT_EQ(body.places().size(), inner.mesh().vertex_count());
  }
}

TEST(SubdividedBody, SeamsStayClosed) {
  for (const auto& [name, mesh] : polygon_meshes()) {
    SCOPED_TRACE(name);
    const WavingBody whole(as_source(mesh, false)), split(as_source(mesh, true));
    ASSERT_EQ(split.mesh().vertex_count(), whole.mesh().vertex_count());
    const SubdividedBody body(split, choose(split.mesh(), true), 2);
    const SubdividedBody plain(whole, choose(whole.mesh(), true), 2);
    EXPECT_EQ(body.mesh().vertex_count(), plain.mesh().vertex_count());
    EXPECT_EQ(euler(body.mesh()), euler(whole.mesh()));
    EXPECT_EQ(std::vector(split.source().positions.begin(), split.source().positions.end()),
              std::vector(body.source().positions.begin(),
                          body.source().positions.begin() + long(split.source().vertex_count())));
    // A reader of the file joins what lies in one place to the bit, and finds the same mesh again.
    const Weld again = weld(body.source(), 0);
    EXPECT_EQ(again.mesh.vertex_count(), body.mesh().vertex_count());
    EXPECT_EQ(euler(again.mesh), euler(whole.mesh()));
    const SourcePoints moved = body.source_positions(0.7);
    for (SourceVertexId v : ids<SourceVertexId>(moved.size()))
      EXPECT_EQ(moved[v], moved[again.representative[again.vertex_of[v]]]);
  }
}

TEST(SubdividedBody, TextureCoordinatesAreInterpolatedWithinFaces) {
  const test::StillBody inner(as_source(test::quad_torus(10, 6, 1, 0.4), true));
  ASSERT_TRUE(inner.source().has_uvs());
  const SubdividedBody body(inner, {}, 2);
  const Mesh& mesh = body.mesh();
  ASSERT_EQ(mesh.uvs.size(), mesh.corner_count());
  EXPECT_EQ(body.source().uvs, mesh.uvs);
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    const std::size_t c = mesh.first_corner(f).index();
    // Cells of the layout are rectangles: each face has a quarter of its polygon's sides, also at a seam.
    const Vec2 across = mesh.uvs[CornerId(c + 1)] - mesh.uvs[CornerId(c)];
    const Vec2 up = mesh.uvs[CornerId(c + 3)] - mesh.uvs[CornerId(c)];
    EXPECT_NEAR(std::abs(cross(across, up)), 1.0 / (40 * 24), 1e-12);
  }
}

TEST(SubdividedBody, AttributesAreInterpolated) {
  const WavingBody inner(as_source(test::mixed_torus(10, 6, 1, 0.4), true));
  const SubdividedBody body(inner, {}, 1);
  EXPECT_EQ(body.attribute_names(), inner.attribute_names());
  EXPECT_FALSE(body.attribute("nothing"));
  const VertexAttribute painted = body.attribute("PLACE").value();
  ASSERT_EQ(painted.values.size(), 3 * body.source().vertex_count());
  for (SourceVertexId v : ids<SourceVertexId>(body.source().vertex_count()))
    for (std::size_t c = 0; c < 3; ++c)
      EXPECT_NEAR(painted.values[3 * v.index() + c], body.source().positions[v][long(c)], 1e-14);
}

TEST(SubdividedBody, HasTheJointsOfItsBody) {
  const std::unique_ptr<Body> finger = open_cast_member("finger", 0.004);
  const SubdividedBody body(*finger, {}, 1);
  const Influences w = body.skeleton().value().influences;
  ASSERT_EQ(w.offsets.size(), body.source().vertex_count() + 1);
  for (std::size_t v = 0; v + 1 < w.offsets.size(); ++v)
    EXPECT_NEAR(std::accumulate(w.weights.begin() + w.offsets[v], w.weights.begin() + w.offsets[v + 1], 0.0),
                1, 1e-12);
  const double time = 0.6 * finger->duration().end;
  EXPECT_EQ(body.joint_transforms(time), finger->joint_transforms(time));
  ASSERT_GT(body.source().vertex_count(), 3 * finger->source().vertex_count());
  EXPECT_GT(test::largest_distance(body.source().positions, body.smooth_positions(time)), 0.005);
}

TEST(SubdividedBody, MendedBodiesStayMended) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    const test::StillBody inner(as_source(test::fractured(test::icosphere(2), 0.3, seed), false));
    ASSERT_FALSE(inner.weld().split_vertices().empty());
    const SubdividedBody body(inner, choose(inner.mesh(), true), 2);
    EXPECT_EQ(euler(body.mesh()) - euler(inner.mesh()), 0);
    EXPECT_EQ(body.weld().split_vertices().size(), inner.weld().split_vertices().size());
    EXPECT_TRUE(std::equal(inner.source().positions.begin(), inner.source().positions.end(),
                           body.source().positions.begin()));
    const Points now = inner.positions(0), finer = body.positions(0);
    for (VertexId v : ids<VertexId>(finer.size()))
      if (const SurfacePoint& p = body.places()[v]; p.face.valid()) {
        EXPECT_EQ(finer[v], interpolate(inner.triangles().mesh, now, p));
      }
  }
}

}  // namespace
}  // namespace cutis
