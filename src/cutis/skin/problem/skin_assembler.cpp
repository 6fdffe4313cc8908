#include "cutis/skin/problem/skin_assembler.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "cutis/core/parallel.h"
#include "cutis/energy/positive_part.h"

namespace cutis {
namespace {

/// Keeps the matrix of skin that nothing holds definite; a share of the skin's stiffness. It is no force: the
/// gradient knows nothing of it.
constexpr double kRegularization = 1e-8;
/// Vertices of the largest stencil: a hinge of two triangles.
constexpr std::size_t kMaxStencilVertices = 4;

Eigen::Index row_of(std::size_t block) { return 2 * static_cast<Eigen::Index>(block); }

std::vector<std::size_t> counted(std::size_t n) {
  std::vector<std::size_t> list(n);
  std::iota(list.begin(), list.end(), std::size_t{0});
  return list;
}

}  // namespace

SkinAssembler::SkinAssembler(const SkinUnknowns& unknowns, const SkinTangentCone& cone,
                             std::vector<const Term*> terms, double stiffness)
    : unknowns_(unknowns),
      cone_(cone),
      stiffness_(stiffness),
      graph_(make_graph(terms)),
      whole_{counted(graph_.block_count()), counted(graph_.stencil_count())},
      matrix_(static_cast<int>(graph_.block_count()), graph_.stencils()),
      forces_(static_cast<int>(graph_.block_count()), graph_.stencils()),
      gradient_(row_of(graph_.block_count())),
      active_(graph_.block_count()) {}

std::span<const VertexId> SkinAssembler::vertices(std::size_t stencil) const {
  return {vertices_.data() + vertices_begin_[stencil],
          vertices_begin_[stencil + 1] - vertices_begin_[stencil]};
}

std::span<const SkinAssembler::TermStencil> SkinAssembler::terms(std::size_t stencil) const {
  return {terms_.data() + terms_begin_[stencil], terms_begin_[stencil + 1] - terms_begin_[stencil]};
}

StencilGraph SkinAssembler::make_graph(const std::vector<const Term*>& terms) {
  add_stencils(terms);
  ElementBlocks blocks(terms_begin_.size() - 1);
  for (std::size_t s = 0; s < blocks.size(); ++s)
    for (VertexId v : vertices(s)) blocks[s].push_back(unknowns_.block[v]);
  return StencilGraph(unknowns_.vertices.size(), std::move(blocks));
}

void SkinAssembler::add_stencil(std::span<const VertexId> vertices, std::span<const TermStencil> terms) {
  vertices_.insert(vertices_.end(), vertices.begin(), vertices.end());
  terms_.insert(terms_.end(), terms.begin(), terms.end());
  vertices_begin_.push_back(vertices_.size());
  terms_begin_.push_back(terms_.size());
}

/// In the order in which terms name them. Those without an unknown vertex are left out.
void SkinAssembler::add_stencils(const std::vector<const Term*>& terms) {
  std::map<std::vector<VertexId>, std::size_t> found;
  std::vector<std::vector<VertexId>> coupled;
  std::vector<std::vector<TermStencil>> of_coupled, alone(unknowns_.vertices.size());
  for (const Term* term : terms) {
    const std::vector<std::vector<VertexId>> list = term->stencils();
    for (std::size_t i = 0; i < list.size(); ++i) {
      assert(!list[i].empty() && list[i].size() <= kMaxStencilVertices);
      if (std::ranges::all_of(list[i], [&](VertexId v) { return unknowns_.block[v] < 0; })) continue;
      if (list[i].size() == 1) {
        alone[static_cast<std::size_t>(unknowns_.block[list[i][0]])].push_back({term, i});
        continue;
      }
      const auto [at, is_new] = found.try_emplace(list[i], coupled.size());
      if (is_new) {
        coupled.push_back(list[i]);
        of_coupled.emplace_back();
      }
      of_coupled[at->second].push_back({term, i});
    }
  }
  vertices_begin_ = terms_begin_ = {0};
  for (std::size_t s = 0; s < coupled.size(); ++s) add_stencil(coupled[s], of_coupled[s]);
  for (std::size_t b = 0; b < alone.size(); ++b) add_stencil({&unknowns_.vertices[b], 1}, alone[b]);
}

double SkinAssembler::energy(std::size_t stencil, const SkinConfiguration& at) const {
  double sum = 0;
  for (const TermStencil& t : terms(stencil)) sum += t.term->energy(t.index, at);
  return sum;
}

void SkinAssembler::assemble(const SkinConfiguration& at, double projected_share) {
  assemble(whole_, at, projected_share, ForceOrder::OwnStencilLast);
  summed_ = false;
}

void SkinAssembler::assemble(const Subdomain& part, const SkinConfiguration& at, double projected_share) {
  assemble(part, at, projected_share, ForceOrder::OwnStencilFirst);
}

void SkinAssembler::assemble(const Subdomain& part, const SkinConfiguration& at, double projected_share,
                             ForceOrder order) {
  parallel_for(part.stencils.size(), [&](std::size_t i) {
    evaluate_stencil(part.stencils[i], at, projected_share, Derivatives::All);
  });
  parallel_for(part.blocks.size(),
               [&](std::size_t i) { evaluate_block(part.blocks[i], at, projected_share, order); });
  for (std::size_t block : part.blocks) project_active_set(block);
}

void SkinAssembler::assemble_gradient(const SkinConfiguration& at) {
  parallel_for(whole_.stencils.size(),
               [&](std::size_t s) { evaluate_stencil(s, at, 0, Derivatives::GradientAlone); });
  parallel_for(whole_.blocks.size(),
               [&](std::size_t block) { evaluate_gradient(block, at, ForceOrder::OwnStencilLast); });
}

void SkinAssembler::evaluate_stencil(std::size_t stencil, const SkinConfiguration& at, double projected_share,
                                     Derivatives which) {
  const std::span<const VertexId> corners = vertices(stencil);
  std::array<Mat32, kMaxStencilVertices> tangents;
  for (std::size_t k = 0; k < corners.size(); ++k) tangents[k] = at.jets[corners[k]].tangent;
  StencilJet jet{std::span(tangents).first(corners.size()), projected_share, forces_.local(stencil),
                 matrix_.local(stencil)};
  jet.gradient.setZero();
  jet.hessian.setZero();
  for (const TermStencil& t : terms(stencil))
    which == Derivatives::All ? t.term->add_derivatives(t.index, at, jet)
                              : t.term->add_gradient(t.index, at, jet);
}

/// A block's own stencil is the last of its corners.
Vec3 SkinAssembler::force(std::size_t block, ForceOrder order) const {
  const std::size_t own = own_stencil(block);
  Vec3 sum = Vec3::Zero();
  if (order == ForceOrder::OwnStencilFirst) sum = forces_.local(own);
  for (const StencilGraph::Corner& c : graph_.corners(block))
    if (c.stencil != own) sum += forces_.local(c.stencil).segment<3>(3 * static_cast<Eigen::Index>(c.corner));
  if (order == ForceOrder::OwnStencilLast) sum += forces_.local(own);
  return sum;
}

Vec3 SkinAssembler::evaluate_gradient(std::size_t block, const SkinConfiguration& at, ForceOrder order) {
  const VertexId v = unknowns_.vertices[block];
  const Vec3 g = force(block, order);
  auto gradient = gradient_.segment<2>(row_of(block));
  gradient = at.jets[v].tangent.transpose() * g;
  active_[block] = cone_.active_direction(v, at, -gradient);
  if (const auto& along = active_[block]) gradient = *along * along->dot(gradient);
  return g;
}

/// In normal coordinates x(q) = x + T q + n (qᵀ II q) / 2, so the gradient of E(x(q)) is Tᵀ g and its Hessian
/// Tᵀ H T + (g . n) II. The second part is negative for skin in tension on a bulge.
void SkinAssembler::evaluate_block(std::size_t block, const SkinConfiguration& at, double projected_share,
                                   ForceOrder order) {
  const SurfaceJet& jet = at.jets[unknowns_.vertices[block]];
  const Vec3 g = evaluate_gradient(block, at, order);
  auto local = matrix_.local(own_stencil(block));
  const Mat2 bend = g.dot(jet.normal) * jet.curvature;
  local += partly_projected(bend, projected_share);
  local += kRegularization * stiffness_ * Mat2::Identity();
}

/// Takes the part across its active direction from a block: out of every local matrix.
void SkinAssembler::project_active_set(std::size_t block) {
  if (!active_[block]) return;
  const Mat2 along = *active_[block] * active_[block]->transpose();
  const std::size_t own_index = own_stencil(block);
  for (const StencilGraph::Corner& c : graph_.corners(block)) {
    if (c.stencil == own_index) continue;
    auto local = matrix_.local(c.stencil);
    const auto corner = 2 * static_cast<Eigen::Index>(c.corner);
    local.middleRows<2>(corner) = (along * local.middleRows<2>(corner)).eval();
    local.middleCols<2>(corner) = (local.middleCols<2>(corner) * along).eval();
  }
  auto own = matrix_.local(own_index);
  own = (along * own * along + stiffness_ * (Mat2::Identity() - along)).eval();
}

/// Blocks within the part are projected once more for each of their stencils, which changes no more than
/// rounding.
void SkinAssembler::project_rim(const Subdomain& part) {
  for (std::size_t s : part.stencils) {
    const std::vector<int>& blocks = graph_.stencils()[s];
    if (blocks.size() == 1) continue;
    for (const int block : blocks)
      if (block >= 0) project_active_set(static_cast<std::size_t>(block));
  }
}

const Eigen::SparseMatrix<double>& SkinAssembler::hessian() {
  if (!std::exchange(summed_, true)) matrix_.sum();
  return matrix_.lower();
}

double SkinAssembler::local_decrement(std::size_t block) const {
  const std::size_t own = own_stencil(block);
  Mat2 H = matrix_.local(own);
  for (const StencilGraph::Corner& c : graph_.corners(block)) {
    if (c.stencil == own) continue;
    const auto corner = 2 * static_cast<Eigen::Index>(c.corner);
    H += matrix_.local(c.stencil).block<2, 2>(corner, corner);
  }
  const Vec2 g = gradient_.segment<2>(row_of(block));
  const double decrement = 0.5 * g.dot(H.inverse() * g);
  // Without positive curvature, the scale of the curvature stands for it.
  return H.determinant() > 0 && decrement >= 0 ? decrement : g.squaredNorm() / std::abs(H.trace());
}

double SkinAssembler::model_excess(std::size_t stencil, const SkinConfiguration& at,
                                   const Eigen::VectorXd& step, double rise) const {
  switch (vertices(stencil).size()) {
    case 1:
      return excess_of<1>(stencil, at, step, rise);
    case 2:
      return excess_of<2>(stencil, at, step, rise);
    case 3:
      return excess_of<3>(stencil, at, step, rise);
    default:
      return excess_of<4>(stencil, at, step, rise);
  }
}

template <int Vertices>
double SkinAssembler::excess_of(std::size_t stencil, const SkinConfiguration& at, const Eigen::VectorXd& step,
                                double rise) const {
  using Step = Eigen::Matrix<double, 2 * Vertices, 1>;
  Step q = Step::Zero();
  double linear = 0;
  for (int a = 0; a < Vertices; ++a) {
    const VertexId v = vertices(stencil)[static_cast<std::size_t>(a)];
    if (unknowns_.block[v] < 0) continue;
    q.template segment<2>(2 * a) = step.segment<2>(row_of(static_cast<std::size_t>(unknowns_.block[v])));
    linear += forces_.local(stencil).segment<3>(3 * a).dot(at.jets[v].tangent * q.template segment<2>(2 * a));
  }
  return rise - linear - 0.5 * q.dot(matrix_.local(stencil) * q);
}

}  // namespace cutis
