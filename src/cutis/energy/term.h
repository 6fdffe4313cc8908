#pragma once

#include <span>
#include <vector>

#include "cutis/core/types.h"
#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// The state that terms are evaluated at. Terms that see more than positions (the surface below the skin)
/// work on a state that derives from it.
struct TermState {
  Points positions;  ///< of all vertices [m]
};

/// What the terms of one stencil sum up to. Each vertex moves in two directions.
struct StencilJet {
  std::span<const Mat32> directions;     ///< of each vertex: given
  double projected_share = 0;            ///< of negative curvature that is to be taken out: given, 0 to 1
  Eigen::Map<Eigen::VectorXd> gradient;  ///< by positions: three numbers per vertex [N]
  Eigen::Map<Eigen::MatrixXd> hessian;   ///< by the ways along the directions: two per vertex [N/m]
};

/// An energy that is a sum over stencils: a few vertices each (a triangle, a single vertex). The assembler
/// asks for the stencils once; calls for single stencils may run in parallel.
class Term {
 public:
  virtual ~Term() = default;
  /// The vertices of each stencil. Terms whose stencils have the same vertices in the same order share their
  /// place in the sum.
  virtual std::vector<std::vector<VertexId>> stencils() const = 0;
  /// [J]; infinite where the state is not allowed.
  virtual double energy(std::size_t stencil, const TermState& state) const = 0;
  /// Adds gradient and Hessian of one stencil.
  virtual void add_derivatives(std::size_t stencil, const TermState& state, StencilJet& jet) const = 0;
  /// The same where no one asks for the Hessian: what is added to it means nothing.
  virtual void add_gradient(std::size_t stencil, const TermState& state, StencilJet& jet) const {
    add_derivatives(stencil, state, jet);
  }
};

/// The stencils of a term that sees each of n vertices alone.
inline std::vector<std::vector<VertexId>> single_vertices(std::size_t n) {
  std::vector<std::vector<VertexId>> out;
  for (VertexId v : ids<VertexId>(n)) out.push_back({v});
  return out;
}

}  // namespace cutis
