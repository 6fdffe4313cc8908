#include "cutis/picture/render/film.h"

#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/io/image/png.h"
#include "cutis/picture/draw/uv_view.h"
#include "picture/shapes.h"
#include "support/support.h"

namespace cutis {
namespace {

FilmPanel rolling_ball() {
  const SceneObject ball = test::sphere(16);
  FilmPanel panel;
  panel.mesh = ball.mesh;
  panel.positions = [points = ball.positions](int frame) {
    std::vector<Vec3> moved = points;
    for (Vec3& p : moved) p.x() += 0.5 * frame;
    return moved;
  };
  return panel;
}

FilmOptions small(int frames) {
  FilmOptions options;
  options.frames = frames;
  options.render.width = 96;
  options.render.height = 64;
  options.render.samples = options.render.light_samples = 2;
  return options;
}

TEST(Film, TheCameraStandsStillAndHoldsEveryFrame) {
  const FilmPanel panel = rolling_ball();
  const Film film({panel}, small(5));
  for (int f = 0; f < 5; ++f)
    for (const Vec3& p : panel.positions(f)) {
      EXPECT_GE(film.camera(f).project(p).head<2>().minCoeff(), 0.07);
      EXPECT_LE(film.camera(f).project(p).head<2>().maxCoeff(), 0.93);
    }
  EXPECT_EQ(film.camera(4).eye, film.camera(0).eye);
  EXPECT_EQ(film.frame(0).width, 96);
  EXPECT_NE(film.frame(0), film.frame(4));
}

TEST(Film, TheCameraGoesAlongWithASubjectThatTravels) {
  const FilmPanel panel = rolling_ball();
  FilmOptions options = small(9);
  options.follow = true;
  const Film film({panel}, options);
  for (int f : {0, 4, 8}) {
    EXPECT_LT((film.camera(f).eye - film.camera(0).eye - Vec3(0.5 * f, 0, 0)).norm(), 1e-12);
    Vec3 low = Vec3::Constant(2), high = Vec3::Constant(-1);
    for (const Vec3& p : panel.positions(f)) {
      low = low.cwiseMin(film.camera(f).project(p));
      high = high.cwiseMax(film.camera(f).project(p));
    }
    EXPECT_GE(low.y(), 0.07);
    EXPECT_GT(high.y() - low.y(), 0.8);  // it fills the picture, wherever it has got to
  }
  options.frames = 2;  // it moves by a quarter of its size
  const Film still({panel}, options);
  EXPECT_EQ(still.camera(1).eye, still.camera(0).eye);
}

TEST(Film, ASheetKeepsThePanelsOfAMomentInOneRow) {
  FilmPanel left = rolling_ball(), right = left;
  right.look.finish.color = srgb(0x000000);
  left.look.finish.color = srgb(0xffffff);
  const Film film({left, right}, small(4));
  const Image three = film.contact_sheet(4, 3), four = film.contact_sheet(4, 4);
  EXPECT_EQ(three, four);  // two moments a row
  EXPECT_GT(film.contact_sheet(4, 1).height, three.height);
  EXPECT_EQ(film.contact_sheet(4, 1), film.contact_sheet(4, 2));
}

TEST(Film, TrailsFollowTheirVertices) {
  FilmPanel panel = rolling_ball();
  panel.trails = {7, 20};
  FilmOptions options = small(6);
  options.trail_frames = 3;
  const Scene scene = Film({panel}, options).scene(0, 5);
  ASSERT_EQ(scene.trails.size(), 2u);
  ASSERT_EQ(scene.trails[1].points.size(), 4u);
  for (int k = 0; k < 4; ++k) EXPECT_EQ(scene.trails[1].points[std::size_t(k)], panel.positions(2 + k)[20]);
  panel.trails = {100000};
  EXPECT_THROW(Film({panel}, options), InputError);
}

TEST(Film, HasASheetAndAnAnimation) {
  test::TemporaryFolder folder;
  FilmPanel left = rolling_ball(), right = left;
  left.caption = "checker";
  left.look.paint = Paint::Checker;
  right.caption = "height";
  right.look.paint = Paint::Field;
  right.field = [&](int) { return std::vector<double>(right.mesh->vertex_count(), 0.5); };
  FilmOptions options = small(4);
  options.title = "Two ways";
  const Film film({left, right}, options);
  EXPECT_GT(film.frame(0).width, 2 * 96);
  EXPECT_GT(film.contact_sheet(2, 2).height, 2 * 64);

  int asked = 0;
  const auto written = film.write_animation({folder / "film.png"}, 2, [&](int done, int total) {
    EXPECT_EQ(done, ++asked);
    EXPECT_EQ(total, 2);
    return true;
  });
  ASSERT_EQ(written.size(), 1u);
  EXPECT_EQ(read_png(written[0]), film.frame(0));
  EXPECT_TRUE(film.write_animation({folder / "stopped.png"}, 1, [](int, int) { return false; }).empty());
  EXPECT_FALSE(std::filesystem::exists(folder / "stopped.png"));
  EXPECT_THROW(film.write_animation({folder / "film.gif"}), InputError);
  EXPECT_THROW(Film({}, options), InputError);
}

TEST(Film, FramesAreSpreadFromFirstToLast) {
  EXPECT_EQ(spread_frames(10, 4), (std::vector<int>{0, 3, 6, 9}));
  EXPECT_EQ(spread_frames(2, 9), (std::vector<int>{0, 1}));
  EXPECT_EQ(spread_frames(5, 1), (std::vector<int>{0}));
}

TEST(UvView, ShowsTheTilesThatTheMeshTouches) {
  SceneObject object = test::quad();
  object.look.finish.color = Color::Zero();
  const Image one = render_uv(object, 224);
  EXPECT_EQ(one.width, 224);
  EXPECT_LT(test::luminance(one, 112, 112), 0.05);  // the quad fills its tile
  EXPECT_GT(test::luminance(one, 3, 3), 0.9);       // and leaves the border
  object.uvs = {{1.1, 0.1}, {1.9, 0.1}, {1.9, 0.9}, {1.1, 0.9}};
  const Image moved = render_uv(object, 224);
  EXPECT_LT(test::luminance(moved, 112, 112), 0.05);
  EXPECT_GT(test::luminance(moved, 20, 112), 0.9);  // 0.1 of the tile stays empty
  object.uvs = {{0, 0}, {500, 0}, {500, 1}, {0, 1}};
  EXPECT_THROW(render_uv(object, 224), InputError);
  object.uvs = {{0, 0}};
  EXPECT_THROW(render_uv(object, 224), InputError);
}

}  // namespace
}  // namespace cutis
