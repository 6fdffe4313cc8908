#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <memory>

#include "cutis/body/procedural/geometric/sphere.h"
#include "cutis/body/subdivided_body.h"
#include "wrinkle/wrinkled_strip.h"

namespace cutis {
namespace {

/// Wrinkles of 8.71 mm from 4.3 % compression on.
WrinkleOptions long_waves() {
  WrinkleOptions options = one_layer({{4e6, 1e-3, 0}, 0.5, 1100, 1, {}});
  options.law = WavelengthLaw::Layer;
  return options;
}

/// Compressed to the strip's strain.
void compress(WrinkledStrip& strip) { advance(strip.wrinkles, {0, 0.5, 1}); }

TEST(WrinkledBodies, OtherTrianglesHaveTheSameWavelength) {
  const Strip strip{0.07, 0.045, 0.12};
  const auto wavelength = [&](double edge) {
    WrinkledStrip film(strip, long_waves(), edge);
    compress(film);
    return film.wavelength();
  };
  const double usual = wavelength(5e-3);
  EXPECT_NEAR(wavelength(10e-3), usual, 0.05 * usual);
  EXPECT_NEAR(wavelength(2.5e-3), usual, 0.05 * usual);
}

/// Stripes along the compression, a tenth of a wavelength from one to the next, are compressed and bent
/// together: they are as stiff as they are in the mean.
TEST(WrinkledBodies, NarrowStripesAreTheirMean) {
  const Strip strip{0.07, 0.045, 0.12};
  WrinkleOptions options = long_waves();
  WrinkledStrip even(strip, options);
  compress(even);
  const double period = wavelength_of(options, reference_layers(options), 0) / 10;
  const AnalyticBody body(strip.shape(5e-3));
  options.layers[0].painted = [&](const SurfacePoint& p) {
    const double z = body.surface()->position(p).z() / period;
    return LayerProperties{z - std::floor(z) < 0.5 ? 1e6 : 7e6, 1e-3, 0};
  };
  WrinkledStrip striped(strip, options);
  compress(striped);
  EXPECT_NEAR(striped.wavelength(), even.wavelength(), 0.05 * even.wavelength());
  EXPECT_NEAR(striped.height(), even.height(), 0.05 * even.height());
}

/// Wrinkles on the side of a ball that is squashed, within so much of the point at +z [m].
class WrinkledBall {
 public:
  WrinkledBall(double edge, int level, bool adaptive = false)
      : body_(make_sphere(edge)), finer_(body_, {}, level, SubdividedSurface::Limit) {
    WrinkleOptions options = one_layer({{4e6, 2e-3, 0}, 0.5, 1100, 1, {}});
    options.law = WavelengthLaw::Layer;
    options.adaptive = adaptive;
    const Mesh& mesh = finer_.triangles().mesh;
    for (FaceId f : ids<FaceId>(mesh.face_count())) options.region.push_back(within(mesh, f, 0.06));
    wrinkles_ = std::make_unique<Wrinkles>(finer_, finer_, finer_.own_places(), options);
    advance(*wrinkles_, {0, 0.25, 0.5});
    const Points now = finer_.positions(0.5), found = finer_.weld().gather(wrinkles_->positions());
    const auto normals = angle_weighted_normals(mesh, now);
    for (VertexId v : ids<VertexId>(now.size())) heights_.push_back(normals[v].dot(found[v] - now[v]));
    const std::vector<IndexTriangle> all = index_triangles(mesh);
    for (FaceId f : ids<FaceId>(mesh.face_count()))
      if (within(mesh, f, 0.04)) middle_.push_back(all[f.index()]);
  }

  double height() const { return mean_height(finer_.mesh().positions.raw(), middle_, heights_); }
  double wavelength() const { return mean_wavelength(finer_.mesh().positions.raw(), middle_, heights_); }

 private:
  AnalyticBody body_;
  SubdividedBody finer_;
  std::unique_ptr<Wrinkles> wrinkles_;
  std::vector<double> heights_;
  std::vector<IndexTriangle> middle_;

