#include "cutis/wrinkle/constraint/constraint_functions.h"

#include <algorithm>
#include <cmath>
#include <span>

#include <gtest/gtest.h>

#include "cutis/surface/geodesic/geodesic.h"
#include "cutis/surface/mesh/triangle_measures.h"
#include "cutis/wrinkle/constraint/constraint_centres.h"
#include "cutis/wrinkle/constraint/wavelength_field.h"
#include "support/meshes.h"

namespace cutis {
namespace {

constexpr double kWavelength = 0.1;

/// A square of side 1 on irregular triangles, with a wavelength that doubles from one side to the other where
/// it varies.
struct Layer {
  Surface fine;
  WavelengthField wavelength;
  GeodesicMetric metric;

  explicit Layer(bool varies)
      : fine(test::sheet(80, 80, 0.2, 3)),
        wavelength(field(fine, varies)),
        metric(metric_in_wavelengths(fine, wavelength)) {}

  static WavelengthField field(const Surface& fine, bool varies) {
    WavelengthField field;
    for (const Vec3& x : fine.positions()) field.across.push_back(kWavelength * (varies ? 1 + x.x() : 1));
    return field;
  }
};

/// As many constraints as their wavelength asks for, also where it varies, for any seed.
TEST(Constraints, HaveTheAreaThatGivesTheirWavelength) {
  for (const bool varies : {false, true}) {
    const Layer layer(varies);
    double squares = 0;  // of as many wavelengths
    const Mesh& mesh = layer.fine.mesh();
    const auto areas = vertex_areas(mesh);
    for (VertexId v : ids<VertexId>(areas.size())) squares += areas[v] / layer.wavelength.area(v);
    for (const std::uint64_t seed : {1, 2, 3}) {
      const std::size_t count = constraint_centres(layer.metric, seed).size();
      EXPECT_NEAR(std::sqrt(static_cast<double>(count) / squares), kWavelengthPerSpacing,
                  0.01 * kWavelengthPerSpacing);
    }
  }
}

/// Spread evenly: no two are near each other, and no place is far from all. Of centres by chance every second
/// one has another within 0.47 spacings, every twentieth within 0.13.
TEST(Constraints, AreSpreadEvenly) {
  const Layer layer(true);
  Geodesics geodesics(layer.metric);
  for (const std::uint64_t seed : {1, 2, 3}) {
    const std::vector<VertexId> centres = constraint_centres(layer.metric, seed);
    const double spacing = 1 / kWavelengthPerSpacing;  // [wavelengths]
    geodesics.from_vertices(centres);
    for (VertexId v : ids<VertexId>(layer.fine.positions().size()))
      EXPECT_LT(geodesics.distance(v), 0.9 * spacing);
    std::vector<double> nearest;
    for (const VertexId& c : centres) {
      geodesics.from_vertices(std::span(&c, 1), 2 * spacing);
      nearest.push_back(2 * spacing);
      for (const VertexId other : centres)
        if (other != c) nearest.back() = std::min(nearest.back(), geodesics.distance(other));
    }
    std::sort(nearest.begin(), nearest.end());
    EXPECT_GT(nearest[0], 0.45 * spacing);
    EXPECT_GT(nearest[nearest.size() / 20], 0.65 * spacing);
    EXPECT_GT(nearest[nearest.size() / 2], 0.8 * spacing);
  }
}

/// Also at borders, where they are cut off: there the function's own middle takes the place of the centre.
TEST(Constraints, AreMeansWithoutNegativeWeights) {
  const Layer layer(true);
  const double support = 0.3;
  const std::vector<VertexId> centres = constraint_centres(layer.metric, 1);
  const auto functions = constraint_functions(layer.fine.mesh(), layer.metric, centres, support);
  ASSERT_EQ(functions.size(), centres.size());
  Geodesics geodesics(layer.metric);
  for (std::size_t c = 0; c < centres.size(); ++c) {
    EXPECT_EQ(functions[c].centre, centres[c]);
    geodesics.from_vertices(std::span(&centres[c], 1), 2 * support);
    double sum = 0;
    Vec3 middle = Vec3::Zero();
    for (const VertexWeight& w : functions[c].samples) {
      EXPECT_GE(w.weight, 0);
      EXPECT_LE(geodesics.distance(w.vertex), support);
      sum += w.weight;
      middle += w.weight * layer.fine.positions()[w.vertex];
    }
    EXPECT_NEAR(sum, 1, 1e-12);
    const Vec3& centre = layer.fine.positions()[centres[c]];
    const double wavelength = layer.wavelength.across[centres[c]];
    const double border = std::min({centre.x(), centre.y(), 1 - centre.x(), 1 - centre.y()});
    EXPECT_LT((middle - centre).norm(), (border > support * wavelength ? 0.05 : 0.25) * wavelength);
  }
}

}  // namespace
}  // namespace cutis
