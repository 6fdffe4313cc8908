// What SkinProblem does beside whole steps: nonlinear elimination (Lanzkron, Rose and Wilkes 1996). A few
// jammed places, where a crease or a fold is far from quadratic, would throttle the steps of the whole body,
// or cost one after the other.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "cutis/core/parallel.h"
#include "cutis/skin/lagrangian/skin_problem.h"

namespace cutis {
namespace {

/// Terms are left alone as long as what they have in excess of their model is no more than this share of what
/// the step promises.
constexpr double kForgiven = 0.25;
/// A patch reaches so many triangles around what it is for. Patches of more vertices are no small matter.
constexpr int kRings = 2;
constexpr std::size_t kLargest = 1000;

/// The hottest vertices are those that hold all but this share of the work, or else so many: a patch around
/// each costs a few per cent of a whole step. Where they leave more than kSpread of it, heat is everywhere,
/// and a matter for whole steps.
constexpr double kCool = 0.05, kSpread = 0.6;
constexpr std::size_t kHottest = 60;
constexpr int kMostRounds = 6;
/// Work below this share of the energy is lost in its rounding.
constexpr double kRounding = 1e-12;
/// A round that gains less than this share of the work is the last.
constexpr double kWorthwhile = 0.1;

void sort_and_join(std::vector<std::size_t>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

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
    if (whole) {
      try_step(parts, 1);
    } else {
      trial_ = throttled;
      measure();
    }
    if (!std::isfinite(trial_.energy)) continue;
    base_ = trial_;
    solve(list);
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
  InversionBarrier::Vec6 q = InversionBarrier::Vec6::Zero();
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
  return widened(std::move(inside));
}

/// So many rings more.
std::vector<char> SkinProblem::widened(std::vector<char> inside) const {
  for (int ring = 0; ring < kRings; ++ring) {
    const std::vector<char> core = inside;
    for (std::size_t i = 0; i < core.size(); ++i)
      for (std::size_t k = unknowns_.around_begin[i]; core[i] && k < unknowns_.around_begin[i + 1]; ++k)
        for (VertexId v : unknowns_.corners[unknowns_.around[k] / 3])
          if (const int block = unknowns_.block[v]; block >= 0) inside[static_cast<std::size_t>(block)] = 1;
  }
  return inside;
}

double SkinProblem::polish(double worth) {
  gradient();
  std::vector<double> works(unknowns_.vertices.size());
  parallel_for(works.size(), [&](std::size_t i) { works[i] = work(i); });
  for (int round = 0; round < kMostRounds; ++round) {
    const double all = std::accumulate(works.begin(), works.end(), 0.0);
    if (all < worth || all < kRounding * std::abs(trial_.energy)) break;
    const std::vector<Patch> list = patches(hottest(works));
    if (list.empty()) break;
    const double before = trial_.energy;
    solve(list);
    const Patch around = surroundings(list);
    refresh(around);
    for (std::size_t i : around.vertices) works[i] = work(i);
    if (before - trial_.energy < kWorthwhile * all) break;
  }
  return trial_.energy;
}

/// What the forces at an unknown vertex would do if it moved alone [J].
double SkinProblem::work(std::size_t i) {
  Mat2 H = matrix_.local(unknowns_.elements.size() + i);
  for (std::size_t k = unknowns_.around_begin[i]; k < unknowns_.around_begin[i + 1]; ++k) {
    const auto corner = 2 * static_cast<Eigen::Index>(unknowns_.around[k] % 3);
    H += matrix_.local(unknowns_.around[k] / 3).block<2, 2>(corner, corner);
  }
  const Vec2 g = gradient_.segment<2>(2 * static_cast<Eigen::Index>(i));
  const double work = 0.5 * g.dot(H.inverse() * g);
  return H.determinant() > 0 && work >= 0 ? work : g.squaredNorm() / std::abs(H.trace());
}

/// The unknown vertices with most work, and those around them; none where it is spread.
std::vector<char> SkinProblem::hottest(const std::vector<double>& works) const {
  std::vector<std::size_t> order(works.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(std::min(kHottest, order.size()));
  std::partial_sort(order.begin(), end, order.end(), [&](std::size_t a, std::size_t b) {
    return works[a] != works[b] ? works[a] > works[b] : a < b;
  });
  const double all = std::accumulate(works.begin(), works.end(), 0.0);
  double left = all;
  std::vector<char> inside(works.size(), 0);
  for (auto i = order.begin(); i != end && left > kCool * all; ++i) {
    left -= works[*i];
    inside[*i] = 1;
  }
  if (left > kSpread * all) std::fill(inside.begin(), inside.end(), 0);
  return widened(std::move(inside));
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
    sort_and_join(patch.elements);
    list.push_back(std::move(patch));
  }
  return list;
}

/// The skin of patches and all that shares an element with it.
SkinProblem::Patch SkinProblem::surroundings(const std::vector<Patch>& list) const {
  Patch around;
  for (const Patch& patch : list)
    for (std::size_t e : patch.elements)
      for (VertexId v : unknowns_.corners[e])
        if (const int block = unknowns_.block[v]; block >= 0)
          around.vertices.push_back(static_cast<std::size_t>(block));
  sort_and_join(around.vertices);
  for (std::size_t i : around.vertices)
    for (std::size_t k = unknowns_.around_begin[i]; k < unknowns_.around_begin[i + 1]; ++k)
      around.elements.push_back(unknowns_.around[k] / 3);
  sort_and_join(around.elements);
  return around;
}

}  // namespace cutis
