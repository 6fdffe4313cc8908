#include "cutis/wrinkle/contact/contact_barrier.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include "cutis/core/parallel.h"
#include "cutis/energy/positive_part.h"
#include "cutis/material/projection.h"
#include "support/meshes.h"
#include "support/same_bits.h"
#include "wrinkle/contact/contact_shapes.h"
#include "wrinkle/contact/derivative_sweep.h"

namespace cutis::test {
namespace {

constexpr double kDistance = 0.01;

ContactBarrier barrier_of(const Mesh& rest, double distance = kDistance) {
  ContactBarrier barrier({distance, 1e4});
  barrier.set_mesh(rest);
  return barrier;
}

/// A sheet of 2 by 0.5 with folds that nearly touch.
struct Folded {
  Mesh rest = sheet(96, 24, 0.3, 7);
  Points positions;
  explicit Folded(double steepest) {
    for (Vec3& p : rest.positions) p *= 2;
    positions = meanders(rest.positions, steepest, 0.5);
  }
};

using Keys = std::vector<std::tuple<ContactKind, std::array<VertexId, 4>>>;

Keys sorted_keys(const std::vector<ContactPair>& pairs) {
  Keys keys;
  for (const ContactPair& pair : pairs) keys.emplace_back(pair.kind, pair.vertices);
  std::sort(keys.begin(), keys.end());
  return keys;
}

bool shares(const std::array<VertexId, 4>& v, ContactKind kind) {
  if (kind == ContactKind::PointTriangle) return v[0] == v[1] || v[0] == v[2] || v[0] == v[3];
  return v[0] == v[2] || v[0] == v[3] || v[1] == v[2] || v[1] == v[3];
}

/// All pairs within a distance, by looking at all there are.
Keys near_by_brute_force(const Mesh& mesh, const Points& positions, double distance) {
  std::vector<ContactPair> all;
  std::vector<std::array<VertexId, 2>> edges;
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    const auto t = mesh.face(f);
    for (VertexId v : ids<VertexId>(mesh.vertex_count()))
      all.push_back({ContactKind::PointTriangle, {v, t[0], t[1], t[2]}});
    for (std::size_t k = 0; k < 3; ++k)
      edges.push_back({std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])});
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  for (std::size_t i = 0; i < edges.size(); ++i)
    for (std::size_t j = i + 1; j < edges.size(); ++j)
      all.push_back({ContactKind::EdgeEdge, {edges[i][0], edges[i][1], edges[j][0], edges[j][1]}});
  std::erase_if(all, [&](const ContactPair& pair) {
    return shares(pair.vertices, pair.kind) ||
           squared_distance(pair.kind, contact_points(pair, positions)) >= distance * distance;
  });
  return sorted_keys(all);
}

TEST(ContactPairs, AreAllThatAreNear) {
  Mesh rest = sheet(24, 6, 0.3, 7);
  for (const double steepest : {0.0, 1.4, 2.1}) {
    const Points positions = meanders(rest.positions, steepest, 0.5);
    ContactPairs finder(rest);
    std::vector<ContactPair> found = finder.find(positions, 0.03);
    std::erase_if(found, [&](const ContactPair& pair) {
      return squared_distance(pair.kind, contact_points(pair, positions)) >= 0.03 * 0.03;
    });
    EXPECT_EQ(sorted_keys(found), near_by_brute_force(rest, positions, 0.03)) << steepest;
    EXPECT_GT(found.size(), 100u);
  }
}

