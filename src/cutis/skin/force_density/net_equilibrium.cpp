#include "cutis/skin/force_density/net_equilibrium.h"

#include <cmath>
#include <optional>
#include <utility>

#include <Eigen/SparseLU>

#include "cutis/skin/force_density/net_matrix.h"
#include "cutis/skin/force_density/plane_factor.h"
#include "cutis/solve/sparse_cholesky.h"

namespace cutis {
namespace {

constexpr int kMostConjugateGradients = 60;

std::vector<int> numbered(const std::vector<char>& pinned) {
  std::vector<int> unknown;
  int next = 0;
  for (char is_pinned : pinned) unknown.push_back(is_pinned ? -1 : next++);
  return unknown;
}

}  // namespace

struct NetEquilibrium::State {
  std::vector<char> pinned;
  bool symmetric = true;
  NetMatrix net;
  std::optional<PlaneFactor> rest;  ///< when conjugate gradients are used
  SparseCholesky cholesky{Ordering::Fast};
  Eigen::SparseLU<Eigen::SparseMatrix<double>> lu;
  std::vector<Vec2> x, r, z, p, Ap;

  State(std::vector<char> is_pinned, bool is_symmetric)
      : pinned(std::move(is_pinned)), symmetric(is_symmetric), net(numbered(pinned)) {}

  /// Numbers the unknowns in the order of the factor, so that applying it permutes nothing.
  void take_factor(const std::vector<NetBranch>& branches) {
    if (net.size() == 0) return;
    net.update(branches, Layout(pinned.size(), Vec2::Zero()));
    PlaneFactor factor(net.sparse(true));
    if (factor.size() == 0) return;
    std::vector<int> unknown;
    for (VertexId v : ids<VertexId>(pinned.size()))
      unknown.push_back(pinned[v.index()] ? -1 : factor.place(net.unknown(v)));
    net = NetMatrix(std::move(unknown));
    rest = std::move(factor);
    for (std::vector<Vec2>* vector : {&x, &r, &z, &p, &Ap}) vector->assign(rest->size(), Vec2::Zero());
  }

  void read(const Layout& places) {
    for (VertexId v : ids<VertexId>(places.size()))
      if (const int i = net.unknown(v); i >= 0) x[static_cast<std::size_t>(i)] = places[v];
  }
  void write(Layout& places) const {
    for (VertexId v : ids<VertexId>(places.size()))
      if (const int i = net.unknown(v); i >= 0) places[v] = x[static_cast<std::size_t>(i)];
  }

  /// One run for both coordinates: A is the same for both. Steps taken, or -1 when it was not enough. The
  /// preconditioned residual is an estimate of the error itself, in units of the layout, since the factor is
  /// that of nearly the same net: that is what is held against the tolerance.
  int conjugate_gradients(double tolerance) {
    const std::size_t n = x.size();
    net.apply(x, Ap);
    for (std::size_t i = 0; i < n; ++i) r[i] = net.load()[i] - Ap[i];
    double rz = 0;
    for (int step = 0;; ++step) {
      z = r;
      rest->solve_in_place(z);
      double rz_next = 0, error = 0;
      for (std::size_t i = 0; i < n; ++i) {
        rz_next += r[i].dot(z[i]);
        error = std::max(error, z[i].squaredNorm());
      }
      if (std::sqrt(error) <= tolerance) return step;
      if (step == kMostConjugateGradients || !(rz_next > 0) || !std::isfinite(rz_next)) return -1;
      if (step == 0)
        p = z;
      else
        for (std::size_t i = 0; i < n; ++i) p[i] = z[i] + rz_next / rz * p[i];
      rz = rz_next;
      net.apply(p, Ap);
      double pAp = 0;
      for (std::size_t i = 0; i < n; ++i) pAp += p[i].dot(Ap[i]);
      if (!(pAp > 0)) return -1;
      const double alpha = rz / pAp;
      for (std::size_t i = 0; i < n; ++i) {
        x[i] += alpha * p[i];
        r[i] -= alpha * Ap[i];
      }
    }
  }

  /// False when the matrix could not be factorised.
  bool factorize(EquilibriumReport& report) {
    const Eigen::SparseMatrix<double>& matrix = net.sparse(symmetric);
    report.factorized = true;
    if (symmetric) {
      report.reordered = net.pattern_changed() || !cholesky.analyzed();
      if (report.reordered) cholesky.analyze(matrix);
      return cholesky.factorize(matrix);
    }
    report.reordered = net.pattern_changed();
    if (report.reordered) lu.analyzePattern(matrix);
    lu.factorize(matrix);
    return lu.info() == Eigen::Success;
  }
};

NetEquilibrium::NetEquilibrium(std::vector<char> pinned, const std::vector<NetBranch>& rest, bool symmetric,
                               EmbeddingSolver solver)
    : state_(std::make_unique<State>(std::move(pinned), symmetric)) {
  if (symmetric && solver != EmbeddingSolver::Direct) state_->take_factor(rest);
}
NetEquilibrium::~NetEquilibrium() = default;
NetEquilibrium::NetEquilibrium(NetEquilibrium&&) noexcept = default;
NetEquilibrium& NetEquilibrium::operator=(NetEquilibrium&&) noexcept = default;

const std::vector<char>& NetEquilibrium::pinned() const { return state_->pinned; }

EquilibriumReport NetEquilibrium::solve(const std::vector<NetBranch>& branches, Layout& places,
                                        double tolerance) {
  State& s = *state_;
  if (!s.rest) return solve_directly(branches, places);
  s.net.update(branches, places);
  s.read(places);
  const int steps = s.conjugate_gradients(tolerance);
  if (steps < 0) return solve_directly(branches, places);
  s.write(places);
  return {steps, false, false};
}

EquilibriumReport NetEquilibrium::solve_directly(const std::vector<NetBranch>& branches, Layout& places) {
  State& s = *state_;
  EquilibriumReport report;
  if (s.net.size() == 0) return report;
  s.net.update(branches, places);
  if (!s.factorize(report)) return report;  // densities that are not finite: the net stays where it is
  Eigen::MatrixXd right(s.net.size(), 2);
  for (int i = 0; i < s.net.size(); ++i) right.row(i) = s.net.load()[static_cast<std::size_t>(i)].transpose();
  const Eigen::MatrixXd solution = s.symmetric ? s.cholesky.solve(right) : Eigen::MatrixXd(s.lu.solve(right));
  if (!solution.allFinite()) return report;
  for (VertexId v : ids<VertexId>(places.size()))
    if (const int i = s.net.unknown(v); i >= 0) places[v] = solution.row(i).transpose();
  return report;
}

}  // namespace cutis
