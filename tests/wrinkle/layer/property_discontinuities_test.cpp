#include "cutis/wrinkle/layer/property_discontinuities.h"

#include <cmath>

#include <gtest/gtest.h>

#include "cutis/wrinkle/layer/layer_shell.h"
#include "wrinkle/wrinkled_strip.h"

namespace cutis {
namespace {

constexpr double kWavelength = 0.0087;

/// A strip of 70 x 45 mm with edges of about an eighth of a wavelength.
Mesh sheet() { return AnalyticBody(Strip{0.07, 0.045}.shape(1e-3)).triangles().mesh; }

CutMesh cut(const Mesh& mesh, const std::function<double(const Vec3&)>& young) {
  return cut_at_discontinuities(mesh, IdVector<VertexId, double>(mesh.vertex_count(), kWavelength),
                                [&](const Vec3& x) { return std::log(young(x)); });
}

/// How many triangles have corners on both sides of where `side` is 0 [m].
int crossing(const Mesh& mesh, const std::function<double(const Vec3&)>& side) {
  int count = 0;
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    bool below = false, above = false;
    for (VertexId v : mesh.face(f)) {
      below |= side(mesh.positions[v]) < -2e-5;
      above |= side(mesh.positions[v]) > 2e-5;
    }
    count += below && above;
  }
  return count;
}

double slanted(const Vec3& x) { return x.x() + 0.3 * x.z() - 0.0031; }
double round(const Vec3& x) { return std::hypot(x.x(), x.z()) - 0.0152; }

TEST(PropertyDiscontinuities, TrianglesAreCutAlongOne) {
  const Mesh mesh = sheet();
  for (const auto& side : {slanted, round}) {
    const CutMesh divided = cut(mesh, [&](const Vec3& x) { return side(x) < 0 ? 1e6 : 8e6; });
    EXPECT_GT(crossing(mesh, side), 40);
    EXPECT_EQ(crossing(divided.mesh, side), 0);
    double length = 0;
    for (const auto& [a, b] : divided.discontinuities)
      length += (divided.mesh.positions[a] - divided.mesh.positions[b]).norm();
    const double whole = side == round ? 2 * pi * 0.0152 : 0.045 * std::hypot(1, 0.3);
    EXPECT_NEAR(length, whole, 0.01 * whole);
    EXPECT_NEAR(total_area(divided.mesh.positions.raw(), index_triangles(divided.mesh)), 0.07 * 0.045, 1e-9);
  }
}

TEST(PropertyDiscontinuities, PixelsMakeOneAndARampMakesNone) {
  const Mesh mesh = sheet();
  const auto ramp = [](double width) {
    return
        [width](const Vec3& x) { return 1e6 * std::pow(8, std::clamp(slanted(x) / width + 0.5, 0.0, 1.0)); };
  };
  EXPECT_GT(cut(mesh, ramp(1e-3)).discontinuities.size(), 40u);
  EXPECT_EQ(cut(mesh, ramp(15e-3)).discontinuities.size(), 0u);
  EXPECT_EQ(cut(mesh, [](const Vec3& x) { return slanted(x) < 0 ? 1e6 : 1.3e6; }).discontinuities.size(), 0u);
}

TEST(PropertyDiscontinuities, NarrowStripesHaveNone) {
  const double period = kWavelength / 10;
  const CutMesh striped = cut(sheet(), [&](const Vec3& x) {
    const double z = x.z() / period;
    return z - std::floor(z) < 0.5 ? 1e6 : 7e6;
  });
  EXPECT_EQ(striped.discontinuities.size(), 0u);
}

/// A layer that is stiffer on one side of a line has edges along it, on the mesh that it begins with and on
/// those that adapt: no triangle is a mean of both sides.
TEST(PropertyDiscontinuities, LayersKeepTheirEdgesOnThem) {
  const Strip strip{0.03, 0.02, 0.08};
  const AnalyticBody body(strip.shape(5e-3));
  WrinkleOptions options = one_layer({{4e6, 1e-3, 0}, 0.5, 1100, 1, {}});
  options.law = WavelengthLaw::Layer;
  options.adaptive = true;
  options.layers[0].painted = [&](const SurfacePoint& p) {
    return LayerProperties{slanted(body.surface()->position(p)) < 0 ? 2e6 : 8e6, 1e-3, 0};
  };
  WrinkledStrip film(strip, options);
  for (const double time : {0.0, 0.5, 1.0}) {
    film.wrinkles.advance(time);
    const LayerMesh layer = film.wrinkles.layer_meshes().front();
    Mesh rest = layer.mesh;
    const std::vector<double>& X = layer.fields.front().values;
    ASSERT_EQ(layer.fields.front().name, "rest");
    for (VertexId v : ids<VertexId>(rest.vertex_count()))
      rest.positions[v] = Vec3(X[3 * v.index()], X[3 * v.index() + 1], X[3 * v.index() + 2]);
    EXPECT_EQ(crossing(rest, slanted), 0) << time;
    EXPECT_GT(rest.vertex_count(), 300u);
  }
  const State saved = film.wrinkles.save();
  film.wrinkles.advance(1.5);
  const SourcePoints went_on = film.wrinkles.positions();
  WrinkledStrip again(strip, options);
  again.wrinkles.restore(saved);
  again.wrinkles.advance(1.5);
  EXPECT_EQ(again.wrinkles.positions(), went_on);
}

}  // namespace
}  // namespace cutis