/// Two sheets above each other are folds of one skin where the body faces the same way below both.
TEST(ContactPairs, AreOfPartsThatFaceTheSameWay) {
  const Mesh both = joined(sheet(8, 8, 0.2, 1), sheet(8, 8, 0.2, 2), Vec3(0, 0, 0.01));
  const auto across = [&](const Points& outside, double reach) {
    ContactPairs finder(both);
    finder.set_outside(outside, reach);
    std::size_t count = 0;
    for (const ContactPair& pair : finder.find(both.positions, 0.02))
      count += (pair.vertices[0].index() < both.vertex_count() / 2) !=
               (pair.vertices[3].index() < both.vertex_count() / 2);
    return count;
  };
  Points outside(both.vertex_count(), Vec3::UnitZ());
  EXPECT_GT(across(outside, 1), 100u);
  EXPECT_EQ(across(outside, 0.005), 0u);
  for (std::size_t v = 0; v < both.vertex_count() / 2; ++v) outside[VertexId(v)] = -Vec3::UnitZ();
  EXPECT_EQ(across(outside, 1), 0u);
}

/// A body may press skin together as far as it will.
TEST(ContactBarrier, IsNothingWhereABodyCarriesIt) {
  const Mesh fine = sheet(30, 30, 0.4, 3);
  ContactBarrier barrier = barrier_of(fine, 0.02);
  Points pressed = fine.positions;
  for (Vec3& p : pressed) p.x() *= 0.3;
  EXPECT_GT(barrier.energy(pressed, barrier.near_pairs(pressed)), 0);
  barrier.set_carried(pressed);
  EXPECT_EQ(barrier.energy(pressed, barrier.near_pairs(pressed)), 0);
}

/// What a body brings together to less than a fifth it folds: barriers between so near parts would leave skin
/// no room to move.
TEST(ContactBarrier, LeavesOutWhatABodyFolds) {
  const Mesh fine = sheet(10, 10, 0.4, 3);
  const auto pressed = [&](double share) {
    Points x = fine.positions;
    for (Vec3& p : x) p *= share;
    return x;
  };
  const Points start = pressed(0.1), end = pressed(0.01);
  Points step = end;
  for (VertexId v : ids<VertexId>(step.size())) step[v] -= start[v];
  for (const auto& [carried, folded] : {std::pair{0.3, false}, std::pair{0.1, true}}) {
    ContactBarrier barrier = barrier_of(fine, 0.02);
    barrier.set_carried(pressed(carried));
    const double energy = barrier.energy(end, barrier.near_pairs(end));
    if (folded)
      EXPECT_EQ(energy, 0);
    else
      EXPECT_GT(energy, 0);
    const ContactSweep sweep = barrier.sweep(start, step);
    EXPECT_EQ(sweep.max_factor == 1, folded) << carried;
    EXPECT_EQ(sweep.pairs.empty(), folded) << carried;
  }
}

/// However long the distance is against the edges.
TEST(ContactBarrier, IsNothingAtRest) {
  Mesh fine = sheet(30, 30, 0.4, 3);
  for (const double edges : {0.5, 3.0, 6.0}) {
    ContactBarrier barrier = barrier_of(fine, edges / 30);
    const std::vector<ContactPair> pairs = barrier.near_pairs(fine.positions);
    EXPECT_GT(pairs.size(), 1000u);
    EXPECT_EQ(barrier.energy(fine.positions, pairs), 0) << edges;
    EXPECT_TRUE(barrier.stencils(fine.positions, pairs, kExact).empty()) << edges;
  }
  // Nor where skin is folded at rest, or pressed together by a fifth within its surface.
  Folded folded(2.1);
  Mesh rest = folded.rest;
  rest.positions = folded.positions;
  ContactBarrier barrier = barrier_of(rest, 0.05);
  EXPECT_EQ(barrier.energy(rest.positions, barrier.near_pairs(rest.positions)), 0);
  for (Vec3& p : rest.positions) p *= 0.8;
  EXPECT_EQ(barrier.energy(rest.positions, barrier.near_pairs(rest.positions)), 0);
}

