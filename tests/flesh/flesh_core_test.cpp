#include "cutis/flesh/flesh_core.h"

#include <cmath>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <numbers>

#include <gtest/gtest.h>

#include "flesh/soft_tissue.h"
#include "support/blocks.h"

namespace cutis {
namespace {

using std::numbers::pi;

constexpr double kDepth = 0.03, kThickness = 0.09;  // of the tissue of a slab and of the slab [m]

Mesh slab() {
  return test::blocks(test::planes(-0.24, 0.24, 24), test::planes(-0.16, 0.16, 16),
                      test::planes(-kThickness / 2, kThickness / 2, 4), [](int, int, int) { return true; });
}

FleshOptions tissue(const Mesh& mesh, std::size_t tetrahedra, double depth) {
  FleshOptions options;
  options.tetrahedra = tetrahedra;
  options.depth.assign(mesh.vertex_count(), depth);
  options.law.young = 1e4;
  options.law.poisson = 0.45;
  return options;
}

FleshDynamicsOptions precise() {
  FleshDynamicsOptions options;
  options.tolerance = 1e-8;
  return options;
}

/// Mean way along x of the vertices that `counts`.
double mean_way(const Mesh& mesh, const Embedding& embedding, const NodePoints& nodes,
                const std::function<bool(const Vec3&)>& counts) {
  const Points now = embedding.positions(nodes);
  double sum = 0;
  int count = 0;
  for (VertexId v : ids<VertexId>(now.size())) {
    if (!counts(mesh.positions[v])) continue;
    sum += now[v].x() - mesh.positions[v].x();
    ++count;
  }
  return sum / count;
}

/// Sag of a layer of tissue under a weight along it over ρ a d² / 2 μ, and the frequency at which it swings
/// back over c / 4d. The middle of the slab's upper side is far enough from its edges.
std::pair<double, double> layer_over_closed_form(std::size_t tetrahedra) {
  const Mesh mesh = slab();
  const test::SoftTissue soft(mesh, tissue(mesh, tetrahedra, kDepth));
  const Embedding embedding(soft.lattice, mesh);
  FleshDynamics flesh(soft.tissue, precise());
  const double acceleration = 0.01, shear = soft.shear_modulus();
  EXPECT_TRUE(flesh.settle(soft.weights(acceleration * Vec3::UnitX())).converged);
  const auto way = [&] {
    return mean_way(mesh, embedding, flesh.motion().positions,
                    [](const Vec3& x) { return x.z() > kThickness / 2 - 1e-3 && x.head<2>().norm() < 0.04; });
  };
  const double sag = way();
  // Let go, its surface moves as (d² - c² t²) until it passes its place after a quarter of the period, d / c.
  const double speed = std::sqrt(shear / soft.kDensity), dt = kDepth / speed / 40;
  flesh.start(0, flesh.motion().positions, NodePoints(soft.tissue.masses.size(), Vec3::Zero()));
  double before = sag;
  for (int i = 1; i <= 80; ++i) {
    flesh.step(i * dt, soft.lattice.mesh.positions);
    const double now = way();
    if (now <= 0)
      return {sag / (soft.kDensity * acceleration * kDepth * kDepth / (2 * shear)),
              kDepth / speed / ((i - 1 + before / (before - now)) * dt)};
    before = now;
  }
  return {};
}

TEST(FleshCore, ALayerSagsAndSwingsAsItsDepthSays) {
  const auto expect = [](std::size_t tetrahedra, double tolerance) {
    const auto [sag, frequency] = layer_over_closed_form(tetrahedra);
    std::cout << "a layer of " << kDepth << " m, " << tetrahedra << " tetrahedra: sag " << sag
              << ", frequency " << frequency << " of the closed form\n";
    EXPECT_NEAR(sag, 1, tolerance);
    EXPECT_NEAR(frequency, 1, tolerance);
  };
  expect(12'000, 0.05);
  if (std::getenv("CUTIS_LONG")) expect(50'000, 0.03);
}

/// A limb along x with round ends.
Mesh limb(double radius, double length) {
  constexpr int kAround = 32, kAlong = 60, kEnd = 6;
  Mesh mesh;
  std::vector<std::pair<double, double>> rings;  // x, radius
  for (int i = 1; i <= kEnd; ++i)
    rings.push_back(
        {-length / 2 - radius * std::cos(pi / 2 * i / kEnd), radius * std::sin(pi / 2 * i / kEnd)});
  for (int i = 1; i < kAlong; ++i)
    rings.push_back({length * (static_cast<double>(i) / kAlong - 0.5), radius});
  for (int i = kEnd; i >= 1; --i)
    rings.push_back(
        {length / 2 + radius * std::cos(pi / 2 * i / kEnd), radius * std::sin(pi / 2 * i / kEnd)});
  for (const auto& [x, r] : rings)
    for (int j = 0; j < kAround; ++j)
      mesh.positions.push_back({x, r * std::cos(2 * pi * j / kAround), r * std::sin(2 * pi * j / kAround)});
  const VertexId low = mesh.positions.push_back({-length / 2 - radius, 0, 0}),
                 high = mesh.positions.push_back({length / 2 + radius, 0, 0});
  const auto vertex = [](std::size_t i, int j) {
    return VertexId(static_cast<int>(i) * kAround + j % kAround);
  };
  const auto add = [&](VertexId a, VertexId b, VertexId c) { mesh.add_face(std::vector<VertexId>{a, b, c}); };
  for (int j = 0; j < kAround; ++j) {
    for (std::size_t i = 0; i + 1 < rings.size(); ++i) {
      add(vertex(i, j), vertex(i, j + 1), vertex(i + 1, j + 1));
      add(vertex(i, j), vertex(i + 1, j + 1), vertex(i + 1, j));
    }
    add(low, vertex(0, j + 1), vertex(0, j));
    add(high, vertex(rings.size() - 1, j), vertex(rings.size() - 1, j + 1));
  }
  return mesh;
}

/// Sag along a limb whose cells are `cells` times as wide as its tissue is thick, over that of a tube on a
/// rigid core, ρ a (2 R² ln (R / r) - R² + r²) / 4 μ.
double limb_over_closed_form(double cells) {
  const double radius = 0.04, depth = 0.02, inner = radius - depth, length = 0.6;
  const Mesh mesh = limb(radius, length);
  FleshOptions options = tissue(mesh, 0, depth);
  const test::SoftTissue soft(mesh, options, cells * depth);
  const Embedding embedding(soft.lattice, mesh);
  FleshDynamics flesh(soft.tissue, precise());
  const double acceleration = 0.01;
  EXPECT_TRUE(flesh.settle(soft.weights(acceleration * Vec3::UnitX())).converged);
  const double sag = mean_way(mesh, embedding, flesh.motion().positions,
                              [](const Vec3& x) { return std::abs(x.x()) < 0.1; });
  return sag / (soft.kDensity * acceleration / (4 * soft.shear_modulus()) *
                (2 * radius * radius * std::log(radius / inner) - radius * radius + inner * inner));
}

TEST(FleshCore, ALimbWithCellsAsThickAsItsTissueSagsAsATube) {
  for (const double cells : {1.2, 1.0, 0.9, 0.5}) {
    const double sag = limb_over_closed_form(cells);
    std::cout << "a limb with cells of " << cells << " of its tissue: sag " << sag << " of the closed form\n";
    EXPECT_NEAR(sag, 1, 0.1);
  }
}

}  // namespace
}  // namespace cutis
