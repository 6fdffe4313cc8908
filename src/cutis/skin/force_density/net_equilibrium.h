#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cutis/skin/force_density/edge_densities.h"

namespace cutis {

/// Places of a patch's vertices in the plane.
using Layout = IdVector<VertexId, Vec2>;

struct EquilibriumReport {
  int iterations = 0;       ///< of conjugate gradients; 0 when it was solved directly
  bool factorized = false;  ///< a matrix was factorised
  bool reordered = false;   ///< and its pattern analysed anew
};

/// A net of branches in equilibrium between pinned nodes: (CᵀQC) X = -(CᵀQC_f) X_f (the paper, Eq. 2).
///
/// Solved directly, or by conjugate gradients from the places given, preconditioned by the factor of the net
/// at rest. How well that factor fits depends on how far the skin is stretched, not on the number of
/// vertices, and it is of no matter that Delaunay flips change the pattern. Same input, same bits.
class NetEquilibrium {
 public:
  /// `pinned`: one per vertex. `rest`: the branches to take the factor from. Branches that are not
  /// `symmetric` are always solved directly.
  NetEquilibrium(std::vector<char> pinned, const std::vector<NetBranch>& rest, bool symmetric,
                 EmbeddingSolver solver);
  ~NetEquilibrium();
  NetEquilibrium(NetEquilibrium&&) noexcept;
  NetEquilibrium& operator=(NetEquilibrium&&) noexcept;

  /// Moves the free vertices of `places` to where the forces cancel; pinned ones stay. Conjugate gradients
  /// stop when the error is about `tolerance` (in units of the layout) and a direct solve takes over after 60
  /// steps.
  EquilibriumReport solve(const std::vector<NetBranch>& branches, Layout& places, double tolerance);
  /// The same, directly.
  EquilibriumReport solve_directly(const std::vector<NetBranch>& branches, Layout& places);

  const std::vector<char>& pinned() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cutis
