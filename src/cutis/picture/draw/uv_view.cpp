#include "cutis/picture/draw/uv_view.h"

#include <cmath>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/picture/draw/text.h"
#include "cutis/picture/render/render.h"

namespace cutis {
namespace {

constexpr double kBorder = 0.06;  // around the tiles, in tiles

struct Tiles {
  Vec2 low, high;  ///< whole numbers
};

Tiles tiles_of(std::span<const Vec2> uvs) {
  Vec2 low = Vec2::Constant(INFINITY), high = Vec2::Constant(-INFINITY);
  for (const Vec2& uv : uvs)
    if (uv.allFinite()) {
      low = low.cwiseMin(uv);
      high = high.cwiseMax(uv);
    }
  if (low.x() > high.x()) throw InputError("no texture coordinate is a finite number: nothing to draw flat");
  // A hair over the edge does not open a new tile.
  const Vec2 first = (low.array() + 1e-3).floor(), last = (high.array() - 1e-3).ceil();
  const Tiles tiles{first, last.cwiseMax(first + Vec2::Ones())};
  const Vec2 count = tiles.high - tiles.low;
  if (count.prod() > 64)
    throw InputError(
        fmt::format("texture coordinates span {:.0f} x {:.0f} tiles, from ({}, {}) to ({}, {}); "
                    "a flat picture shows up to 64",
                    count.x(), count.y(), low.x(), low.y(), high.x(), high.y()));
  return tiles;
}

void draw_frames(Image& image, const Camera& camera, const Tiles& tiles, int size) {
  const auto at = [&](double u, double v) -> Vec2 {
    const Vec3 p = camera.project(Vec3(u, v, 0));
    return {p.x() * image.width, p.y() * image.height};
  };
  const Color ink = srgb(0x8a929b);
  const double text = std::max(9.0, size / 48.0);
  for (double u = tiles.low.x(); u <= tiles.high.x(); ++u) {
    draw_line(image, at(u, tiles.low.y()), at(u, tiles.high.y()), 1, ink);
    const Vec2 foot = at(u, tiles.low.y());
    draw_text(image, fmt::format("{:.0f}", u), int(foot.x()), int(foot.y() + 1.3 * text), text, ink,
              Align::Center);
  }
  for (double v = tiles.low.y(); v <= tiles.high.y(); ++v) {
    draw_line(image, at(tiles.low.x(), v), at(tiles.high.x(), v), 1, ink);
    const Vec2 foot = at(tiles.low.x(), v);
    draw_text(image, fmt::format("{:.0f}", v), int(foot.x() - 0.5 * text), int(foot.y() + 0.35 * text), text,
              ink, Align::Right);
  }
}

}  // namespace

Image render_uv(const SceneObject& object, int size) {
  const std::vector<Vec2>& uvs = object.uvs.empty() ? object.mesh->uvs() : object.uvs;
  const auto flat = std::make_shared<DrawMesh>(object.mesh->flattened(uvs));
  const Tiles tiles = tiles_of(uvs);
  SceneObject sheet{flat, {}, object.look, {}, {}};
  for (const Vec2& uv : uvs) sheet.positions.emplace_back(uv.x(), uv.y(), 0);
  if (object.field.size() == object.mesh->vertex_count()) {
    for (std::int32_t v : object.mesh->corner_vertices()) sheet.field.push_back(object.field[std::size_t(v)]);
  } else {
    sheet.field = object.field;
  }

  const Vec2 extent = tiles.high - tiles.low + Vec2::Constant(2 * kBorder);
  RenderOptions options;
  options.lit = false;
  options.height = size;
  options.width = std::max(1, static_cast<int>(std::lround(size * extent.x() / extent.y())));
  options.background_top = options.background_bottom = srgb(0xfafafa);
  Camera camera;
  const Vec2 middle = (tiles.low + tiles.high) / 2;
  camera.eye = Vec3(middle.x(), middle.y(), 1);
  camera.ortho_height = extent.y();
  camera.aspect = double(options.width) / options.height;
  Scene scene;
  scene.objects.push_back(std::move(sheet));
  Image image = render(scene, camera, options);
  draw_frames(image, camera, tiles, size);
  return image;
}

}  // namespace cutis
