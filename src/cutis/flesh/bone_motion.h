#pragma once

#include <array>
#include <vector>

#include "cutis/body/body.h"
#include "cutis/flesh/lattice/laplace_extension.h"

namespace cutis {

/// How the core of a body follows its bones: nodes are skinned to the joints, with weights that are the
/// harmonic extension of those on the surface.
class BoneMotion {
 public:
  /// Nothing where the body has no joints. The body must outlive it.
  BoneMotion(const Body& body, const BccLattice& lattice, const Embedding& embedding,
             std::vector<NodeId> core);

  /// The core where there are joints that it follows; none else.
  const std::vector<NodeId>& nodes() const { return nodes_; }
  /// Of the nodes, in their order [m].
  std::vector<Vec3> positions(double time) const;

 private:
  static constexpr std::size_t kJoints = 4;  ///< that move one node, at most
  struct Weights {
    std::array<int, kJoints> joints{};
    std::array<double, kJoints> weights{};
  };
  const Body& body_;
  std::vector<NodeId> nodes_;
  std::vector<Vec3> rest_;
  std::vector<Weights> weights_;
};

}  // namespace cutis