TEST(ContactBarrier, PushesFoldsApart) {
  Folded folded(2.09);
  ContactBarrier barrier = barrier_of(folded.rest, 0.015);
  const std::vector<ContactPair> pairs = barrier.near_pairs(folded.positions);
  const std::vector<ContactStencil> stencils = barrier.stencils(folded.positions, pairs, kExact);
  EXPECT_GT(stencils.size(), 100u);
  double sum = 0;
  Points force(folded.positions.size(), Vec3::Zero());
  for (const ContactStencil& s : stencils) {
    sum += s.energy;
    for (int k = 0; k < 4; ++k) force[s.vertices[at(k)]] -= s.gradient.segment<3>(3 * k);
  }
  EXPECT_NEAR(sum, barrier.energy(folded.positions, pairs), 1e-12 * sum);
  Vec3 total = Vec3::Zero();
  double largest = 0;
  for (const Vec3& f : force) total += f, largest = std::max(largest, f.norm());
  EXPECT_LT(total.norm(), 1e-10 * largest);
  Points ahead = folded.positions;
  for (VertexId v : ids<VertexId>(ahead.size())) ahead[v] += 1e-7 / largest * force[v];
  EXPECT_LT(barrier.energy(ahead, barrier.near_pairs(ahead)), sum);
}

/// A vertex over a triangle and two edges, each within reach and with edges that are nearly parallel.
TEST(ContactBarrier, HasTheDerivativesOfFiniteDifferences) {
  Random random(9);
  int edges = 0, mollified = 0;
  for (int i = 0; i < 40; ++i) {
    const double turn = i % 2 == 0 ? random(0.3, 1.5) : random(0.005, 0.02);
    Mesh two;
    for (const Vec3& p : {Vec3(-0.5, 0, 0), Vec3(0.5, 0, 0), Vec3(0, -2, -1)}) two.positions.push_back(p);
    const Vec3 b(std::cos(turn), std::sin(turn), 0);
    for (const Vec3& p : {Vec3(-0.55 * b), Vec3(0.45 * b), Vec3(0, 2, 1)})
      two.positions.push_back(p + Vec3(0.01, 0.02, 1));
    two.add_face(std::array{VertexId(0), VertexId(1), VertexId(2)});
    two.add_face(std::array{VertexId(3), VertexId(4), VertexId(5)});
    ContactBarrier barrier = barrier_of(two, 0.3);
    Points now = two.positions;
    for (VertexId v : {VertexId(3), VertexId(4), VertexId(5)}) now[v].z() -= random(0.8, 0.95);
    const std::vector<ContactPair> pairs = barrier.near_pairs(now);
    for (const ContactStencil& stencil : barrier.stencils(now, pairs, kExact)) {
      std::vector<ContactPair> one;
      for (const ContactPair& pair : pairs)
        if (pair.vertices == stencil.vertices) one.push_back(pair);
      ASSERT_EQ(one.size(), 1u);
      edges += one[0].kind == ContactKind::EdgeEdge;
      mollified += one[0].kind == ContactKind::EdgeEdge && turn < 0.03;
      const auto jet_at = [&](const Vec12& x) {
        Points moved = now;
        for (int k = 0; k < 4; ++k) moved[stencil.vertices[at(k)]] = x.segment<3>(3 * k);
        const std::vector<ContactStencil> found = barrier.stencils(moved, one, kExact);
        return found.empty() ? ContactJet{}
                             : ContactJet{found[0].energy, found[0].gradient, found[0].hessian};
      };
      const DerivativeErrors errors = derivative_errors(vector_of(contact_points(one[0], now)), 0.05, jet_at);
      EXPECT_LT(errors.gradient, 1e-7) << i;
      EXPECT_LT(errors.hessian, 1e-6) << i;
    }
  }
  EXPECT_GT(edges, 30);
  EXPECT_GT(mollified, 10);
}

