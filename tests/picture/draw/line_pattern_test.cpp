#include "cutis/picture/draw/line_pattern.h"

#include <cmath>

#include <gtest/gtest.h>

#include "cutis/picture/render/render.h"
#include "support/meshes.h"
#include "support/same_bits.h"

namespace cutis {
namespace {

/// The pattern of a field over a flat sheet at a grid of places.
struct Flat {
  Surface surface{test::sheet(8, 8, 0.2, 3)};
  DrawMesh mesh{surface.mesh()};

  LinePattern pattern(const Vec3& direction) const {
    return LinePattern(surface, LineDirections(surface.mesh().face_count(), direction), mesh,
                       surface.positions().raw(), 0.02);
  }
};

/// Mean squared difference of the values in triangles over steps along the two directions of the plane.
Vec2 variation(const Flat& flat, const LinePattern& pattern) {
  const auto value = [&](const Vec2& p) {
    for (std::size_t t = 0; t < flat.mesh.triangles().size(); ++t) {
      Vec2 x[3];
      for (std::size_t i = 0; i < 3; ++i)
        x[i] = flat.surface.positions()[VertexId(flat.mesh.triangles()[t].vertices[i])].head<2>();
      Mat2 m;
      m << x[1] - x[0], x[2] - x[0];
      const Vec2 b = m.inverse() * (p - x[0]);
      if (b.minCoeff() >= 0 && b.sum() <= 1)
        return double(pattern(t, {float(1 - b.sum()), float(b[0]), float(b[1])}));
    }
    return 0.5;
  };
  Vec2 sum = Vec2::Zero();
  for (double x = 0.3; x < 0.7; x += 0.037)
    for (double y = 0.3; y < 0.7; y += 0.037) {
      const double here = value({x, y});
      EXPECT_GE(here, 0);
      EXPECT_LE(here, 1);
      sum.x() += std::pow(value({x + 0.02, y}) - here, 2);
      sum.y() += std::pow(value({x, y + 0.02}) - here, 2);
    }
  return sum;
}

TEST(LinePattern, RunsAlongTheLines) {
  const Flat flat;
  const Vec2 across = variation(flat, flat.pattern(Vec3(1, 0, 0)));
  EXPECT_LT(across.x(), 0.2 * across.y());
  const Vec2 upright = variation(flat, flat.pattern(Vec3(0, -1, 0)));
  EXPECT_LT(upright.y(), 0.2 * upright.x());
}

const bool line_pattern_bits = test::same_bits("LinePattern", [] {
  const Flat flat;
  const LinePattern pattern = flat.pattern(Vec3(0.6, 0.8, 0));
  std::vector<float> values;
  for (std::size_t t = 0; t < flat.mesh.triangles().size(); ++t)
    values.push_back(pattern(t, {0.3f, 0.3f, 0.4f}));
  return values;
});

TEST(LinePattern, IsPainted) {
  const Flat flat;
  SceneObject object;
  object.mesh = std::make_shared<DrawMesh>(flat.mesh);
  object.positions = flat.surface.positions().raw();
  object.look.paint = Paint::Lines;
  Scene scene;
  scene.objects = {object};
  RenderOptions options;
  options.width = options.height = 64;
  options.lit = false;
  const Camera camera = fit_camera(object.positions, {.azimuth = 0, .elevation = 0}, 1);
  EXPECT_THROW(render(scene, camera, options), std::runtime_error) << "lines without a pattern";
  scene.objects[0].look.lines = std::make_shared<LinePattern>(flat.pattern(Vec3(1, 0, 0)));
  const Image image = render(scene, camera, options);
  // Rows differ, columns do not: count the changes of the red channel.
  double along = 0, across = 0;
  for (int y = 16; y < 48; ++y)
    for (int x = 16; x < 48; ++x) {
      along += std::abs(int(image.pixel(x + 1, y)[0]) - int(image.pixel(x, y)[0]));
      across += std::abs(int(image.pixel(x, y + 1)[0]) - int(image.pixel(x, y)[0]));
    }
  EXPECT_GT(across, 2 * along);
}

}  // namespace
}  // namespace cutis
