#include "cutis/flesh/flesh_dynamics.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>

#include "flesh/tet_block.h"

namespace cutis {
namespace {

constexpr double kDensity = 1000;  // [kg/m³]

FleshLaw soft_law(double poisson) {
  FleshLaw law;
  law.young = 2e4;
  law.poisson = poisson;
  return law;
}

FleshDynamicsOptions with(FleshIntegrator integrator, double tolerance = FleshDynamicsOptions().tolerance) {
  FleshDynamicsOptions options;
  options.integrator = integrator;
  options.tolerance = tolerance;
  return options;
}

Vec3 momentum(const FleshDynamics& flesh) {
  Vec3 sum = Vec3::Zero();
  const FleshTissue& tissue = flesh.problem().tissue();
  for (NodeId v : ids<NodeId>(tissue.masses.size())) sum += tissue.masses[v] * flesh.motion().velocities[v];
  return sum;
}

Vec3 angular_momentum(const FleshDynamics& flesh) {
  const FleshTissue& tissue = flesh.problem().tissue();
  Vec3 sum = Vec3::Zero();
  for (NodeId v : ids<NodeId>(tissue.masses.size()))
    sum += tissue.masses[v] * flesh.motion().positions[v].cross(flesh.motion().velocities[v]);
  return sum;
}

double total_mass(const FleshTissue& tissue) {
  double sum = 0;
  for (double mass : tissue.masses) sum += mass;
  return sum;
}

TEST(FleshProblem, GradientAndHessianMatchTheEnergy) {
  FleshLaw law = soft_law(0.4);
  law.phases.push_back({1e5, 0.05, 0.2, {}, 0});
  law.viscosity = 50;
  FleshTissue tissue = tet_block(Vec3(0.2, 0.1, 0.1), {2, 1, 1}, law, kDensity);
  fix_low_end(tissue);
  FleshProblem problem(tissue);
  problem.set_viscosity(0.01, 0.3, tissue.mesh.positions);
  std::mt19937 random(7);
  std::normal_distribution<double> noise(0, 0.01);
  NodePoints predicted = tissue.mesh.positions, at = predicted, forces = predicted;
  for (NodeId v : ids<NodeId>(at.size()))
    for (int k = 0; k < 3; ++k) {
      if (!tissue.fixed[v]) at[v][k] += noise(random);
      predicted[v][k] += noise(random);
      forces[v][k] = noise(random);
    }
  problem.set_inertia(predicted, 0.02);
  problem.set_forces(forces);
  problem.start(at);
  const Eigen::VectorXd gradient = problem.gradient();
  Eigen::VectorXd step(gradient.size());
  for (Eigen::Index i = 0; i < step.size(); ++i) step[i] = noise(random);
  const double slope = gradient.dot(step), h = 1e-4;
  const double ahead = problem.trial(step, h), behind = problem.trial(step, -h);
  EXPECT_NEAR((ahead - behind) / (2 * h), slope, 1e-6 * std::abs(slope));
  // The solver looks at the lower triangle alone.
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(Eigen::MatrixXd(problem.hessian()));
  EXPECT_GT(solver.eigenvalues().minCoeff(), 0);
}

TEST(FleshProblem, ManyElementsMaySayThatTheyShareAVolume) {
  FleshTissue tissue = tet_block(Vec3(0.3, 0.2, 0.2), {3, 2, 2}, soft_law(0.4), kDensity);
  tissue.volume_group.assign(tissue.mesh.tet_count(), 0);
  FleshProblem problem(tissue);
  EXPECT_LE(problem.gradient().norm(), 1e-9);
  EXPECT_TRUE(std::isfinite(problem.energy()));
}

TEST(FleshDynamics, FreeFlightKeepsItsMomentum) {
  const FleshTissue tissue = tet_block(Vec3(0.3, 0.2, 0.2), {3, 2, 2}, soft_law(0.4), kDensity);
  FleshDynamics flesh(tissue, {});
  std::mt19937 random(3);
  std::normal_distribution<double> noise(0, 1);
  NodePoints velocities(tissue.mesh.node_count());
  for (Vec3& v : velocities) v = Vec3(1, 2, 3) + 0.3 * Vec3(noise(random), noise(random), noise(random));
  NodePoints positions = tissue.mesh.positions;
  for (Vec3& x : positions) x += Vec3(5, 5, 5);
  flesh.start(0, positions, velocities);
  const Vec3 before = momentum(flesh);
  for (int i = 1; i <= 50; ++i) flesh.step(i / 96.0, positions);
  const double scale = total_mass(tissue) * Vec3(1, 2, 3).norm();
  EXPECT_LE((momentum(flesh) - before).norm(), 1e-12 * scale);
}

/// What is left of the angular momentum of a block that turns about its middle once, once a second.
double kept_angular_momentum(FleshIntegrator integrator) {
  FleshTissue tissue = tet_block(Vec3(0.3, 0.2, 0.1), {3, 2, 1}, soft_law(0.4), kDensity);
  tissue.law.young = 1e6;
  FleshDynamics flesh(tissue, with(integrator));
  NodePoints positions = tissue.mesh.positions, velocities = positions;
  for (NodeId v : ids<NodeId>(positions.size())) {
    positions[v] -= Vec3(0.15, 0.1, 0.05);
    velocities[v] = 2 * pi * Vec3::UnitZ().cross(positions[v]);
  }
  flesh.start(0, positions, velocities);
  const double before = angular_momentum(flesh).z();
  for (int i = 1; i <= 240; ++i) flesh.step(i / 240.0, positions);
  return angular_momentum(flesh).z() / before;
}

TEST(FleshDynamics, AngularMomentumIsKeptOverATurn) {
  const double kept = kept_angular_momentum(FleshIntegrator::GeneralizedAlpha);
  RecordProperty("lost", std::to_string(1 - kept));
  EXPECT_NEAR(kept, 1, 1e-3);
  EXPECT_LT(kept_angular_momentum(FleshIntegrator::BackwardEuler), 0.95);
}

/// A bar that is held at one end and swings along its axis in its lowest mode, 4 Hz at a density of 1000:
/// a quarter of a wave is as long as the bar. Displacements of its free end, over that at the start.
std::vector<double> axial_swing(FleshIntegrator integrator, double density, int cycles) {
  const double length = 1, frequency = 4, speed = 4 * length * frequency;
  FleshLaw law = soft_law(0);
  law.model = FleshModel::Corotated;
  law.young = kDensity * speed * speed;
  FleshTissue tissue = tet_block(Vec3(length, 0.1, 0.1), {20, 1, 1}, law, density);
  fix_low_end(tissue);
  FleshDynamics flesh(tissue, with(integrator, 1e-7));
  NodePoints positions = tissue.mesh.positions;
  for (Vec3& x : positions) x.x() += 1e-3 * std::sin(0.5 * pi * x.x() / length);
  flesh.start(0, positions, NodePoints(positions.size(), Vec3::Zero()));
  const NodeId end(tissue.mesh.node_count() - 1);
  std::vector<double> out;
  for (int i = 1; i <= 24 * cycles; ++i) {
    flesh.step(i / 96.0, tissue.mesh.positions);
    out.push_back((flesh.motion().positions[end].x() - length) / 1e-3);
  }
  return out;
}

double largest_of_last(const std::vector<double>& values, std::size_t count) {
  double most = 0;
  for (std::size_t i = values.size() - count; i < values.size(); ++i) most = std::max(most, values[i]);
  return most;
}

TEST(FleshDynamics, AModeRingsForTenCycles) {
  EXPECT_GE(largest_of_last(axial_swing(FleshIntegrator::GeneralizedAlpha, kDensity, 10), 24), 0.75);
  EXPECT_LT(largest_of_last(axial_swing(FleshIntegrator::BackwardEuler, kDensity, 10), 24), 0.05);
}

/// [1/s], from the first and the last time that it passes through zero.
double frequency_of(const std::vector<double>& values) {
  std::vector<double> zeros;
  for (std::size_t i = 1; i < values.size(); ++i)
    if (values[i - 1] * values[i] <= 0 && values[i] != values[i - 1])
      zeros.push_back((static_cast<double>(i) + values[i - 1] / (values[i - 1] - values[i])) / 96);
  return 0.5 * static_cast<double>(zeros.size() - 1) / (zeros.back() - zeros.front());
}

TEST(FleshDynamics, FrequenciesFallWithTheRootOfTheDensity) {
  const double light = frequency_of(axial_swing(FleshIntegrator::GeneralizedAlpha, kDensity, 6));
  const double heavy = frequency_of(axial_swing(FleshIntegrator::GeneralizedAlpha, 2 * kDensity, 6));
  EXPECT_NEAR(light, 4, 0.1);
  EXPECT_NEAR(light / heavy, std::sqrt(2), 0.015);
}

/// How far the end of a hanging bar of flesh comes down at 20 g, as a share of its length.
double hanging_sag(const FleshLaw& law, double length) {
  FleshTissue tissue = tet_block(Vec3(length, 0.05, 0.05), {40, 1, 1}, law, kDensity);
  fix_low_end(tissue);
  FleshDynamics flesh(tissue, with(FleshIntegrator::GeneralizedAlpha, 1e-9));
  NodePoints forces(tissue.mesh.node_count());
  for (NodeId v : ids<NodeId>(forces.size())) forces[v] = tissue.masses[v] * 20 * 9.81 * Vec3::UnitX();
  EXPECT_TRUE(flesh.settle(forces).converged);
  return flesh.motion().positions[NodeId(forces.size() - 1)].x() / length - 1;
}

TEST(FleshDynamics, BiphasicFleshHangsFromItsRampsEnd) {
  const double length = 0.5, young = 2e4, stiff = 2e6, start = 0.1, end = 0.11;
  FleshLaw linear = soft_law(0);
  linear.model = FleshModel::Corotated;
  const double load = kDensity * 20 * 9.81 * length;
  // Stress falls evenly from the load at the held end to zero at the free one: strain is stress over
  // stiffness, and its mean half of the largest.
  const double by_hand = 0.5 * load / young;
  EXPECT_NEAR(hanging_sag(linear, length), by_hand, 0.01 * by_hand);
  FleshLaw biphasic = linear;
  biphasic.phases.push_back({stiff, start, end, {}, 0});
  const double sag = hanging_sag(biphasic, length);
  const double bound = std::exp(end) - 1 + 0.5 * load / stiff;
  EXPECT_NEAR(sag, bound, 0.05 * bound);
  EXPECT_GE(by_hand, 5 * sag);
}

TEST(FleshDynamics, SurvivesWhatNoAnimatorShouldAskFor) {
  FleshTissue tissue = tet_block(Vec3(0.3, 0.1, 0.1), {6, 2, 2}, soft_law(0.45), kDensity);
  fix_low_end(tissue);
  FleshDynamics flesh(tissue, {});
  NodePoints target = tissue.mesh.positions;
  for (int i = 1; i <= 60; ++i) {
    // A teleport by ten metres, upside down, then 100 g.
    if (i == 5)
      for (Vec3& x : target) x = Vec3(10 - x.x(), -x.y(), x.z());
    if (i > 10)
      for (Vec3& x : target) x.z() += 0.5 * 981 * (2.0 * (i - 10) - 1) / (96.0 * 96.0);
    flesh.step(i / 96.0, target);
    for (const Vec3& x : flesh.motion().positions) ASSERT_TRUE(x.allFinite() && x.norm() < 1e3);
  }
}

/// How far steps of one size are from ones of half the size: a bar that is shaken at its end.
TEST(FleshDynamics, IsOfSecondOrderInTime) {
  const auto shaken = [](double viscosity, int steps) {
    FleshLaw law = soft_law(0.4);
    law.viscosity = viscosity;
    FleshTissue tissue = tet_block(Vec3(0.3, 0.1, 0.1), {3, 1, 1}, law, kDensity);
    fix_low_end(tissue);
    FleshDynamics flesh(tissue, with(FleshIntegrator::GeneralizedAlpha, 1e-10));
    for (int i = 1; i <= steps; ++i) {
      const double time = 0.25 * i / steps;
      NodePoints target = tissue.mesh.positions;
      for (Vec3& x : target) x.y() += 0.02 * std::pow(std::sin(8 * time), 3);
      flesh.step(time, target);
    }
    return flesh.motion().positions;
  };
  for (const double viscosity : {0.0, 50.0}) {
    std::vector<NodePoints> ends;
    for (const int steps : {80, 160, 320}) ends.push_back(shaken(viscosity, steps));
    std::array<double, 2> squares{};
    for (std::size_t i = 0; i < 2; ++i)
      for (NodeId v : ids<NodeId>(ends[i].size())) squares[i] += (ends[i + 1][v] - ends[i][v]).squaredNorm();
    EXPECT_GE(std::log2(squares[0] / squares[1]) / 2, 1.8) << viscosity;
  }
}

}  // namespace
}  // namespace cutis
