#include "cutis/solve/nonlinear_elimination.h"

#include <cmath>
#include <utility>

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include "cutis/solve/newton.h"
#include "cutis/solve/sparse_cholesky.h"

namespace cutis::test {
namespace {

using Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;

/// A chain of numbers x: springs (x[i + 1] - x[i])² / 2 between neighbours, and for each alone a weak pull to
/// zero; at `kStiff` also exp(4 x), which undoes one unit of 4 x with each step of Newton's method.
class Chain final : public DecomposableProblem {
 public:
  static constexpr Eigen::Index kCount = 400, kStiff = 150;
  VectorXd x = VectorXd::Zero(kCount);
  int gradients = 0;  ///< of the whole

  Chain() : graph_(kCount, stencils()) {}

  double energy() override { return energy_of(x); }
  const VectorXd& gradient() override {
    gradients += !std::exchange(assembled_, true);
    base_ = x;
    return assembled_at(base_);
  }
  const Sparse& hessian() override { return hessian_; }
  double max_step_size(const VectorXd&) override { return 1; }
  double trial(const VectorXd& step, double factor) override {
    assembled_ = false;
    x = base_ + factor * step;
    return energy();
  }

  const StencilGraph& graph() const override { return graph_; }
  Eigen::Index block_size() const override { return 1; }
  double local_decrement(std::size_t i) const override {
    const auto k = static_cast<Eigen::Index>(i);
    return 0.5 * gradient_[k] * gradient_[k] / hessian_.coeff(k, k);
  }
  double model_excess(std::size_t s, const VectorXd& step) const override {
    if (s + 1 < kCount) return 0;  // springs are quadratic
    const auto i = static_cast<Eigen::Index>(s) - (kCount - 1);
    if (i != kStiff) return 0;
    const double e = std::exp(4 * base_[i]), q = 4 * step[i];
    return std::exp(4 * x[i]) - e * (1 + q + 0.5 * q * q);
  }
  void save_state() override { saved_ = x; }
  double restore_state() override {
    assembled_ = false;
    x = saved_;
    return energy();
  }
  void begin_subdomains() override {}
  std::unique_ptr<NewtonProblem> subdomain(const Subdomain& part) override;
  double end_subdomains() override {
    assembled_ = false;
    return energy();
  }
  void reassemble(const Subdomain&) override {
    base_ = x;
    assembled_at(base_);
    assembled_ = true;
  }

  static double energy_of(const VectorXd& x) {
    return 0.5 * (x.tail(kCount - 1) - x.head(kCount - 1)).squaredNorm() + 5e-4 * x.squaredNorm() +
           std::exp(4 * x[kStiff]);
  }

 private:
  class Part;
  static ElementBlocks stencils() {
    ElementBlocks all;
    for (int i = 0; i + 1 < kCount; ++i) all.push_back({i, i + 1});
    for (int i = 0; i < kCount; ++i) all.push_back({i});
    return all;
  }
  const VectorXd& assembled_at(const VectorXd& at) {
    std::vector<Eigen::Triplet<double>> entries;
    gradient_ = 1e-3 * at;
    const auto add = [&](Eigen::Index i, Eigen::Index j, double v) { entries.emplace_back(i, j, v); };
    for (Eigen::Index i = 0; i < kCount; ++i) add(i, i, 1e-3);
    for (Eigen::Index i = 0; i + 1 < kCount; ++i) {
      const double pull = at[i + 1] - at[i];
      gradient_[i] -= pull;
      gradient_[i + 1] += pull;
      add(i, i, 1), add(i + 1, i + 1, 1), add(i + 1, i, -1);
    }
    gradient_[kStiff] += 4 * std::exp(4 * at[kStiff]);
    add(kStiff, kStiff, 16 * std::exp(4 * at[kStiff]));
    hessian_.resize(kCount, kCount);
    hessian_.setFromTriplets(entries.begin(), entries.end());
    return gradient_;
  }

