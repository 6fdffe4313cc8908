#include "cutis/picture/render/render.h"

#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "picture/shapes.h"
#include "support/same_bits.h"

namespace cutis {
namespace {

using test::luminance;

struct Setting {
  Scene scene;
  Camera camera;
  RenderOptions options;
  Image image() const { return render(scene, camera, options); }
  Vec2 pixel(const Vec3& p) const {
    return camera.project(p).head<2>().cwiseProduct(Vec2(options.width, options.height));
  }
};

Setting view(SceneObject object, int width, int height, const Framing& framing = {}) {
  Setting s;
  s.options.width = width;
  s.options.height = height;
  s.camera = fit_camera(object.positions, framing, double(width) / height);
  s.scene.objects.push_back(std::move(object));
  return s;
}

/// Straight on, without perspective: 1 unit of the quad is 80 of 100 pixels.
Setting quad_view() {
  Setting s = view(test::quad(), 100, 100);
  s.options.lit = false;
  s.camera = Camera{};
  s.camera.eye = Vec3(0.5, 0.5, 1);
  s.camera.ortho_height = 1.25;
  s.camera.aspect = 1;
  return s;
}

double mean_near(const Image& image, const Vec2& at, int radius) {
  double sum = 0;
  int count = 0;
  for (int y = int(at.y()) - radius; y <= int(at.y()) + radius; ++y)
    for (int x = int(at.x()) - radius; x <= int(at.x()) + radius; ++x, ++count) sum += luminance(image, x, y);
  return sum / count;
}

const bool render_bits = test::same_bits("Render", [] {
  SceneObject ball = test::sphere(32);
  ball.look.paint = Paint::Checker;
  ball.look.wire_width = 1;
  Setting s = view(ball, 160, 120);
  SceneObject ghost = test::sphere(16, Vec3(0.4, 0, 0));
  ghost.look.opacity = 0.3f;
  s.scene.objects.push_back(ghost);
  s.scene.trails.push_back({{{-1, 1, 1}, {0, 1.1, 1}, {1, 1, 1}}, 0.03, srgb(0xff0000)});
  s.scene.ground = -1;
  return s.image();
});

TEST(Render, TheKeyLightComesFromTheUpperLeft) {
  SceneObject ball = test::sphere(64);
  ball.look.finish = clay_finish();
  const Setting s = view(ball, 200, 200);
  const Image image = s.image();
  const Vec2 middle = s.pixel(Vec3::Zero());
  const double lit = mean_near(image, middle + Vec2(-35, -35), 4);
  const double dark = mean_near(image, middle + Vec2(45, 45), 4);
  EXPECT_GT(lit, 1.5 * dark);
}

TEST(Render, SmoothNormalsOnACoarseMeshCastNoShadowOnThemselves) {
  // Where the fine sphere is lit the coarse one must be too, facet for facet.
  const auto ball = [](int around) {
    SceneObject object = test::sphere(around);
    object.look.finish = clay_finish();
    return view(object, 200, 200);
  };
  const Setting fine = ball(128);
  Setting coarse = ball(16);
  coarse.camera = fine.camera;
  const Image a = fine.image(), b = coarse.image();
  const Vec2 middle = fine.pixel(Vec3::Zero());
  double worst = 0;
  for (int y = 0; y < 200; ++y)
    for (int x = 0; x < 200; ++x) {
      const Vec2 from = Vec2(x, y) - middle;
      if (from.norm() < 70 && from.x() + from.y() < 55)
        worst = std::max(worst, luminance(a, x, y) - luminance(b, x, y));
    }
  EXPECT_LT(worst, 0.03);
}

TEST(Render, TheFloorIsDarkUnderTheBallAndCleanAway) {
  Setting s = view(test::sphere(48), 320, 240, Framing{.elevation = 20, .zoom = 0.5});
  s.scene.ground = -1;
  const Image with = s.image();
  Setting empty = s;
  empty.scene.ground.reset();
  const Image paper = empty.image();
  const auto kept = [&](const Vec3& p) {
    const Vec2 at = s.pixel(p);
    return mean_near(with, at, 1) / mean_near(paper, at, 1);
  };
  const Vec3 side = s.camera.right;
  EXPECT_LT(kept(Vec3(0, -1, 0) + 0.75 * side + 0.35 * s.camera.back), 0.75);  // beside the contact
  EXPECT_GT(kept(Vec3(0, -1, 0) - 3 * side), 0.97);
  EXPECT_DOUBLE_EQ(luminance(with, 2, 2), luminance(paper, 2, 2));
}

TEST(Render, WiresRunAlongPolygonEdgesOnly) {
  Setting s = quad_view();
  const Image bare = s.image();
  s.scene.objects[0].look.wire_width = 2;
  s.scene.objects[0].look.wire_opacity = 1;
  s.scene.objects[0].look.wire_color = Color::Zero();
  const Image wired = s.image();
  for (double t : {0.2, 0.5, 0.8}) {
    for (const Vec3& edge : {Vec3(t, 0.005, 0), Vec3(t, 0.995, 0), Vec3(0.005, t, 0), Vec3(0.995, t, 0)}) {
      const Vec2 at = s.pixel(edge);
      EXPECT_LT(luminance(wired, int(at.x()), int(at.y())), 0.2) << edge.transpose();
    }
    // Neither diagonal of the quad is an edge.
    for (const Vec3& inside : {Vec3(t, t, 0), Vec3(t, 1 - t, 0)}) {
      const Vec2 at = s.pixel(inside);
      EXPECT_EQ(luminance(wired, int(at.x()), int(at.y())), luminance(bare, int(at.x()), int(at.y())));
    }
  }
}

TEST(Render, TheCheckerShowsItsCells) {
  Setting s = quad_view();
  Look& look = s.scene.objects[0].look;
  look.paint = Paint::Checker;
  look.checker_cells = 4;
  const Image image = s.image();
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      const Vec2 uv((i + 0.5) / 4, (j + 0.5) / 4), at = s.pixel(Vec3(uv.x(), uv.y(), 0));
      unsigned char expected[3];
      store(expected, checker_color(uv, 0, 4));
      for (int c = 0; c < 3; ++c) EXPECT_NEAR(image.pixel(int(at.x()), int(at.y()))[c], expected[c], 1);
    }
}

TEST(Render, TexturesAndMovingCoordinatesLandWhereTheyShould) {
  Raster half(16, 16);
  for (int y = 0; y < 16; ++y)
    for (int x = 8; x < 16; ++x) half.pixel(x, y)[0] = 255;
  Setting s = quad_view();
  SceneObject& object = s.scene.objects[0];
  object.look.paint = Paint::Image;
  object.look.texture = std::make_shared<Texture>(half);
  const auto red = [&](double u) {
    const Vec2 at = s.pixel(Vec3(u, 0.5, 0));
    return int(s.image().pixel(int(at.x()), int(at.y()))[0]);
  };
  EXPECT_LT(red(0.25), 20);
  EXPECT_GT(red(0.75), 235);
  object.uvs = {{0.5, 0}, {1.5, 0}, {1.5, 1}, {0.5, 1}};
  EXPECT_GT(red(0.25), 235);
  EXPECT_LT(red(0.75), 20);
}

/// An image of one colour.
std::shared_ptr<const Texture> even_normals(int red, int green, int blue) {
  Raster image(4, 4);
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 4; ++x) {
      image.pixel(x, y)[0] = static_cast<unsigned char>(red);
      image.pixel(x, y)[1] = static_cast<unsigned char>(green);
      image.pixel(x, y)[2] = static_cast<unsigned char>(blue);
    }
  return std::make_shared<Texture>(image, Texture::Values::Numbers);
}

