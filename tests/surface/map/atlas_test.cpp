#include "cutis/surface/map/atlas.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>

#include "cutis/core/error.h"
#include "cutis/core/log.h"
#include "cutis/io/gltf/gltf_reader.h"
#include "cutis/surface/field/uv_charts.h"
#include "cutis/surface/geodesic/frames.h"
#include "cutis/surface/geodesic/trace.h"
#include "cutis/surface/mesh/repair.h"
#include "cutis/surface/mesh/triangle_mesh.h"
#include "cutis/surface/mesh/weld.h"
#include "support/allocations.h"
#include "support/meshes.h"
#include "support/support.h"

namespace cutis {
namespace {

constexpr double pi = std::numbers::pi;

Atlas::SurfacePtr surface_of(const Mesh& mesh) { return std::make_shared<Surface>(mesh); }

Vec2 random_vector(test::Random& random) {
  const double x = random(-1, 1), y = random(-1, 1);
  return {x, y};
}

SurfacePoint random_point(test::Random& random, FaceId f) {
  double a = random(), b = random();
  if (a + b > 1) a = 1 - a, b = 1 - b;
  return {f, Vec3(1 - a - b, a, b)};
}

FaceId random_face(test::Random& random, const Surface& s) {
  return FaceId(random.below(static_cast<int>(s.topology().face_count())));
}

/// A similarity of scale 0.5 to 2, anywhere.
ChartTransition random_transition(test::Random& random, bool mirrored) {
  const double angle = random(-pi, pi), scale = std::exp2(random(-1, 1));
  return {scale * Vec2(std::cos(angle), std::sin(angle)), 3 * random_vector(random), mirrored};
}

double difference(const ChartTransition& a, const ChartTransition& b) {
  return a.mirrored != b.mirrored ? 1e9 : (a.turn - b.turn).norm() + (a.shift - b.shift).norm();
}

/// Largest errors over all inner half-edges: of the ends carried over, and of there and back.
void expect_consistent(const Atlas& atlas, double tolerance) {
  const Topology& t = atlas.surface()->topology();
  double ends = 0, back = 0;
  for (HalfedgeId h : ids<HalfedgeId>(t.corner_count())) {
    const HalfedgeId g = t.twin(h);
    if (t.is_border(g)) continue;
    ends = std::max(ends, (atlas.carry(h, atlas.coordinates(h)) - atlas.coordinates(t.next(g))).norm());
    ends = std::max(ends, (atlas.carry(h, atlas.coordinates(t.next(h))) - atlas.coordinates(g)).norm());
    back = std::max(back, difference(atlas.transition(g) * atlas.transition(h), {}));
  }
  EXPECT_LE(ends, tolerance);
  EXPECT_LE(back, tolerance);
}

/// Keeps what the library says.
class Said {
 public:
  Said() {
    set_logger(
        std::make_shared<spdlog::logger>("test", std::make_shared<spdlog::sinks::ostream_sink_mt>(out_)));
  }
  ~Said() { set_logger(nullptr); }
  std::string text() const { return out_.str(); }

