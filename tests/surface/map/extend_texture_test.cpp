#include "cutis/surface/map/extend_texture.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/LU>

#include "cutis/core/error.h"
#include "cutis/surface/field/uv_map.h"
#include "cutis/surface/geodesic/closest_point.h"
#include "cutis/surface/map/chart_raster.h"
#include "cutis/surface/map/moving_uvs.h"
#include "cutis/surface/map/pack_charts.h"
#include "cutis/surface/map/relay_texture.h"
#include "support/real_meshes.h"
#include "support/uv_layouts.h"

namespace cutis {
namespace {

constexpr float kBackground = -100;  ///< what shows where nothing is painted

/// A smooth pattern in space, of four waves over the size of the surface.
struct Pattern {
  explicit Pattern(const Surface& surface) : k(2 * pi * 4 / surface.size()) {}
  double k;
  double operator()(const Vec3& p) const {
    return std::sin(k * p.x() + 0.3) + std::cos(k * p.y()) + std::sin(k * p.z() - 0.8);
  }
  double slope() const { return k * std::sqrt(3.0); }  ///< at most, per metre
};

/// Painted into the charts from the surface itself, and two pixels beyond, as painting programs do.
TextureTiles painted(const Surface& surface, const Pattern& pattern, int size) {
  SourceMesh mesh;
  mesh.face_offsets = surface.mesh().face_offsets;
  mesh.uvs = surface.mesh().uvs;
  for (const Vec3& p : surface.positions()) mesh.positions.push_back(p);
  std::vector<double> places;
  for (VertexId v : surface.mesh().corners) {
    mesh.corners.push_back(SourceVertexId(v.index()));
    const Vec3& p = surface.positions()[v];
    places.insert(places.end(), {p.x(), p.y(), p.z(), 1});
  }
  const FloatImage where = draw_uv_map(mesh, places, 4, size, size, 2);
  FloatImage image(size, size, 1);
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x) {
      const float* p = where.pixel(x, y);
      image.pixel(x, y)[0] = p[3] > 0 ? static_cast<float>(pattern(Vec3(p[0], p[1], p[2]))) : kBackground;
    }
  TextureTiles texture;
  texture.tiles[{0, 0}] = std::move(image);
  return texture;
}

struct Layout {
  explicit Layout(const Mesh& polygons)
      : mesh(polygons), triangles(triangulated(mesh)), surface(std::make_shared<Surface>(triangles.mesh)) {}
  Mesh mesh;
  TriangleMesh triangles;
  std::shared_ptr<const Surface> surface;
};

/// The body's vertices stay and skin flows by a smooth field of that strength [m].
SurfaceMap flowed(const std::shared_ptr<const Surface>& surface, double strength) {
  SurfaceMap::Points points = SurfaceMap::identity(surface).points();
  const double k = 2 * pi / surface->size();
  for (VertexId v : ids<VertexId>(points.size())) {
    if (surface->topology().is_border(v)) continue;
    const Vec3& p = surface->positions()[v];
    const Vec3 field(std::sin(k * p.y() + 0.3), std::cos(k * p.z() - 0.2), std::sin(k * p.x() + 1));
    const Vec3& n = surface->normals()[v];
    points[v] = closest_point_local(surface->topology(), surface->positions(), points[v],
                                    p + strength * (field - n.dot(field) * n))
                    .point;
  }
  return SurfaceMap(surface, surface, points);
}

/// What shows along the edges of the mesh, in pixels of the texture: how far the colour at a vertex is from
/// that of the skin that lies there, and how far the two sides of an edge are from each other.
struct Breaks {
  double vertex = 0, edge = 0;
  double inside = 0;              ///< of the middle of an edge from the skin that lies there
  std::vector<double> gaps = {};  ///< of each such edge, the largest
  double at(double share) const { return gaps.empty() ? 0 : gaps[std::size_t(share * double(gaps.size()))]; }
  std::size_t edges = 0;  ///< whose sides are looked up in different charts
};

Breaks breaks(const Layout& layout, const SurfaceMap& map, const IdVector<CornerId, Vec2>& uvs,
              const IdVector<FaceId, int>& chart, const TextureTiles& texture, const Pattern& pattern,
              double pixel) {
  const FloatImage& image = texture.tiles.begin()->second;
  const Topology& t = layout.surface->topology();
  const auto shown = [&](CornerId a, CornerId b, double s) {
    return sample_uv_map(image, (1 - s) * uvs[a] + s * uvs[b], 0);
  };
  Breaks result;
  const double unit = pattern.slope() * pixel;
  for (EdgeId e : ids<EdgeId>(t.edge_count())) {
    const HalfedgeId h = t.halfedge(e), g = t.twin(h);
    const double truth = pattern(layout.surface->position(map[t.from(h)]));
    result.vertex = std::max(result.vertex, std::abs(shown(h, h, 0) - truth) / unit);
    const std::size_t k = h.index() % 3;
    Vec3 middle = Vec3::Zero();
    middle[static_cast<int>(k)] = middle[static_cast<int>((k + 1) % 3)] = 0.5;
    if (const SurfacePoint p = map({t.face(h), middle}); p.face.valid())
      result.inside = std::max(
          result.inside, std::abs(shown(h, t.next(h), 0.5) - pattern(layout.surface->position(p))) / unit);
    if (t.is_border(g) || chart[t.face(h)] == chart[t.face(g)]) continue;
    ++result.edges;
    result.gaps.push_back(0);
    for (double s : {0.0, 0.25, 0.5, 0.75, 1.0}) {
      const double gap = std::abs(shown(h, t.next(h), s) - shown(t.next(g), g, s)) / unit;
      result.edge = std::max(result.edge, gap);
      result.gaps.back() = std::max(result.gaps.back(), gap);
    }
  }
  std::sort(result.gaps.begin(), result.gaps.end());
  return result;
}

double longest_pixel(const ExtendedCharts& charts, int size) {
  double longest = 0;
  for (int c = 0; c < charts.chart_count(); ++c) longest = std::max(longest, charts.scale(c) / size);
  return longest;
}

TEST(ExtendTexture, NoSeamShowsOnASlidTorus) {
  const Layout layout(test::four_islands(test::torus(48, 24, 1, 0.4), 0.6).mesh);
  const Pattern pattern(*layout.surface);
  constexpr int size = 512;
  for (const double reach : {0.0, 0.3}) {
    MovingUvs uvs(layout.mesh, layout.triangles, layout.surface, reach);
    const double pixel = longest_pixel(uvs.charts(), size);
    const SurfaceMap map = flowed(layout.surface, 0.12);
    const auto frame = uvs(map);
    const TextureTiles plain = painted(*layout.surface, pattern, size);
    TextureTiles texture = plain;
    ExtendedCharts charts(uv_atlas(layout.surface));
    const TextureExtension done =
        extend_texture(charts, texture, {.metres = std::max(reach, frame.overhang)});
    EXPECT_TRUE(done.fits);
    EXPECT_GT(done.filled, 1000u);
    const auto seen = [&](const IdVector<CornerId, Vec2>& at, const TextureTiles& in) {
      return breaks(layout, map, at, frame.chart, in, pattern, pixel);
    };
    const Breaks good = seen(frame.uvs, texture);
    EXPECT_GT(good.edges, 50u);
    EXPECT_LT(good.vertex, 1);
    EXPECT_LT(good.edge, 1);
    EXPECT_LT(good.inside, 2);
    // It would be seen without the extension, and without the rule of one chart.
    EXPECT_GT(seen(frame.uvs, plain).edge, 20);
    IdVector<CornerId, Vec2> apart;
    for (VertexId v : layout.mesh.corners) apart.push_back(map.pull_uvs()[v]);
    EXPECT_GT(seen(apart, texture).inside, 20);
  }
}

/// Every chart shrunk about its middle, so that there are gutters around it.
Mesh with_gutters(const Mesh& mesh, double size) {
  const Atlas atlas = uv_atlas(std::make_shared<Surface>(mesh));
  std::vector<Eigen::AlignedBox2d> box(std::size_t(atlas.chart_count()));
  const auto chart = [&](std::size_t corner) { return std::size_t(atlas.chart(FaceId(corner / 3))); };
  for (std::size_t c = 0; c < mesh.corner_count(); ++c) box[chart(c)].extend(mesh.uvs[CornerId(c)]);
  Mesh result = mesh;
  for (std::size_t c = 0; c < mesh.corner_count(); ++c) {
    const Vec2 middle = box[chart(c)].center();
    result.uvs[CornerId(c)] = middle + size * (mesh.uvs[CornerId(c)] - middle);
  }
  return result;
}

TEST(ExtendTexture, NoSeamShowsOnSlidCharacters) {
  if (test::real_surfaces().empty()) GTEST_SKIP() << "no real characters beside the checkout";
  for (const auto& [name, mesh] : test::real_surfaces()) {
    if (name != "babylon_alien_head.glb AlienHead" && name != "CesiumMan.glb Cesium_Man" &&
        name != "right.glb Mesh.001" && name != "makehuman_young_male_cmu.glb body")
      continue;
    SCOPED_TRACE(name);
    const Layout layout(with_gutters(mesh, 0.7));
    const Pattern pattern(*layout.surface);
    constexpr int size = 1024;
    MovingUvs uvs(layout.mesh, layout.triangles, layout.surface);
    const double pixel = longest_pixel(uvs.charts(), size);
    const SurfaceMap map = flowed(layout.surface, 0.003 * layout.surface->size());
    const auto frame = uvs(map);
    TextureTiles texture = painted(*layout.surface, pattern, size);
    const TextureTiles plain = texture;
    ExtendedCharts charts(uv_atlas(layout.surface));
    extend_texture(charts, texture, {.metres = frame.overhang}, false, true);
    const Breaks good = breaks(layout, map, frame.uvs, frame.chart, texture, pattern, pixel);
    const Breaks bad = breaks(layout, map, frame.uvs, frame.chart, plain, pattern, pixel);
    // Seams of characters are shaped differently on their two sides, so along an edge they cannot agree quite
    // as on the torus; in a narrow cut of a chart there is no room at all.
    EXPECT_GT(good.edges, 100u);
    EXPECT_LT(good.at(0.5), 0.5);
    EXPECT_LT(good.at(0.9), 1.25);
    EXPECT_LT(good.at(0.98), 2);
    EXPECT_GT(bad.at(0.9), 10);
  }
}

TEST(ExtendTexture, RefusesWhereChartsAreTooClose) {
  const Layout layout(test::four_islands(test::torus(48, 24, 1, 0.4), 0.95).mesh);
  const Pattern pattern(*layout.surface);
  const TextureTiles plain = painted(*layout.surface, pattern, 256);
  TextureTiles texture = plain;
  ExtendedCharts charts(uv_atlas(layout.surface));
  const TextureExtension wide = extend_texture(charts, texture, {.metres = 0.5});
  EXPECT_FALSE(wide.fits);
  EXPECT_EQ(texture.tiles, plain.tiles);
  EXPECT_TRUE(wide.first.valid() && wide.second.valid());
  EXPECT_GT(wide.room.metres, 0);
  EXPECT_LT(wide.room.metres, 0.2);
  EXPECT_GT(extend_texture(charts, texture, {.metres = 0.5}, false, true).filled, 0u);
  texture = plain;
  EXPECT_TRUE(extend_texture(charts, texture, {.metres = 0.9 * wide.room.metres}).fits);
  EXPECT_TRUE(extend_texture(charts, texture, {.pixels = 2}).fits);
}

/// A texture that repeats is beside itself what the torus is: there is nothing to fill and nothing in the
/// way.
TEST(ExtendTexture, LeavesWhatIsRight) {
  const Layout layout(test::torus(32, 16, 1, 0.4));
  TextureTiles texture = painted(*layout.surface, Pattern(*layout.surface), 128);
  const TextureTiles plain = texture;
  ExtendedCharts charts(uv_atlas(layout.surface));
  const TextureExtension done = extend_texture(charts, texture, {.metres = 0.3});
  EXPECT_TRUE(done.fits);
  EXPECT_EQ(done.filled, 0u);
  EXPECT_EQ(texture.tiles, plain.tiles);
}

/// Halves of a sheet that share their paint: beside the fold lies its mirror image.
TEST(ExtendTexture, MirrorsHalvesThatShareTheirPaint) {
  Mesh mesh = test::sheet(16, 16, 0, 3);
  for (Vec2& uv : mesh.uvs) uv = Vec2(0.2 + std::abs(uv.x() - 0.5), 0.1 + 0.8 * uv.y());
  const Layout layout(mesh);
  TextureTiles texture;
  FloatImage& image = texture.tiles[{0, 0}] = FloatImage(100, 100, 1);
  for (int y = 0; y < 100; ++y)
    for (int x = 20; x < 70; ++x) image.pixel(x, y)[0] = float(x);
  ExtendedCharts charts(uv_atlas(layout.surface));
  const TextureExtension done = extend_texture(charts, texture, {.pixels = 8});
  EXPECT_TRUE(done.fits);
  EXPECT_NEAR(done.shared, 1, 0.05);
  for (int x = 12; x < 20; ++x) EXPECT_NEAR(image.pixel(x, 50)[0], 39 - x, 1e-4);
}

/// Tiles side by side: what reaches out of one is painted into the next, and one without an image is named.
TEST(ExtendTexture, GoesFromTileToTile) {
  Mesh mesh = test::four_islands(test::torus(48, 24, 1, 0.4), 0.6).mesh;
  for (Vec2& uv : mesh.uvs) uv *= 2;
  const Layout layout(mesh);
  TextureTiles texture;
  texture.repeats = false;
  for (int row = 0; row < 2; ++row)
    for (int column = 0; column < 2; ++column) texture.tiles[{column, row}] = FloatImage(128, 128, 1);
  ExtendedCharts charts(uv_atlas(layout.surface));
  TextureTiles three = texture;
  three.tiles.erase({1, 1});
  EXPECT_THROW(extend_texture(charts, three, {.pixels = 4}), InputError);
  EXPECT_TRUE(extend_texture(charts, texture, {.pixels = 4}).fits);
}

/// A normal map whose vectors point along u of the torus everywhere.
TextureTiles normals_along_u(const test::Islands& islands) {
  TextureTiles texture;
  FloatImage& image = texture.tiles[{0, 0}] = FloatImage(256, 256, 3);
  for (int y = 0; y < 256; ++y)
    for (int x = 0; x < 256; ++x) {
      const int island = (x < 128 ? 0 : 1) + (y < 128 ? 2 : 0);
      const Vec2 along = islands.placement[std::size_t(island)].vector(Vec2(1, 0)).normalized();
      image.pixel(x, y)[0] = static_cast<float>(0.5 + 0.4 * along.x());
      image.pixel(x, y)[1] = static_cast<float>(0.5 + 0.4 * along.y());
    }
  return texture;
}

/// Normals keep their direction in space: turned from the chart that they are painted in to that of the
/// gutter.
TEST(ExtendTexture, TurnsNormals) {
  const test::Islands islands = test::four_islands(test::torus(48, 24, 1, 0.4), 0.6);
  const Layout layout(islands.mesh);
  TextureTiles texture = normals_along_u(islands);
  const TextureTiles plain = texture;
  ExtendedCharts charts(uv_atlas(layout.surface));
  EXPECT_GT(extend_texture(charts, texture, {.pixels = 6}, true).filled, 1000u);
  // In the gutter of an island it is that island's own direction.
  const FloatImage& image = texture.tiles.at({0, 0});
  for (std::size_t i = 0; i < image.data.size(); ++i)
    EXPECT_NEAR(image.data[i], plain.tiles.begin()->second.data[i], 1e-5);
}

/// A layout with the charts packed anew, and a texture taken there and extended.
struct Repacked {
  Repacked(const Layout& from, TextureTiles texture, const TextureReach& reach, bool normal_map = false)
      : own(uv_atlas(from.surface)),
        packed(pack_charts(own, from.triangles, texture, reach).value()),
        layout([&] {
          Mesh mesh = from.mesh;
          for (CornerId c : ids<CornerId>(packed.uvs.size()))
            mesh.uvs[from.triangles.corner[c]] = packed.uvs[c];
          return mesh;
        }()),
        charts(uv_atlas(layout.surface)),
        plain(relaid_texture(own, texture, charts, normal_map)),
        extended(plain),
        done(extend_texture(charts, extended, reach, normal_map)) {}
  ExtendedCharts own;
  PackedCharts packed;
  Layout layout;
  ExtendedCharts charts;
  TextureTiles plain, extended;
  TextureExtension done;
};

TEST(PackCharts, NoSeamShowsOnATorusWhoseChartsLayTooClose) {
  const Layout layout(test::four_islands(test::torus(48, 24, 1, 0.4), 0.97).mesh);
  const Pattern pattern(*layout.surface);
  constexpr int size = 512;
  for (const double reach : {0.0, 0.3}) {
    const SurfaceMap map = flowed(layout.surface, 0.12);
    const double needed =
        std::max(reach, MovingUvs(layout.mesh, layout.triangles, layout.surface, reach)(map).overhang);
    TextureTiles texture = painted(*layout.surface, pattern, size);
    ExtendedCharts charts(uv_atlas(layout.surface));
    ASSERT_FALSE(extend_texture(charts, texture, {.metres = needed}).fits);
    const Repacked anew(layout, texture, {.metres = needed});
    EXPECT_TRUE(anew.done.fits);
    EXPECT_EQ(anew.done.shared, 0);
    EXPECT_GT(anew.packed.scale, 0.6);
    MovingUvs uvs(anew.layout.mesh, anew.layout.triangles, anew.layout.surface, reach);
    const auto frame = uvs(map);
    const double pixel = longest_pixel(anew.charts, size);
    const Breaks good = breaks(anew.layout, map, frame.uvs, frame.chart, anew.extended, pattern, pixel);
    EXPECT_GT(good.edges, 50u);
    EXPECT_LT(good.vertex, 1);
    EXPECT_LT(good.edge, 1);
    EXPECT_LT(good.inside, 2);
    EXPECT_GT(breaks(anew.layout, map, frame.uvs, frame.chart, anew.plain, pattern, pixel).edge, 10);
  }
}

/// Where there is room for charts as large as they were, their pixels are copied.
TEST(PackCharts, MovesByWholePixels) {
  Mesh mesh = test::four_islands(test::torus(48, 24, 1, 0.4), 0.99).mesh;
  for (Vec2& uv : mesh.uvs) uv *= 0.5;
  const Layout layout(mesh);
  constexpr int size = 256;
  TextureTiles texture = painted(*layout.surface, Pattern(*layout.surface), size);
  Repacked anew(layout, texture, {.pixels = 8});
  EXPECT_TRUE(anew.done.fits);
  EXPECT_EQ(anew.packed.scale, 1);
  ChartRaster before(anew.own, texture), after(anew.charts, anew.plain);
  EXPECT_GT(after.owned(), 5000u);
  const auto shown = [](ChartRaster& raster) {
    std::vector<float> values;
    for (int row = 0; row < size; ++row)
      for (int column = 0; column < size; ++column)
        if (const auto at = raster.place(column, row); at->pixel->own)
          values.push_back(at->image->pixel(at->x, at->y)[0]);
    std::sort(values.begin(), values.end());
    return values;
  };
  EXPECT_EQ(shown(before), shown(after));
}

/// Normals keep their direction in space where charts are turned.
TEST(PackCharts, TurnsNormals) {
  const Mesh torus = test::torus(48, 24, 1, 0.4);
  const test::Islands islands = test::four_islands(torus, 0.97);
  const Layout layout(islands.mesh);
  const Repacked anew(layout, normals_along_u(islands), {.pixels = 6}, true);
  bool turned = false;
  for (FaceId f : ids<FaceId>(torus.face_count())) {
    const CornerId c = torus.first_corner(f), next(c.index() + 1), before(c.index() + torus.face_size(f) - 1);
    const auto& uvs = anew.layout.mesh.uvs;
    Mat2 own, placed, old;
    own << torus.uvs[next] - torus.uvs[c], torus.uvs[before] - torus.uvs[c];
    placed << uvs[next] - uvs[c], uvs[before] - uvs[c];
    old << layout.mesh.uvs[next] - layout.mesh.uvs[c], layout.mesh.uvs[before] - layout.mesh.uvs[c];
    const Vec2 along = (placed * own.inverse()).col(0).normalized();
    turned = turned || (along - (old * own.inverse()).col(0).normalized()).norm() > 0.1;
    const Vec2 middle = uvs[c] + placed * Vec2(1.0 / 3, 1.0 / 3);
    EXPECT_NEAR(sample_uv_map(anew.extended.tiles.at({0, 0}), middle, 0), 0.5 + 0.4 * along.x(), 1e-4);
    EXPECT_NEAR(sample_uv_map(anew.extended.tiles.at({0, 0}), middle, 1), 0.5 + 0.4 * along.y(), 1e-4);
  }
  EXPECT_TRUE(turned);
}

/// Halves that shared their paint get a copy each.
TEST(PackCharts, LaysMirroredHalvesApart) {
  Mesh mesh = test::sheet(16, 16, 0, 3);
  for (Vec2& uv : mesh.uvs) uv = Vec2(0.2 + std::abs(uv.x() - 0.5), 0.1 + 0.8 * uv.y());
  const Layout layout(mesh);
  TextureTiles texture;
  FloatImage& image = texture.tiles[{0, 0}] = FloatImage(100, 100, 1);
  for (int y = 0; y < 100; ++y)
    for (int x = 20; x < 70; ++x) image.pixel(x, y)[0] = float(x);
  const Repacked anew(layout, texture, {.pixels = 8});
  EXPECT_TRUE(anew.done.fits);
  EXPECT_EQ(anew.done.shared, 0);
  for (CornerId c : ids<CornerId>(mesh.corner_count()))
    EXPECT_NEAR(sample_uv_map(anew.extended.tiles.at({0, 0}), anew.layout.mesh.uvs[c], 0),
                std::clamp(100 * mesh.uvs[c].x() - 0.5, 20.0, 69.0), 0.75);
}

/// Charts stay in their tiles; where even small ones have no room there is no layout.
TEST(PackCharts, KeepsTilesAndKnowsItsLimits) {
  const test::Islands islands = test::four_islands(test::torus(48, 24, 1, 0.4), 0.97);
  Mesh mesh = islands.mesh;
  for (Vec2& uv : mesh.uvs) uv *= 2;
  const Layout layout(mesh);
  TextureTiles texture;
  texture.repeats = false;
  for (int row = 0; row < 2; ++row)
    for (int column = 0; column < 2; ++column) texture.tiles[{column, row}] = FloatImage(128, 128, 1);
  const Repacked anew(layout, texture, {.pixels = 6});
  EXPECT_TRUE(anew.done.fits);
  for (FaceId f : ids<FaceId>(mesh.face_count()))
    for (std::size_t k = 0; k < mesh.face_size(f); ++k) {
      const CornerId c(mesh.first_corner(f).index() + k);
      EXPECT_EQ(int(std::floor(anew.layout.mesh.uvs[c].x())), islands.island[f] % 2);
      EXPECT_EQ(int(std::floor(anew.layout.mesh.uvs[c].y())), islands.island[f] / 2);
    }
  ExtendedCharts charts(uv_atlas(layout.surface));
  EXPECT_FALSE(pack_charts(charts, layout.triangles, texture, {.pixels = 70}));
}

TEST(PackCharts, NoSeamShowsOnCharactersWhoseChartsLayTooClose) {
  if (test::real_surfaces().empty()) GTEST_SKIP() << "no real characters beside the checkout";
  for (const auto& [name, mesh] : test::real_surfaces()) {
    const bool walker = name == "CesiumMan.glb Cesium_Man";
    if (!walker && name != "hand_l.gltf mesh_Hand_L") continue;
    SCOPED_TRACE(name);
    const Layout layout(mesh);
    const Pattern pattern(*layout.surface);
    constexpr int size = 1024;
    const SurfaceMap map = flowed(layout.surface, (walker ? 0.006 : 0.003) * layout.surface->size());
    const double needed = MovingUvs(layout.mesh, layout.triangles, layout.surface)(map).overhang;
    // Faces stay in their charts as far as they can.
    const auto own = MovingUvs(layout.mesh, layout.triangles, layout.surface, needed)(map);
    TextureTiles texture = painted(*layout.surface, pattern, size);
    ExtendedCharts charts(uv_atlas(layout.surface));
    const TextureReach reach{.metres = needed};
    ASSERT_FALSE(extend_texture(charts, texture, reach).fits);
    const Repacked anew(layout, texture, reach);
    EXPECT_TRUE(anew.done.fits);
    EXPECT_GT(anew.packed.scale, 0.85);
    MovingUvs uvs(anew.layout.mesh, anew.layout.triangles, anew.layout.surface, needed);
    const auto frame = uvs(map);
    EXPECT_NEAR(frame.overhang, own.overhang, 1e-6 * own.overhang);
    const double pixel = longest_pixel(anew.charts, size);
    const Breaks good = breaks(anew.layout, map, frame.uvs, frame.chart, anew.extended, pattern, pixel);
    EXPECT_GT(good.edges, 20u);
    EXPECT_LT(good.at(0.5), 0.5);
    EXPECT_LT(good.edge, 4);  // in notches of the charts themselves
    // What there is room for in the own layout leaves breaks.
    extend_texture(charts, texture, reach, false, true);
    const Breaks bad = breaks(layout, map, own.uvs, own.chart, texture, pattern, pixel);
    EXPECT_GT(bad.edge, 3 * good.edge);
  }
}

}  // namespace
}  // namespace cutis
