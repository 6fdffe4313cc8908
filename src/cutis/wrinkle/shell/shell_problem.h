#pragma once

#include <vector>

#include "cutis/solve/block_matrix.h"
#include "cutis/solve/newton_problem.h"
#include "cutis/wrinkle/contact/shell_contact.h"
#include "cutis/wrinkle/shell/shell.h"

namespace cutis {

/// A mean of vertices, each with a matrix as its weight: three rows of the constraint matrix H of Li 2014,
/// Eq. 4.1.
struct VertexBlock {
  VertexId vertex;
  Mat3 weight = Mat3::Identity();
};
using ConstraintRow = std::vector<VertexBlock>;

/// Draws a vertex to a place.
struct VertexSpring {
  VertexId vertex;
  Mat3 stiffness = Mat3::Zero();  ///< [N/m]
  Vec3 place = Vec3::Zero();
};

/// Where a shell is in equilibrium, or at the end of an implicit step. Means of its vertices are to be at
/// given places: a penalty with multipliers (augmented Lagrangian), so that the matrix stays symmetric and
/// positive definite.
class ShellProblem final : public NewtonProblem {
 public:
  /// The shell must outlive it; `held` vertices stay where start() puts them (empty: none).
  ShellProblem(const Shell& shell, std::vector<ConstraintRow> constraints,
               const IdVector<VertexId, char>& held = {});
  ShellProblem(const ShellProblem&) = delete;
  ShellProblem& operator=(const ShellProblem&) = delete;

  const std::vector<ConstraintRow>& constraints() const { return constraints_; }
  /// Other weights of the same vertices; set_penalties() must follow.
  void set_constraints(std::vector<ConstraintRow> constraints);
  /// Where the means are to be, and how stiff the penalty is [N/m]; one per constraint.
  void set_targets(std::vector<Vec3> targets) { targets_ = std::move(targets); }
  void set_penalties(const std::vector<Mat3>& penalties);
  void set_multipliers(std::vector<Vec3> multipliers) { multipliers_ = std::move(multipliers); }  ///< [N]
  const std::vector<Vec3>& multipliers() const { return multipliers_; }
  /// Adds to each multiplier what its penalty bears.
  void update_multipliers();
  /// How far the means are from their targets: the farthest [m].
  double residual() const;
  /// Springs at vertices, one for each at most.
  void set_springs(std::vector<VertexSpring> springs) { springs_ = std::move(springs); }
  /// Contact of the shell with itself and with what is below it; null: none. It must outlive the problem.
  void set_contact(ShellContact* contact) { contact_ = contact; }
  /// No vertex goes farther than this in one step of Newton's method [m].
  void set_max_move(double distance) { max_move_ = distance; }
  const Eigen::SparseMatrix<double>& pattern_without_contact() const { return matrix_.lower(); }
  void start(Points positions);
  const Points& positions() const { return trial_; }

  double energy() override { return energy_at(trial_); }
  const Eigen::VectorXd& gradient() override;
  /// Its pattern grows by what is in contact, from start() to start().
  const Eigen::SparseMatrix<double>& hessian() override { return assemble(0); }
  const Eigen::SparseMatrix<double>* modified_hessian(int level) override;
  double max_step_size(const Eigen::VectorXd& step) override;
  double trial(const Eigen::VectorXd& step, double factor) override;

 private:
  struct Share {
    std::size_t constraint;
    Mat3 weight;
  };
  const Shell* shell_;
  std::vector<ConstraintRow> constraints_;
  IdVector<VertexId, int> unknown_;         ///< block of each vertex; -1: held
  std::vector<VertexId> vertices_;          ///< of each block
  std::vector<std::vector<Share>> shares_;  ///< of each block in the constraints
  BlockMatrix<3> matrix_;
  BlockVector<3> forces_;
  std::vector<Vec3> targets_, multipliers_;
  std::vector<Mat3> penalties_;
  std::vector<double> penalty_values_;  ///< what the penalties add to the entries of matrix_
  std::vector<VertexSpring> springs_;
  std::vector<std::vector<int>> contacts_;  ///< blocks below each block that are in contact with it, rising
  Eigen::SparseMatrix<double> hessian_;     ///< the pattern of matrix_ and that of contacts_
  std::vector<std::size_t> slots_;          ///< of the entries of matrix_ among those of hessian_
  Eigen::VectorXd gradient_;
  Points start_, trial_;  ///< where the last gradient was taken, and where it is now
  double max_move_ = 1e300;
  ShellContact* contact_ = nullptr;

  Points in_space(const Eigen::VectorXd& step) const;
  void set_shares();
  Vec3 gap(std::size_t constraint, const Points& positions) const;
  double energy_at(const Points& positions) const;
  const Eigen::SparseMatrix<double>& assemble(double projected_share);
  void set_pattern();
  void include(const std::vector<VertexPairBlock>& contacts);
};

}  // namespace cutis
