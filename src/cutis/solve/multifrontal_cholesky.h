#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include <Eigen/SparseCore>

#include "cutis/solve/cholesky_backend.h"

namespace cutis {

/// The multifrontal method (Duff and Reid 1983), ordered by AMD, for matrices of surfaces: their supernodes
/// are narrow, so that the dense kernels of a library cost more to call than they bring.
class MultifrontalCholesky final : public SparseCholesky::State {
 public:
  void analyze(const Eigen::SparseMatrix<double>& lower) override;
  bool factorize(const Eigen::SparseMatrix<double>& lower) override;
  Eigen::MatrixXd solve(const Eigen::MatrixXd& right_side) override;

  /// Neighbouring columns of the factor, as a dense panel: rows of the columns themselves, then those below
  /// them. What they add to the columns of the rows below is their update matrix.
  struct Supernode {
    int first = 0, width = 0;                              ///< columns
    int below = 0;                                         ///< rows
    int parent = -1, first_child = -1, next_sibling = -1;  ///< -1: there is none
    int in_parent = 0;       ///< how many of the rows below are columns of the parent
    int stack = 0;           ///< of the update matrix
    std::size_t rows = 0;    ///< where they start in rows_ and in places_
    std::size_t panel = 0;   ///< where it starts in panels_
    std::size_t update = 0;  ///< where it starts in its stack
  };

 private:
  void find_rows(const std::vector<int>& starts, const std::vector<int>& columns);
  void find_places();
  void lay_out();
  void find_targets(const Eigen::SparseMatrix<double>& lower);
  void add_columns(const Supernode& child, int first, int last, double* to, std::ptrdiff_t stride,
                   int place) const;
  void solve_lower(double* x);
  void solve_transposed(double* x);
  template <class Function>
  void for_each_child(const Supernode& s, const Function& f) const {
    for (int c = s.first_child; c >= 0; c = supernodes_[c].next_sibling) f(supernodes_[c]);
  }

  std::vector<int> position_;          ///< for each column of the matrix, which one of the factor it is
  std::vector<Supernode> supernodes_;  ///< children before their parents
  std::vector<int> supernode_of_;      ///< for each column of the factor
  std::vector<int> rows_;              ///< of the factor, below each supernode, rising
  std::vector<int> places_;            ///< of these rows among the columns and the rows of the parent
  std::vector<std::size_t> targets_;   ///< for each entry of the matrix, where it is in panels_
  std::vector<double> panels_, work_;
  /// Update matrices of supernodes of even and of odd depth in the tree: parents' and children's are apart,
  /// so that the last one of a stack is always the first that is no longer needed.
  std::array<std::vector<double>, 2> stacks_;
};

}  // namespace cutis
