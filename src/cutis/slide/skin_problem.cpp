#include "cutis/slide/skin_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>

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

SkinProblem::SkinProblem(const SkinSurface& surface, const SkinConstraints& constraints,
                         const SkinUnknowns& unknowns, const LigamentEnergy& ligaments, double stiffness)
    : surface_(surface),
      constraints_(constraints),
      unknowns_(unknowns),
      ligaments_(ligaments),
      stiffness_(stiffness),
      at_rest_(surface),
      fold_guard_(surface, unknowns.corners, stiffness),
      matrix_(static_cast<int>(unknowns.vertices.size()), unknowns.element_blocks()),
      forces_(static_cast<int>(unknowns.vertices.size()), unknowns.element_blocks()),
      gradient_(2 * static_cast<Eigen::Index>(unknowns.vertices.size())),
      energies_(unknowns.elements.size() + unknowns.vertices.size()),
      lengths_(unknowns.vertices.size()) {}

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
  base_ = trial_;
  return trial_.energy;
}

void SkinProblem::settle(std::span<const VertexId> block) {
  std::array<LimitPlace, kBlock> places;
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
    const std::array<SkinJet, 2> jets = surface_.evaluate(places[k], at_rest_);
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
  trial_.energy = 0;
  for (double energy : energies_) trial_.energy += energy;
}

double SkinProblem::element_energy(std::size_t i) const {
  return membrane_->energy(unknowns_.elements[i], trial_.positions) + fold_guard_.energy(i, trial_.at_rest);
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
  if (fresh_) return gradient_;
  base_ = trial_;
  base_energies_ = energies_;
  projected_ = 0;
  linearize();
  return gradient_;
}

/// Where a single mode is unstable, taking out a part of the negative curvature of all triangles is enough,
/// and keeps the steps long.
const Eigen::SparseMatrix<double>* SkinProblem::definite_hessian(int attempt) {
  constexpr std::array<double, 2> shares = {kPartly, 1};
  if (attempt >= static_cast<int>(shares.size())) return nullptr;
  projected_ = shares[static_cast<std::size_t>(attempt)];
  linearize();
  return &matrix_.lower();
}

