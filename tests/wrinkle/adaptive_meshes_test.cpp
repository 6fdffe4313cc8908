#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <iostream>

#include <gtest/gtest.h>

#include "cutis/body/subdivided_body.h"
#include "cutis/shot/open_body.h"
#include "cutis/shot/settings/wrinkle_settings.h"
#include "wrinkle/wrinkled_strip.h"

namespace cutis {
namespace {

using Inside = std::function<bool(const Vec3&)>;

/// The wrinkles of a layer on its own mesh at rest.
class LayerWrinkles {
 public:
  explicit LayerWrinkles(const Wrinkles& stage) {
    const LayerMesh layer = stage.layer_meshes().front();
    triangles_ = index_triangles(layer.mesh);
    for (const VertexAttribute& field : layer.fields) {
      if (field.name == "height") heights_ = field.values;
      if (field.name == "rest")
        for (std::size_t i = 0; i < field.values.size(); i += 3)
          rest_.emplace_back(field.values[i], field.values[i + 1], field.values[i + 2]);
    }
  }

  double vertices() const { return static_cast<double>(rest_.size()); }
  /// Root mean square over the triangles, which are flat: where these are few, mean_height(), which counts
  /// vertices, would take a wave for 2 % higher than its triangles are.
  double height(const Inside& inside) const {
    double area = 0, sum = 0, squares = 0;
    for (const IndexTriangle& t : within(inside)) {
      const double size = (at(t[1]) - at(t[0])).cross(at(t[2]) - at(t[0])).norm() / 2;
      const Vec3 h(height_at(t[0]), height_at(t[1]), height_at(t[2]));
      area += size;
      sum += size * h.mean();
      squares += size * (h.squaredNorm() + h.sum() * h.sum()) / 12;
    }
    return std::sqrt(squares / area - sum / area * sum / area);
  }
  double wavelength(const Inside& inside) const {
    const std::vector<IndexTriangle> triangles = within(inside);
    return mean_wavelength(rest_, triangles, heights_, height(inside));
  }
  /// That a twentieth of the edges are shorter than: the resolution where it is finest [m].
  double fine_edge() const {
    std::vector<double> lengths;
    for (const IndexTriangle& t : triangles_)
      for (std::size_t k = 0; k < 3; ++k) lengths.push_back((at(t[k]) - at(t[(k + 1) % 3])).norm());
    const auto twentieth = lengths.begin() + std::ssize(lengths) / 20;
    std::nth_element(lengths.begin(), twentieth, lengths.end());
    return *twentieth;
  }

 private:
  std::vector<Vec3> rest_;
  std::vector<IndexTriangle> triangles_;
  std::vector<double> heights_;

  const Vec3& at(std::int32_t v) const { return rest_[static_cast<std::size_t>(v)]; }
  double height_at(std::int32_t v) const { return heights_[static_cast<std::size_t>(v)]; }
  std::vector<IndexTriangle> within(const Inside& inside) const {
    std::vector<IndexTriangle> some;
    for (const IndexTriangle& t : triangles_)
      if (inside((at(t[0]) + at(t[1]) + at(t[2])) / 3)) some.push_back(t);
    return some;
  }
};

/// As in Li 2014, figure 6-3: against a mesh that is everywhere as fine as the adaptive one is where it is
/// finest.
void compare(const LayerWrinkles& adaptive, const LayerWrinkles& even, const std::vector<Inside>& parts) {
  std::cout << adaptive.vertices() << " vertices against " << even.vertices() << std::endl;
  EXPECT_LT(adaptive.vertices(), even.vertices() / 3);
  for (const Inside& part : parts) {
    std::cout << "adaptive over even: wavelength " << adaptive.wavelength(part) / even.wavelength(part)
              << ", height " << adaptive.height(part) / even.height(part) << std::endl;
    EXPECT_NEAR(adaptive.wavelength(part), even.wavelength(part), 0.05 * even.wavelength(part));
    EXPECT_NEAR(adaptive.height(part), even.height(part), 0.05 * even.height(part));
  }
}

/// The example `pinch`, with the same constraints on both meshes.
TEST(AdaptiveMeshes, APinchNeedsAThirdOfTheVertices) {
  if (!std::getenv("CUTIS_LONG")) GTEST_SKIP() << "takes minutes: ./test --long";
  const Shot shot = parse_shot(R"([body]
make = "patch"
clip = "pinch"
[wrinkle]
use = true
law = "layer"
edge = 0.125
region = "pinched"
[[wrinkle.layer]]
young = "4 MPa"
thickness = "1 mm"
[[skin.region]]
name = "pinched"
use = "name"
center = [0, 0, 0]
radius = "4.5 cm"
)",
                               "pinch.toml");
  const auto body = open_body(shot.body);
  const SubdividedBody shown(*body, {}, 0);
  const auto run = [&](double even_edge, bool adapts) {
    WrinkleOptions options = wrinkle_options(SkinSettings(shot, *body));
    options.adaptive = adapts;
    options.even_edge = even_edge;
    Wrinkles stage(*body, shown, shown.places(), options);
    for (const double time : {0.0, 0.25, 0.5}) stage.advance(time);
    return LayerWrinkles(stage);
  };
  const double edge = run(0, true).fine_edge();
  compare(run(edge, true), run(edge, false), {[](const Vec3& x) { return x.norm() < 0.03; }});
}

/// Wavelengths and heights where a strip is thin and where it is thick.
struct TwoParts {
  std::array<double, 4> figures{};

