#pragma once

#include <array>
#include <vector>

#include "cutis/wrinkle/contact/contact_pairs.h"

namespace cutis {

struct ContactOptions {
  /// Below which parts of the mesh push each other away [m]. About half an edge: the number of pairs grows
  /// with the square of the edges in it.
  double distance = 1e-4;
  /// The pressure with which they do at about two thirds of it [Pa]; it grows without bound towards zero.
  double stiffness = 1e6;
};

/// The energy of one pair [J] with its derivatives by its vertices: x0 y0 z0 x1 y1 ...
struct ContactStencil {
  std::array<VertexId, 4> vertices;
  double energy = 0;
  Vec12 gradient;  ///< [N]
  Mat12 hessian;   ///< [N/m]
};

/// How far a mesh can go without touching itself.
struct ContactSweep {
  double max_factor = 1;             ///< of the step, 0 to 1; above 0 where no pair touches
  std::vector<ContactPair> pairs;    ///< with all that are in contact anywhere from the start to max_factor
  std::vector<ContactPair> meeting;  ///< those that would touch before the end of the step
};

/// Keeps a triangle mesh from passing through itself: a barrier between its vertices and triangles and
/// between its edges, and a bound on steps (Li et al. 2020, Incremental Potential Contact). Several meshes,
/// such as a layer of skin over another, are one mesh here.
///
/// Neighbours on the mesh are near each other at rest. The barrier of a pair begins at the given distance or
/// at half of the pair's distance at rest, or where a body carries it, whichever is smallest: at rest and
/// without wrinkles nothing pushes, however fine the mesh is, and yet no pair can pass. (Leaving neighbours
/// out would let a sharp crest fold through itself.) Only pairs that touch there are left out, and those that
/// the body folds together: their barriers would begin so near to nothing that Newton's method has no room.
///
/// In Newton's method: stencils(x, near_pairs(x)) where it begins; then sweep(x, step) for the longest step,
/// energy(x + factor step, sweep.pairs) for trials and stencils(x + factor step, sweep.pairs) where one is
/// taken, without another search.
class ContactBarrier {
 public:
  explicit ContactBarrier(const ContactOptions& options) : options_(options) {}

  /// `rest`: triangles where they are at rest.
  void set_mesh(const Mesh& rest);

  /// Where a body carries the mesh, from now on; at first, where it is at rest.
  void set_carried(Points positions) { carried_ = std::move(positions); }
  /// As ContactPairs has it.
  void set_outside(Points normals, double reach) { finder_.set_outside(std::move(normals), reach); }

  /// Those that may be in contact.
  std::vector<ContactPair> near_pairs(const Points& positions);
  /// The step is taken without a pair that touches on the way; conservative. Steps of more than a few edges
  /// are cut, lest all is near all.
  ContactSweep sweep(const Points& positions, const Points& step);
  double longest_sweep() const;  ///< how long that is [m]

  /// Of pairs that are in contact; infinite where one touches [J].
  double energy(const Points& positions, const std::vector<ContactPair>& pairs) const;
  /// One for each pair in contact, in their order, without a share, 0 to 1, of its negative curvature.
  std::vector<ContactStencil> stencils(const Points& positions, const std::vector<ContactPair>& pairs,
                                       double projected_share) const;

 private:
  /// Where the barrier of a pair begins and how strong it is.
  struct PairBarrier {
    double onset = 0;                 ///< [m]; 0: not in contact
    double strength = 0;              ///< [J]
    double rest_lengths_squared = 0;  ///< of two edges [m⁴]
  };
  ContactOptions options_;
  ContactPairs finder_;
  Points rest_, carried_;
  IdVector<VertexId, double> areas_;
  double mean_edge_ = 0;  ///< [m]

  /// Whether a pair that comes no nearer than this has no energy.
  bool is_beyond_barrier(const ContactPair& pair, double nearest) const;
  /// Where the barrier of a pair begins [m]; 0: it may touch.
  double onset_of(const ContactPair& pair) const;
  double contact_area(const ContactPair& pair) const;
  PairBarrier barrier_of(const ContactPair& pair, const ContactPoints& points) const;
  static ContactStencil stencil(const ContactPair& pair, const PairBarrier& barrier, const Points& positions,
                                double projected_share);
};

}  // namespace cutis