/// Gradient and Hessian at base_.
void SkinProblem::linearize() {
  parallel_for(unknowns_.elements.size(), [&](std::size_t i) { evaluate_element(i); });
  parallel_for(unknowns_.vertices.size(), [&](std::size_t i) { evaluate_ties(i); });
  forces_.sum();
  parallel_for(unknowns_.vertices.size(), [&](std::size_t i) {
    evaluate_vertex(i, forces_.values().segment<3>(3 * static_cast<Eigen::Index>(i)));
  });
  for (std::size_t i = 0; i < unknowns_.elements.size(); ++i) add_fold_guard(i);
  for (std::size_t i = 0; i < unknowns_.vertices.size(); ++i) restrict(i);
  matrix_.sum();
  fresh_ = true;
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

void SkinProblem::evaluate_element(std::size_t i) {
  const std::size_t e = unknowns_.elements[i];
  const auto& c = unknowns_.corners[i];
  const std::array<Mat32, 3> tangents = {base_.jets[c[0]].tangent, base_.jets[c[1]].tangent,
                                         base_.jets[c[2]].tangent};
  const auto evaluate = [&](HessianKind kind) {
    return membrane_->evaluate(e, base_.positions, tangents, kind);
  };
  TangentJet<3> jet = evaluate(projected_ == 1 ? HessianKind::Projected : HessianKind::Exact);
  if (projected_ > 0 && projected_ < 1)
    jet.hessian += projected_ * (evaluate(HessianKind::Projected).hessian - jet.hessian);
  Eigen::Map<Eigen::Matrix<double, 9, 1>>(forces_.local(i).data()) = jet.gradient;
  Eigen::Map<Mat6d>(matrix_.local(i).data()) = jet.hessian;
}

/// In normal coordinates x(q) = x + T q + n (qᵀ II q) / 2, so the Hessian of E(x(q)) is Tᵀ H T + (g . n) II.
/// Its second part is negative for skin in tension on a bulge; there it is left out to stay definite.
void SkinProblem::evaluate_vertex(std::size_t i, const Vec3& g) {
  const VertexId v = unknowns_.vertices[i];
  const SkinJet& jet = base_.jets[v];
  const auto row = static_cast<Eigen::Index>(i);
  gradient_.segment<2>(2 * row) = jet.tangent.transpose() * g;
  auto local = matrix_.local(unknowns_.elements.size() + i);
  const Mat2 bend = g.dot(jet.normal) * jet.curvature;
  local += bend + projected_ * (positive_part(bend) - bend);
  local += kRegularization * stiffness_ * Mat2::Identity();
  double sum = 0;
  for (std::size_t k = unknowns_.around_begin[i]; k < unknowns_.around_begin[i + 1]; ++k) {
    const auto& c = unknowns_.corners[unknowns_.around[k] / 3];
    const std::size_t corner = unknowns_.around[k] % 3;
    sum += (base_.positions[c[(corner + 1) % 3]] - base_.positions[v]).norm() +
           (base_.positions[c[(corner + 2) % 3]] - base_.positions[v]).norm();
  }
  lengths_[i] = sum / static_cast<double>(2 * (unknowns_.around_begin[i + 1] - unknowns_.around_begin[i]));
}

/// An unknown moves the skin on the body at rest through the barycentrics that the two have in common. Few
/// triangles come near folding, so this is no loop worth sharing.
void SkinProblem::add_fold_guard(std::size_t i) {
  const FoldGuard::Jet jet = fold_guard_.evaluate(i, base_.at_rest);
  if (!jet.active) return;
  const auto& c = unknowns_.corners[i];
  Mat6d to_rest = Mat6d::Zero();
  for (int a = 0; a < 3; ++a) {
    const Mat2& to_barycentric = base_.at_rest[c[a]].to_barycentric;
    if (unknowns_.block[c[a]] >= 0 && !to_barycentric.isZero(0))
      to_rest.block<2, 2>(2 * a, 2 * a) = to_barycentric.inverse() * base_.jets[c[a]].to_barycentric;
  }
  const FoldGuard::Vec6 gradient = to_rest.transpose() * jet.gradient;
  for (int a = 0; a < 3; ++a)
    if (const int block = unknowns_.block[c[a]]; block >= 0)
      gradient_.segment<2>(2 * block) += gradient.segment<2>(2 * a);
  Mat6d hessian = to_rest.transpose() * jet.hessian * to_rest;
  if (projected_ > 0) hessian += projected_ * (positive_part(hessian) - hessian);
  matrix_.local(i) += hessian;
}

/// The only direction (unit, in the tangent plane) that an unknown may move in; zero when none; nothing when
/// all are open. A place on the border that the energy would push the skin over is such a one.
std::optional<Vec2> SkinProblem::only_way(std::size_t i) const {
  const VertexId v = unknowns_.vertices[i];
  const SurfacePoint& p = base_.points[v];
  const SkinJet& jet = base_.jets[v];
  const auto direction = [&](const Vec2& rates) -> Vec2 {
    const double determinant = jet.to_barycentric.determinant();
    if (!(std::abs(determinant) > 0)) return Vec2::Zero();
    const Vec2 q = jet.to_barycentric.inverse() * rates;
    return q.norm() > 0 ? Vec2(q.normalized()) : Vec2(Vec2::Zero());
  };
  const Vec2 push = -gradient_.segment<2>(2 * static_cast<Eigen::Index>(i));
  if (constraints_.role(v) != SkinRole::Along) return surface_.blocked(p, jet, push);
  const SkinRail::Place& rail = base_.rails[v];
  const Vec2 way = direction(rail.rates);
  const bool on = way.dot(push) > 0;
  if (on ? rail.ends : rail.begins) return Vec2(Vec2::Zero());
  const std::optional<Vec2> border = surface_.blocked(p, jet, on ? way : Vec2(-way));
  if (!border) return way;
  return std::abs(border->dot(way)) > 0.5 ? *border : Vec2(Vec2::Zero());
}

/// Takes the part across its only way from an unknown: out of the gradient and out of every local matrix.
void SkinProblem::restrict(std::size_t i) {
  const std::optional<Vec2> way = only_way(i);
  if (!way) return;
  const Mat2 along = *way * way->transpose();
  const auto row = static_cast<Eigen::Index>(i);
  gradient_.segment<2>(2 * row) = along * gradient_.segment<2>(2 * row);
  for (std::size_t k = unknowns_.around_begin[i]; k < unknowns_.around_begin[i + 1]; ++k) {
    auto local = matrix_.local(unknowns_.around[k] / 3);
    const auto corner = 2 * static_cast<Eigen::Index>(unknowns_.around[k] % 3);
    local.middleRows<2>(corner) = (along * local.middleRows<2>(corner)).eval();
    local.middleCols<2>(corner) = (local.middleCols<2>(corner) * along).eval();
  }
  auto own = matrix_.local(unknowns_.elements.size() + i);
  own = (along * own * along + stiffness_ * (Mat2::Identity() - along)).eval();
}

double SkinProblem::longest_step(const Eigen::VectorXd& step) {
  double factor = 1;
  for (std::size_t i = 0; i < unknowns_.vertices.size(); ++i) {
    const double length = step.segment<2>(2 * static_cast<Eigen::Index>(i)).norm();
    if (factor * length > lengths_[i]) factor = lengths_[i] / length;
  }
  return factor;
}

void SkinProblem::walk(std::size_t i, const Vec2& q) {
  const VertexId v = unknowns_.vertices[i];
  trial_.points[v] = surface_.walk(base_.points[v], base_.jets[v], q);
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
        const SkinJet& jet = trial_.jets[v];
        points[v] = surface_.walk(points[v], jet, jet.tangent.transpose() * vectors[v]);
      },
      64);
  return points;
}

}  // namespace cutis
