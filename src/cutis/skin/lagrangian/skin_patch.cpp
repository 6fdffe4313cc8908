// Newton's method of SkinProblem for the skin of small patches.

#include <algorithm>
#include <cmath>

#include <Eigen/SparseCholesky>

#include "cutis/core/parallel.h"
#include "cutis/skin/lagrangian/skin_problem.h"

namespace cutis {
namespace {

constexpr int kMostSteps = 20;
/// The skin of a patch is solved for until its decrement has fallen to this share.
constexpr double kSolved = 0.1;

/// The linear system of a patch: its pattern stays, its values change.
class PatchSystem {
 public:
  /// For each element the rows of its corners; -1 for those that are not in the patch.
  PatchSystem(std::size_t vertices, std::vector<std::array<int, 3>> rows)
      : rows_(std::move(rows)),
        matrix_(2 * static_cast<Eigen::Index>(vertices), 2 * static_cast<Eigen::Index>(vertices)) {}

  void clear() { triplets_.clear(); }
  template <class Local>
  void add_element(std::size_t k, const Local& local) {
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) {
        const int row = rows_[k][static_cast<std::size_t>(a)], column = rows_[k][static_cast<std::size_t>(b)];
        if (row >= column && column >= 0) add(row, column, local.template block<2, 2>(2 * a, 2 * b));
      }
  }
  template <class Local>
  void add_vertex(std::size_t k, const Local& local) {
    add(2 * static_cast<int>(k), 2 * static_cast<int>(k), local);
  }
  /// False where the matrix is not positive definite.
  bool solve(const Eigen::VectorXd& right_side, Eigen::VectorXd& solution) {
    matrix_.setFromTriplets(triplets_.begin(), triplets_.end());
    if (!analyzed_) factor_.analyzePattern(matrix_);
    analyzed_ = true;
    factor_.factorize(matrix_);
    if (factor_.info() != Eigen::Success) return false;
    solution = factor_.solve(right_side);
    return solution.allFinite();
  }

 private:
  std::vector<std::array<int, 3>> rows_;
  std::vector<Eigen::Triplet<double>> triplets_;
  Eigen::SparseMatrix<double> matrix_;
  Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> factor_;
  bool analyzed_ = false;

  template <class Block>
  void add(int row, int column, const Block& block) {
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i < 2; ++i)
        if (row + i >= column + j) triplets_.emplace_back(row + i, column + j, block(i, j));
  }
};

}  // namespace

/// From base_, which is trial_, while all other skin holds still. No two patches have an element in common.
void SkinProblem::solve(const std::vector<Patch>& list) {
  parallel_for(
      list.size(), [&](std::size_t i) { solve(list[i]); }, 1);
  sum_energies();
  fresh_ = false;
}

