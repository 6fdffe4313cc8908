#pragma once

#include <optional>
#include <vector>

#include "cutis/flesh/flesh_problem.h"
#include "cutis/flesh/lattice/bcc_lattice.h"
#include "cutis/flesh/lattice/embedding.h"

namespace cutis {

/// Where the flesh of one part of a body, such as a thigh, lies in that of another, such as a belly: points
/// of the embedded surface against the distance from the surface at rest, which the deformed lattice carries
/// along. How deep the animation itself lets a vertex lie is not held against the flesh.
class SelfContact {
 public:
  /// `mesh` is the body at rest; `young` of its flesh [Pa]. The lattice and the embedding must outlive it.
  SelfContact(const BccLattice& lattice, const Embedding& embedding, const Mesh& mesh, double young);

  /// One for each vertex that would lie deeper than in the animation where the nodes are `ahead`: it and the
  /// point of the other part that it lies at are pushed apart.
  std::vector<FleshContact> contacts(const NodePoints& ahead, const NodePoints& animated) const;
  /// How much deeper than in the animation a vertex lies, at the most [m].
  double deepest(const NodePoints& nodes, const NodePoints& animated) const;

 private:
  /// A vertex in a tetrahedron of another part.
  struct Overlap {
    VertexId vertex;
    TetPoint in;
    double depth = 0;  ///< below the surface at rest [m]
  };
  const BccLattice& lattice_;
  const Embedding& embedding_;
  Points rest_;
  IdVector<VertexId, double> stiffness_;  ///< [N/m]

  std::optional<Vec4> place_in(TetId t, const NodePoints& nodes, const Vec3& point) const;
  std::vector<Overlap> overlaps(const NodePoints& nodes, const std::vector<VertexId>& of,
                                double same_part) const;
  Vec3 animated_way(const Overlap& one, const NodePoints& animated) const;
  std::vector<Overlap> beyond(const NodePoints& nodes, const NodePoints& animated) const;
};

}  // namespace cutis
