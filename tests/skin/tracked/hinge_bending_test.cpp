// Bending of tracked skin against the theory of thin plates.
#include "cutis/skin/tracked/hinge_bending.h"

#include <cmath>
#include <iostream>

#include <gtest/gtest.h>

#include "skin/tracked/tracked_bodies.h"

namespace cutis {
namespace {

using namespace test;

// A simply supported plate in the shape of an equilateral triangle of height a sags by q a⁴ / (972 D) at its
// centroid under a pressure q (Timoshenko and Woinowsky-Krieger, Theory of Plates and Shells, section 70).
// The Poisson's ratio does not matter: on a simply supported polygon the Gaussian curvature does no work.
constexpr double kSag = 1.0 / 972;

constexpr double kSide = 0.1;  ///< [m]
const double kHeight = kSide * std::sqrt(3) / 2;

/// An equilateral triangle in z = 0, of n rows of such triangles. `n` is a multiple of 3, so that a vertex
/// lies at the centroid.
Mesh triangular_plate(int n) {
  Mesh mesh;
  const auto vertex = [&](int row, int i) {
    return VertexId(static_cast<std::size_t>(row * (row + 1) / 2 + i));
  };
  for (int row = 0; row <= n; ++row)
    for (int i = 0; i <= row; ++i)
      mesh.positions.push_back(Vec3(kSide * (i - 0.5 * row), -kHeight * row, 0) / n);
  mesh.face_offsets = {0};
  const auto add = [&](VertexId a, VertexId b, VertexId c) {
    for (VertexId v : {a, b, c}) mesh.corners.push_back(v);
    mesh.face_offsets.push_back(mesh.corners.size());
  };
  for (int row = 0; row < n; ++row)
    for (int i = 0; i <= row; ++i) {
      add(vertex(row, i), vertex(row + 1, i), vertex(row + 1, i + 1));
      if (i < row) add(vertex(row, i), vertex(row + 1, i + 1), vertex(row, i + 1));
    }
  return mesh;
}

VertexId centroid(const Mesh& mesh) {
  const auto here =
      vertices_where(mesh, [](const Vec3& x) { return (x - Vec3(0, -kHeight * 2 / 3, 0)).norm() < 1e-9; });
  EXPECT_EQ(here.size(), 1);
  return here.front();
}

std::vector<VertexId> inner_vertices(const Surface& surface) {
  std::vector<VertexId> out;
  for (VertexId v : ids<VertexId>(surface.mesh().vertex_count()))
    if (!surface.topology().is_border(v)) out.push_back(v);
  return out;
}

/// Of hinges alone, over q a⁴ / D: the columns of their stiffness are their forces at small displacements.
double sag_of_hinges(int n) {
  const Mesh mesh = triangular_plate(n);
  const Surface surface(mesh);
  const IdVector<VertexId, double> ones(mesh.vertex_count(), 1.0);
  HingeBending bending(surface, ones, ones);
  const std::vector<VertexId> inner = inner_vertices(surface);
  const auto count = static_cast<Eigen::Index>(inner.size());
  const double small = 1e-6 * kSide;
  Eigen::MatrixXd stiffness(count, count);
  Points x = mesh.positions;
  for (Eigen::Index j = 0; j < count; ++j) {
    const VertexId v = inner[static_cast<std::size_t>(j)];
    x[v].z() = small;
    bending.evaluate(x, mesh.positions);
    x[v].z() = 0;
    for (Eigen::Index i = 0; i < count; ++i)
      stiffness(i, j) = -bending.forces()[inner[static_cast<std::size_t>(i)]].z() / small;
  }
  const double area_of_vertex = kSide * kHeight / (n * n);
  const Eigen::VectorXd sag = stiffness.ldlt().solve(Eigen::VectorXd::Constant(count, area_of_vertex));
  const auto middle = std::ranges::find(inner, centroid(mesh)) - inner.begin();
  return sag[middle] / std::pow(kHeight, 4);
}

TEST(HingeBending, ASupportedPlateSagsAsPlateTheorySays) {
  double off = 1;
  for (const int n : {6, 12, 24}) {
    const double sag = sag_of_hinges(n) / kSag;
    std::cout << n << " rows: " << sag << " of the plate's sag\n";
    EXPECT_LT(std::abs(sag - 1), 0.5 * off);
    off = std::abs(sag - 1);
  }
  EXPECT_LT(off, 0.01);
}

// The same plate of skin that is free of its body but for its border, under a weight that lets it sag by a
// hundredth of its thickness, where it is not stretched yet.
TEST(HingeBending, TrackedSkinSagsAsAPlateOfTheSameSkin) {
  constexpr double kThickness = 1.5e-3, kDensity = 1100, kYoung = 3e4, kPoisson = 0.3, kBending = 4;
  TrackedOptions options = tracked_options();
  options.free_border = false;
  options.material = simple_material(MaterialModel::StVenantKirchhoff, kYoung, kPoisson);
  options.bending = kBending;
  options.targeting = DampedSpring::of(0.1, 1);
  options.sliding = {0, 10};  // no stiffness: only drag
  const double D = kBending * kYoung * std::pow(kThickness, 3) / (12 * (1 - kPoisson * kPoisson));
  const double sag = 0.01 * kThickness;
  options.gravity = Vec3(0, 0, -sag * D / (kSag * std::pow(kHeight, 4) * kDensity * kThickness));
  const Mesh mesh = triangular_plate(12);
  const auto body = moving_body(mesh, hold_still, 2);
  TrackedSlide skin(*body, options);
  for (int i = 0; i <= 48; ++i) skin.advance(i / 24.0);
  const double seen = -skin.nodes()[centroid(mesh)].z();
  std::cout << "skin sags by " << seen / sag << " of the plate's\n";
  EXPECT_NEAR(seen, sag, 0.03 * sag);
}

}  // namespace
}  // namespace cutis