TEST(ContactBarrier, ProjectsItsHessian) {
  Folded folded(2.09);
  ContactBarrier barrier = barrier_of(folded.rest, 0.015);
  const std::vector<ContactPair> pairs = barrier.near_pairs(folded.positions);
  const auto exact = barrier.stencils(folded.positions, pairs, kExact);
  const auto projected = barrier.stencils(folded.positions, pairs, kProjected);
  ASSERT_EQ(exact.size(), projected.size());
  int indefinite = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const double scale = exact[i].hessian.norm();
    EXPECT_GE(Eigen::SelfAdjointEigenSolver<Mat12>(projected[i].hessian).eigenvalues()[0], -1e-12 * scale);
    indefinite += Eigen::SelfAdjointEigenSolver<Mat12>(exact[i].hessian).eigenvalues()[0] < -1e-6 * scale;
    EXPECT_LT((projected[i].hessian - positive_part(exact[i].hessian)).norm(), 1e-9 * scale);
    EXPECT_EQ(exact[i].gradient, projected[i].gradient);
  }
  EXPECT_GT(indefinite, 10);
}

/// Folds that are pushed through each other, turned, or moved at random.
TEST(ContactBarrier, BoundsStepsSoThatNothingIntersects) {
  Folded folded(2.0);
  ASSERT_EQ(intersections(folded.rest, folded.positions), 0);
  ContactBarrier barrier = barrier_of(folded.rest);
  Random random(11);
  for (int how = 0; how < 4; ++how) {
    Points step(folded.positions.size(), Vec3::Zero());
    const Points closed = meanders(folded.rest.positions, 2.6, 0.5);
    for (VertexId v : ids<VertexId>(step.size())) {
      if (how == 0) step[v] = closed[v] - folded.positions[v];
      if (how == 1) step[v] = 0.05 * random.in_cube();
      if (how == 2) step[v] = Vec3(0.08 * std::sin(40 * folded.positions[v].z()), 0, 0);
      if (how == 3) step[v] = Vec3(-0.5 * folded.positions[v].x(), 0, 0);
    }
    Points whole = folded.positions, bounded = whole;
    const ContactSweep sweep = barrier.sweep(folded.positions, step);
    for (VertexId v : ids<VertexId>(step.size())) {
      whole[v] += step[v];
      bounded[v] += sweep.max_factor * step[v];
    }
    EXPECT_GT(sweep.max_factor, 0) << how;
    EXPECT_EQ(intersections(folded.rest, bounded), 0) << how;
    if (how < 2) {
      EXPECT_GT(intersections(folded.rest, whole), 0) << how;
    }
    // What is near at the end of the step is among the pairs.
    EXPECT_EQ(barrier.energy(bounded, sweep.pairs), barrier.energy(bounded, barrier.near_pairs(bounded)));
  }
}

/// Where they stand still, all others can go their whole way.
TEST(ContactBarrier, NamesWhatWouldMeet) {
  Folded folded(2.0);
  ContactBarrier barrier = barrier_of(folded.rest);
  const Points closed = meanders(folded.rest.positions, 2.6, 0.5);
  Points step(folded.positions.size(), Vec3::Zero());
  const auto moves = [&](VertexId v) { return folded.rest.positions[v].x() < 0.5; };
  for (VertexId v : ids<VertexId>(step.size()))
    if (moves(v)) step[v] = 0.5 * (closed[v] - folded.positions[v]);
  ContactSweep sweep = barrier.sweep(folded.positions, step);
  EXPECT_LT(sweep.max_factor, 1);
  for (int round = 0; !sweep.meeting.empty(); ++round) {
    ASSERT_LT(round, 20);
    for (const ContactPair& pair : sweep.meeting) {
      EXPECT_TRUE(std::any_of(pair.vertices.begin(), pair.vertices.end(), moves));
      for (const VertexId v : pair.vertices) step[v].setZero();
    }
    sweep = barrier.sweep(folded.positions, step);
  }
  EXPECT_EQ(sweep.max_factor, 1);
  Points moved = folded.positions;
  std::size_t whole = 0;
  for (VertexId v : ids<VertexId>(step.size())) {
    moved[v] += step[v];
    whole += step[v].norm() > 0;
  }
  EXPECT_EQ(intersections(folded.rest, moved), 0);
  EXPECT_GT(whole, 100u);
}