TEST(Render, NormalMapsBendTheLightAlongTheTextureCoordinates) {
  Setting s = quad_view();
  s.options.lit = true;
  SceneObject& object = s.scene.objects[0];
  const Vec2 middle = s.pixel(Vec3(0.4, 0.5, 0));
  const auto green = [&] { return int(s.image().pixel(int(middle.x()), int(middle.y()))[1]); };
  const int smooth = green();
  object.look.normal_map = even_normals(128, 128, 255);
  EXPECT_NEAR(green(), smooth, 2);
  // The key light comes from the upper left.
  object.look.normal_map = even_normals(60, 128, 230);
  const int towards = green();
  object.look.normal_map = even_normals(195, 128, 230);
  const int away = green();
  EXPECT_GT(towards, smooth + 5);
  EXPECT_LT(away, smooth - 5);
  // With u the other way round, so is the light.
  object.uvs = {{1, 0}, {0, 0}, {0, 1}, {1, 1}};
  EXPECT_NEAR(green(), towards, 3);
}

TEST(Render, FieldsAreColouredByVertexOrByFace) {
  Setting s = quad_view();
  SceneObject& object = s.scene.objects[0];
  object.look.paint = Paint::Field;
  object.look.scale = {ColorMap::Viridis, 0, 1, "", ""};
  const auto expect = [&](const Vec3& p, double value) {
    const Image image = s.image();
    const Vec2 at = s.pixel(p);
    unsigned char expected[3];
    store(expected, object.look.scale.color(value));
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(image.pixel(int(at.x()), int(at.y()))[c], expected[c], 3);
  };
  object.field = {0, 1, 1, 0};  // u itself
  expect(Vec3(0.256, 0.4, 0), 0.256);
  expect(Vec3(0.744, 0.1, 0), 0.744);
  object.field = {0.6};
  expect(Vec3(0.2, 0.7, 0), 0.6);
}