  static bool within(const Mesh& mesh, FaceId f, double radius) {
    const auto v = mesh.face(f);
    const Vec3 middle = mesh.positions[v[0]] + mesh.positions[v[1]] + mesh.positions[v[2]];
    return 0.1 * std::acos(middle.normalized().z()) < radius;
  }
};

/// Faces of 39 mm, more than two wavelengths, wrinkle as faces of 5 mm do.
TEST(WrinkledBodies, ACoarseBallWrinklesLikeAFineOne) {
  const WrinkledBall coarse(0.04, 4), fine(0.005, 1);
  EXPECT_NEAR(coarse.wavelength(), fine.wavelength(), 0.05 * fine.wavelength());
  EXPECT_NEAR(coarse.height(), fine.height(), 0.1 * fine.height());
}

TEST(WrinkledBodies, MeshesThatAdaptGiveTheSameWrinklesOnABall) {
  const WrinkledBall fixed(0.04, 4), adaptive(0.04, 4, true);
  EXPECT_NEAR(adaptive.wavelength(), fixed.wavelength(), 0.05 * fixed.wavelength());
  EXPECT_NEAR(adaptive.height(), fixed.height(), 0.1 * fixed.height());
}

/// The outermost of two layers, on curved skin, too.
TEST(WrinkledBodies, AtRestTheSurfaceIsTheBodysOwn) {
  const AnalyticBody body(make_sphere(0.04));
  const SubdividedBody finer(body, {}, 3, SubdividedSurface::Limit);
  WrinkleOptions options = long_waves();
  options.layers = {{{4e6, 5e-3, 0}, 0.5, 1100, 1, {}}, {{60e6, 2e-3, 30e-3}, 0.5, 1100, 1, {}}};
  for (const bool adaptive : {false, true}) {
    options.adaptive = adaptive;
    Wrinkles wrinkles(finer, finer, finer.own_places(), options);
    advance(wrinkles, {0});
    const SourcePoints &found = wrinkles.positions(), rest = finer.source().positions;
    for (SourceVertexId v : ids<SourceVertexId>(rest.size()))
      EXPECT_LT((found[v] - rest[v]).norm(), 1e-9 * 0.2) << adaptive;
  }
}

constexpr double kRing = 0.045, kTube = 0.02;  // [m]

/// Where a point of a torus lies around its tube, 0 outside.
double around_tube(const Vec3& p) { return std::atan2(p.y(), std::hypot(p.x(), p.z()) - kRing); }
double around_ring(const Vec3& p) { return std::atan2(-p.z(), p.x()); }

/// A torus with bumps that is pressed flat along y, its axis, by a fifth within a second.
AnalyticShape bumpy_torus(double edge) {
  GridShape grid;
  grid.place = [](double u, double v) -> Vec3 {
    const double theta = 2 * pi * u, phi = 2 * pi * v - pi;
    const double tube = kTube * (1 + 0.05 * std::sin(5 * theta) * std::sin(3 * phi));
    const Vec3 spoke(std::cos(theta), 0, -std::sin(theta));
    return (kRing + tube * std::cos(phi)) * spoke + Vec3(0, tube * std::sin(phi), 0);
  };
  grid.columns = edges_along(2 * pi * kRing, edge, 8);
  grid.rows = edges_along(2 * pi * kTube, edge, 6);
  grid.closes_in_u = grid.closes_in_v = true;
  const auto flattened = [](const Vec3& p, double time) -> Vec3 {
    return {p.x(), (1 - 0.2 * std::min(time, 1.0)) * p.y(), p.z()};
  };
  return {"torus", make_grid(grid), {{"flatten", 1, flattened}}};
}

/// Where the middle of a triangle lies.
Vec3 middle(const Mesh& mesh, FaceId f) {
  return interpolate(mesh, mesh.positions, {f, Vec3::Constant(1.0 / 3)});
}

/// The wrinkles of a torus at the last of some times.
class WrinkledTorus {
 public:
  WrinkledTorus(const WrinkleOptions& options, std::initializer_list<double> times)
      : body_(bumpy_torus(2e-3)), shown_(bumpy_torus(1e-3)) {
    const ClosestPointTree tree(body_.triangles().mesh);
    IdVector<VertexId, SurfacePoint> places;
    for (const Vec3& x : shown_.mesh().positions) places.push_back(tree(x).point);
    Wrinkles wrinkles(body_, shown_, places, options);
    advance(wrinkles, times);
    const Mesh& fine = shown_.triangles().mesh;
    const Points pressed = shown_.positions(*(times.end() - 1)),
                 found = shown_.weld().gather(wrinkles.positions());
    const auto normals = angle_weighted_normals(fine, pressed);
    for (VertexId v : ids<VertexId>(fine.vertex_count()))
      heights_.push_back(normals[v].dot(found[v] - pressed[v]));
    const std::vector<IndexTriangle> all = index_triangles(fine);
    for (FaceId f : ids<FaceId>(fine.face_count()))
      if (within(middle(fine, f), 45, 25)) outside_.push_back(all[f.index()]);
  }
  /// Around its tube and its ring [degrees].
  static bool within(const Vec3& p, double tube, double ring) {
    return std::abs(around_tube(p)) < tube * kDegree && std::abs(around_ring(p)) < ring * kDegree;
  }

