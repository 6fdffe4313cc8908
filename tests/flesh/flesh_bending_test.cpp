#include <cmath>
#include <iostream>

#include <gtest/gtest.h>

#include "cutis/flesh/flesh_dynamics.h"
#include "cutis/flesh/lattice/bcc_lattice.h"
#include "cutis/flesh/lattice/lattice_measures.h"
#include "support/blocks.h"

namespace cutis {
namespace {

constexpr double kHeight = 0.1, kLength = 0.813, kHeld = 0.2;  // of a square bar [m]
constexpr double kYoung = 1e5, kPoisson = 0.49;

/// Not along the axes of the lattice.
Mat3 turned() {
  return (Eigen::AngleAxisd(0.5, Vec3(1, 2, 3).normalized()) * Eigen::AngleAxisd(0.3, Vec3::UnitX()))
      .toRotationMatrix();
}

/// A bar in a lattice with so many cells across; what is at x below zero is held.
struct Bar {
  BccLattice lattice;
  FleshTissue tissue;
  explicit Bar(int cells) {
    Mesh mesh =
        test::blocks({-kHeld, kLength}, {0, kHeight}, {0, kHeight}, [](int, int, int) { return true; });
    for (Vec3& x : mesh.positions) x = turned() * x;
    lattice = bcc_lattice(mesh, kHeight / cells);
    tissue.mesh = lattice.mesh;
    tissue.law.young = kYoung;
    tissue.law.poisson = kPoisson;
    tissue.stiffness = lattice.fill;
    tissue.volume_group = volume_groups(lattice);
    tissue.masses = node_masses(lattice, 1000);
    for (const Vec3& x : lattice.mesh.positions) tissue.fixed.push_back((turned().transpose() * x).x() <= 1e-6);
  }
};

/// How far the end of a bar sinks under its own weight, over the sag of Timoshenko's beam.
double sag_over_beam(int cells) {
  const Bar bar(cells);
  FleshDynamicsOptions options;
  options.tolerance = 1e-8;
  FleshDynamics flesh(bar.tissue, options);
  const double acceleration = 0.02;
  NodePoints weights;
  for (double mass : bar.tissue.masses) weights.push_back(mass * acceleration * (turned() * -Vec3::UnitZ()));
  EXPECT_TRUE(flesh.settle(weights).converged);
  double sum = 0;
  int count = 0;
  for (NodeId v : ids<NodeId>(weights.size())) {
    const Vec3& rest = bar.lattice.mesh.positions[v];
    if (std::abs((turned().transpose() * rest).x() - kLength) > 0.6 * bar.lattice.cell) continue;
    sum -= (turned().transpose() * (flesh.motion().positions[v] - rest)).z();
    ++count;
  }
  const double area = kHeight * kHeight, load = 1000 * area * acceleration,
               shear = kYoung / (2 * (1 + kPoisson));
  const double beam = load * std::pow(kLength, 4) / (8 * kYoung * area * area / 12) +
                      load * kLength * kLength / (2 * 5.0 / 6 * shear * area);
  return sum / count / beam;
}

/// By how much a bar turns per length under a torque at its end, away from both ends, over Saint-Venant's
/// twist of a square one, T / (0.1406 G a^4).
double twist_over_bar(int cells) {
  const Bar bar(cells);
  FleshDynamicsOptions options;
  options.tolerance = 1e-8;
  FleshDynamics flesh(bar.tissue, options);
  const auto from_axis = [&](const Vec3& x) -> Vec3 {
    Vec3 own = turned().transpose() * x - Vec3(0, kHeight / 2, kHeight / 2);
    own.x() = 0;
    return own;
  };
  const auto along = [&](NodeId v) { return (turned().transpose() * bar.lattice.mesh.positions[v]).x(); };
  NodePoints forces(bar.tissue.masses.size(), Vec3::Zero());
  double torque = 0;
  for (NodeId v : ids<NodeId>(forces.size())) {
    if (along(v) < kLength - kHeight / 2) continue;
    const Vec3 arm = from_axis(bar.lattice.mesh.positions[v]);
    const Vec3 force = 5e-2 * bar.tissue.masses[v] * Vec3::UnitX().cross(arm);
    torque += arm.cross(force).x();
    forces[v] = turned() * force;
  }
  EXPECT_TRUE(flesh.settle(forces).converged);
  // Of a slice: where it is, and its turn in the sense of least squares.
  const auto slice = [&](double place) {
    double turn = 0, arms = 0, mean = 0, total = 0;
    for (NodeId v : ids<NodeId>(forces.size())) {
      if (std::abs(along(v) - place) > bar.lattice.cell) continue;
      const Vec3& rest = bar.lattice.mesh.positions[v];
      const Vec3 arm = from_axis(rest);
      const double mass = bar.tissue.masses[v];
      turn += mass * arm.cross(turned().transpose() * (flesh.motion().positions[v] - rest)).x();
      arms += mass * arm.squaredNorm();
      mean += mass * along(v);
      total += mass;
    }
    return std::pair(mean / total, turn / arms);
  };
  const auto [near, turn_near] = slice(0.25);
  const auto [far, turn_far] = slice(0.6);
  const double shear = kYoung / (2 * (1 + kPoisson));
  return (turn_far - turn_near) / (far - near) * 0.1406 * shear * std::pow(kHeight, 4) / torque;
}

TEST(FleshBending, TwistsAsSaintVenantSays) {
  const double coarse = twist_over_bar(2), fine = twist_over_bar(4), finest = twist_over_bar(6);
  std::cout << "twist of a bar over Saint-Venant's, 2, 4, 6 cells: " << coarse << ", " << fine << ", "
            << finest << "\n";
  EXPECT_NEAR(coarse, 1, 0.25);
  EXPECT_NEAR(fine, 1, 0.1);
  EXPECT_NEAR(finest, 1, 0.6 * (1 - fine));
}

TEST(FleshBending, NearlyIncompressibleBarsBendAsBeamsDo) {
  const double coarse = sag_over_beam(2), fine = sag_over_beam(4);
  EXPECT_NEAR(coarse, 1, 0.25);
  EXPECT_NEAR(fine, 1, 0.1);
  EXPECT_GT(fine, coarse);
  std::cout << "sag of a bar over Timoshenko's, 2, 4 cells: " << coarse << ", " << fine << "\n";
}

}  // namespace
}  // namespace cutis
