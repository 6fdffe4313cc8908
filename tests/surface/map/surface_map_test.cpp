#include "cutis/surface/map/surface_map.h"

#include <cmath>

#include <gtest/gtest.h>

#include "cutis/surface/geodesic/closest_point.h"
#include "cutis/surface/geodesic/trace.h"
#include "cutis/surface/mesh/diagnose.h"
#include "support/real_meshes.h"
#include "support/same_bits.h"

namespace cutis {
namespace {

using SurfacePtr = SurfaceMap::SurfacePtr;

double mean_edge(const Surface& surface) {
  double sum = 0;
  const Topology& t = surface.topology();
  for (EdgeId e : ids<EdgeId>(t.edge_count())) {
    const HalfedgeId h = t.halfedge(e);
    sum += (surface.positions()[t.from(h)] - surface.positions()[t.to(h)]).norm();
  }
  return sum / static_cast<double>(t.edge_count());
}

/// Every vertex slid by a smooth field of the given strength [m], borders held still.
SurfaceMap slid(const SurfacePtr& surface, double strength, double waves = 1) {
  SurfaceMap::Points points = SurfaceMap::identity(surface).points();
  const double k = waves * 2 * M_PI / surface->size();
  for (VertexId v : ids<VertexId>(points.size())) {
    if (surface->topology().is_border(v)) continue;
    const Vec3& p = surface->positions()[v];
    const Vec3 field(std::sin(k * p.y() + 0.3), std::cos(k * p.z() - 0.2), std::sin(k * p.x() + 1));
    const auto face = surface->mesh().face(points[v].face);
    const Vec3 a = surface->positions()[face[0]];
    const Vec3 face_normal = (surface->positions()[face[1]] - a).cross(surface->positions()[face[2]] - a);
    // Tangent to the smooth surface, then turned into the face: a face's own plane would make the field
    // rough.
    const Vec3& normal = surface->normals()[v];
    const Vec3 tangent = Quat::FromTwoVectors(normal, face_normal) * (field - normal.dot(field) * normal);
    points[v] = trace(surface->topology(), surface->positions(), points[v], strength * tangent).end;
  }
  return SurfaceMap(surface, surface, points);
}

/// A torus with radii 1 and 0.4 slid by a smooth field given in its two angles: the same map on every mesh of
/// it.
SurfaceMap slid_torus(const SurfacePtr& surface) {
  const ClosestPointTree tree(surface->mesh());
  SurfaceMap::Points points;
  for (const Vec3& p : surface->positions()) {
    const double around = std::atan2(p.y(), p.x()), across = std::atan2(p.z(), p.head<2>().norm() - 1);
    const double u = around + 0.05 * std::sin(2 * around + across),
                 v = across + 0.1 * std::cos(around - across);
    const double r = 1 + 0.4 * std::cos(v);
    points.push_back(tree(Vec3(r * std::cos(u), r * std::sin(u), 0.4 * std::sin(v))).point);
  }
  return SurfaceMap(surface, surface, points);
}

std::size_t zero_area_faces(const Mesh& mesh) {
  std::size_t count = 0;
  for (FaceId f : ids<FaceId>(mesh.face_count())) count += flatness(mesh, f) < zero_area_flatness;
  return count;
}

/// Smooth closed surfaces and flat sheets: a slide by half an edge keeps every face upright on them.
std::vector<test::NamedMesh> smooth_meshes() {
  return {{"sphere", test::icosphere(3)},
          {"uv sphere", test::uv_sphere(24, 40)},
          {"torus", test::torus(48, 24, 1, 0.4)},
          {"jittered torus", test::noisy(test::torus(40, 20, 1, 0.4), 0.05, 7)},
          {"sheet", test::sheet(20, 20, 0.3, 5)},
          {"cylinder", test::cylinder(30, 20, 0.5, 1)}};
}

TEST(SurfaceMap, IdentityIsExact) {
  for (const auto& [name, mesh] : test::mesh_families()) {
    const auto surface = std::make_shared<Surface>(mesh);
    const SurfaceMap identity = SurfaceMap::identity(surface);
    EXPECT_EQ(identity.pull(surface->positions()), surface->positions()) << name;
    const auto inverse = identity.inverse();
    EXPECT_TRUE(inverse.missed.empty()) << name;
    EXPECT_EQ(inverse.map.points(), identity.points()) << name;
    EXPECT_TRUE(identity.folded_faces().empty()) << name;
    test::Random random(3);
    for (int i = 0; i < 200; ++i) {
      const double a = random(), b = (1 - a) * random();
      const SurfacePoint p{FaceId(random.below(static_cast<int>(mesh.face_count()))), Vec3(1 - a - b, a, b)};
      EXPECT_EQ(surface->position(identity(p)), surface->position(p)) << name;
    }
  }
}

TEST(SurfaceMap, TheMapOfTheInverseIsTheVertexItself) {
  for (const auto& [name, mesh] : smooth_meshes()) {
    const auto surface = std::make_shared<Surface>(mesh);
    const SurfaceMap map = slid(surface, 0.25 * mean_edge(*surface));
    ASSERT_TRUE(map.folded_faces().empty()) << name << ": " << map.folded_faces().size();
    const auto inverse = map.inverse();
    EXPECT_TRUE(inverse.missed.empty()) << name << ": " << inverse.missed.size();
    double worst = 0;
    for (VertexId v : ids<VertexId>(mesh.vertex_count())) {
      const SurfacePoint image = map(inverse.map[v]);
      ASSERT_TRUE(image.face.valid()) << name << " vertex " << v.value;
      worst = std::max(worst, (surface->position(image) - surface->positions()[v]).norm());
    }
    EXPECT_LT(worst, 1e-9 * surface->size()) << name;
  }
}

TEST(SurfaceMap, InvertingTwiceComesBackAtSecondOrder) {
  std::vector<double> errors;
  for (int n : {32, 64, 128}) {
    const auto surface = std::make_shared<Surface>(test::torus(n, n / 2, 1, 0.4));
    const SurfaceMap map = slid_torus(surface);
    const SurfaceMap twice = map.inverse().map.inverse().map;
    double worst = 0;
    for (VertexId v : ids<VertexId>(surface->mesh().vertex_count()))
      worst = std::max(worst, (surface->position(twice[v]) - surface->position(map[v])).norm());
    errors.push_back(worst);
    EXPECT_LT(worst, 0.05 * mean_edge(*surface)) << n;
  }
  const double order = std::log2(errors[1] / errors[2]);
  RecordProperty("order", std::to_string(order));
  EXPECT_GT(order, 1.7) << errors[0] << ' ' << errors[1] << ' ' << errors[2];
}

TEST(SurfaceMap, IsContinuousAcrossEdges) {
  const auto surface = std::make_shared<Surface>(test::irregular(test::torus(30, 16, 1, 0.4), 1, 2));
  const SurfaceMap map = slid(surface, 0.8 * mean_edge(*surface));
  const Topology& t = surface->topology();
  for (EdgeId e : ids<EdgeId>(t.edge_count())) {
    const HalfedgeId h = t.halfedge(e), g = t.twin(h);
    const auto on_edge = [&](HalfedgeId side, double way) {
      SurfacePoint p{t.face(side), Vec3::Zero()};
      const int i = static_cast<int>(side.index() - surface->mesh().first_corner(p.face).index());
      p.barycentric[i] = 1 - way;
      p.barycentric[(i + 1) % 3] = way;
      return surface->position(map(p));
    };
    EXPECT_LT((on_edge(h, 0.3) - on_edge(g, 0.7)).norm(), 1e-10);
  }
}

TEST(SurfaceMap, CompositionWithTheInverseIsTheIdentity) {
  const auto surface = std::make_shared<Surface>(test::torus(48, 24, 1, 0.4));
  const SurfaceMap map = slid(surface, 0.06);
  const SurfaceMap round = map.inverse().map.then(map);
  for (VertexId v : ids<VertexId>(surface->mesh().vertex_count()))
    EXPECT_LT((surface->position(round[v]) - surface->positions()[v]).norm(), 1e-9);
}

TEST(SurfaceMap, LargeSlidesAreFoundByTheGlobalSearch) {
  // A sphere turned by 120 degrees: no walk from the vertex's own place is likely to arrive.
  const auto surface = std::make_shared<Surface>(test::icosphere(3));
  const Eigen::AngleAxisd turn(2 * M_PI / 3, Vec3(1, 1, 1).normalized());
  SurfaceMap::Points points = SurfaceMap::identity(surface).points();
  for (VertexId v : ids<VertexId>(points.size())) {
    const Vec3& from = surface->positions()[v];
    const Vec3 to = turn * from, axis = from.cross(to);
    const FaceId f = points[v].face;
    if (axis.norm() < 1e-9) continue;
    const double angle = std::atan2(axis.norm(), from.dot(to));
    points[v] = trace(surface->topology(), surface->positions(), {f, points[v].barycentric},
                      angle * axis.normalized().cross(from))
                    .end;
  }
  const SurfaceMap map(surface, surface, points);
  ASSERT_TRUE(map.folded_faces().empty());
  const auto inverse = map.inverse();
  EXPECT_TRUE(inverse.missed.empty()) << inverse.missed.size();
  for (VertexId v : ids<VertexId>(points.size()))
    EXPECT_LT((surface->position(map(inverse.map[v])) - surface->positions()[v]).norm(), 1e-9);
}

TEST(SurfaceMap, FoldsAreNamed) {
  const auto surface = std::make_shared<Surface>(test::sheet(10, 10, 0, 1));
  SurfaceMap::Points points = SurfaceMap::identity(surface).points();
  // One inner vertex dragged over two cells turns some of the faces around it over.
  const VertexId moved(5 * 11 + 5);
  points[moved] = trace(surface->topology(), surface->positions(), points[moved], Vec3(0.25, 0.02, 0)).end;
  const SurfaceMap map(surface, surface, points);
  const auto folded = map.folded_faces();
  ASSERT_FALSE(folded.empty());
  for (FaceId f : folded) {
    const auto face = surface->mesh().face(f);
    EXPECT_NE(std::find(face.begin(), face.end(), moved), face.end()) << f.value;
  }
  EXPECT_LT(folded.size(), 6u);
}

TEST(SurfaceMap, VerticesBeyondTheBorderOfTheImageAreReported) {
  const auto surface = std::make_shared<Surface>(test::sheet(10, 10, 0, 1));
  SurfaceMap::Points points = SurfaceMap::identity(surface).points();
  // Drawn in by a tenth on all sides: the outer ring of vertices has nothing on it any more.
  for (VertexId v : ids<VertexId>(points.size())) {
    const Vec3 inwards = -0.2 * (surface->positions()[v] - Vec3(0.5, 0.5, 0));
    points[v] = trace(surface->topology(), surface->positions(), points[v], inwards).end;
  }
  const SurfaceMap map(surface, surface, points);
  EXPECT_EQ(map.inverse().missed.size(), 40u);
}

TEST(SurfaceMap, FieldsTravelBothWays) {
  const auto surface = std::make_shared<Surface>(test::sheet(30, 30, 0.2, 4));
  const SurfaceMap map = slid(surface, 0.02);
  IdVector<VertexId, double> x;
  for (const Vec3& p : surface->positions()) x.push_back(p.x());
  // x is linear on the sheet, so pulling it gives the x of the images, and pulling it back gives x.
  const auto pulled = map.pull(x);
  const auto back = map.inverse().map.pull(pulled);
  for (VertexId v : ids<VertexId>(x.size())) {
    EXPECT_NEAR(pulled[v], surface->position(map[v]).x(), 1e-12);
    EXPECT_NEAR(back[v], x[v], 1e-9);
  }
  const auto uvs = map.pull_uvs();
  for (VertexId v : ids<VertexId>(x.size())) EXPECT_NEAR(uvs[v].x(), pulled[v], 1e-12);
  for (const Vec3& n : map.pull_directions(surface->normals()))
    EXPECT_NEAR((n - Vec3::UnitZ()).norm(), 0, 1e-12);
}

TEST(SurfaceMap, RealCharactersAreSlidAndComeBack) {
  if (test::real_surfaces().empty()) GTEST_SKIP() << "no shared characters";
  for (const auto& [name, mesh] : test::real_surfaces()) {
    const auto surface = std::make_shared<Surface>(mesh);
    const SurfaceMap identity = SurfaceMap::identity(surface);
    EXPECT_EQ(identity.inverse().map.points(), identity.points()) << name;
    EXPECT_TRUE(identity.folded_faces().size() <= zero_area_faces(mesh)) << name;
    // Real meshes have slivers, and a slide may fold them: a face is right or named, and a vertex that no
    // upright face covers is missed, never wrong.
    const SurfaceMap map = slid(surface, 0.05 * mean_edge(*surface));
    const auto folded = map.folded_faces();
    const auto inverse = map.inverse();
    EXPECT_LE(folded.size(), mesh.face_count() / 50) << name;
    EXPECT_LE(inverse.missed.size(), 3 * folded.size()) << name;
    for (VertexId v : ids<VertexId>(mesh.vertex_count())) {
      if (std::find(inverse.missed.begin(), inverse.missed.end(), v) != inverse.missed.end()) continue;
      if (!surface->topology().halfedge(v).valid()) continue;
      const SurfacePoint image = map(inverse.map[v]);
      ASSERT_TRUE(image.face.valid()) << name << " vertex " << v.value;
      ASSERT_LT((surface->position(image) - surface->positions()[v]).norm(), 1e-9 * surface->size())
          << name << " vertex " << v.value;
    }
  }
}

const bool inverse_bits = test::same_bits("Inverse", [] {
  return slid(std::make_shared<Surface>(test::torus(48, 24, 1, 0.4)), 0.05).inverse().map.points();
});

TEST(SurfaceMap, InverseIsTheSameFromAWarmStart) {
  const auto surface = std::make_shared<Surface>(test::torus(48, 24, 1, 0.4));
  const SurfaceMap start = slid(surface, 0.05).inverse().map, next = slid(surface, 0.055);
  const SurfaceMap cold = next.inverse().map, warm = next.inverse(start.points()).map;
  for (VertexId v : ids<VertexId>(cold.points().size()))
    EXPECT_LT((surface->position(cold[v]) - surface->position(warm[v])).norm(), 1e-12);
}

}  // namespace
}  // namespace cutis
