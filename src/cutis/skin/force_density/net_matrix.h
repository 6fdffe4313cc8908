#pragma once

#include <vector>

#include <Eigen/SparseCore>

#include "cutis/skin/force_density/edge_densities.h"

namespace cutis {

/// A branch between two free nodes.
struct FreeBranch {
  int i = 0, j = 0;          ///< unknowns
  double q = 0, q_back = 0;  ///< as i and as j feel it
};

/// The equations of a net with pinned nodes: A = CᵀQC over the free ones, load = -(CᵀQC_f) X_f.
class NetMatrix {
 public:
  /// `unknown`: for each vertex the number of its equation, -1 for a pinned one.
  explicit NetMatrix(std::vector<int> unknown);

  /// Renews the values. Pinned vertices stand where `places` has them.
  void update(const std::vector<NetBranch>& branches, const IdVector<VertexId, Vec2>& places);

  int size() const { return size_; }
  int unknown(VertexId v) const { return unknown_[v.index()]; }
  const std::vector<Vec2>& load() const { return load_; }
  /// y = A x; for symmetric densities.
  void apply(const std::vector<Vec2>& x, std::vector<Vec2>& y) const;

  /// As a sparse matrix: the lower triangle of a symmetric one, or all of it. Values go to their old slots
  /// while the branches stay the same.
  const Eigen::SparseMatrix<double>& sparse(bool symmetric);
  /// Whether the last call of sparse() had another pattern than the one before.
  bool pattern_changed() const { return pattern_changed_; }

 private:
  std::vector<int> unknown_;
  int size_ = 0;
  std::vector<FreeBranch> branches_;
  std::vector<double> to_pinned_;  ///< sum of the densities of the branches from a node to pinned ones
  std::vector<Vec2> load_;

  Eigen::SparseMatrix<double> matrix_;
  std::vector<std::pair<int, int>> pattern_;  ///< ends of the branches that matrix_ was laid out for
  std::vector<int> slots_;  ///< of each branch (two when it is not symmetric), then diagonals
  bool pattern_changed_ = false;

  bool same_pattern() const;
  void lay_out(bool symmetric);
};

}  // namespace cutis
