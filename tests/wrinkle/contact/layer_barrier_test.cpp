#include "cutis/wrinkle/contact/layer_barrier.h"

#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include "cutis/surface/geodesic/closest_point.h"
#include "support/meshes.h"
#include "support/same_bits.h"

namespace cutis::test {
namespace {

IdVector<VertexId, SurfacePoint> places_on(const Surface& of, const Surface& on) {
  const ClosestPointTree tree(on.mesh());
  IdVector<VertexId, SurfacePoint> out(of.mesh().vertex_count());
  for (VertexId v : ids<VertexId>(out.size())) out[v] = tree(of.positions()[v]).point;
  return out;
}

/// Two sheets of different triangles, 0.04 apart.
struct TwoLayers {
  std::shared_ptr<const Surface> lower = std::make_shared<Surface>(sheet(30, 30, 0.3, 1));
  std::shared_ptr<const Surface> upper = [] {
    Mesh mesh = sheet(23, 23, 0.3, 2);
    for (Vec3& p : mesh.positions) p.z() = 0.04;
    return std::make_shared<Surface>(mesh);
  }();
  LayerBarrier barrier{upper, lower, places_on(*upper, *lower), places_on(*lower, *upper), {0.25, 1e4}};

  /// Waves over the lower layer that come down to a share of the rest height.
  Points waves(double lowest) const {
    Points out = upper->positions();
    for (Vec3& p : out) p.z() = 0.04 * (1 + (1 - lowest) * std::sin(10 * p.x() + 0.3) * std::cos(8 * p.y()));
    return out;
  }
};

TEST(LayerBarrier, IsNothingAtRestAndAboveItsShare) {
  const TwoLayers layers;
  EXPECT_EQ(layers.barrier.energy(layers.upper->positions()), 0);
  EXPECT_NEAR(layers.barrier.lowest(layers.upper->positions()), 1, 1e-9);
  EXPECT_EQ(layers.barrier.energy(layers.waves(0.3)), 0);
  EXPECT_EQ(layers.barrier.unknown_heights(layers.waves(0.3)), 0);
}

TEST(LayerBarrier, PushesUpAndFindsBackFromBelow) {
  const TwoLayers layers;
  const Points low = layers.waves(0.1);
  const std::vector<LayerStencil> stencils = layers.barrier.stencils(low);
  int vertices = 0, edges = 0, roofs = 0;
  double sum = 0;
  for (const LayerStencil& s : stencils) {
    vertices += s.count == 1;
    edges += s.count == 2;
    roofs += s.count == 3;
    sum += s.energy;
    for (int k = 0; k < s.count; ++k) EXPECT_LE(s.gradient[3 * k + 2], 0);
    EXPECT_GE(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(s.hessian).eigenvalues()[0],
              -1e-12 * s.hessian.norm());
  }
  EXPECT_GT(vertices, 5);
  EXPECT_GT(edges, 5);
  EXPECT_GT(roofs, 5);
  EXPECT_NEAR(sum, layers.barrier.energy(low), 1e-12 * sum);
  const double through = layers.barrier.energy(layers.waves(-0.1));
  EXPECT_GT(through, layers.barrier.energy(layers.waves(0.01)));
  EXPECT_LT(through, layers.barrier.energy(layers.waves(-0.2)));
  EXPECT_LT(layers.barrier.lowest(layers.waves(-0.1)), 0);
}

/// One spike of the lower layer between the vertices of the upper one.
TEST(LayerBarrier, SeesLowerVerticesUnderUpperTriangles) {
  TwoLayers layers;
  Points lower = layers.lower->positions();
  const VertexId middle(15 * 31 + 15);
  lower[middle].z() = 0.035;
  layers.barrier.set_lower(lower);
  const double near = layers.barrier.energy(layers.upper->positions());
  EXPECT_GT(near, 0);
  lower[middle].z() = 0.06;
  layers.barrier.set_lower(lower);
  EXPECT_GT(layers.barrier.energy(layers.upper->positions()), near);
  EXPECT_LT(layers.barrier.lowest(layers.upper->positions()), 0);
}

/// A square with its corners on the axes, where those on the y axis lie higher.
Points square(double height, double rise) {
  return Points(std::vector{Vec3(-1, 0, height), Vec3(0, -1, height + rise), Vec3(1, 0, height),
                            Vec3(0, 1, height + rise)});
}

/// Cut along the x axis or the y axis.
std::shared_ptr<const Surface> two_triangles(bool along_y, double height) {
  Mesh mesh;
  mesh.positions = square(height, 0);
  const VertexId a(0), b(1), c(2), d(3);
  mesh.add_face(along_y ? std::array{a, b, d} : std::array{a, b, c});
  mesh.add_face(along_y ? std::array{b, c, d} : std::array{a, c, d});
  return std::make_shared<const Surface>(mesh);
}

/// The lower layer bends to a ridge along x and the upper one to a valley along y: where these cross the
/// layers touch first, far from all vertices.
TEST(LayerBarrier, SeesEdgesThatCross) {
  const auto lower = two_triangles(false, 0), upper = two_triangles(true, 0.3);
  LayerBarrier barrier(upper, lower, places_on(*upper, *lower), places_on(*lower, *upper), {0.25, 1e4});
  barrier.set_lower(square(0, -0.5));
  const auto valley = [](double height) { return square(height + 0.5, -0.5); };
  EXPECT_EQ(barrier.energy(valley(0.1)), 0);
  EXPECT_NEAR(barrier.lowest(valley(0.1)), 0.1 / 0.3, 1e-9);
  EXPECT_NEAR(barrier.lowest(valley(-0.1)), -0.1 / 0.3, 1e-9);
  barrier.begin(valley(0.05));
  const std::vector<LayerStencil> stencils = barrier.stencils(valley(0.05));
  ASSERT_EQ(stencils.size(), 1U);
  EXPECT_EQ(stencils[0].count, 2);
  EXPECT_LT(stencils[0].gradient[2], 0);
  EXPECT_NEAR(stencils[0].gradient[2], stencils[0].gradient[5], 1e-12);
  EXPECT_GT(barrier.energy(valley(-0.1)), barrier.energy(valley(0.05)));
}

TEST(LayerBarrier, HasTheGradientOfFiniteDifferences) {
  TwoLayers layers;
  const Points low = layers.waves(0.1);
  layers.barrier.begin(low);
  Points gradient(low.size(), Vec3::Zero());
  for (const LayerStencil& s : layers.barrier.stencils(low))
    for (int k = 0; k < s.count; ++k) gradient[s.vertices[at(k)]] += s.gradient.segment<3>(3 * k);
  double largest = 0;
  for (const Vec3& g : gradient) largest = std::max(largest, g.norm());
  Random random(4);
  double best = 1;
  Points way(low.size());
  double slope = 0;
  for (VertexId v : ids<VertexId>(low.size())) {
    way[v] = random.in_cube();
    slope += way[v].dot(gradient[v]);
  }
  for (const double h : {1e-4, 1e-5, 1e-6, 1e-7}) {
    Points ahead = low, behind = low;
    for (VertexId v : ids<VertexId>(low.size())) ahead[v] += h * way[v], behind[v] -= h * way[v];
    const double change = (layers.barrier.energy(ahead) - layers.barrier.energy(behind)) / (2 * h);
    best = std::min(best, std::abs(change - slope) / largest);
  }
  EXPECT_LT(best, 1e-6);
}

/// Over the triangles that it began with the energy has no kinks: with steps of a quarter, differences of
/// differences fall to a sixteenth; with kinks to a quarter.
TEST(LayerBarrier, IsSmoothOverTheTrianglesItBeganWith) {
  TwoLayers layers;
  const Points low = layers.waves(0.1);
  const auto largest_bend = [&](double step) {
    std::vector<double> energies;
    for (double way = 0; way < 0.02; way += step) {
      Points slid = low;
      for (Vec3& p : slid) p.x() += way;
      energies.push_back(layers.barrier.energy(slid));
    }
    double largest = 0;
    for (std::size_t i = 2; i < energies.size(); ++i)
      largest = std::max(largest, std::abs(energies[i] - 2 * energies[i - 1] + energies[i - 2]));
    return largest;
  };
  EXPECT_LT(largest_bend(2e-4) / largest_bend(5e-5), 8);
  const double before = layers.barrier.energy(low);
  layers.barrier.begin(low);
  EXPECT_EQ(layers.barrier.energy(low), before);
  EXPECT_GT(largest_bend(2e-4) / largest_bend(5e-5), 14);
}

std::vector<double> layer_numbers() {
  const TwoLayers layers;
  std::vector<double> out;
  for (const LayerStencil& s : layers.barrier.stencils(layers.waves(0.1)))
    out.insert(out.end(), s.gradient.begin(), s.gradient.end());
  return out;
}

const bool layer_bits = same_bits("LayerBarrier", layer_numbers);

}  // namespace
}  // namespace cutis::test