  double highest() const { return *std::max_element(heights_.begin(), heights_.end()); }
  double wavelength() const {
    return mean_wavelength(shown_.triangles().mesh.positions.raw(), outside_, heights_);
  }

 private:
  AnalyticBody body_, shown_;
  std::vector<double> heights_;
  std::vector<IndexTriangle> outside_;
};

/// Its outside wrinkles with the wavelength of a flat film, on meshes of either kind.
TEST(WrinkledBodies, ABumpyTorusFollowsTheLaw) {
  WrinkleOptions options = long_waves();
  const AnalyticBody body(bumpy_torus(2e-3));
  const Mesh& triangles = body.triangles().mesh;
  for (FaceId f : ids<FaceId>(triangles.face_count()))
    options.region.push_back(WrinkledTorus::within(middle(triangles, f), 80, 36));
  const double expected = wavelength_of(options, reference_layers(options), 0);
  for (const bool adaptive : {false, true}) {
    options.adaptive = adaptive;
    const WrinkledTorus torus(options, {0, 0.5, 1});
    EXPECT_GT(torus.highest(), 3e-4);
    EXPECT_NEAR(torus.wavelength(), expected, 0.15 * expected) << adaptive;
  }
}

/// A closed surface, which has no border, on meshes of either kind.
TEST(WrinkledBodies, AWholeTorusWrinklesAlikeOnMeshesThatAdapt) {
  WrinkleOptions options = long_waves();
  options.layers[0].reference.thickness = 1.6e-3;
  const WrinkledTorus fixed(options, {0, 0.5});
  options.adaptive = true;
  const WrinkledTorus adaptive(options, {0, 0.5});
  EXPECT_GT(fixed.highest(), 3e-4);
  EXPECT_NEAR(adaptive.wavelength(), fixed.wavelength(), 0.05 * fixed.wavelength());
}

/// Half of its tube has seven wavelengths.
TEST(WrinkledBodies, AWholeTorusFollowsTheLaw) {
  if (!std::getenv("CUTIS_LONG")) GTEST_SKIP() << "takes minutes: ./test --long";
  WrinkleOptions options = long_waves();
  options.adaptive = true;
  const WrinkledTorus torus(options, {0, 0.5, 1});
  const double expected = wavelength_of(options, reference_layers(options), 0);
  EXPECT_GT(torus.highest(), 3e-4);
  EXPECT_NEAR(torus.wavelength(), expected, 0.15 * expected);
}

}  // namespace
}  // namespace cutis