void SkinProblem::solve(const Patch& patch) {
  const auto row_of = [&](VertexId v) {
    const int block = unknowns_.block[v];
    const auto at =
        std::lower_bound(patch.vertices.begin(), patch.vertices.end(), static_cast<std::size_t>(block));
    const bool inside = block >= 0 && at != patch.vertices.end() && *at == static_cast<std::size_t>(block);
    return inside ? 2 * static_cast<int>(at - patch.vertices.begin()) : -1;
  };
  std::vector<std::array<int, 3>> rows;
  for (std::size_t e : patch.elements) {
    const auto& c = unknowns_.corners[e];
    rows.push_back({row_of(c[0]), row_of(c[1]), row_of(c[2])});
  }
  PatchSystem system(patch.vertices.size(), std::move(rows));
  Eigen::VectorXd gradient(2 * static_cast<Eigen::Index>(patch.vertices.size())), step(gradient.size());
  const auto find_step = [&](double projected) {
    linearize(patch, projected);
    system.clear();
    for (std::size_t k = 0; k < patch.elements.size(); ++k)
      system.add_element(k, matrix_.local(patch.elements[k]));
    for (std::size_t k = 0; k < patch.vertices.size(); ++k) {
      system.add_vertex(k, matrix_.local(unknowns_.elements.size() + patch.vertices[k]));
      gradient.segment<2>(2 * static_cast<Eigen::Index>(k)) =
          gradient_.segment<2>(2 * static_cast<Eigen::Index>(patch.vertices[k]));
    }
    return system.solve(-gradient, step);
  };
  double energy = take_patch_step(patch, Eigen::VectorXd::Zero(step.size()), 0), first = 0;
  for (int i = 0; i < kMostSteps; ++i) {
    if (!find_step(0) && !find_step(1)) return;
    const double slope = gradient.dot(step);
    if (i == 0) first = slope;
    if (slope >= kSolved * kSolved * first) return;
    double share = 1;
    for (std::size_t k = 0; k < patch.vertices.size(); ++k)
      share = within_edge(patch.vertices[k], step.segment<2>(2 * static_cast<Eigen::Index>(k)), share);
    double there = take_patch_step(patch, step, share);
    while (!(there <= energy + 1e-4 * share * slope) && share > 1e-6)
      there = take_patch_step(patch, step, share /= 2);
    if (!(there < energy)) {
      take_patch_step(patch, step, 0);
      return;
    }
    energy = there;
    accept(patch);
  }
}

/// linearize() of the terms around a patch.
void SkinProblem::linearize(const Patch& patch, double projected) {
  for (std::size_t e : patch.elements) evaluate_element(e, projected);
  for (std::size_t i : patch.vertices) evaluate_ties(i);
  for (std::size_t i : patch.vertices) {
    Vec3 force = forces_.local(unknowns_.elements.size() + i);
    for (std::size_t k = unknowns_.around_begin[i]; k < unknowns_.around_begin[i + 1]; ++k)
      force += forces_.local(unknowns_.around[k] / 3)
                   .segment<3>(3 * static_cast<Eigen::Index>(unknowns_.around[k] % 3));
    evaluate_gradient(i, force);
    evaluate_vertex(i, force, projected);
  }
  for (std::size_t i : patch.vertices) restrict(i);
}

/// Gradient and local matrices again after the skin in the midst of a patch has moved.
void SkinProblem::refresh(const Patch& patch) {
  linearize(patch, 0);
  const std::size_t elements = unknowns_.elements.size();
  for (std::size_t e : patch.elements) {
    base_energies_[e] = energies_[e];
    for (VertexId v : unknowns_.corners[e])
      if (const int block = unknowns_.block[v]; block >= 0) restrict(static_cast<std::size_t>(block));
  }
  for (std::size_t i : patch.vertices) base_energies_[elements + i] = energies_[elements + i];
  base_.energy = trial_.energy;
  fresh_ = true;
  summed_ = false;
}

/// The energy of the patch where the step leads.
double SkinProblem::take_patch_step(const Patch& patch, const Eigen::VectorXd& step, double factor) {
  const std::size_t elements = unknowns_.elements.size();
  for (std::size_t k = 0; k < patch.vertices.size(); ++k) {
    walk(patch.vertices[k], factor * step.segment<2>(2 * static_cast<Eigen::Index>(k)));
    settle({&unknowns_.vertices[patch.vertices[k]], 1});
  }
  double energy = 0;
  for (std::size_t e : patch.elements) energy += energies_[e] = element_energy(e);
  for (std::size_t i : patch.vertices) energy += energies_[elements + i] = vertex_energy(i);
  return energy;
}

void SkinProblem::accept(const Patch& patch) {
  for (std::size_t k : patch.vertices) {
    const VertexId v = unknowns_.vertices[k];
    base_.points[v] = trial_.points[v];
    base_.jets[v] = trial_.jets[v];
    base_.positions[v] = trial_.positions[v];
    base_.at_rest[v] = trial_.at_rest[v];
    if (!base_.rails.empty()) base_.rails[v] = trial_.rails[v];
  }
}

}  // namespace cutis