/// Neighbours whose boxes meet are left out of a sweep where they stay beyond their barriers: everywhere on
/// the step energy and stencils are those of all pairs that a search there finds.
TEST(ContactBarrier, SweepsKeepWhatIsInContactAnywhereOnTheStepAndLittleElse) {
  Folded folded(2.0);
  ContactBarrier barrier = barrier_of(folded.rest);
  const Points closed = meanders(folded.rest.positions, 2.6, 0.5);
  Points step(folded.positions.size());
  for (VertexId v : ids<VertexId>(step.size())) step[v] = closed[v] - folded.positions[v];
  const ContactSweep sweep = barrier.sweep(folded.positions, step);
  std::size_t in_contact = 0, found = 0;
  for (int i = 0; i <= 10; ++i) {
    Points now = folded.positions;
    for (VertexId v : ids<VertexId>(now.size())) now[v] += 0.1 * i * sweep.max_factor * step[v];
    const std::vector<ContactPair> all = barrier.near_pairs(now);
    EXPECT_EQ(barrier.energy(now, sweep.pairs), barrier.energy(now, all)) << i;
    // Lists are in different orders, as boxes are others.
    const std::size_t active = barrier.stencils(now, all, 0).size();
    EXPECT_EQ(barrier.stencils(now, sweep.pairs, 0).size(), active) << i;
    in_contact = std::max(in_contact, active);
    found = std::max(found, all.size());
  }
  EXPECT_GT(in_contact, 0u);
  EXPECT_LT(sweep.pairs.size(), found / 2);
}

/// Two sheets at a distance of 0.05 that meet head on: true time of impact 0.05 / 0.1.
TEST(ContactBarrier, BoundsStepsCloseToTheTrueTimeOfImpact) {
  const Mesh both = joined(sheet(10, 10, 0.3, 1), sheet(10, 10, 0.3, 2), Vec3(0, 0, 0.05));
  ContactBarrier barrier = barrier_of(both);
  Points step(both.vertex_count(), Vec3::Zero());
  for (VertexId v : ids<VertexId>(both.vertex_count()))
    if (both.positions[v].z() > 0.02) step[v].z() = -0.1;
  const double factor = barrier.sweep(both.positions, step).max_factor;
  EXPECT_LT(factor, 0.5);
  EXPECT_GT(factor, 0.4);
  for (Vec3& s : step) s.z() = -100;
  EXPECT_GT(barrier.sweep(both.positions, step).max_factor, 0);
}

/// A layer that is pressed onto a wavy one with other triangles: its edges do not cut through crests either.
TEST(ContactBarrier, BoundsStepsOfALayerOverAHeldOne) {
  Mesh both = joined(sheet(14, 14, 0.3, 1), sheet(11, 11, 0.3, 2), Vec3(0, 0, 0.03));
  Points step(both.vertex_count(), Vec3::Zero());
  for (VertexId v : ids<VertexId>(both.vertex_count())) {
    Vec3& p = both.positions[v];
    if (p.z() > 0.01) step[v] = Vec3(0.02, 0.01, -0.05);
    p.z() += 0.1 * std::sin(9 * p.x()) * std::cos(7 * p.y());
  }
  ContactBarrier barrier = barrier_of(both);
  Points x = both.positions;
  for (int i = 0; i < 4; ++i) {
    const ContactSweep sweep = barrier.sweep(x, step);
    EXPECT_GT(sweep.max_factor, 0);
    EXPECT_LT(sweep.max_factor, 1);
    for (VertexId v : ids<VertexId>(x.size())) x[v] += sweep.max_factor * step[v];
    EXPECT_EQ(intersections(both, x), 0) << i;
  }
  EXPECT_GT(barrier.energy(x, barrier.near_pairs(x)), 0);
}