TEST(Render, BothSidesOfAnOpenSurfaceAreLit) {
  Framing front{.azimuth = 0, .elevation = 0}, back{.azimuth = 180, .elevation = 0};
  const Setting a = view(test::quad(), 100, 100, front), b = view(test::quad(), 100, 100, back);
  const double seen_front = mean_near(a.image(), Vec2(50, 50), 10);
  EXPECT_NEAR(mean_near(b.image(), Vec2(50, 50), 10), seen_front, 0.02);
  EXPECT_GT(seen_front, 0.3);
}

TEST(Render, GhostsAreSeenThroughAndCastNoShadow) {
  Setting s = view(test::sphere(32), 120, 120);
  s.scene.ground = -1;
  s.scene.objects[0].look.opacity = 0.3f;
  const Image ghost = s.image();
  Setting none = s;
  none.scene.objects.clear();
  none.scene.ground.reset();
  const Image paper = none.image();
  EXPECT_LT(luminance(ghost, 60, 60), luminance(paper, 60, 60));
  EXPECT_GT(luminance(ghost, 60, 60), 0.5 * luminance(paper, 60, 60));
  const Vec2 beside = s.pixel(Vec3(0, -1, 0) + 1.3 * s.camera.right);
  EXPECT_EQ(luminance(ghost, std::min(119, int(beside.x())), int(beside.y())),
            luminance(paper, std::min(119, int(beside.x())), int(beside.y())));
}

TEST(Render, TrailsAreDrawnWhereTheyRun) {
  Setting s = view(test::sphere(32), 200, 200);
  s.scene.trails.push_back({{{-0.5, 0, 1.1}, {0, 0, 1.3}, {0.5, 0.3, 1.1}}, 0.04, srgb(0xff0000)});
  const Image image = s.image();
  const Vec2 at = s.pixel(Vec3(0.4, 0.24, 1.14));
  const unsigned char* p = image.pixel(int(at.x()), int(at.y()));
  EXPECT_GT(p[0], 2 * p[1]);
}

TEST(Render, NonsensePointsAreLeftOutAndWrongArraysRefused) {
  Setting s = view(test::sphere(16), 60, 60);
  SceneObject& object = s.scene.objects[0];
  object.positions[40] = Vec3(NAN, 0, 0);
  object.positions[50] = Vec3(INFINITY, 0, 0);
  EXPECT_LT(luminance(s.image(), 30, 30), 0.9);
  object.look.paint = Paint::Field;
  object.field = {1, 2, 3};
  EXPECT_THROW(s.image(), InputError);
  object.look.paint = Paint::Image;
  EXPECT_THROW(s.image(), InputError);
  object.look.paint = Paint::Plain;
  object.positions.pop_back();
  EXPECT_THROW(s.image(), InputError);
  s.scene.objects.clear();
  EXPECT_EQ(s.image().width, 60);
  s.options.width = 0;
  EXPECT_THROW(s.image(), InputError);
}

TEST(DrawMesh, RefusesArraysThatDoNotFit) {
  const std::vector<Vec3> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  using Ints = std::vector<std::int32_t>;
  const std::vector<Vec2> none, one{{0, 0}};
  EXPECT_NO_THROW(DrawMesh(points, Ints{0, 3}, Ints{0, 1, 2}, none));
  EXPECT_THROW(DrawMesh(points, Ints{0, 3}, Ints{0, 1, 3}, none), InputError);
  EXPECT_THROW(DrawMesh(points, Ints{0, 3}, Ints{0, 1, -1}, none), InputError);
  EXPECT_THROW(DrawMesh(points, Ints{0, 2}, Ints{0, 1, 2}, none), InputError);
  EXPECT_THROW(DrawMesh(points, Ints{0, 1, 3}, Ints{0, 1, 2}, none), InputError);
  EXPECT_THROW(DrawMesh(points, Ints{0, 3}, Ints{0, 1, 2}, one), InputError);
}

TEST(DrawMesh, NormalsOfASphereAreItsPointsAlsoAcrossSeams) {
  // Split along a meridian as a texture seam would: the normals must not notice.
  SceneObject ball = test::sphere(24);
  SourceMesh split;
  for (const Vec3& p : ball.positions) split.positions.push_back(p);
  for (const Vec3& p : ball.positions) split.positions.push_back(p);
  const auto& corners = ball.mesh->corner_vertices();
  for (std::size_t f = 0; f < ball.mesh->face_count(); ++f) {
    std::vector<SourceVertexId> face;
    const std::size_t copy = f % 2 ? ball.positions.size() : 0;
    for (std::size_t k = 0; k < 4; ++k) face.emplace_back(std::size_t(corners[4 * f + k]) + copy);
    split.add_face(face);
  }
  const DrawMesh mesh(split);
  std::vector<Eigen::Vector3f> points;
  for (const Vec3& p : split.positions) points.push_back(p.cast<float>());
  const auto normals = mesh.normals(points);
  for (std::size_t v = 0; v < points.size(); ++v) EXPECT_LT((normals[v] - points[v]).norm(), 0.02f) << v;
}

}  // namespace
}  // namespace cutis
