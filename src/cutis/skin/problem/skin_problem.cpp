#include "cutis/skin/problem/skin_problem.h"

#include <array>
#include <cmath>
#include <utility>

#include "cutis/core/parallel.h"

namespace cutis {
namespace {

/// The share of negative curvature that is taken out at each level where the Hessian is not definite. Where a
/// single mode is unstable, a fifth of that of all triangles is enough, and keeps the steps long.
constexpr std::array<double, 2> kProjectedShares = {0.2, 1};

Vec2 block_of(const Eigen::VectorXd& step, std::size_t i) {
  return step.segment<2>(2 * static_cast<Eigen::Index>(i));
}

}  // namespace

SkinProblem::SkinProblem(const SlideSurface& surface, const SkinConstraints& constraints,
                         const SkinUnknowns& unknowns, const std::vector<const Term*>& terms,
                         double stiffness, SurfaceMotion motion)
    : surface_(surface),
      unknowns_(unknowns),
      kinematics_(surface, constraints, motion),
      cone_(surface, constraints),
      assembler_(unknowns, cone_, terms, stiffness),
      energies_(assembler_.graph().stencil_count()),
      edge_lengths_(unknowns.vertices.size()) {}

double SkinProblem::start(const Points& body, SkinPoints points) {
  kinematics_.set_body(body);
  return start(std::move(points));
}

void SkinProblem::place(SkinPoints points) {
  assembled_ = false;
  kinematics_.place(std::move(points), trial_);
}

double SkinProblem::start(SkinPoints points) {
  place(std::move(points));
  return start_again();
}

double SkinProblem::start_again() {
  assembled_ = false;
  evaluate_energy();
  return energy_;
}

SkinPoints SkinProblem::retracted(const IdVector<VertexId, Vec3>& vectors) const {
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

void SkinProblem::evaluate_energy() {
  parallel_for(energies_.size(), [&](std::size_t s) { energies_[s] = assembler_.energy(s, trial_); });
  sum_energies();
}

/// In order.
void SkinProblem::sum_energies() {
  energy_ = 0;
  for (double energy : energies_) energy_ += energy;
}

const Eigen::VectorXd& SkinProblem::gradient() {
  if (!assembled_) {
    base_ = trial_;
    base_energies_ = energies_;
    assemble(0);
  }
  return assembler_.gradient();
}

const Eigen::VectorXd& SkinProblem::gradient_alone() {
  if (!assembled_) {
    base_ = trial_;
    assembler_.assemble_gradient(base_);
    measure_edges();
  }
  return assembler_.gradient();
}

const Eigen::SparseMatrix<double>& SkinProblem::hessian() {
  gradient();
  return assembler_.hessian();
}

const Eigen::SparseMatrix<double>* SkinProblem::modified_hessian(int level) {
  if (level >= static_cast<int>(kProjectedShares.size())) return nullptr;
  assemble(kProjectedShares[static_cast<std::size_t>(level)]);
  return &hessian();
}

/// At base_.
void SkinProblem::assemble(double projected_share) {
  assembler_.assemble(base_, projected_share);
  measure_edges();
  assembled_ = true;
}

void SkinProblem::measure_edges() {
  parallel_for(edge_lengths_.size(),
               [&](std::size_t i) { edge_lengths_[i] = unknowns_.mean_edge(i, base_.positions); });
}

void SkinProblem::assemble(const Subdomain& part, double projected_share) {
  assembler_.assemble(part, base_, projected_share);
  for (std::size_t i : part.blocks) edge_lengths_[i] = unknowns_.mean_edge(i, base_.positions);
}

/// The factor, smaller where factor * q would take an unknown further than its edges are long.
double SkinProblem::within_edge(std::size_t block, const Vec2& q, double factor) const {
  const double length = q.norm();
  return factor * length > edge_lengths_[block] ? edge_lengths_[block] / length : factor;
}

double SkinProblem::max_step_size(const Eigen::VectorXd& step) {
  double factor = 1;
  for (std::size_t i = 0; i < unknowns_.vertices.size(); ++i)
    factor = within_edge(i, block_of(step, i), factor);
  return factor;
}

double SkinProblem::trial(const Eigen::VectorXd& step, double factor) {
  assembled_ = false;
  kinematics_.retract(unknowns_.vertices, base_, step, factor, trial_);
  evaluate_energy();
  return energy_;
}

void SkinProblem::keep_axes() {
  kept_axes_.resize(unknowns_.vertices.size());
  for (std::size_t i = 0; i < kept_axes_.size(); ++i)
    kept_axes_[i] = base_.jets[unknowns_.vertices[i]].tangent;
}

/// The axes of a vertex are those of the triangle that it lies in: they turn as it crosses an edge.
Mat2 SkinProblem::turn_of_axes(std::size_t block) const {
  return kept_axes_[block].transpose() * base_.jets[unknowns_.vertices[block]].tangent;
}

Eigen::VectorXd SkinProblem::to_kept_axes(const Eigen::VectorXd& gradient) const {
  Eigen::VectorXd out = gradient;
  for (std::size_t i = 0; i < kept_axes_.size(); ++i)
    out.segment<2>(2 * static_cast<Eigen::Index>(i)) = turn_of_axes(i) * block_of(gradient, i);
  return out;
}

Eigen::VectorXd SkinProblem::from_kept_axes(const Eigen::VectorXd& step) const {
  Eigen::VectorXd out = step;
  for (std::size_t i = 0; i < kept_axes_.size(); ++i)
    out.segment<2>(2 * static_cast<Eigen::Index>(i)) = turn_of_axes(i).transpose() * block_of(step, i);
  return out;
}

double SkinProblem::model_excess(std::size_t stencil, const Eigen::VectorXd& step) const {
  return assembler_.model_excess(stencil, base_, step, energies_[stencil] - base_energies_[stencil]);
}

double SkinProblem::restore_state() {
  trial_ = saved_;
  return start_again();
}

void SkinProblem::begin_subdomains() {
  if (!assembled_) base_ = trial_;
}

double SkinProblem::end_subdomains() {
  sum_energies();
  assembled_ = false;
  return energy_;
}

void SkinProblem::reassemble(const Subdomain& part) {
  assemble(part, 0);
  assembler_.project_rim(part);
  assembler_.invalidate_sum();
  for (std::size_t s : part.stencils) base_energies_[s] = energies_[s];
  assembled_ = true;
}

/// Some blocks of the unknowns while all other skin holds still.
class SkinProblem::SubdomainProblem final : public NewtonProblem {
 public:
  SubdomainProblem(SkinProblem& whole, const Subdomain& part)
      : whole_(whole),
        part_(part),
        matrix_(whole.assembler_.submatrix(part)),
        gradient_(2 * static_cast<Eigen::Index>(part.blocks.size())) {}

  ~SubdomainProblem() override { accept_trial(); }
  SubdomainProblem(const SubdomainProblem&) = delete;
  SubdomainProblem& operator=(const SubdomainProblem&) = delete;

  double energy() override { return trial(Eigen::VectorXd::Zero(gradient_.size()), 0); }

  const Eigen::VectorXd& gradient() override {
    accept_trial();
    whole_.assemble(part_, 0);
    for (std::size_t k = 0; k < part_.blocks.size(); ++k)
      gradient_.segment<2>(2 * static_cast<Eigen::Index>(k)) =
          block_of(whole_.assembler_.gradient(), part_.blocks[k]);
    return gradient_;
  }

  const Eigen::SparseMatrix<double>& hessian() override {
    whole_.assembler_.sum(matrix_);
    return matrix_.lower();
  }

  /// Wholly projected.
  const Eigen::SparseMatrix<double>* modified_hessian(int level) override {
    if (level > 0) return nullptr;
    whole_.assemble(part_, 1);
    return &hessian();
  }

  double max_step_size(const Eigen::VectorXd& step) override {
    double factor = 1;
    for (std::size_t k = 0; k < part_.blocks.size(); ++k)
      factor = whole_.within_edge(part_.blocks[k], block_of(step, k), factor);
    return factor;
  }

  double trial(const Eigen::VectorXd& step, double factor) override {
    moved_ = factor != 0;
    for (std::size_t k = 0; k < part_.blocks.size(); ++k)
      whole_.kinematics_.retract(whole_.unknowns_.vertices[part_.blocks[k]], whole_.base_,
                                 factor * block_of(step, k), whole_.trial_);
    double energy = 0;
    for (std::size_t s : part_.stencils)
      energy += whole_.energies_[s] = whole_.assembler_.energy(s, whole_.trial_);
    return energy;
  }

 private:
  SkinProblem& whole_;
  const Subdomain& part_;
  BlockPattern<2> matrix_;
  Eigen::VectorXd gradient_;
  bool moved_ = false;  ///< whether the last trial led away from the base

  void accept_trial() {
    if (!std::exchange(moved_, false)) return;
    for (std::size_t block : part_.blocks)
      whole_.base_.copy_vertex(whole_.unknowns_.vertices[block], whole_.trial_);
  }
};

std::unique_ptr<NewtonProblem> SkinProblem::subdomain(const Subdomain& part) {
  return std::make_unique<SubdomainProblem>(*this, part);
}

}  // namespace cutis
