#pragma once

#include <array>
#include <vector>

#include "cutis/surface/mesh/surface.h"

namespace cutis {

/// Bending of a sheet of triangles away from the shape of its target, for skin that leaves the surface (US
/// 9,251,618 names jowls and crow's feet): a hinge at each inner edge, whose angle at rest is the target's
/// now.
class HingeBending {
 public:
  /// `stiffness`: of a plate, at each vertex [N m]; empty: there is no bending. `masses` [kg].
  HingeBending(const Surface& rest, const IdVector<VertexId, double>& stiffness,
               const IdVector<VertexId, double>& masses);

  bool empty() const { return hinges_.empty(); }
  void evaluate(const Points& positions, const Points& target);
  const Points& forces() const { return forces_; }  ///< [N]
  /// The highest angular frequency that the last evaluate() saw, or more [rad/s].
  double highest_frequency() const { return highest_frequency_; }

 private:
  struct Hinge {
    std::array<VertexId, 4> vertices;
    double stiffness = 0;        ///< [N m]
    std::array<double, 4> mass;  ///< of the corners: what other hinges leave of it [kg]
  };
  std::vector<Hinge> hinges_;
  Points forces_;
  double highest_frequency_ = 0;
};

}  // namespace cutis