/// What touches at rest, such as closed lips, is free to go.
TEST(ContactBarrier, LeavesOutWhatTouchesAtRest) {
  const Mesh both = joined(sheet(6, 6, 0.3, 1), sheet(6, 6, 0.3, 1), Vec3(0, 0, 1e-12));
  ContactBarrier barrier = barrier_of(both);
  EXPECT_EQ(barrier.energy(both.positions, barrier.near_pairs(both.positions)), 0);
  Points step(both.vertex_count(), Vec3::Zero());
  for (VertexId v : ids<VertexId>(both.vertex_count() / 2)) step[v].z() = -0.01;
  EXPECT_EQ(barrier.sweep(both.positions, step).max_factor, 1);
}

/// Springs along the edges and forces, minimised by Newton's method with contact: the smallest solver that
/// uses all of it.
class SpringSheet {
 public:
  SpringSheet(const Mesh& rest, Points positions, Points forces, bool contact)
      : mesh_(rest), x_(std::move(positions)), forces_(std::move(forces)), contact_(contact) {
    barrier_.set_mesh(rest);
    for (FaceId f : ids<FaceId>(rest.face_count()))
      for (std::size_t k = 0; k < 3; ++k) edges_.push_back({rest.face(f)[k], rest.face(f)[(k + 1) % 3]});
  }

  /// Returns the longest way of a vertex.
  double step() {
    const auto n = static_cast<Eigen::Index>(3 * x_.size());
    Eigen::VectorXd gradient = Eigen::VectorXd::Zero(n);
    Eigen::MatrixXd hessian = kTether * Eigen::MatrixXd::Identity(n, n);
    const std::vector<ContactPair> pairs = contact_ ? barrier_.near_pairs(x_) : std::vector<ContactPair>{};
    add_springs(gradient, hessian);
    for (const ContactStencil& s : barrier_.stencils(x_, pairs, kProjected))
      for (int a = 0; a < 4; ++a) {
        gradient.segment<3>(3 * s.vertices[at(a)].value) += s.gradient.segment<3>(3 * a);
        for (int b = 0; b < 4; ++b)
          hessian.block<3, 3>(3 * s.vertices[at(a)].value, 3 * s.vertices[at(b)].value) +=
              s.hessian.block<3, 3>(3 * a, 3 * b);
      }
    const Eigen::VectorXd way = -hessian.ldlt().solve(gradient);
    Points step(x_.size());
    for (VertexId v : ids<VertexId>(x_.size())) step[v] = way.segment<3>(3 * v.value);
    ContactSweep sweep;
    if (contact_) sweep = barrier_.sweep(x_, step);
    return search(step, sweep, energy(x_, pairs));
  }
  const Points& positions() const { return x_; }

 private:
  static constexpr double kSpring = 2e2, kTether = 1e-1;
  const Mesh& mesh_;
  Points x_, forces_;
  bool contact_;
  std::vector<std::array<VertexId, 2>> edges_;
  ContactBarrier barrier_{{kDistance, 1e3}};

