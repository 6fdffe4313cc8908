#include "cutis/wrinkle/adapt/sizing_field.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/surface/mesh/surface.h"
#include "cutis/surface/remesh/adaptive_remesh.h"
#include "cutis/surface/remesh/remesh.h"
#include "cutis/wrinkle/adapt/metric_tensor.h"
#include "support/meshes.h"
#include "support/same_bits.h"

namespace cutis {
namespace {

using Tensors = IdVector<VertexId, Mat3>;
using Numbers = IdVector<VertexId, double>;

Points mapped(const Mesh& mesh, const std::function<Vec3(const Vec3&)>& f) {
  Points points;
  for (const Vec3& p : mesh.positions) points.push_back(f(p));
  return points;
}

/// Length that measures 1 along a unit vector.
double size_along(const Mat3& metric, const Vec3& direction) {
  return 1 / std::sqrt(direction.dot(metric * direction));
}

/// Vertices of a unit sheet that are farther than `margin` from its border.
std::vector<VertexId> inner(const Mesh& sheet, double margin) {
  std::vector<VertexId> vertices;
  for (VertexId v : ids<VertexId>(sheet.vertex_count())) {
    const Vec3& p = sheet.positions[v];
    if (std::min({p.x(), p.y(), 1 - p.x(), 1 - p.y()}) > margin) vertices.push_back(v);
  }
  return vertices;
}

/// The mean of the size along a direction over the inner vertices, and the farthest from it, relative.
std::pair<double, double> mean_size(const Mesh& sheet, const Tensors& metric, const Vec3& direction) {
  double sum = 0, spread = 0;
  const auto vertices = inner(sheet, 0.1);
  for (VertexId v : vertices) sum += size_along(metric[v], direction);
  const double mean = sum / static_cast<double>(vertices.size());
  for (VertexId v : vertices)
    spread = std::max(spread, std::abs(size_along(metric[v], direction) / mean - 1));
  return {mean, spread};
}

SizingOptions open_options() {
  SizingOptions options;
  options.max_aspect = 100;
  options.growth = 1;
  options.largest = 10;
  return options;
}

TEST(MetricTensor, TheStricterOfTwoMeasuresAtLeastAsLongAsBoth) {
  test::Random random(1);
  for (int i = 0; i < 200; ++i) {
    const auto tensor = [&] {
      const Mat2 root =
          Mat2(Eigen::Map<const Mat2>(std::array{random(), random(), random(), random()}.data()));
      return Mat2(root * root.transpose() + 0.01 * Mat2::Identity());
    };
    const Mat2 a = tensor(), b = tensor(), both = stricter(a, b);
    for (int k = 0; k < 36; ++k) {
      const Vec2 e(std::cos(k * 5 * kDegree), std::sin(k * 5 * kDegree));
      EXPECT_GE(e.dot(both * e), std::max(e.dot(a * e), e.dot(b * e)) * (1 - 1e-9));
    }
    EXPECT_LT((stricter(a, 0.5 * a) - a).norm(), 1e-12 * a.norm());
  }
}

TEST(SizingField, ARolledSheetIsSizedByItsTurn) {
  const Mesh sheet = test::sheet(40, 40, 0.25, 1);
  const double radius = 0.3;
  const Points rolled = mapped(sheet, [&](const Vec3& p) {
    return Vec3(radius * std::sin(p.x() / radius), p.y(), radius * std::cos(p.x() / radius));
  });
  SizingOptions options = open_options();
  options.refine_strain = 1e9;
  const Tensors metric = sizing_field(sheet, {.current = rolled}, options);
  const auto [across, spread] = mean_size(sheet, metric, Vec3::UnitX());
  // Diagonals that bend inwards count as if they bent outwards: the random ones of this sheet take an eighth.
  EXPECT_NEAR(across, options.refine_angle * radius, 0.15 * options.refine_angle * radius);
  EXPECT_LT(spread, 0.5);
  EXPECT_GT(mean_size(sheet, metric, Vec3::UnitY()).first, 3 * across);
}

TEST(SizingField, TurnsThatAlternateDoNotCancel) {
  const Mesh sheet = test::sheet(20, 20, 0, 1);
  const Points zigzag = mapped(
      sheet, [](const Vec3& p) { return Vec3(p.x(), p.y(), std::lround(p.x() * 20) % 2 == 0 ? 0 : 0.02); });
  const Tensors metric = sizing_field(sheet, {.current = zigzag}, open_options());
  for (VertexId v : inner(sheet, 0.1)) EXPECT_LT(size_along(metric[v], Vec3::UnitX()), 0.05);
}

TEST(SizingField, GradientsOfStrainAndVelocityAreResolved) {
  const Mesh sheet = test::sheet(40, 40, 0.25, 1);
  const double growing = 0.5, shear = 3;
  const Points stretched =
      mapped(sheet, [&](const Vec3& p) { return Vec3(p.x() + 0.5 * growing * p.x() * p.x(), p.y(), 0); });
  const Points velocities = mapped(sheet, [&](const Vec3& p) { return Vec3(shear * p.y(), 0, 0); });
  SizingOptions options = open_options();
  options.refine_strain = 0.02;
  options.refine_velocity = 0.1;
  const Tensors metric = sizing_field(sheet, {.current = stretched, .velocities = &velocities}, options);
  // E_xx = ((1 + growing x)² - 1) / 2 changes by growing (1 + growing x) for each metre. Second derivatives
  // on a jittered mesh are noisy: the mean counts.
  double along_x = 0, along_y = 0, count = 0;
  for (VertexId v : inner(sheet, 0.1)) {
    const double slope = growing * (1 + growing * sheet.positions[v].x());
    along_x += size_along(metric[v], Vec3::UnitX()) * slope / options.refine_strain;
    along_y += size_along(metric[v], Vec3::UnitY()) * shear / options.refine_velocity;
    ++count;
  }
  EXPECT_NEAR(along_y / count, 1, 0.03);
  EXPECT_NEAR(along_x / count, 1, 0.1);
}

TEST(SizingField, EdgesAreShortBeforeTheLayerBuckles) {
  const Mesh sheet = test::sheet(16, 16, 0.25, 1);
  const Numbers wavelength(sheet.vertex_count(), 0.2), critical(sheet.vertex_count(), 0.1);
  const Vec3 along(std::cos(30 * kDegree), std::sin(30 * kDegree), 0), across(-along.y(), along.x(), 0);
  SizingOptions options;
  for (const double strain : {0.045, 0.055}) {
    const Points pressed =
        mapped(sheet, [&](const Vec3& p) { return Vec3(p - strain * along.dot(p) * along); });
    for (const bool buckled : {false, true}) {
      // A layer that has buckled is no longer compressed itself: what carries it still is.
      const SizingState state{.current = buckled ? sheet.positions : pressed,
                              .carried = buckled ? &pressed : nullptr,
                              .wavelength = &wavelength,
                              .critical_strain = &critical};
      const Tensors metric = sizing_field(sheet, state, options);
      for (const Mat3& m : metric) {
        const double wanted = strain > 0.05 ? options.edge * 0.2 : options.largest;
        EXPECT_NEAR(size_along(m, along), wanted, 1e-6 * wanted);
        EXPECT_NEAR(size_along(m, across), std::min(2 * wanted, options.largest), 1e-6);
      }
    }
  }
}

TEST(SizingField, SizesGrowGradually) {
  const Surface rest(test::icosphere(4));
  const Mesh& mesh = rest.mesh();
  Points current = mesh.positions;
  for (Vec3& p : current)
    if (p.z() > 0.9) p *= 1 + 0.02 * std::sin(60 * p.x());
  SizingOptions options;
  options.smallest = 0.01;
  options.growth = 1.3;
  options.refine_angle = 0.5;
  const Tensors metric = sizing_field(mesh, {.current = current}, options);
  const Topology t(mesh);
  double finest = INFINITY;
  for (HalfedgeId h : ids<HalfedgeId>(t.corner_count())) {
    const VertexId a = t.from(h), b = t.to(h);
    const Vec3 e = mesh.positions[b] - mesh.positions[a];
    const double here = size_along(metric[a], e.normalized()), there = size_along(metric[b], e.normalized());
    finest = std::min(finest, here);
    EXPECT_LT(there, here * (1 + e.norm() / here * std::log(options.growth)) * 1.03);
  }
  EXPECT_LT(finest, 0.05);
}

/// Remeshes a sheet whose shape now is known everywhere until the sizing field is content with it.
EmbeddedMesh adapted(const Surface& rest, double wavelength, double height, const SizingOptions& options) {
  const RemeshResult coarse = remesh(rest, 0.25 * wavelength);
  EmbeddedMesh layer{coarse.mesh, coarse.source, {}, {}};
  int calls = 20;
  for (bool changed = true; changed && calls > 0; --calls) {
    const Points current = mapped(layer.mesh, [&](const Vec3& p) {
      return Vec3(p.x(), p.y(), height * std::sin(2 * pi * p.x() / wavelength));
    });
    AdaptiveRemeshOptions remeshing;
    remeshing.max_deviation = 0.01 * wavelength;
    const AdaptiveRemeshResult r = adaptive_remesh(
        rest, layer, sizing_field(layer.mesh, {.current = current}, options), current, remeshing);
    layer = r.embedded;
    changed = r.changed();
  }
  EXPECT_GT(calls, 0) << "does not come to rest";
  return layer;
}

TEST(SizingField, WavesTakeAThirdOfTheVerticesOfAnEvenMesh) {
  const Surface rest(test::sheet(40, 40, 0.2, 1));
  const double wavelength = 0.25, height = 0.15 * wavelength;
  SizingOptions options;
  options.refine_strain = 1e9;
  options.largest = wavelength;
  options.smallest = 0.06 * wavelength;
  options.refine_angle = 0.3;
  options.max_aspect = 8;
  const std::size_t along_crests = adapted(rest, wavelength, height, options).mesh.vertex_count();
  options.max_aspect = 1;
  const std::size_t even = adapted(rest, wavelength, height, options).mesh.vertex_count();
  EXPECT_LE(3 * along_crests, even);
}

TEST(SizingField, AMeshIsFineEnoughBeforeItsLayerBuckles) {
  const Surface rest(test::sheet(30, 30, 0.2, 1));
  const RemeshResult coarse = remesh(rest, 0.08);
  const double length = 0.2;
  const Vec3 along(std::cos(30 * kDegree), std::sin(30 * kDegree), 0);
  const Points pressed =
      mapped(coarse.mesh, [&](const Vec3& p) { return Vec3(p - 0.06 * along.dot(p) * along); });
  const Numbers wavelength(pressed.size(), length), critical(pressed.size(), 0.1);
  const Tensors metric = sizing_field(
      coarse.mesh, {.current = pressed, .wavelength = &wavelength, .critical_strain = &critical});
  const Mesh layer =
      adaptive_remesh(rest, {coarse.mesh, coarse.source, {}, {}}, metric, pressed).embedded.mesh;
  const Topology t(layer);
  for (EdgeId e : ids<EdgeId>(t.edge_count())) {
    const HalfedgeId h = t.halfedge(e);
    const Vec3 way = layer.positions[t.to(h)] - layer.positions[t.from(h)];
    EXPECT_LE(std::abs(way.dot(along)), 0.1 * length * (1 + 1e-9));
    EXPECT_LE(way.norm(), 0.2 * length * (1 + 1e-9));
  }
}

TEST(SizingField, SaysWhatItCannotDo) {
  const Mesh sheet = test::sheet(4, 4, 0, 1);
  const Numbers wavelength(sheet.vertex_count(), 0.2);
  EXPECT_THROW(sizing_field(sheet, {.current = Points(3)}), InputError);
  EXPECT_THROW(sizing_field(sheet, {.current = sheet.positions, .wavelength = &wavelength}), InputError);
  SizingOptions options;
  options.largest = 0;
  EXPECT_THROW(sizing_field(sheet, {.current = sheet.positions}, options), InputError);
}

const bool sizing_bits = test::same_bits("SizingField", [] {
  const Mesh sphere = test::icosphere(4);
  const Points current =
      mapped(sphere, [](const Vec3& p) { return Vec3((1 + 0.03 * std::sin(20 * p.x())) * p); });
  return sizing_field(sphere, {.current = current});
});

}  // namespace
}  // namespace cutis
