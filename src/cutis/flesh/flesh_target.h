#pragma once

#include "cutis/flesh/bone_motion.h"

namespace cutis {

/// The animated body as the flesh sees it: where its motion takes each node of the lattice. Core nodes follow
/// the bones where there are any, the surface is that of the body, and between them lies the smoothest
/// continuation of both.
class FleshTarget {
 public:
  /// The body must outlive it; `core` are nodes of the lattice, rising.
  FleshTarget(const Body& body, const BccLattice& lattice, const Embedding& embedding,
              std::vector<NodeId> core);

  /// The surface at the welded vertices, with a continuous velocity [m].
  Points surface(double time) const;
  NodePoints nodes(double time) const;
  NodePoints nodes(double time, const Points& surface) const;
  /// [m/s], by the differences of Body::source_velocities().
  NodePoints velocities(double time) const;
  SourcePoints source_velocities(double time) const;  ///< of the body's own vertices

 private:
  const Body& body_;
  BoneMotion bones_;
  LaplaceExtension extension_;
};

}  // namespace cutis
