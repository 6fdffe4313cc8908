#include "cutis/flesh/flesh_core.h"

#include <cmath>
#include <iostream>

#include <gtest/gtest.h>

#include "flesh/soft_layer.h"
#include "support/blocks.h"

namespace cutis {
namespace {

constexpr double kDepth = 0.03;  // of the tissue of a slab [m]

Mesh slab() {
  return test::blocks(test::planes(-0.24, 0.24, 24), test::planes(-0.16, 0.16, 16),
                      test::planes(-0.045, 0.045, 4), [](int, int, int) { return true; });
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

/// Mean along x of what moved at the middle of the upper side.
double middle_moves(const Mesh& mesh, const Embedding& embedding, const NodePoints& nodes) {
  const Points now = embedding.positions(nodes);
  double sum = 0;
  int count = 0;
  for (VertexId v : ids<VertexId>(now.size())) {
    const Vec3& x = mesh.positions[v];
    if (x.z() < 0.044 || x.head<2>().norm() > 0.04) continue;
    sum += now[v].x() - x.x();
    ++count;
  }
  return sum / count;
}

/// Sag of a layer of tissue under a weight along it over ρ a d² / 2 μ, and the frequency at which it swings
/// back over c / 4d.
std::pair<double, double> layer_over_closed_form(std::size_t tetrahedra) {
  const Mesh mesh = slab();
  const test::SoftTissue soft(mesh, tissue(mesh, tetrahedra, kDepth));
  const Embedding embedding(soft.lattice, mesh);
  FleshDynamics flesh(soft.tissue, precise());
  const double acceleration = 0.01, shear = soft.shear_modulus();
  EXPECT_TRUE(flesh.settle(soft.weights(acceleration * Vec3::UnitX())).converged);
  const double sag = middle_moves(mesh, embedding, flesh.motion().positions);
  // Let go, its surface moves as (d² - c² t²) until it passes its place after a quarter of the period d / c.
  const double speed = std::sqrt(shear / soft.kDensity), dt = kDepth / speed / 40;
  flesh.start(0, flesh.motion().positions, NodePoints(soft.tissue.masses.size(), Vec3::Zero()));
  double before = sag, time = 0;
  for (int i = 1; i <= 160; ++i) {
    flesh.step(i * dt, soft.lattice.mesh.positions);
    const double now = middle_moves(mesh, embedding, flesh.motion().positions);
    if (now <= 0) {
      time = (i - 1 + before / (before - now)) * dt;
      break;
    }
    before = now;
  }
  return {sag / (soft.kDensity * acceleration * kDepth * kDepth / (2 * shear)), kDepth / speed / time};
}

TEST(FleshCore, ALayerSagsAndSwingsAsItsDepthSays) {
  std::vector<std::size_t> list{3000,12000};
  for (const std::size_t tetrahedra : list) {
    const auto [sag, frequency] = layer_over_closed_form(tetrahedra);
    std::cout << tetrahedra << " tetrahedra: sag " << sag << ", frequency " << frequency << "\n";
  }
}

}  // namespace
}  // namespace cutis
