#include "cutis/picture/render/camera.h"

#include <random>

#include <gtest/gtest.h>

namespace cutis {
namespace {

std::vector<Vec3> cloud(std::mt19937& random, double size) {
  std::normal_distribution<double> normal;
  std::vector<Vec3> points;
  for (int i = 0; i < 300; ++i)
    points.push_back(size * Vec3(normal(random) + 5, 3 * normal(random), 0.5 * normal(random)));
  return points;
}

TEST(Camera, ShowsEveryPointAndWastesNoRoom) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> turn(-180, 180), tilt(-80, 80), view(10, 90);
  int tight = 0;
  for (int trial = 0; trial < 50; ++trial) {
    const std::vector<Vec3> points = cloud(random, trial % 2 ? 1e-3 : 50);
    Framing framing;
    framing.azimuth = turn(random);
    framing.elevation = tilt(random);
    framing.field_of_view = view(random);
    const double aspect = trial % 3 ? 16.0 / 9 : 0.5;
    const Camera camera = fit_camera(points, framing, aspect);
    Vec3 low = Vec3::Constant(1e9), high = -low;
    for (const Vec3& p : points) {
      low = low.cwiseMin(camera.project(p));
      high = high.cwiseMax(camera.project(p));
    }
    EXPECT_GT(low.z(), 0);
    EXPECT_GE(low.head<2>().minCoeff(), framing.margin - 1e-9);
    EXPECT_LE(high.head<2>().maxCoeff(), 1 - framing.margin + 1e-9);
    // One pair of opposite sides is touched, unless the eye would come too close for that.
    const Vec2 spare = Vec2::Constant(1 - 2 * framing.margin) - (high - low).head<2>();
    const bool close = low.z() < 0.5 * (high.z() - low.z());
    if (!close) {
      EXPECT_NEAR(spare.minCoeff(), 0, 1e-9);
      ++tight;
    }
  }
  EXPECT_GE(tight, 25);
}

TEST(Camera, HoldsAllFramesOfAnAnimation) {
  std::mt19937 random(4);
  CameraFit fit(Framing{}, 1.5);
  std::vector<std::vector<Vec3>> frames;
  for (int f = 0; f < 5; ++f) {
    frames.push_back(cloud(random, 1));
    for (Vec3& p : frames.back()) p.x() += f;
    fit.add(frames.back());
  }
  const Camera camera = fit.camera();
  for (const auto& frame : frames)
    for (const Vec3& p : frame) {
      EXPECT_GE(camera.project(p).head<2>().minCoeff(), 0);
      EXPECT_LE(camera.project(p).head<2>().maxCoeff(), 1);
    }
}

TEST(Camera, FacesACharacterThatFacesItsViewer) {
  const std::vector<Vec3> points{{-1, 0, 0}, {1, 2, 0}};
  Framing framing;
  framing.azimuth = framing.elevation = 0;
  framing.look_at = Vec3(0, 1.5, 0);
  const Camera camera = fit_camera(points, framing, 1);
  EXPECT_LT((camera.project(Vec3(0, 1.5, 0)).head<2>() - Vec2(0.5, 0.5)).norm(), 1e-12);
  EXPECT_GT(camera.project(Vec3(1, 1.5, 0)).x(), 0.5);                                  // +x is right
  EXPECT_LT(camera.project(Vec3(0, 2, 0)).y(), 0.5);                                    // +y is up
  EXPECT_LT(camera.project(Vec3(0, 1.5, 1)).z(), camera.project(Vec3(0, 1.5, 0)).z());  // +z is nearer
  Framing closer = framing;
  closer.zoom = 2;
  const double wide = camera.project(Vec3(1, 1.5, 0)).x() - 0.5;
  EXPECT_NEAR(fit_camera(points, closer, 1).project(Vec3(1, 1.5, 0)).x() - 0.5, 2 * wide, 1e-12);
}

TEST(Camera, SurvivesNothingAndNonsense) {
  EXPECT_TRUE(fit_camera({}, Framing{}, 1).eye.allFinite());
  EXPECT_TRUE(fit_camera(std::vector<Vec3>{{NAN, 0, 0}}, Framing{}, 1).eye.allFinite());
  const Camera one = fit_camera(std::vector<Vec3>{{1, 2, 3}}, Framing{}, 1);
  EXPECT_TRUE(one.eye.allFinite());
  EXPECT_GT(one.project(Vec3(1, 2, 3)).z(), 0);
}

}  // namespace
}  // namespace cutis
