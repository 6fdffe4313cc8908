#pragma once

#include <optional>
#include <vector>

#include "cutis/skin/problem/skin_tangent_cone.h"
#include "cutis/skin/problem/skin_unknowns.h"
#include "cutis/solve/stencil_graph.h"

namespace cutis {

/// Sums terms up for the whole skin or a part of it: energies, gradient and Hessian by the normal coordinates
/// of each unknown vertex, two each. Terms write in parallel; sums run in a fixed order.
///
/// Each set of vertices that some term couples is one stencil, and last comes one for each unknown vertex
/// alone. Terms with the same vertices share a stencil.
class SkinAssembler {
 public:
  /// The references and terms must outlive it. `stiffness` is that of the skin [N/m], for its scale alone.
  SkinAssembler(const SkinUnknowns& unknowns, const SkinTangentCone& cone, std::vector<const Term*> terms,
                double stiffness);

  const StencilGraph& graph() const { return graph_; }
  /// All blocks and stencils.
  const Subdomain& whole() const { return whole_; }

  /// Of all terms of a stencil [J].
  double energy(std::size_t stencil, const SkinConfiguration& at) const;

  /// Makes gradient and local matrices those of a state, with this share of negative curvature taken out.
  void assemble(const SkinConfiguration& at, double projected_share);
  /// Makes the gradient that of a state; local matrices mean nothing until they are assembled again.
  void assemble_gradient(const SkinConfiguration& at);
  /// Those of the blocks and stencils of a part. Parts without a common stencil may be assembled in parallel.
  void assemble(const Subdomain& part, const SkinConfiguration& at, double projected_share);
  /// After a part was assembled whose stencils reach blocks outside of it: projects their active set again.
  void project_rim(const Subdomain& part);

  const Eigen::VectorXd& gradient() const { return gradient_; }
  /// The lower triangle of the sum of all local matrices, summed where they have changed as a whole.
  const Eigen::SparseMatrix<double>& hessian();
  /// To be called where parts were assembled: hessian() is then summed again.
  void invalidate_sum() { summed_ = false; }

  /// The Hessian of a part, in the order of its blocks.
  BlockPattern<2> submatrix(const Subdomain& part) const {
    return matrix_.submatrix(graph_.stencils(), part.blocks, part.stencils);
  }
  void sum(BlockPattern<2>& submatrix) const { matrix_.sum(submatrix); }

  /// gᵀ H⁻¹ g / 2 of one block [J].
  double local_decrement(std::size_t block) const;
  /// How far a stencil's `rise` of energy by a step from the state that was assembled, `at`, is above what
  /// the second-order expansion says [J].
  double model_excess(std::size_t stencil, const SkinConfiguration& at, const Eigen::VectorXd& step,
                      double rise) const;

 private:
  struct TermStencil {
    const Term* term;
    std::size_t index;
  };
  /// In which order the forces on a block are summed. The two differ by rounding.
  enum class ForceOrder { OwnStencilLast, OwnStencilFirst };

  const SkinUnknowns& unknowns_;
  const SkinTangentCone& cone_;
  double stiffness_;
  /// Of each stencil, from its begin on to the begin of the next.
  std::vector<VertexId> vertices_;
  std::vector<TermStencil> terms_;
  std::vector<std::size_t> vertices_begin_, terms_begin_;
  StencilGraph graph_;
  Subdomain whole_;
  BlockMatrix<2> matrix_;
  BlockVector<3> forces_;  ///< the gradient in space
  Eigen::VectorXd gradient_;
  std::vector<std::optional<Vec2>> active_;  ///< active direction of each block
  bool summed_ = false;                      ///< whether the matrix is the sum of its local ones

  std::span<const VertexId> vertices(std::size_t stencil) const;
  std::span<const TermStencil> terms(std::size_t stencil) const;
  void add_stencil(std::span<const VertexId> vertices, std::span<const TermStencil> terms);
  void add_stencils(const std::vector<const Term*>& terms);
  StencilGraph make_graph(const std::vector<const Term*>& terms);
  void assemble(const Subdomain& part, const SkinConfiguration& at, double projected_share, ForceOrder order);
  enum class Derivatives { GradientAlone, All };
  void evaluate_stencil(std::size_t stencil, const SkinConfiguration& at, double projected_share,
                        Derivatives which);
  /// The gradient of a block without what its active direction leaves out; returns the force in space.
  Vec3 evaluate_gradient(std::size_t block, const SkinConfiguration& at, ForceOrder order);
  void evaluate_block(std::size_t block, const SkinConfiguration& at, double projected_share,
                      ForceOrder order);
  Vec3 force(std::size_t block, ForceOrder order) const;
  void project_active_set(std::size_t block);
  std::size_t own_stencil(std::size_t block) const {
    return graph_.stencil_count() - graph_.block_count() + block;
  }
  template <int Vertices>
  double excess_of(std::size_t stencil, const SkinConfiguration& at, const Eigen::VectorXd& step,
                   double rise) const;
};

}  // namespace cutis