  TwoParts() = default;
  TwoParts(const LayerWrinkles& layer, const Inside& thin, const Inside& thick)
      : figures{layer.wavelength(thin), layer.height(thin), layer.wavelength(thick), layer.height(thick)} {}
  void add(const TwoParts& other) {
    for (std::size_t i = 0; i < figures.size(); ++i) figures[i] += other.figures[i];
  }
};

/// From 0.5 to 2 mm, with the same constraints on both meshes. Single patterns of so few wrinkles differ by
/// more.
TEST(AdaptiveMeshes, AFourfoldThicknessNeedsAThirdOfTheVertices) {
  if (!std::getenv("CUTIS_LONG")) GTEST_SKIP() << "takes minutes: ./test --long";
  Strip strip;
  strip.length = 0.1;
  strip.width = 0.02;
  strip.strain = 0.125;
  const AnalyticBody body(strip.shape(5e-3));
  const Mesh& mesh = body.triangles().mesh;
  WrinkleLayer layer = kDermis;
  layer.painted = [&](const SurfacePoint& p) {
    const double x = interpolate(mesh, mesh.positions, p).x();
    return LayerProperties{4e6, 0.5e-3 + 1.5e-3 * std::clamp((x + 0.03) / 0.015, 0.0, 1.0), 0};
  };
  const Inside thin = [](const Vec3& x) { return -0.048 < x.x() && x.x() < -0.03; };
  const Inside thick = [](const Vec3& x) { return -0.015 < x.x() && x.x() < 0.048; };
  const SubdividedBody shown(body, {}, 0);
  const double even_edge = 4.6e-4;  // a tenth of the wavelength where the strip is thin
  TwoParts adaptive, even;
  for (const std::uint64_t seed : {1, 2, 3}) {
    const auto run = [&](bool adapts) {
      WrinkleOptions options = one_layer(layer);
      options.law = WavelengthLaw::Layer;
      options.edge = 0.1;
      options.seed = seed;
      options.adaptive = adapts;
      options.even_edge = even_edge;
      Wrinkles stage(body, shown, shown.places(), options);
      for (int i = 0; i <= 4; ++i) stage.advance(i / 4.0);
      return LayerWrinkles(stage);
    };
    const LayerWrinkles fine = run(true), fixed = run(false);
    EXPECT_LT(fine.vertices(), fixed.vertices() / 3);
    std::cout << fine.vertices() << " vertices against " << fixed.vertices() << std::endl;
    adaptive.add({fine, thin, thick});
    even.add({fixed, thin, thick});
  }
  for (std::size_t i = 0; i < even.figures.size(); ++i) {
    std::cout << "adaptive over even " << adaptive.figures[i] / even.figures[i] << std::endl;
    EXPECT_NEAR(adaptive.figures[i], even.figures[i], 0.05 * even.figures[i]) << i;
  }
}

}  // namespace
}  // namespace cutis
