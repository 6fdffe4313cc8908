// SkinProblem::relieve(): nonlinear elimination (Lanzkron, Rose and Wilkes 1996). A few jammed places, where
// a crease or a fold is far from quadratic, would throttle the steps of the whole body.

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Cholesky>

#include "cutis/slide/skin_problem.h"

namespace cutis {
namespace {

/// Terms are left alone as long as what they have in excess of their model is no more than this share of what
/// the step promises.
constexpr double kForgiven = 0.25;
/// A patch reaches so many triangles around them. Patches of more vertices are no small matter.
constexpr int kRings = 2;
constexpr std::size_t kLargest = 250;
constexpr int kMostSteps = 20;
/// The skin of a patch is solved for until its decrement has fallen to this share.
constexpr double kSolved = 1e-2;

}  // namespace

double SkinProblem::relieve(const Eigen::VectorXd& step, double factor, double energy) {
  const Place throttled = trial_, from = base_;
  const double longest = longest_step(step);
  try_step(step, longest);
  const std::vector<Patch> list = patches(astray(longest * step));
  Eigen::VectorXd parts = longest * step;
  for (const Patch& patch : list)
    for (std::size_t i : patch.vertices) {
      const auto k = 2 * static_cast<Eigen::Index>(i);
      parts.segment<2>(k) = factor * step.segment<2>(k);
    }
  // The whole step outside of the patches, or else the throttled one.
  for (const bool whole : {true, false}) {
    if (whole)
      try_step(parts, 1);
    else
      trial_ = throttled;
    if (!std::isfinite(trial_.energy)) continue;
    base_ = trial_;
    for (const Patch& patch : list) solve(patch);
    measure();
    base_ = from;
    if (trial_.energy <= energy) return trial_.energy;
  }
  trial_ = throttled;
  measure();
  return energy;
}

/// By how much the energy of an element, or of what ties an unknown vertex, is above what the second-order
/// expansion says of the step that was tried last.
double SkinProblem::excess(std::size_t term, const Eigen::VectorXd& step) {
  const std::size_t elements = unknowns_.elements.size();
  const auto force = forces_.local(term);
  const auto matrix = matrix_.local(term);
  const double rise = energies_[term] - base_energies_[term];
  if (term >= elements) {
    const std::size_t i = term - elements;
    const Vec2 q = step.segment<2>(2 * static_cast<Eigen::Index>(i));
    const Vec3 pull = force;
    return rise - pull.dot(base_.jets[unknowns_.vertices[i]].tangent * q) - 0.5 * q.dot(matrix * q);
  }
  FoldGuard::Vec6 q = FoldGuard::Vec6::Zero();
  double linear = 0;
  for (int a = 0; a < 3; ++a) {
    const VertexId v = unknowns_.corners[term][static_cast<std::size_t>(a)];
    if (unknowns_.block[v] < 0) continue;
    q.segment<2>(2 * a) = step.segment<2>(2 * static_cast<Eigen::Index>(unknowns_.block[v]));
    linear += force.segment<3>(3 * a).dot(base_.jets[v].tangent * q.segment<2>(2 * a));
  }
  return rise - linear - 0.5 * q.dot(matrix * q);
}

/// The unknown vertices of the terms that go worst, until the rest fits its model, and those around them.
std::vector<char> SkinProblem::astray(const Eigen::VectorXd& step) {
  std::vector<std::pair<double, std::size_t>> worst;
  double sum = 0;
  for (std::size_t term = 0; term < energies_.size(); ++term) {
    double above = excess(term, step);
    if (std::isnan(above)) above = std::numeric_limits<double>::infinity();
    if (above <= 0) continue;
    worst.emplace_back(above, term);
    if (std::isfinite(above)) sum += above;
  }
  std::sort(worst.begin(), worst.end(), std::greater<>());
  std::vector<char> inside(unknowns_.vertices.size(), 0);
  const auto add_corners = [&](std::size_t element) {
    for (VertexId v : unknowns_.corners[element])
      if (const int block = unknowns_.block[v]; block >= 0) inside[static_cast<std::size_t>(block)] = 1;
  };
  const double forgiven = kForgiven * -gradient_.dot(step);
  for (const auto& [above, term] : worst) {
    if (std::isfinite(above)) {
      if (sum <= forgiven) break;
      sum -= above;
    }
    if (term < unknowns_.elements.size())
      add_corners(term);
    else
      inside[term - unknowns_.elements.size()] = 1;
  }
  for (int ring = 0; ring < kRings; ++ring) {
    const std::vector<char> core = inside;
    for (std::size_t i = 0; i < core.size(); ++i)
      for (std::size_t k = unknowns_.around_begin[i]; core[i] && k < unknowns_.around_begin[i + 1]; ++k)
        add_corners(unknowns_.around[k] / 3);
  }
  return inside;
}

/// Connected parts, without those that are too large.
std::vector<SkinProblem::Patch> SkinProblem::patches(const std::vector<char>& inside) const {
  std::vector<Patch> list;
  std::vector<char> left = inside;
  for (std::size_t seed = 0; seed < left.size(); ++seed) {
    if (!left[seed]) continue;
    Patch patch;
    patch.vertices.push_back(seed);
    left[seed] = 0;
    for (std::size_t k = 0; k < patch.vertices.size(); ++k) {
      const std::size_t i = patch.vertices[k];
      for (std::size_t n = unknowns_.around_begin[i]; n < unknowns_.around_begin[i + 1]; ++n) {
        const std::size_t element = unknowns_.around[n] / 3;
        patch.elements.push_back(element);
        for (VertexId v : unknowns_.corners[element]) {
          const int block = unknowns_.block[v];
          if (block < 0 || !left[static_cast<std::size_t>(block)]) continue;
          left[static_cast<std::size_t>(block)] = 0;
          patch.vertices.push_back(static_cast<std::size_t>(block));
        }
      }
    }
    if (patch.vertices.size() > kLargest) continue;
    std::sort(patch.vertices.begin(), patch.vertices.end());
    std::sort(patch.elements.begin(), patch.elements.end());
    patch.elements.erase(std::unique(patch.elements.begin(), patch.elements.end()), patch.elements.end());
    list.push_back(std::move(patch));
  }
  return list;
}

/// Newton's method for the skin of a patch, from base_, while all other skin holds still.
void SkinProblem::solve(const Patch& patch) {
  Eigen::VectorXd step(2 * static_cast<Eigen::Index>(patch.vertices.size()));
  double energy = take_patch_step(patch, Eigen::VectorXd::Zero(step.size()), 0), first = 0;
  for (int i = 0; i < kMostSteps; ++i) {
    if (!patch_step(patch, 0, step) && !patch_step(patch, 1, step)) return;
    double slope = 0, factor = 1;
    for (std::size_t k = 0; k < patch.vertices.size(); ++k) {
      const Vec2 q = step.segment<2>(2 * static_cast<Eigen::Index>(k));
      slope += q.dot(gradient_.segment<2>(2 * static_cast<Eigen::Index>(patch.vertices[k])));
      if (factor * q.norm() > lengths_[patch.vertices[k]]) factor = lengths_[patch.vertices[k]] / q.norm();
    }
    if (i == 0) first = slope;
    if (slope >= kSolved * kSolved * first) return;
    double there = take_patch_step(patch, step, factor);
    while (!(there <= energy + 1e-4 * factor * slope) && factor > 1e-6)
      there = take_patch_step(patch, step, factor /= 2);
    if (!(there < energy)) {
      take_patch_step(patch, step, 0);
      return;
    }
    energy = there;
    for (std::size_t k : patch.vertices) {
      const VertexId v = unknowns_.vertices[k];
      base_.points[v] = trial_.points[v];
      base_.jets[v] = trial_.jets[v];
      base_.positions[v] = trial_.positions[v];
      base_.at_rest[v] = trial_.at_rest[v];
      if (!base_.rails.empty()) base_.rails[v] = trial_.rails[v];
    }
  }
}

/// linearize() of the terms around a patch.
void SkinProblem::linearize(const Patch& patch) {
  for (std::size_t e : patch.elements) evaluate_element(e);
  for (std::size_t i : patch.vertices) evaluate_ties(i);
  for (std::size_t i : patch.vertices) {
    Vec3 force = forces_.local(unknowns_.elements.size() + i);
    for (std::size_t k = unknowns_.around_begin[i]; k < unknowns_.around_begin[i + 1]; ++k)
      force += forces_.local(unknowns_.around[k] / 3)
                   .segment<3>(3 * static_cast<Eigen::Index>(unknowns_.around[k] % 3));
    evaluate_vertex(i, force);
  }
  for (std::size_t e : patch.elements) add_fold_guard(e);
  for (std::size_t i : patch.vertices) restrict(i);
}

/// Of the patch alone; false where its Hessian, with so much of the negative curvature taken out, is not
/// definite.
bool SkinProblem::patch_step(const Patch& patch, double share, Eigen::VectorXd& step) {
  projected_ = share;
  linearize(patch);
  const auto row_of = [&](VertexId v) -> Eigen::Index {
    const int block = unknowns_.block[v];
    const auto at =
        std::lower_bound(patch.vertices.begin(), patch.vertices.end(), static_cast<std::size_t>(block));
    if (block < 0 || at == patch.vertices.end() || *at != static_cast<std::size_t>(block)) return -1;
    return 2 * (at - patch.vertices.begin());
  };
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(step.size(), step.size());
  for (std::size_t e : patch.elements)
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) {
        const Eigen::Index row = row_of(unknowns_.corners[e][static_cast<std::size_t>(a)]);
        const Eigen::Index column = row_of(unknowns_.corners[e][static_cast<std::size_t>(b)]);
        if (row >= 0 && column >= 0)
          matrix.block<2, 2>(row, column) += matrix_.local(e).block<2, 2>(2 * a, 2 * b);
      }
  Eigen::VectorXd gradient(step.size());
  for (std::size_t k = 0; k < patch.vertices.size(); ++k) {
    const auto row = 2 * static_cast<Eigen::Index>(k);
    matrix.block<2, 2>(row, row) += matrix_.local(unknowns_.elements.size() + patch.vertices[k]);
    gradient.segment<2>(row) = gradient_.segment<2>(2 * static_cast<Eigen::Index>(patch.vertices[k]));
  }
  const Eigen::LLT<Eigen::MatrixXd> factor(matrix);
  if (factor.info() != Eigen::Success) return false;
  step = -factor.solve(gradient);
  return step.allFinite();
}

/// The energy of the patch where the step leads.
double SkinProblem::take_patch_step(const Patch& patch, const Eigen::VectorXd& step, double factor) {
  double energy = 0;
  for (std::size_t k = 0; k < patch.vertices.size(); ++k) {
    walk(patch.vertices[k], factor * step.segment<2>(2 * static_cast<Eigen::Index>(k)));
    settle({&unknowns_.vertices[patch.vertices[k]], 1});
  }
  for (std::size_t e : patch.elements) energy += element_energy(e);
  for (std::size_t i : patch.vertices) energy += vertex_energy(i);
  return energy;
}

}  // namespace cutis
