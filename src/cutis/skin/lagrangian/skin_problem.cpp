#include "cutis/skin/lagrangian/skin_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <Eigen/Eigenvalues>

#include "cutis/core/parallel.h"

namespace cutis {
namespace {

/// The share of negative curvature that is taken out first where the Hessian is not definite.
constexpr double kPartly = 0.2;
/// Keeps the matrix of skin that nothing holds definite; a share of the skin's stiffness. It is no force: the
/// gradient knows nothing of it.
constexpr double kRegularization = 1e-8;

/// So many vertices at a time are put in their places.
constexpr std::size_t kBlock = 32;

template <class F>
void for_blocks(std::size_t n, const F& f) {
  parallel_for((n + kBlock - 1) / kBlock,
               [&](std::size_t block) { f(block * kBlock, std::min(n, (block + 1) * kBlock)); }, 2);
}

using Mat6d = Eigen::Matrix<double, 6, 6>;

/// The part of a symmetric matrix with eigenvalues above zero.
Mat2 positive_part(const Mat2& m) {
  const double mean = 0.5 * m.trace(), half = 0.5 * (m(0, 0) - m(1, 1));
  const double radius = std::hypot(half, m(1, 0));
  if (mean >= radius) return m;
  if (mean <= -radius) return Mat2::Zero();
  // One eigenvalue above zero, mean + radius, with the projector (I + (m - mean I) / radius) / 2.
  return (mean + radius) * 0.5 * (Mat2::Identity() + (m - mean * Mat2::Identity()) / radius);
}

Mat6d positive_part(const Mat6d& m) {
  const Eigen::SelfAdjointEigenSolver<Mat6d> solver(m);
  return solver.eigenvectors() * solver.eigenvalues().cwiseMax(0).asDiagonal() *
         solver.eigenvectors().transpose();
}

}  // namespace

SkinUnknowns::SkinUnknowns(const std::vector<MembraneElement>& all, const SkinConstraints& constraints,
                           const std::vector<Ligament>& ligaments, std::size_t vertex_count)
    : block(vertex_count, -1) {
  IdVector<VertexId, char> used(vertex_count, 0);
  for (const MembraneElement& e : all)
    for (VertexId v : e.vertices) used[v] |= e.volume > 0;
  for (VertexId v : ids<VertexId>(vertex_count)) {
    const SkinRole role = constraints.role(v);
    if (!used[v] || (role != SkinRole::Free && role != SkinRole::Along)) continue;
    block[v] = static_cast<int>(vertices.size());
    vertices.push_back(v);
  }
  ligament.assign(vertices.size(), -1);
  for (std::size_t i = 0; i < ligaments.size(); ++i)
    if (const int b = block[ligaments[i].vertex]; b >= 0)
      ligament[static_cast<std::size_t>(b)] = static_cast<int>(i);

  std::vector<std::vector<std::size_t>> corners_of(vertices.size());
  for (std::size_t e = 0; e < all.size(); ++e) {
    const auto& c = all[e].vertices;
    if (all[e].volume == 0 || std::all_of(c.begin(), c.end(), [&](VertexId v) { return block[v] < 0; }))
      continue;
    for (std::size_t k = 0; k < 3; ++k)
      if (block[c[k]] >= 0)
        corners_of[static_cast<std::size_t>(block[c[k]])].push_back(3 * elements.size() + k);
    elements.push_back(e);
    corners.push_back(c);
  }
  around_begin.push_back(0);
  for (const auto& list : corners_of) {
    around.insert(around.end(), list.begin(), list.end());
    around_begin.push_back(around.size());
  }
}

ElementBlocks SkinUnknowns::element_blocks() const {
  ElementBlocks blocks;
  for (const auto& c : corners) blocks.push_back({block[c[0]], block[c[1]], block[c[2]]});
  for (std::size_t i = 0; i < vertices.size(); ++i) blocks.push_back({static_cast<int>(i)});
  return blocks;
}

SkinProblem::SkinProblem(const SlideSurface& surface, const SkinConstraints& constraints,
                         const SkinUnknowns& unknowns, const LigamentEnergy& ligaments, double stiffness)
    : surface_(surface),
      constraints_(constraints),
      unknowns_(unknowns),
      ligaments_(ligaments),
      stiffness_(stiffness),
      at_rest_(surface),
      inversion_barrier_(surface, unknowns.corners, stiffness),
      matrix_(static_cast<int>(unknowns.vertices.size()), unknowns.element_blocks()),
      forces_(static_cast<int>(unknowns.vertices.size()), unknowns.element_blocks()),
      gradient_(2 * static_cast<Eigen::Index>(unknowns.vertices.size())),
      energies_(unknowns.elements.size() + unknowns.vertices.size()),
      lengths_(unknowns.vertices.size()),
      ways_(unknowns.vertices.size()) {}

double SkinProblem::start(const Points& body, const MembraneEnergy& membrane, SkinPoints points) {
  body_ = body;
  membrane_ = &membrane;
  return start(std::move(points));
}

double SkinProblem::start(SkinPoints points) {
  fresh_ = false;
  trial_.points = std::move(points);
  trial_.rails.resize(constraints_.has_rails() ? body_.size() : 0);
  trial_.jets.resize(body_.size());
  trial_.at_rest.resize(body_.size());
  trial_.positions.resize(body_.size());
  for_blocks(body_.size(), [&](std::size_t begin, std::size_t end) {
    std::vector<VertexId> block;
    for (std::size_t i = begin; i < end; ++i) block.push_back(VertexId(i));
    settle(block);
  });
  measure();
  return trial_.energy;
}

void SkinProblem::settle(std::span<const VertexId> block) {
  std::array<PatchLocation, kBlock> places;
  for (std::size_t k = 0; k < block.size(); ++k) {
    const VertexId v = block[k];
    if (constraints_.role(v) == SkinRole::Along) {
      trial_.rails[v] = constraints_.on_rail(v, trial_.points[v]);
      trial_.points[v] = trial_.rails[v].point;
    }
    if (!trial_.points[v].face.valid()) continue;
    places[k] = surface_.find(trial_.points[v]);
  }
  for (std::size_t k = 0; k < block.size(); ++k)
    if (places[k].patch >= 0) {
      surface_.fetch(places[k]);
      at_rest_.fetch(places[k]);
    }
  for (std::size_t k = 0; k < block.size(); ++k) {
    const VertexId v = block[k];
    trial_.positions[v] = body_[v];
    if (!trial_.points[v].face.valid()) continue;
    const std::array<SurfaceJet, 2> jets = surface_.evaluate(places[k], at_rest_);
    trial_.jets[v] = jets[0];
    trial_.at_rest[v] = jets[1];
    if (constraints_.role(v) != SkinRole::Stuck) trial_.positions[v] = surface_.position(v, jets[0]);
  }
}

/// The energy; its sum runs in order.
void SkinProblem::measure() {
  const std::size_t elements = unknowns_.elements.size();
  parallel_for(elements, [&](std::size_t i) { energies_[i] = element_energy(i); });
  parallel_for(unknowns_.vertices.size(), [&](std::size_t i) { energies_[elements + i] = vertex_energy(i); });
  sum_energies();
}

void SkinProblem::sum_energies() {
  trial_.energy = 0;
  for (double energy : energies_) trial_.energy += energy;
}

double SkinProblem::element_energy(std::size_t i) const {
  return membrane_->energy(unknowns_.elements[i], trial_.positions) +
         inversion_barrier_.energy(i, trial_.points, trial_.at_rest);
}

double SkinProblem::vertex_energy(std::size_t i) const {
  const VertexId v = unknowns_.vertices[i];
  const Vec3& x = trial_.positions[v];
  double energy = 0;
  if (unknowns_.ligament[i] >= 0)
    energy += ligaments_.energy(static_cast<std::size_t>(unknowns_.ligament[i]), x, body_[v]);
  if (!gauge_weights_.empty()) energy += 0.5 * gauge_weights_[v] * (x - gauge_places_[v]).squaredNorm();
  return energy;
}

void SkinProblem::set_gauge(Points places, IdVector<VertexId, double> weights) {
  gauge_places_ = std::move(places);
  gauge_weights_ = std::move(weights);
}

const Eigen::VectorXd& SkinProblem::gradient() {
  if (!fresh_) {
    base_ = trial_;
    base_energies_ = energies_;
    linearize(0);
  }
  return gradient_;
}

const Eigen::SparseMatrix<double>& SkinProblem::hessian() {
  gradient();
  if (!std::exchange(summed_, true)) matrix_.sum();
  return matrix_.lower();
}

/// Where a single mode is unstable, taking out a part of the negative curvature of all triangles is enough,
/// and keeps the steps long.
const Eigen::SparseMatrix<double>* SkinProblem::definite_hessian(int attempt) {
  constexpr std::array<double, 2> shares = {kPartly, 1};
  if (attempt >= static_cast<int>(shares.size())) return nullptr;
  linearize(shares[static_cast<std::size_t>(attempt)]);
  return &hessian();
}

/// Gradient and local matrices at base_, the share `projected` of negative curvature taken out.
void SkinProblem::linearize(double projected) {
  parallel_for(unknowns_.elements.size(), [&](std::size_t i) { evaluate_element(i, projected); });
  parallel_for(unknowns_.vertices.size(), [&](std::size_t i) { evaluate_ties(i); });
  forces_.sum();
  parallel_for(unknowns_.vertices.size(), [&](std::size_t i) {
    const Vec3 force = forces_.values().segment<3>(3 * static_cast<Eigen::Index>(i));
    evaluate_gradient(i, force);
    evaluate_vertex(i, force, projected);
  });
  for (std::size_t i = 0; i < unknowns_.vertices.size(); ++i) restrict(i);
  fresh_ = true;
  summed_ = false;
}

/// Ligament and gauge.
void SkinProblem::evaluate_ties(std::size_t i) {
  const VertexId v = unknowns_.vertices[i];
  EnergyJet<1> jet;
  if (unknowns_.ligament[i] >= 0)
    jet = ligaments_.evaluate(static_cast<std::size_t>(unknowns_.ligament[i]), base_.positions[v], body_[v]);
  if (!gauge_weights_.empty()) {
    jet.gradient += gauge_weights_[v] * (base_.positions[v] - gauge_places_[v]);
    jet.hessian += gauge_weights_[v] * Mat3::Identity();
  }
  const Mat32& T = base_.jets[v].tangent;
  forces_.local(unknowns_.elements.size() + i) = jet.gradient;
  matrix_.local(unknowns_.elements.size() + i) = T.transpose() * jet.hessian * T;
}

void SkinProblem::evaluate_element(std::size_t i, double projected) {
  const std::size_t e = unknowns_.elements[i];
  const auto& c = unknowns_.corners[i];
  const std::array<Mat32, 3> tangents = {base_.jets[c[0]].tangent, base_.jets[c[1]].tangent,
                                         base_.jets[c[2]].tangent};
  const auto evaluate = [&](HessianKind kind) {
    return membrane_->evaluate(e, base_.positions, tangents, kind);
  };
  TangentJet<3> jet = evaluate(projected == 1 ? HessianKind::Projected : HessianKind::Exact);
  if (projected > 0 && projected < 1)
    jet.hessian += projected * (evaluate(HessianKind::Projected).hessian - jet.hessian);
  Eigen::Map<Eigen::Matrix<double, 9, 1>>(forces_.local(i).data()) = jet.gradient;
  Eigen::Map<Mat6d>(matrix_.local(i).data()) = jet.hessian;
  add_inversion_barrier(i, projected);
}

/// An unknown moves the skin on the body at rest through the barycentrics b that the two have in common.
/// Along straight paths b'' = -A Γ(b', b') on either, so normal coordinates q move those at rest by r(q) = J
/// q + (Γ_rest - J Γ)(A q, A q) / 2 to second order, J = A_rest⁻¹ A.
void SkinProblem::add_inversion_barrier(std::size_t i, double projected) {
  const InversionBarrier::Jet jet = inversion_barrier_.evaluate(i, base_.points, base_.at_rest);
  if (!jet.active) return;
  const auto& c = unknowns_.corners[i];
  Mat6d to_rest = Mat6d::Zero(), bend = Mat6d::Zero();
  for (int a = 0; a < 3; ++a) {
    const SurfaceJet &now = base_.jets[c[a]], &rest = base_.at_rest[c[a]];
    if (unknowns_.block[c[a]] < 0 || rest.to_barycentric.isZero(0)) continue;
    const Mat2 J = rest.to_barycentric.inverse() * now.to_barycentric;
    to_rest.block<2, 2>(2 * a, 2 * a) = J;
    const Vec2 g = jet.gradient.segment<2>(2 * a);
    Mat2 by_barycentrics;
    const auto along = [&](std::size_t k) { return g.dot(rest.christoffel[k] - J * now.christoffel[k]); };
    by_barycentrics << along(0), along(1), along(1), along(2);
    bend.block<2, 2>(2 * a, 2 * a) = now.to_barycentric.transpose() * by_barycentrics * now.to_barycentric;
  }
  const InversionBarrier::Vec6 gradient = to_rest.transpose() * jet.gradient;
  // In space these forces lie in the tangent planes: curvature does not feel them.
  for (int a = 0; a < 3; ++a)
    forces_.local(i).segment<3>(3 * a) += base_.jets[c[a]].tangent * gradient.segment<2>(2 * a);
  Mat6d hessian = to_rest.transpose() * jet.hessian * to_rest + bend;
  if (projected > 0) hessian += projected * (positive_part(hessian) - hessian);
  matrix_.local(i) += hessian;
}

void SkinProblem::evaluate_gradient(std::size_t i, const Vec3& g) {
  const auto row = 2 * static_cast<Eigen::Index>(i);
  gradient_.segment<2>(row) = base_.jets[unknowns_.vertices[i]].tangent.transpose() * g;
  lengths_[i] = mean_edge(i);
  ways_[i] = only_way(i);
  if (ways_[i]) gradient_.segment<2>(row) = *ways_[i] * ways_[i]->dot(gradient_.segment<2>(row));
}

double SkinProblem::mean_edge(std::size_t i) const {
  const VertexId v = unknowns_.vertices[i];
  double sum = 0;
  for (std::size_t k = unknowns_.around_begin[i]; k < unknowns_.around_begin[i + 1]; ++k) {
    const auto& c = unknowns_.corners[unknowns_.around[k] / 3];
    const std::size_t corner = unknowns_.around[k] % 3;
    sum += (base_.positions[c[(corner + 1) % 3]] - base_.positions[v]).norm() +
           (base_.positions[c[(corner + 2) % 3]] - base_.positions[v]).norm();
  }
  return sum / static_cast<double>(2 * (unknowns_.around_begin[i + 1] - unknowns_.around_begin[i]));
}

/// In normal coordinates x(q) = x + T q + n (qᵀ II q) / 2, so the Hessian of E(x(q)) is Tᵀ H T + (g . n) II.
/// Its second part is negative for skin in tension on a bulge.
void SkinProblem::evaluate_vertex(std::size_t i, const Vec3& g, double projected) {
  const SurfaceJet& jet = base_.jets[unknowns_.vertices[i]];
  auto local = matrix_.local(unknowns_.elements.size() + i);
  const Mat2 bend = g.dot(jet.normal) * jet.curvature;
  local += bend + projected * (positive_part(bend) - bend);
  local += kRegularization * stiffness_ * Mat2::Identity();
}

/// The only direction (unit, in the tangent plane) that an unknown may move in; zero when none; nothing when
/// all are open. A place on the border that the energy would push the skin over is such a one.
std::optional<Vec2> SkinProblem::only_way(std::size_t i) const {
  const VertexId v = unknowns_.vertices[i];
  const SurfacePoint& p = base_.points[v];
  const SurfaceJet& jet = base_.jets[v];
  const auto direction = [&](const Vec2& rates) -> Vec2 {
    const double determinant = jet.to_barycentric.determinant();
    if (!(std::abs(determinant) > 0)) return Vec2::Zero();
    const Vec2 q = jet.to_barycentric.inverse() * rates;
    return q.norm() > 0 ? Vec2(q.normalized()) : Vec2(Vec2::Zero());
  };
  const Vec2 push = -gradient_.segment<2>(2 * static_cast<Eigen::Index>(i));
  if (constraints_.role(v) != SkinRole::Along) return surface_.outside_tangent_cone(p, jet, push);
  const CurveConstraint::Place& rail = base_.rails[v];
  const Vec2 way = direction(rail.rates);
  const bool on = way.dot(push) > 0;
  if (on ? rail.ends : rail.begins) return Vec2(Vec2::Zero());
  const std::optional<Vec2> border = surface_.outside_tangent_cone(p, jet, on ? way : Vec2(-way));
  if (!border) return way;
  return std::abs(border->dot(way)) > 0.5 ? *border : Vec2(Vec2::Zero());
}

/// Takes the part across its only way from an unknown: out of every local matrix.
void SkinProblem::restrict(std::size_t i) {
  if (!ways_[i]) return;
  const Mat2 along = *ways_[i] * ways_[i]->transpose();
  for (std::size_t k = unknowns_.around_begin[i]; k < unknowns_.around_begin[i + 1]; ++k) {
    auto local = matrix_.local(unknowns_.around[k] / 3);
    const auto corner = 2 * static_cast<Eigen::Index>(unknowns_.around[k] % 3);
    local.middleRows<2>(corner) = (along * local.middleRows<2>(corner)).eval();
    local.middleCols<2>(corner) = (local.middleCols<2>(corner) * along).eval();
  }
  auto own = matrix_.local(unknowns_.elements.size() + i);
  own = (along * own * along + stiffness_ * (Mat2::Identity() - along)).eval();
}

/// The factor, smaller where factor * q would take an unknown further than its edges are long.
double SkinProblem::within_edge(std::size_t i, const Vec2& q, double factor) const {
  const double length = q.norm();
  return factor * length > lengths_[i] ? lengths_[i] / length : factor;
}

double SkinProblem::longest_step(const Eigen::VectorXd& step) {
  double factor = 1;
  for (std::size_t i = 0; i < unknowns_.vertices.size(); ++i)
    factor = within_edge(i, step.segment<2>(2 * static_cast<Eigen::Index>(i)), factor);
  return factor;
}

void SkinProblem::walk(std::size_t i, const Vec2& q) {
  const VertexId v = unknowns_.vertices[i];
  trial_.points[v] = surface_.retract(base_.points[v], base_.jets[v], q);
}

double SkinProblem::try_step(const Eigen::VectorXd& step, double factor) {
  fresh_ = false;
  const std::span<const VertexId> all = unknowns_.vertices;
  for_blocks(all.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      walk(i, factor * step.segment<2>(2 * static_cast<Eigen::Index>(i)));
    settle(all.subspan(begin, end - begin));
  });
  measure();
  return trial_.energy;
}

SkinPoints SkinProblem::moved(const IdVector<VertexId, Vec3>& vectors) const {
  SkinPoints points = trial_.points;
  parallel_for(
      unknowns_.vertices.size(),
      [&](std::size_t i) {
        const VertexId v = unknowns_.vertices[i];
        const SurfaceJet& jet = trial_.jets[v];
        points[v] = surface_.retract(points[v], jet, jet.tangent.transpose() * vectors[v]);
      },
      64);
  return points;
}

}  // namespace cutis
