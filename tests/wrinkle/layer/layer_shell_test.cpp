#include "cutis/wrinkle/layer/layer_shell.h"

#include <cmath>

#include <gtest/gtest.h>

#include "cutis/wrinkle/layer/layer_solver.h"
#include "wrinkle/wrinkled_strip.h"

namespace cutis {
namespace {

/// A layer on a strip, on a mesh that was fitted to its shape.
class AdaptedLayer {
 public:
  explicit AdaptedLayer(double imperfection = 0) : strip_(Strip{0.05, 0.03}.shape(5e-3)) {
    options_ = one_layer();
    options_.adaptive = true;
    options_.imperfection = imperfection;
    surface_ = layer_surface(region_surface(*strip_.surface(), {}), options_, 0);
    rest_ =
        carried_by(strip_.triangles().mesh, strip_.surface()->positions(), surface_.body, surface_.height);
    shell_ = std::make_unique<LayerShell>(surface_, options_.layers[0], options_, rest_);
    shell_->adapt();
  }

  LayerShell& shell() { return *shell_; }
  const WrinkleOptions& options() const { return options_; }
  const Carrier& rest() const { return rest_; }
  std::size_t fine_vertices() const { return surface_.fine->positions().size(); }

 private:
  AnalyticBody strip_;
  WrinkleOptions options_;
  LayerSurface surface_;
  Carrier rest_;
  std::unique_ptr<LayerShell> shell_;
};

/// Bends a carrier, within its plane and out of it.
Carrier bent(Carrier carrier) {
  for (VertexId v : ids<VertexId>(carrier.positions.size())) {
    Vec3& x = carrier.positions[v];
    carrier.normals[v] = Vec3(-20 * x.x(), 1, 0).normalized();
    x += Vec3(8 * x.x() * x.z(), 10 * x.x() * x.x(), -6 * x.x() * x.x());
  }
  return carrier;
}

/// Fields that are affine on its flat surface have the same means on a layer's mesh and on its carrier's,
/// whatever that mesh is.
TEST(LayerShell, AgreesWithItsCarrierOnAffineFields) {
  AdaptedLayer layer;
  LayerShell& shell = layer.shell();
  const auto field = [](const Vec3& x) { return 0.7 - 12 * x.x() + 9 * x.z(); };
  const auto values = [&](const Points& points) {
    IdVector<VertexId, double> out;
    for (const Vec3& x : points) out.push_back(field(x));
    return out;
  };
  std::vector<double> first;
  for (int remeshing = 0; remeshing < 2; ++remeshing) {
    const IdVector<VertexId, double> upper = values(shell.material().mesh.positions),
                                     lower = values(shell.surface().fine->positions());
    for (std::size_t c = 0; c < shell.constraints().size(); ++c) {
      const double mean = weighted_mean<double>(shell.constraints()[c], upper);
      EXPECT_NEAR(mean, weighted_mean<double>(shell.carrier_means()[c], lower), 1e-12) << c;
      if (remeshing == 0) first.push_back(mean);
      EXPECT_NEAR(mean, first[c], 1e-12) << c;
    }
    Carrier pressed = layer.rest();
    for (Vec3& x : pressed.positions) x.x() *= 0.8;
    shell.move_with(pressed);
    shell.adapt();
  }
}

/// A layer that goes where its carrier takes it has the means that its constraints ask for, also on triangles
/// that are larger than what bends the carrier.
TEST(LayerShell, HasNoGapsWhereItDoesNotWrinkle) {
  AdaptedLayer layer;
  LayerShell& shell = layer.shell();
  ASSERT_LT(2 * shell.positions().size(), layer.fine_vertices());
  shell.move_with(bent(layer.rest()));
  const Points carried = shell.carried_from_rest();
  const std::vector<Vec3> targets = shell.targets();
  for (std::size_t c = 0; c < targets.size(); ++c)
    EXPECT_LT((weighted_mean<Vec3>(shell.constraints()[c], carried) - targets[c]).norm(), 1e-10) << c;
}

/// A layer that is uneven at rest is as far from its carrier in the mean, whichever way that is turned.
TEST(LayerShell, TurnsItsRestGapsWithItsCarrier) {
  AdaptedLayer layer(0.1);
  LayerShell& shell = layer.shell();
  const Mat3 turn = Eigen::AngleAxisd(2, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  Carrier turned = layer.rest();
  for (Vec3& x : turned.positions) x = turn * x + Vec3(1, 2, 3);
  for (Vec3& n : turned.normals) n = turn * n;
  shell.move_with(turned);
  const Points carried = shell.carried_from_rest();
  const std::vector<Vec3> targets = shell.targets();
  double gaps = 0;
  for (std::size_t c = 0; c < targets.size(); ++c) {
    EXPECT_LT((weighted_mean<Vec3>(shell.constraints()[c], carried) - targets[c]).norm(), 1e-9) << c;
    const Vec3 below = weighted_mean<Vec3>(shell.carrier_means()[c], turned.positions);
    gaps = std::max(gaps, (targets[c] - below).norm());
  }
  EXPECT_GT(gaps, 1e-5);
}

/// Wrinkles stay where they are when the mesh is fitted to them: no place moves by a hundredth of a
/// wavelength on the remeshing itself, nor their root mean square to where the new mesh is in equilibrium.
TEST(LayerShell, HardlyMovesWhereItIsRemeshed) {
  AdaptedLayer layer(0.01);
  LayerShell& shell = layer.shell();
  const Surface& fine = *shell.surface().fine;
  LayerSolver solver({&shell}, layer.options());
  const auto outline = [&] {
    Points points;
    const auto places = shell.places_of(fine.positions());
    for (VertexId v : ids<VertexId>(places.size()))
      points.push_back(interpolate(shell.rest_mesh(), shell.positions(), places[v]));
    return points;
  };
  const auto distances = [](const Points& a, const Points& b) {
    Eigen::VectorXd all(static_cast<Eigen::Index>(a.size()));
    for (VertexId v : ids<VertexId>(a.size())) all[v.value] = (a[v] - b[v]).norm();
    return all;
  };
  Carrier pressed = layer.rest();
  double on_remeshing = 0, in_equilibrium = 0;
  for (int step = 1; step <= 8; ++step) {
    for (VertexId v : ids<VertexId>(pressed.positions.size()))
      pressed.positions[v].x() = (1 - 0.03 * step) * layer.rest().positions[v].x();
    ASSERT_TRUE(solver.advance(pressed, {}).converged);
    const Points before = outline();
    const int mesh = shell.mesh_number();
    solver.adapt();
    const Points remeshed = outline();
    ASSERT_TRUE(solver.advance(pressed, {}).converged);
    if (shell.mesh_number() == mesh) continue;
    on_remeshing = std::max(on_remeshing, distances(before, remeshed).maxCoeff());
    const double mean_square = distances(before, outline()).array().square().mean();
    in_equilibrium = std::max(in_equilibrium, std::sqrt(mean_square));
  }
  const double wavelength = shell.surface().shortest_wavelength;
  std::printf("remeshing moves %.4f wavelengths, equilibrium %.4f\n", on_remeshing / wavelength,
              in_equilibrium / wavelength);
  EXPECT_GT(on_remeshing, 0);
  EXPECT_LT(on_remeshing, 0.01 * wavelength);
  EXPECT_LT(in_equilibrium, 0.01 * wavelength);
}

/// Where a mesh gets finer new vertices lie on the carrier, not on its chords.
TEST(LayerShell, PutsNewVerticesOnTheCarrier) {
  AdaptedLayer layer;
  LayerShell& shell = layer.shell();
  const std::size_t before = shell.positions().size();
  Carrier pressed = bent(layer.rest());
  for (Vec3& x : pressed.positions) x.z() *= 0.8;
  shell.move_with(pressed);
  shell.adapt();
  ASSERT_GT(shell.positions().size(), before + before / 10);
  const Points carried = shell.carried_from_rest();
  for (VertexId v : ids<VertexId>(carried.size()))
    EXPECT_LT((shell.positions()[v] - carried[v]).norm(), 1e-10) << v.value;
}

}  // namespace
}  // namespace cutis