 private:
  std::ostringstream out_;
};

TEST(ChartTransition, ComposesInvertsAndTakesEdgesOver) {
  test::Random random(1);
  for (int i = 0; i < 200; ++i) {
    const ChartTransition a = random_transition(random, i % 2), b = random_transition(random, i % 3 == 0);
    const Vec2 x = random_vector(random), y = random_vector(random);
    EXPECT_LT(((a * b)(x)-a(b(x))).norm(), 1e-13);
    EXPECT_LT((a.inverse()(a(x)) - x).norm(), 1e-13);
    EXPECT_LT((a(x) - a(y) - a.vector(x - y)).norm(), 1e-13);
    EXPECT_NEAR((a(x) - a(y)).norm(), a.scale() * (x - y).norm(), 1e-13);
    if ((x - y).norm() > 0.1) {
      EXPECT_LT(difference(ChartTransition::similarity(x, y, a(x), a(y), a.mirrored), a), 1e-12);
      ChartTransition r = a;
      r.mirrored = false;
      r.turn.normalize();
      EXPECT_LT(difference(ChartTransition::rigid(x, y, r(x), r(y)), r), 1e-12);
      EXPECT_TRUE(r.is_rigid());
    }
    EXPECT_EQ(a.is_rigid(), !a.mirrored && std::abs(a.scale() - 1) < 1e-12);
    EXPECT_EQ(ChartTransition::similarity(x, y, x, y), ChartTransition());
  }
}

TEST(IntrinsicAtlas, KeepsLengthsAndUnfoldsNeighbours) {
  for (const auto& [name, mesh] : test::mesh_families()) {
    SCOPED_TRACE(name);
    const Atlas atlas = intrinsic_atlas(surface_of(mesh));
    const Topology& t = atlas.surface()->topology();
    EXPECT_EQ(atlas.chart_count(), static_cast<int>(mesh.face_count()));
    EXPECT_TRUE(atlas.is_rigid());
    EXPECT_TRUE(atlas.flipped_faces().empty());
    expect_consistent(atlas, 1e-12);
    for (HalfedgeId h : ids<HalfedgeId>(t.corner_count())) {
      const double length = (mesh.positions[t.to(h)] - mesh.positions[t.from(h)]).norm();
      EXPECT_NEAR((atlas.coordinates(t.next(h)) - atlas.coordinates(h)).norm(), length, 1e-14);
      if (t.is_border(t.twin(h))) continue;
      // Unfolded, the neighbour lies on the other side.
      const Vec2 x = atlas.coordinates(h), along = atlas.coordinates(t.next(h)) - x;
      const Vec2 apex = atlas.carry(t.twin(h), atlas.coordinates(t.prev(t.twin(h)))) - x;
      EXPECT_LT(along.x() * apex.y() - along.y() * apex.x(), 0);
    }
  }
}

TEST(IntrinsicAtlas, OnceAroundAVertexTurnsByItsAngleDefect) {
  for (const auto& [name, mesh] : test::mesh_families()) {
    SCOPED_TRACE(name);
    const Atlas atlas = intrinsic_atlas(surface_of(mesh));
    const Topology& t = atlas.surface()->topology();
    const TangentFrames frames(t, mesh.positions);
    for (VertexId v : ids<VertexId>(t.vertex_count())) {
      if (t.is_border(v)) continue;
      const CornerId c = t.halfedge(v);
      const ChartTransition around = atlas.around(c, c);
      EXPECT_LT((around(atlas.coordinates(c)) - atlas.coordinates(c)).norm(), 1e-12);
      EXPECT_NEAR(
          std::remainder(std::atan2(around.turn.y(), around.turn.x()) - frames.angle_defect(v), 2 * pi), 0,
          1e-11);
      EXPECT_LT((around.vector(Vec2(1, 0)) - frames.around(c, c, Vec2(1, 0))).norm(), 1e-11);
    }
  }
}

/// On the intrinsic atlas a straight walk is a straightest geodesic.
TEST(IntrinsicAtlas, LocateAgreesWithTrace) {
  for (const auto& [name, mesh] : test::mesh_families()) {
    SCOPED_TRACE(name);
    const Atlas atlas = intrinsic_atlas(surface_of(mesh));
    const Surface& s = *atlas.surface();
    test::Random random(5);
    int arrived = 0;
    for (int i = 0; i < 200; ++i) {
      const SurfacePoint start = random_point(random, random_face(random, s));
      const Vec2 step = 0.3 * s.size() * random_vector(random);
      const Vec3 vector = face_frame(s.topology(), s.positions(), start.face).vector(step);
      const TraceResult traced = trace(s.topology(), s.positions(), start, vector);
      const auto found = atlas.locate(start, atlas.coordinates(start) + step);
      ASSERT_EQ(found.has_value(), traced.reason == TraceEnd::Arrived);
      if (!found) continue;
      ++arrived;
      EXPECT_LT((s.position(*found) - s.position(traced.end)).norm(), 1e-10 * s.size());
    }
    EXPECT_GT(arrived, 40);
  }
}

/// Each face laid out anywhere in the unit square's surroundings, of any scale, half of them mirrored.
Mesh scattered_uvs(const Atlas& intrinsic, const IdVector<FaceId, ChartTransition>& gauge) {
  Mesh mesh = intrinsic.surface()->mesh();
  const Topology& t = intrinsic.surface()->topology();
  mesh.uvs.resize(t.corner_count());
  for (CornerId c : ids<CornerId>(t.corner_count())) mesh.uvs[c] = gauge[t.face(c)](intrinsic.coordinates(c));
  return mesh;
}

TEST(UvAtlas, FollowsIslandsOfAnyScaleAlsoMirrored) {
  for (const auto& [name, mesh] : test::mesh_families()) {
    SCOPED_TRACE(name);
    const Atlas intrinsic = intrinsic_atlas(surface_of(mesh));
    const Topology& t = intrinsic.surface()->topology();
    test::Random random(7);
    IdVector<FaceId, ChartTransition> gauge;
    for (FaceId f : ids<FaceId>(t.face_count())) gauge.push_back(random_transition(random, f.value % 2));
    const Atlas atlas = uv_atlas(surface_of(scattered_uvs(intrinsic, gauge)));
    expect_consistent(atlas, 1e-11);
    EXPECT_FALSE(atlas.is_rigid());
    EXPECT_TRUE(atlas.flipped_faces().empty());
    for (HalfedgeId h : ids<HalfedgeId>(t.corner_count())) {
      if (t.is_border(t.twin(h))) continue;
      const ChartTransition expected =
          gauge[t.face(t.twin(h))] * intrinsic.transition(h) * gauge[t.face(h)].inverse();
      EXPECT_LT(difference(atlas.transition(h), expected), 1e-9);
    }
    // The same places are found, whatever the layout.
    for (int i = 0; i < 100; ++i) {
      const SurfacePoint start = random_point(random, random_face(random, *atlas.surface()));
      const Vec2 x = intrinsic.coordinates(start) + 0.2 * atlas.surface()->size() * random_vector(random);
      const auto expected = intrinsic.locate(start, x);
      const auto found = atlas.locate(start, gauge[start.face](x));
      ASSERT_EQ(found.has_value(), expected.has_value());
      if (!found) continue;
      EXPECT_LT((atlas.surface()->position(*found) - atlas.surface()->position(*expected)).norm(),
                1e-9 * atlas.surface()->size());
    }
  }
}

TEST(UvAtlas, SeamsOfATorusAndACylinderJumpByOne) {
  for (const Mesh& mesh : {test::torus(12, 8, 1, 0.4), test::cylinder(12, 6, 0.5, 1)}) {
    const Atlas atlas = uv_atlas(surface_of(mesh));
    const Topology& t = atlas.surface()->topology();
    EXPECT_EQ(atlas.chart_count(), 1);
    expect_consistent(atlas, 1e-14);
    int seams = 0;
    for (HalfedgeId h : ids<HalfedgeId>(t.corner_count())) {
      if (t.is_border(t.twin(h)) || !atlas.is_seam(h)) continue;
      ++seams;
      EXPECT_LT((atlas.transition(h).turn - Vec2(1, 0)).norm(), 1e-14);
      EXPECT_NEAR(atlas.transition(h).shift.lpNorm<1>(), 1, 1e-14);
    }
    EXPECT_EQ(seams, atlas.surface()->topology().border_loops().empty() ? 2 * (12 + 8) : 2 * 6);
  }
}

TEST(UvAtlas, SaysWhatIsWrongWithTheUvs) {
  EXPECT_THROW(uv_atlas(surface_of(test::icosphere(1))), InputError);
  Mesh broken = test::torus(6, 6, 1, 0.4);
  broken.uvs[CornerId(7)].x() = std::numeric_limits<double>::quiet_NaN();
  try {
    uv_atlas(surface_of(broken));
    ADD_FAILURE() << "no complaint about a UV that is not finite";
  } catch (const InputError& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("face 2"));
  }
}

TEST(UvAtlas, CarriesOverEdgesWithoutLengthAndSaysSo) {
  Mesh mesh = test::torus(6, 6, 1, 0.4);
  for (std::size_t c : {0, 1, 2}) mesh.uvs[CornerId(c)] = Vec2(0.25, 0.75);
  const Said said;
  const Atlas atlas = uv_atlas(surface_of(mesh));
  EXPECT_THAT(said.text(), testing::HasSubstr("3 seam edges have no length"));
  const Topology& t = atlas.surface()->topology();
  for (HalfedgeId h : {HalfedgeId(0), HalfedgeId(1), HalfedgeId(2)}) {
    const HalfedgeId g = t.twin(h);
    const Vec2 middle = 0.5 * (atlas.coordinates(g) + atlas.coordinates(t.next(g)));
    EXPECT_LT((atlas.carry(h, Vec2(0.25, 0.75)) - middle).norm(), 1e-14);
    EXPECT_LT(difference(atlas.transition(g) * atlas.transition(h), {}), 1e-14);
  }
  EXPECT_FALSE(atlas.locate(FaceId(0), Vec2(0.25, 0.75)));
  EXPECT_EQ(atlas.flipped_faces(), std::vector<FaceId>{FaceId(0)});
}

TEST(Atlas, LocateFindsThePointOfItsCoordinates) {
  for (const auto& [name, mesh] : test::mesh_families()) {
    SCOPED_TRACE(name);
    const Atlas atlas = intrinsic_atlas(surface_of(mesh));
    test::Random random(11);
    for (FaceId f : ids<FaceId>(mesh.face_count())) {
      for (const SurfacePoint& p :
           {random_point(random, f), SurfacePoint{f, Vec3(0, 1, 0)}, SurfacePoint{f, Vec3(0.25, 0, 0.75)}}) {
        const auto found = atlas.locate(random_point(random, f), atlas.coordinates(p));
        ASSERT_TRUE(found);
        EXPECT_EQ(found->face, f);
        EXPECT_LT((found->barycentric - p.barycentric).norm(), 1e-11);
      }
    }
  }
}

/// A flat sheet is one plane: coordinates carried along any way through it lead back to the point.
TEST(Atlas, LocateWalksBackFromAnywhereOnAFlatSheet) {
  const Atlas atlas = intrinsic_atlas(surface_of(test::sheet(20, 15, 0.35, 3)));
  const Surface& s = *atlas.surface();
  const Topology& t = s.topology();
  test::Random random(13);
  for (int i = 0; i < 500; ++i) {
    const SurfacePoint p = random_point(random, random_face(random, s));
    Vec2 x = atlas.coordinates(p);
    FaceId f = p.face;
    for (int step = 0; step < 30; ++step) {
      const HalfedgeId h(t.halfedge(f).index() + static_cast<std::size_t>(random.below(3)));
      if (t.is_border(t.twin(h))) continue;
      x = atlas.carry(h, x);
      f = t.face(t.twin(h));
    }
    for (const SurfacePoint& start : {random_point(random, f), SurfacePoint{f, Vec3(0, 0, 1)}}) {
      const auto found = atlas.locate(start, x);
      ASSERT_TRUE(found);
      EXPECT_LT((s.position(*found) - s.position(p)).norm(), 1e-12);
    }
  }
}

TEST(Atlas, LocateSaysWhenThereIsNoSuchPoint) {
  const Atlas atlas = intrinsic_atlas(surface_of(test::sheet(4, 4, 0, 1)));
  EXPECT_FALSE(atlas.locate(FaceId(3), Vec2(10, 0)));
  EXPECT_FALSE(atlas.locate(FaceId(3), Vec2(std::numeric_limits<double>::infinity(), 0)));
  // Nothing stops a walk around a sphere but its limit.
  const Atlas round = intrinsic_atlas(surface_of(test::icosphere(1)));
  EXPECT_FALSE(round.locate(FaceId(3), Vec2(1e9, 1e8)));
}

/// Faces without area, needles and holes: walks end in a point of the mesh or nowhere.
TEST(Atlas, LocateSurvivesDamagedMeshes) {
  for (unsigned seed : {1u, 2u, 3u}) {
    const Mesh mesh = repair(test::fractured(test::icosphere(3), 0.5, seed)).mesh;
    const Atlas atlas = intrinsic_atlas(surface_of(mesh));
    const Surface& s = *atlas.surface();
    EXPECT_TRUE(atlas.is_rigid());
    expect_consistent(atlas, 1e-11);
    test::Random random(seed);
    int found = 0;
    for (int i = 0; i < 1000; ++i) {
      const SurfacePoint start = random_point(random, random_face(random, s));
      const auto p = atlas.locate(start, atlas.coordinates(start) + 0.2 * random_vector(random));
      if (!p) continue;
      ++found;
      ASSERT_TRUE(p->face.valid() && p->face.index() < mesh.face_count());
      EXPECT_GE(p->barycentric.minCoeff(), 0);
      EXPECT_NEAR(p->barycentric.sum(), 1, 1e-14);
      // The chord is no longer than the walk.
      EXPECT_LT((s.position(*p) - s.position(start)).norm(), 0.2 * std::sqrt(2) + 1e-6);
    }
    EXPECT_GT(found, 500);
  }
}

TEST(Atlas, QueriesAllocateNothing) {
  const Atlas atlas = intrinsic_atlas(surface_of(test::icosphere(3)));
  test::Random random(17);
  const std::size_t before = test::allocations();
  double sum = 0;
  for (int i = 0; i < 100; ++i) {
    const SurfacePoint p = random_point(random, random_face(random, *atlas.surface()));
    const auto found = atlas.locate(p, atlas.coordinates(p) + random_vector(random));
    sum += found->barycentric[0];
    const FaceId next = atlas.surface()->topology().face(atlas.surface()->topology().twin(HalfedgeId(3 * i)));
    sum += (*atlas.together({p, {p.face, Vec3(0, 0, 1)}, p}))[1].x();
    sum += atlas.between(FaceId(i), next)->shift.x();
  }
  EXPECT_EQ(test::allocations(), before);
  EXPECT_TRUE(std::isfinite(sum));
}

TEST(Atlas, BetweenTakesTheShortestWay) {
  const Atlas atlas = intrinsic_atlas(surface_of(test::noisy(test::icosphere(3), 0.2, 19)));
  const Topology& t = atlas.surface()->topology();
  for (HalfedgeId h : ids<HalfedgeId>(t.corner_count())) {
    EXPECT_EQ(*atlas.between(t.face(h), t.face(t.twin(h))), atlas.transition(h));
    // The next but one around a vertex, over the one between.
    const HalfedgeId a = t.prev(h), b = t.prev(t.twin(a));
    const FaceId far = t.face(t.twin(b));
    const std::array<HalfedgeId, 2> path{a, b};
    EXPECT_LT(difference(*atlas.between(t.face(h), far), atlas.along(path)), 1e-13);
    EXPECT_LT(difference(*atlas.between(t.face(h), far), atlas.around(h, t.twin(b))), 1e-13);
  }
  EXPECT_EQ(*atlas.between(FaceId(5), FaceId(5)), ChartTransition());
}

TEST(Atlas, BetweenGivesUpOnFacesFarApart) {
  const Mesh sphere = test::icosphere(2);
  const Atlas parts = intrinsic_atlas(surface_of(test::joined(sphere, sphere, Vec3(3, 0, 0))));
  EXPECT_TRUE(parts.between(FaceId(0), FaceId(sphere.face_count() - 1)));
  EXPECT_FALSE(parts.between(FaceId(0), FaceId(sphere.face_count())));
  EXPECT_FALSE(parts.together({SurfacePoint{FaceId(0)}, {FaceId(1)}, {FaceId(sphere.face_count())}}));
  const Atlas large = intrinsic_atlas(surface_of(test::torus(80, 40, 1, 0.4)));
  EXPECT_FALSE(large.between(FaceId(0), FaceId(80 * 40)));
}

/// Every seam of a real layout carries both ways.
TEST(UvAtlas, CarriesAcrossTheSeamsOfRealCharacters) {
  const auto folder = test::data_folder();
  if (!folder) GTEST_SKIP() << "the shared characters are not there";
  int seams = 0;
  for (const char* file : {"khronos-fox/Fox.glb", "khronos-cesium-man/CesiumMan.glb"}) {
    SCOPED_TRACE(file);
    const SourceMesh source = read_gltf(*folder / file).meshes.at(0).mesh;
    const Mesh welded = weld(source, default_weld_tolerance(source)).mesh;
    const Atlas atlas = uv_atlas(surface_of(triangulated(repair(welded).mesh).mesh));
    EXPECT_EQ(atlas.chart_count(), uv_charts(atlas.surface()->mesh()).count);
    const Topology& t = atlas.surface()->topology();
    for (HalfedgeId h : ids<HalfedgeId>(t.corner_count())) {
      const HalfedgeId g = t.twin(h);
      if (t.is_border(g) || !atlas.is_seam(h)) continue;
      ++seams;
      if ((atlas.coordinates(h) - atlas.coordinates(t.next(h))).norm() < 1e-6 ||
          (atlas.coordinates(g) - atlas.coordinates(t.next(g))).norm() < 1e-6)
        continue;
      EXPECT_LT((atlas.carry(h, atlas.coordinates(h)) - atlas.coordinates(t.next(g))).norm(), 1e-12);
      EXPECT_LT((atlas.carry(g, atlas.coordinates(g)) - atlas.coordinates(t.next(h))).norm(), 1e-12);
    }
  }
  EXPECT_GT(seams, 100);
}

}  // namespace
}  // namespace cutis