  double rest_length(const std::array<VertexId, 2>& e) const {
    return (mesh_.positions[e[1]] - mesh_.positions[e[0]]).norm();
  }
  double energy(const Points& x, const std::vector<ContactPair>& pairs) const {
    double sum = barrier_.energy(x, pairs);
    for (const auto& e : edges_)
      sum += kSpring / 2 * std::pow((x[e[1]] - x[e[0]]).norm() - rest_length(e), 2);
    for (VertexId v : ids<VertexId>(x.size())) sum -= forces_[v].dot(x[v]);
    return sum;
  }
  void add_springs(Eigen::VectorXd& gradient, Eigen::MatrixXd& hessian) const {
    for (VertexId v : ids<VertexId>(x_.size())) gradient.segment<3>(3 * v.value) -= forces_[v];
    for (const auto& e : edges_) {
      const Vec3 along = x_[e[1]] - x_[e[0]], unit = along.normalized();
      const Vec3 pull = kSpring * (along.norm() - rest_length(e)) * unit;
      gradient.segment<3>(3 * e[1].value) += pull;
      gradient.segment<3>(3 * e[0].value) -= pull;
      const Mat3 stiffness = kSpring * unit * unit.transpose();
      for (const int i : {0, 1})
        for (const int j : {0, 1})
          hessian.block<3, 3>(3 * e[at(i)].value, 3 * e[at(j)].value) += (i == j ? 1 : -1) * stiffness;
    }
  }
  double search(const Points& step, const ContactSweep& sweep, double start) {
    for (double factor = sweep.max_factor; factor > 1e-12; factor /= 2) {
      Points trial = x_;
      double longest = 0;
      for (VertexId v : ids<VertexId>(x_.size())) {
        trial[v] += factor * step[v];
        longest = std::max(longest, factor * step[v].norm());
      }
      if (!(energy(trial, sweep.pairs) < start)) continue;
      x_ = trial;
      return longest;
    }
    return 0;
  }
};

/// A hairpin of two flaps 0.16 apart, pressed together by opposite forces.
int intersections_of_pressed_hairpin(bool contact) {
  Mesh rest = sheet(24, 6, 0.25, 5);
  Points positions = rest.positions, forces(rest.vertex_count(), Vec3::Zero());
  constexpr double kRadius = 0.08, kBend = pi * kRadius, kFlap = (1 - kBend) / 2;
  for (VertexId v : ids<VertexId>(positions.size())) {
    const double s = rest.positions[v].x();
    const double y = rest.positions[v].y(), angle = std::clamp((s - kFlap) / kRadius, 0.0, pi);
    const double beyond = s < kFlap ? s - kFlap : s > 1 - kFlap ? 1 - kFlap - s : 0.0;
    positions[v] = Vec3(beyond + kRadius * std::sin(angle), y, -kRadius * std::cos(angle));
    if (beyond != 0) forces[v].z() = positions[v].z() > 0 ? -0.02 : 0.02;
  }
  SpringSheet pressed(rest, positions, forces, contact);
  int worst = 0;
  for (int i = 0; i < 40; ++i) {
    const double way = pressed.step();
    worst = std::max(worst, intersections(rest, pressed.positions()));
    if (way < 1e-7) break;
  }
  // The load has closed the gap: contact is what holds the flaps apart.
  double gap = 1;
  for (VertexId v : ids<VertexId>(positions.size()))
    if (rest.positions[v].x() < 0.2) gap = std::min(gap, std::abs(pressed.positions()[v].z()));
  if (contact) {
    EXPECT_LT(gap, 0.02);
  }
  return worst;
}

TEST(ContactBarrier, HoldsTheFlapsOfAPressedSheetApart) {
  EXPECT_GT(intersections_of_pressed_hairpin(false), 0);
  EXPECT_EQ(intersections_of_pressed_hairpin(true), 0);
}

std::vector<double> all_numbers() {
  Folded folded(2.09);
  ContactBarrier barrier = barrier_of(folded.rest, 0.015);
  Points step = meanders(folded.rest.positions, 2.3, 0.5);
  for (VertexId v : ids<VertexId>(step.size())) step[v] -= folded.positions[v];
  const ContactSweep sweep = barrier.sweep(folded.positions, step);
  std::vector<double> out{sweep.max_factor, barrier.energy(folded.positions, sweep.pairs)};
  for (const ContactStencil& s : barrier.stencils(folded.positions, sweep.pairs, kProjected)) {
    out.insert(out.end(), s.gradient.begin(), s.gradient.end());
    out.insert(out.end(), s.hessian.reshaped().begin(), s.hessian.reshaped().end());
  }
  return out;
}

const bool contact_bits = same_bits("ContactBarrier", all_numbers);

}  // namespace
}  // namespace cutis::test
