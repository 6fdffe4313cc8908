#include "cutis/flesh/self_contact.h"

#include <cmath>

#include <gtest/gtest.h>

#include "cutis/flesh/flesh_dynamics.h"
#include "cutis/flesh/lattice/lattice_measures.h"

namespace cutis {
namespace {

/// A round tube of 6 cm along half a circle of radius 10 cm and on straight for 20 cm at both ends.
Mesh horseshoe_mesh() {
  std::vector<std::pair<Vec3, Vec3>> path;  // middle, way to the outside
  constexpr int kLegs = 14, kBend = 20, kRound = 14;
  for (int i = 0; i < kLegs; ++i) path.emplace_back(Vec3(-0.1, 0.2 - 0.2 * i / kLegs, 0), -Vec3::UnitX());
  for (int i = 0; i <= kBend; ++i) {
    const double angle = M_PI + M_PI * i / kBend;
    const Vec3 out(std::cos(angle), std::sin(angle), 0);
    path.emplace_back(0.1 * out, out);
  }
  for (int i = 1; i <= kLegs; ++i) path.emplace_back(Vec3(0.1, 0.2 * i / kLegs, 0), Vec3::UnitX());
  Mesh mesh;
  for (const auto& [middle, out] : path)
    for (int k = 0; k < kRound; ++k) {
      const double angle = 2 * M_PI * k / kRound;
      mesh.positions.push_back(middle + 0.03 * (std::cos(angle) * out + std::sin(angle) * Vec3::UnitZ()));
    }
  const auto face = [&](int a, int b, int c) {
    mesh.add_face(std::array{VertexId(a), VertexId(b), VertexId(c)});
  };
  const int n = static_cast<int>(path.size());
  for (int i = 0; i + 1 < n; ++i)
    for (int k = 0; k < kRound; ++k) {
      const int next = (k + 1) % kRound;
      face(kRound * i + k, kRound * (i + 1) + next, kRound * i + next);
      face(kRound * i + k, kRound * (i + 1) + k, kRound * (i + 1) + next);
    }
  for (int k = 1; k + 1 < kRound; ++k) {
    face(0, k, k + 1);
    face(kRound * (n - 1), kRound * (n - 1) + k + 1, kRound * (n - 1) + k);
  }
  return mesh;
}

FleshTissue flesh_of(const BccLattice& lattice) {
  FleshTissue tissue;
  tissue.mesh = lattice.mesh;
  tissue.law.young = 1e4;
  tissue.law.poisson = 0.4;
  tissue.law.viscosity = 300;
  tissue.stiffness = lattice.fill;
  tissue.volume_group = volume_groups(lattice);
  tissue.masses = node_masses(lattice, 1000);
  tissue.fixed.assign(lattice.mesh.node_count(), 0);
  return tissue;
}

/// Both legs moved towards each other; from 7 cm on they overlap.
NodePoints crossed_legs(const BccLattice& lattice, double way = 0.08) {
  NodePoints crossed = lattice.mesh.positions;
  for (Vec3& p : crossed)
    if (p.y() > 0) p.x() += (p.x() > 0 ? -way : way) * std::min(1.0, p.y() / 0.05);
  return crossed;
}

/// Which leg a point is of at rest: 1 at positive x, else -1.
double side_of(const BccLattice& lattice, const TetPoint& point) {
  return lattice.mesh.positions[lattice.mesh.tets[point.tet][0]].x() > 0 ? 1 : -1;
}

struct Pushed {
  double depth = 0, cell = 0;  ///< [m]
};

/// Both legs pushed towards each other by a fifth of gravity, with and without contact.
Pushed pushed(bool contact) {
  const Mesh mesh = horseshoe_mesh();
  const BccLattice lattice = bcc_lattice(mesh, 0.02);
  const Embedding embedding(lattice, mesh);
  FleshTissue tissue = flesh_of(lattice);
  NodePoints forces(lattice.mesh.node_count(), Vec3::Zero());
  for (NodeId v : ids<NodeId>(forces.size())) {
    const Vec3& p = lattice.mesh.positions[v];
    tissue.fixed[v] = p.y() < -0.05;
    if (p.y() > 0.05) forces[v] = Vec3(p.x() > 0 ? -2 : 2, 0, 0) * tissue.masses[v];
  }
  const SelfContact self(lattice, embedding, mesh, tissue.law.young);
  FleshDynamics flesh(tissue, {});
  const NodePoints& target = lattice.mesh.positions;
  for (int i = 1; i <= 120; ++i) {
    NodePoints ahead = flesh.motion().positions;
    for (NodeId v : ids<NodeId>(ahead.size())) ahead[v] += flesh.motion().velocities[v] / 96;
    if (contact) flesh.problem().set_contacts(self.contacts(ahead, target));
    EXPECT_TRUE(flesh.step(i / 96.0, target, forces).converged) << i;
  }
  return {self.deepest(flesh.motion().positions, target), lattice.cell};
}

TEST(SelfContact, TwoPartsThatArePressedTogetherStayApart) {
  const Pushed without = pushed(false), with = pushed(true);
  EXPECT_GT(without.depth, 0.5 * without.cell);
  EXPECT_LT(with.depth, 0.25 * with.cell);
}

TEST(SelfContact, NothingTouchesWhereTheAnimationIs) {
  const Mesh mesh = horseshoe_mesh();
  const BccLattice lattice = bcc_lattice(mesh, 0.02);
  const Embedding embedding(lattice, mesh);
  const SelfContact self(lattice, embedding, mesh, 1e4);
  EXPECT_TRUE(self.contacts(lattice.mesh.positions, lattice.mesh.positions).empty());
  // Legs that the animation has put into each other keep its depth.
  const NodePoints crossed = crossed_legs(lattice);
  EXPECT_GT(self.contacts(crossed, lattice.mesh.positions).size(), 10u);
  EXPECT_TRUE(self.contacts(crossed, crossed).empty());
}

TEST(SelfContact, NothingIsPushedOutOnTheFarSide) {
  const Mesh mesh = horseshoe_mesh();
  const BccLattice lattice = bcc_lattice(mesh, 0.02);
  const Embedding embedding(lattice, mesh);
  const SelfContact self(lattice, embedding, mesh, 1e4);
  // In the animation the legs overlap a little; flesh has the side of one past the middle of the other.
  const std::vector<FleshContact> contacts =
      self.contacts(crossed_legs(lattice, 0.088), crossed_legs(lattice, 0.072));
  EXPECT_GT(contacts.size(), 10u);
  for (const FleshContact& one : contacts)
    EXPECT_GT(one.normal.x() * side_of(lattice, one.x), -1e-9) << one.normal.transpose();
}

TEST(SelfContact, WhatIsPushedPushesBack) {
  const Mesh mesh = horseshoe_mesh();
  const BccLattice lattice = bcc_lattice(mesh, 0.02);
  const Embedding embedding(lattice, mesh);
  const SelfContact self(lattice, embedding, mesh, 1e4);
  const NodePoints crossed = crossed_legs(lattice);
  FleshProblem problem(flesh_of(lattice));
  std::vector<FleshContact> contacts = self.contacts(crossed, lattice.mesh.positions);
  // Those that hardly touch would come apart below.
  std::erase_if(contacts, [](const FleshContact& one) { return one.way < 1e-5; });
  /// What contacts alone have in the gradient and, along `way`, in the Hessian.
  const auto of_contacts = [&](const NodePoints& at, const Eigen::VectorXd& way) {
    Eigen::VectorXd gradient[2], curvature[2];
    for (int with = 0; with < 2; ++with) {
      problem.set_contacts(with ? contacts : std::vector<FleshContact>());
      problem.start(at);
      gradient[with] = problem.gradient();
      curvature[with] = problem.hessian().selfadjointView<Eigen::Lower>() * way;
      for (const BlockCoupling& one : problem.couplings()) {
        curvature[with].segment<3>(3 * one.row) += one.value * way.segment<3>(3 * one.column);
        curvature[with].segment<3>(3 * one.column) += one.value.transpose() * way.segment<3>(3 * one.row);
      }
    }
    return std::pair<Eigen::VectorXd, Eigen::VectorXd>(gradient[1] - gradient[0],
                                                       curvature[1] - curvature[0]);
  };
  Eigen::VectorXd way(3 * static_cast<Eigen::Index>(crossed.size()));
  for (Eigen::Index i = 0; i < way.size(); ++i) way[i] = 1e-6 * std::sin(1 + 3.0 * static_cast<double>(i));
  const auto [pushed, curvature] = of_contacts(crossed, way);
  Vec3 sum = Vec3::Zero(), torque = Vec3::Zero();
  double all = 0;
  for (NodeId v : ids<NodeId>(crossed.size())) {
    const Vec3 force = pushed.segment<3>(3 * static_cast<Eigen::Index>(v.index()));
    sum += force;
    torque += crossed[v].cross(force);
    all += force.norm();
  }
  EXPECT_GT(all, 1);
  EXPECT_LT(sum.norm(), 1e-12 * all);
  EXPECT_LT(torque.norm(), 1e-12 * all);
  // The couplings are what the pattern lacks of the forces' derivative.
  NodePoints moved = crossed;
  for (NodeId v : ids<NodeId>(moved.size()))
    moved[v] += way.segment<3>(3 * static_cast<Eigen::Index>(v.index()));
  const Eigen::VectorXd change = of_contacts(moved, way).first - pushed;
  EXPECT_LT((change - curvature).norm(), 1e-6 * change.norm());
}

}  // namespace
}  // namespace cutis