  StencilGraph graph_;
  VectorXd base_, saved_, gradient_;
  Sparse hessian_;
  bool assembled_ = false;
};

/// Some numbers of a chain, all others held still.
class Chain::Part final : public NewtonProblem {
 public:
  Part(Chain& whole, const Subdomain& part) : whole_(whole), part_(part), base_(whole.x) {}
  double energy() override { return energy_of(whole_.x); }
  const VectorXd& gradient() override {
    base_ = whole_.x;
    const VectorXd all = whole_.assembled_at(base_);
    const auto n = static_cast<Eigen::Index>(part_.blocks.size());
    gradient_.resize(n);
    Eigen::MatrixXd dense(n, n);
    for (Eigen::Index i = 0; i < n; ++i) {
      gradient_[i] = all[at(i)];
      for (Eigen::Index j = 0; j <= i; ++j) dense(i, j) = whole_.hessian_.coeff(at(i), at(j));
    }
    hessian_ = Eigen::MatrixXd(dense.triangularView<Eigen::Lower>()).sparseView();
    return gradient_;
  }
  const Sparse& hessian() override { return hessian_; }
  double max_step_size(const VectorXd&) override { return 1; }
  double trial(const VectorXd& step, double factor) override {
    for (Eigen::Index i = 0; i < step.size(); ++i) whole_.x[at(i)] = base_[at(i)] + factor * step[i];
    return energy();
  }

 private:
  Eigen::Index at(Eigen::Index i) const {
    return static_cast<Eigen::Index>(part_.blocks[static_cast<std::size_t>(i)]);
  }
  Chain& whole_;
  const Subdomain& part_;
  VectorXd base_, gradient_;
  Sparse hessian_;
};

std::unique_ptr<NewtonProblem> Chain::subdomain(const Subdomain& part) {
  return std::make_unique<Part>(*this, part);
}

TEST(NonlinearElimination, SolvesTheFewBlocksThatAreFarFromTheirRest) {
  Chain chain;
  chain.x[Chain::kStiff] = 3;  // exp(12)
  const double before = chain.energy();
  NonlinearElimination elimination(chain);
  const double after = elimination.eliminate_largest(1e-3);
  EXPECT_EQ(after, chain.energy());
  EXPECT_LT(after, 2);
  EXPECT_GT(before, 1e5);
  EXPECT_EQ(chain.x[Chain::kStiff + 20], 0) << "the rest has been left alone";
}

TEST(NonlinearElimination, LeavesADecrementThatIsSpreadOverAllToNewton) {
  Chain chain;
  for (Eigen::Index i = 0; i < Chain::kCount; ++i) chain.x[i] = i % 2 ? -5 : -7;
  const VectorXd before = chain.x;
  EXPECT_EQ(NonlinearElimination(chain).eliminate_largest(1e-3), Chain::energy_of(before));
  EXPECT_EQ(chain.x, before);
}

TEST(NonlinearElimination, SavesStepsOfAllUnknownsAndLeadsToTheSameMinimum) {
  Chain plain, eliminated;
  plain.x[Chain::kStiff] = eliminated.x[Chain::kStiff] = 3;
  SparseCholesky first, second;
  NonlinearElimination elimination(eliminated);
  const NewtonReport all = minimize(plain, first, {.tolerance = 1e-9});
  const NewtonReport few = minimize(eliminated, second, {.tolerance = 1e-9}, &elimination);
  ASSERT_TRUE(all.converged && few.converged) << all.reason << few.reason;
  EXPECT_GE(all.iterations, 12);
  EXPECT_LE(few.iterations, 6);
  EXPECT_LT((plain.x - eliminated.x).norm(), 1e-7);
}

/// A step that lifts one block far up its exponential: the others take the whole of it.
TEST(NonlinearElimination, TakesTheWholeStepWhereItFitsItsModel) {
  Chain chain;
  VectorXd step = VectorXd::Constant(Chain::kCount, 1);
  chain.x = -2 * step;
  step[Chain::kStiff] = 6;
  const VectorXd gradient = chain.gradient();
  const double factor = 1.0 / 64, there = chain.trial(step, factor);
  const double energy = NonlinearElimination(chain).eliminate_excess(gradient, step, factor, there);
  EXPECT_LT(energy, there);
  EXPECT_EQ(energy, chain.energy());
  EXPECT_EQ(chain.x[0], -1);
  EXPECT_LT(chain.x[Chain::kStiff], 0);
}

}  // namespace
}  // namespace cutis::test
