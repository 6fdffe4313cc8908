#include "cutis/surface/mesh/triangle_measures.h"
#include "support/same_bits.h"

#include <cmath>
#include <map>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

namespace cutis {
namespace {

struct Surface {
  std::vector<Vec3> points;
  std::vector<IndexTriangle> triangles;
};

/// An octahedron subdivided onto the unit sphere.
Surface sphere(int levels) {
  Surface s{{Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 1, 0), Vec3(0, -1, 0), Vec3(0, 0, 1), Vec3(0, 0, -1)},
            {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}}};
  for (int level = 0; level < levels; ++level) {
    std::map<std::pair<int, int>, int> middles;
    const auto middle = [&](int a, int b) {
      const auto [it, fresh] = middles.try_emplace(std::minmax(a, b), static_cast<int>(s.points.size()));
      if (fresh) s.points.push_back((s.points[a] + s.points[b]).normalized());
      return it->second;
    };
    std::vector<IndexTriangle> finer;
    for (const auto& [a, b, c] : s.triangles) {
      const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    s.triangles = finer;
  }
  return s;
}

/// A flat patch 2 by 1 of n by n squares, its inner points shaken in the plane.
Surface patch(int n) {
  Surface s;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> shake(-0.2, 0.2);
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) {
      const bool inner = i > 0 && j > 0 && i < n && j < n;
      const double dx = inner ? shake(random) : 0, dy = inner ? shake(random) : 0;
      s.points.emplace_back(2 * (i + dx) / n, (j + dy) / n, 0.5);
    }
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const int a = j * (n + 1) + i, b = a + 1, c = b + n + 1, d = a + n + 1;
      s.triangles.insert(s.triangles.end(), {{a, b, c}, {a, c, d}});
    }
  return s;
}

TEST(Measure, SphereAreaAndVolumeConvergeAtSecondOrder) {
  double area_error = 0, volume_error = 0;
  for (int levels : {4, 5}) {
    const Surface s = sphere(levels);
    const double area = 4 * std::numbers::pi - total_area(s.points, s.triangles);
    const double volume = 4 * std::numbers::pi / 3 - enclosed_volume(s.points, s.triangles);
    if (levels == 5) {
      EXPECT_NEAR(area_error / area, 4, 0.05);
      EXPECT_NEAR(volume_error / volume, 4, 0.05);
      EXPECT_LT(area, 0.02);
    }
    area_error = area;
    volume_error = volume;
  }
}

TEST(Measure, VolumeKeepsItsDigitsFarFromTheOrigin) {
  Surface s = sphere(3);
  const double near = enclosed_volume(s.points, s.triangles);
  for (Vec3& p : s.points) p += Vec3(4096, 0, 0);
  EXPECT_NEAR(enclosed_volume(s.points, s.triangles), near, 1e-10);
}

TEST(Measure, ASphereIsClosedUntilATriangleIsMissing) {
  Surface s = sphere(2);
  EXPECT_TRUE(is_closed(s.triangles));
  s.triangles.pop_back();
  EXPECT_FALSE(is_closed(s.triangles));
  EXPECT_FALSE(is_closed({}));
}

TEST(Measure, UniformScalingHasNoSpreadAndTheRightLogArea) {
  Surface s = sphere(3);
  const auto rest = triangle_areas(s.points, s.triangles);
  for (Vec3& p : s.points) p *= 1.5;
  const auto logs = log_area_ratios(rest, triangle_areas(s.points, s.triangles));
  EXPECT_NEAR(weighted_deviation(logs, rest), 0, 1e-14);
  EXPECT_NEAR(weighted_percentile(logs, rest, 0.05), 2 * std::log(1.5), 1e-13);
  EXPECT_NEAR(weighted_percentile(logs, rest, 0.95), 2 * std::log(1.5), 1e-13);
}

TEST(Measure, SpreadOfTwoHalvesIsTheirDistanceWeighted) {
  // A quarter of the weight at ln 2, the rest at 0: mean ln2/4, deviation ln2 sqrt(3)/4.
  const std::vector<double> rest{1, 3, 0}, now{2, 3, 5};
  const auto logs = log_area_ratios(rest, now);
  EXPECT_NEAR(weighted_deviation(logs, rest), std::log(2.0) * std::sqrt(3.0) / 4, 1e-15);
  EXPECT_EQ(weighted_percentile(logs, rest, 0.75), 0);
  EXPECT_EQ(weighted_percentile(logs, rest, 0.76), std::log(2.0));
  EXPECT_EQ(log_area_ratios(rest, std::vector<double>{0, 3, 0})[0], std::log(1e-12));
}

TEST(Measure, PercentilesCountWeightNotNumber) {
  const std::vector<double> values{5, 1, 3, 2}, weights{1, 10, 1, 8};
  EXPECT_EQ(weighted_percentile(values, weights, 0), 1);
  EXPECT_EQ(weighted_percentile(values, weights, 0.5), 1);
  EXPECT_EQ(weighted_percentile(values, weights, 0.51), 2);
  EXPECT_EQ(weighted_percentile(values, weights, 0.95), 3);
  EXPECT_EQ(weighted_percentile(values, weights, 1), 5);
  EXPECT_EQ(weighted_percentile({}, {}, 0.5), 0);
}

TEST(Measure, DirichletEnergyOfALinearFieldIsSlopeSquaredTimesArea) {
  const Surface s = patch(9);
  std::vector<double> field;
  std::vector<Vec3> turned;
  for (const Vec3& p : s.points) {
    field.push_back(3 * p.x() - 4 * p.y() + 7);
    turned.emplace_back(-p.y(), p.x(), 2 * p.x());
  }
  EXPECT_NEAR(dirichlet_energy(s.points, s.triangles, field), 25 * 2.0, 1e-11);
  EXPECT_NEAR(dirichlet_energy(s.points, s.triangles, turned), (1 + 1 + 4) * 2.0, 1e-11);
}

TEST(Measure, DirichletEnergyOfASphericalHarmonicConverges) {
  // z is an eigenfunction of the sphere's Laplacian, eigenvalue 2: energy = 2 * integral of z² = 8 pi / 3.
  const Surface s = sphere(5);
  std::vector<double> z;
  for (const Vec3& p : s.points) z.push_back(p.z());
  EXPECT_NEAR(dirichlet_energy(s.points, s.triangles, z), 8 * std::numbers::pi / 3, 0.01);
}

TEST(Measure, ATriangleWithoutAreaAddsNothing) {
  const std::vector<Vec3> points{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(2, 0, 0)};
  const std::vector<IndexTriangle> triangles{{0, 1, 2}, {0, 1, 3}, {1, 1, 1}};
  EXPECT_NEAR(dirichlet_energy(points, triangles, std::vector<double>{0, 1, 0, 9}), 0.5, 1e-15);
}

TEST(Measure, PolygonsAreCut) {
  Mesh mesh;
  for (const Vec3& p : {Vec3(0, 0, 0), Vec3(2, 0, 0), Vec3(2, 1, 0), Vec3(0, 1, 0)})
    mesh.positions.push_back(p);
  const std::vector<VertexId> quad{VertexId(0), VertexId(1), VertexId(2), VertexId(3)};
  mesh.add_face(quad);
  EXPECT_NEAR(total_area(mesh.positions.raw(), index_triangles(mesh)), 2, 1e-15);
}

const bool measure_bits = test::same_bits("Measure", [] {
  const Surface s = sphere(5);
  return std::pair(total_area(s.points, s.triangles),
                   dirichlet_energy(s.points, s.triangles, std::span<const Vec3>(s.points)));
});

}  // namespace
}  // namespace cutis
