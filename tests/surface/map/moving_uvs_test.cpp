#include "cutis/surface/map/moving_uvs.h"

#include <cmath>

#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/surface/geodesic/closest_point.h"
#include "support/real_meshes.h"
#include "support/uv_layouts.h"

namespace cutis {
namespace {

const Mesh& ring() {
  static const Mesh mesh = test::torus(32, 16, 1, 0.4);
  return mesh;
}

/// The difference from the nearest whole numbers.
double off_whole(const Vec2& x) { return (x.array() - x.array().round()).abs().maxCoeff(); }

Vec2 place_in(const Mesh& mesh, FaceId f, const Vec3& b) {
  const std::size_t c = mesh.first_corner(f).index();
  return b[0] * mesh.uvs[CornerId(c)] + b[1] * mesh.uvs[CornerId(c + 1)] + b[2] * mesh.uvs[CornerId(c + 2)];
}

/// Every copy is across from those that are across from it, over the same edge, with the same two vertices
/// but for a few where a chart is pinched.
void expect_sound(const ExtendedCharts& charts, double pinched = 0) {
  const Topology& t = charts.atlas().surface()->topology();
  std::size_t wrong = 0, apart = 0;
  for (std::size_t c = 0; c < charts.copies().size(); ++c) {
    const auto& copy = charts.copies()[c];
    for (std::size_t k = 0; k < 3; ++k) {
      wrong += copy.vertex[k] < 0;
      if (copy.across[k] < 0) continue;
      const auto& other = charts.copy(copy.across[k]);
      const HalfedgeId back = t.twin(HalfedgeId(t.halfedge(copy.face).index() + k));
      const std::size_t j = back.index() - t.halfedge(other.face).index();
      wrong +=
          t.face(back) != other.face || other.chart != copy.chart || other.across[j] != static_cast<int>(c);
      apart += other.vertex[j] != copy.vertex[(k + 1) % 3] || other.vertex[(j + 1) % 3] != copy.vertex[k];
    }
  }
  EXPECT_EQ(wrong, 0u);
  EXPECT_LE(double(apart), pinched * double(charts.copies().size()));
}

TEST(ExtendedCharts, GoOnWhereTransitionsAgree) {
  const test::Islands islands = test::four_islands(ring(), 0.6);
  ExtendedCharts charts(uv_atlas(std::make_shared<Surface>(islands.mesh)));
  ASSERT_EQ(charts.chart_count(), 4);
  for (int i = 1; i <= 3; ++i) EXPECT_TRUE(charts.grow());
  EXPECT_EQ(charts.rings(), 3);
  expect_sound(charts);
  double worst = 0, furthest = 0;
  for (std::size_t c = 0; c < charts.copies().size(); ++c) {
    const auto& copy = charts.copies()[c];
    const int island = islands.island[FaceId(charts.copies()[c].face)];
    const ChartTransition& own = islands.placement[std::size_t(island)];
    for (const Vec3& b : {Vec3(1, 0, 0), Vec3(0.2, 0.3, 0.5)}) {
      // Back on the unit square it is the torus's own place, up to whole turns. Charts are numbered by their
      // first faces, as islands are found.
      const Vec2 x = charts.coordinates(static_cast<int>(c), b);
      const Vec2 truth = own.inverse()(place_in(islands.mesh, copy.face, b));
      double best = 1;
      for (const ChartTransition& p : islands.placement)
        best = std::min(best, off_whole(p.inverse()(x) - truth));
      worst = std::max(worst, best);
      furthest = std::max(furthest, charts.overhang(static_cast<int>(c), b));
      if (copy.ring == 0) {
        EXPECT_EQ(charts.overhang(static_cast<int>(c), b), 0);
      }
    }
  }
  EXPECT_LT(worst, 1e-12);
  EXPECT_GT(furthest, 0.3);
  EXPECT_EQ(charts.orientation(0) * charts.orientation(1) * charts.orientation(2) * charts.orientation(3),
            -1);
}

TEST(ExtendedCharts, ReachAsFarAsAsked) {
  ExtendedCharts charts(uv_atlas(std::make_shared<Surface>(test::four_islands(ring(), 0.6).mesh)));
  charts.grow_to(0.25);
  // All that is within reach is there: the border of the rings lies beyond it.
  for (std::size_t c = 0; c < charts.copies().size(); ++c)
    for (std::size_t k = 0; k < 3; ++k)
      if (charts.copies()[c].across[k] < 0)
        for (int end : {0, 1}) {
          Vec3 b = Vec3::Zero();
          b[int((k + std::size_t(end)) % 3)] = 1;
          EXPECT_GE(charts.overhang(static_cast<int>(c), b), 0.25 - 1e-12);
        }
}

/// Two squares that share an edge and lie upon each other in the texture, as mirrored halves do.
TEST(ExtendedCharts, EndWhereTheLayoutIsFolded) {
  Mesh mesh = test::sheet(8, 8, 0, 3);
  for (Vec2& uv : mesh.uvs) uv.x() = std::abs(uv.x() - 0.5);
  ExtendedCharts charts(uv_atlas(std::make_shared<Surface>(mesh)));
  EXPECT_EQ(charts.chart_count(), 2);
  charts.grow_to_rings(3);
  expect_sound(charts);
  for (std::size_t c = 0; c < charts.copies().size(); ++c) {
    const auto& copy = charts.copies()[c];
    const Vec2 x = charts.coordinates(static_cast<int>(c), Vec3(0.2, 0.3, 0.5));
    const Vec2 own = place_in(mesh, copy.face, Vec3(0.2, 0.3, 0.5));
    const double sign = copy.ring == 0 ? 1 : -1;
    EXPECT_NEAR(x.x(), sign * own.x(), 1e-12);
    EXPECT_NEAR(x.y(), own.y(), 1e-12);
  }
}

TEST(ExtendedCharts, OfRealCharactersHardlyFold) {
  for (const auto& [name, mesh] : test::real_surfaces()) {
    if (!mesh.has_uvs()) continue;
    SCOPED_TRACE(name);
    ExtendedCharts charts(uv_atlas(std::make_shared<Surface>(mesh)));
    charts.grow_to_rings(3);
    expect_sound(charts, 0.003);
    std::size_t added = 0, flipped = 0;
    for (std::size_t c = mesh.face_count(); c < charts.copies().size(); ++c) {
      const int n = static_cast<int>(c);
      const Vec2 a = charts.coordinates(n, Vec3(1, 0, 0)), b = charts.coordinates(n, Vec3(0, 1, 0)),
                 d = charts.coordinates(n, Vec3(0, 0, 1));
      ++added;
      flipped += !(cross(b - a, d - a) * charts.orientation(charts.copies()[c].chart) > 0);
    }
    EXPECT_LT(double(flipped), 0.1 * double(added));
  }
}

/// The body's vertices stay and skin flows: each holds the skin of another place on the torus.
SurfaceMap turned(const SurfaceMap::SurfacePtr& surface, double around, double across) {
  const ClosestPointTree tree(surface->mesh());
  SurfaceMap::Points points;
  for (const Vec3& p : surface->positions()) {
    const double u = std::atan2(p.y(), p.x()) + around * (1 + 0.3 * std::sin(3 * p.x())),
                 v = std::atan2(p.z(), p.head<2>().norm() - 1) + across;
    const double r = 1 + 0.4 * std::cos(v);
    points.push_back(tree(Vec3(r * std::cos(u), r * std::sin(u), 0.4 * std::sin(v))).point);
  }
  return SurfaceMap(surface, surface, points);
}

struct Layout {
  explicit Layout(const Mesh& polygons)
      : mesh(polygons), triangles(triangulated(mesh)), surface(std::make_shared<Surface>(triangles.mesh)) {}
  Mesh mesh;
  TriangleMesh triangles;
  std::shared_ptr<const Surface> surface;
  MovingUvs uvs(double reach = 0) const { return MovingUvs(mesh, triangles, surface, reach); }
};

TEST(MovingUvs, SkinThatStaysKeepsItsOwn) {
  std::vector<test::NamedMesh> meshes = {{"torus", ring()},
                                         {"islands", test::four_islands(ring(), 0.6).mesh},
                                         {"quads", test::quad_torus(20, 12, 1, 0.4)},
                                         {"cylinder", test::cylinder(30, 20, 0.5, 1)}};
  for (const auto& [name, mesh] : test::real_surfaces())
    if (mesh.has_uvs()) meshes.push_back({name, mesh});
  for (const auto& [name, mesh] : meshes) {
    SCOPED_TRACE(name);
    const Layout layout(mesh);
    for (const double reach : {0.0, 0.02 * layout.surface->size()}) {
      const auto frame = layout.uvs(reach)(SurfaceMap::identity(layout.surface));
      double worst = 0;
      for (CornerId c : ids<CornerId>(mesh.corner_count()))
        worst = std::max(worst, (frame.uvs[c] - mesh.uvs[c]).norm());
      EXPECT_LE(worst, 1e-6);
      EXPECT_EQ(frame.overhang, 0);
      EXPECT_TRUE(frame.torn.empty());
    }
  }
}

TEST(MovingUvs, CornersOfAPolygonAreInOneChartAtTheirTruePlaces) {
  for (const double reach : {0.0, 0.3}) {
    const test::Islands islands = test::four_islands(ring(), 0.6);
    const Layout layout(islands.mesh);
    MovingUvs uvs = layout.uvs(reach);
    std::size_t away = 0;
    for (const double turn : {0.05, 0.3, 2.5}) {
      const SurfaceMap map = turned(layout.surface, turn, -0.7 * turn);
      const auto frame = uvs(map);
      EXPECT_TRUE(frame.torn.empty());
      EXPECT_LT(frame.overhang, reach + 0.35);
      for (FaceId f : ids<FaceId>(layout.mesh.face_count())) {
        // The whole of the polygon lies in the unit square where its skin does, by one and the same
        // placement.
        double best = 1;
        for (const ChartTransition& p : islands.placement) {
          double worst = 0;
          for (std::size_t k = 0; k < 3; ++k) {
            const CornerId c(layout.mesh.first_corner(f).index() + k);
            const SurfacePoint& at = map[layout.mesh.corners[c]];
            const Vec2 difference = p.inverse()(frame.uvs[c]) - place_in(ring(), at.face, at.barycentric);
            worst = std::max(worst, off_whole(difference));
          }
          best = std::min(best, worst);
        }
        EXPECT_LT(best, 1e-12);
        const Vec2 a = frame.uvs[layout.mesh.first_corner(f)];
        for (std::size_t k = 1; k < 3; ++k)
          EXPECT_LT((frame.uvs[CornerId(layout.mesh.first_corner(f).index() + k)] - a).norm(), 0.12);
        away += frame.chart[f] != uvs.own_chart(f);
      }
    }
    EXPECT_GT(away, 0u);
  }
}

TEST(MovingUvs, StayInTheirOwnChartWithinReach) {
  const Layout layout(test::four_islands(ring(), 0.6).mesh);
  MovingUvs near = layout.uvs(0), far = layout.uvs(0.5);
  const SurfaceMap map = turned(layout.surface, 0.15, 0.1);
  const auto jumping = near(map), staying = far(map);
  std::size_t jumps = 0;
  for (FaceId f : ids<FaceId>(layout.mesh.face_count())) {
    jumps += jumping.chart[f] != near.own_chart(f);
    EXPECT_EQ(staying.chart[f], far.own_chart(f));
  }
  EXPECT_GT(jumps, 20u);
  EXPECT_LT(jumping.overhang, staying.overhang);
  // A frame is the same whatever came before it.
  EXPECT_EQ(layout.uvs(0)(map).uvs, near(map).uvs);
}

TEST(MovingUvs, ATubeGoesOnPastItsOwnSeam) {
  const Mesh mesh = test::torus(24, 12, 1, 0.4);  // one chart, beside itself
  const Layout layout(mesh);
  MovingUvs uvs = layout.uvs(0.5);
  const SurfaceMap map = turned(layout.surface, 0.2, 0.3);
  const auto frame = uvs(map);
  double furthest = 0;
  for (CornerId c : ids<CornerId>(mesh.corner_count())) {
    const SurfacePoint& at = map[mesh.corners[c]];
    EXPECT_LT(off_whole(frame.uvs[c] - place_in(mesh, at.face, at.barycentric)), 1e-12);
    furthest = std::max(furthest, (frame.uvs[c] - mesh.uvs[c]).norm());
  }
  EXPECT_LT(furthest, 0.1);  // not once around
}

TEST(MovingUvs, NeedTextureCoordinates) {
  Mesh mesh = ring();
  mesh.uvs = {};
  const Layout layout(mesh);
  EXPECT_THROW(layout.uvs(), InputError);
}

}  // namespace
}  // namespace cutis
