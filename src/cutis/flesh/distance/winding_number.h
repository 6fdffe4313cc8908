#pragma once

#include <span>
#include <vector>

#include "cutis/surface/mesh/triangle_measures.h"

namespace cutis {

/// Generalized winding number of a set of triangles (Jacobson et al. 2013): how often they wind around a
/// point. Inside a closed surface it is 1, where two parts overlap 2, outside 0; where the surface has holes
/// it passes smoothly from one to the other. Far triangles count together as one dipole (Barill et al. 2018),
/// which errs by a few hundredths. May be asked from several threads.
class WindingNumber {
 public:
  WindingNumber(std::span<const Vec3> points, std::span<const IndexTriangle> triangles);
  double operator()(const Vec3& p) const;

 private:
  /// Triangles as they are seen from far away.
  struct Dipole {
    Vec3 centre = Vec3::Zero();       ///< weighted by area
    Vec3 area_vector = Vec3::Zero();  ///< [m²]
    double near_squared = 0;          ///< below this squared distance to the centre the parts are looked at
  };
  struct Triangle {
    Vec3 a, b, c;
    Dipole dipole;
  };
  /// Children lie after their parent: the left one right behind it.
  struct Node {
    Dipole dipole;
    int right = 0;             ///< of an inner node; of a leaf, zero
    int first = 0, count = 0;  ///< in triangles_
  };
  std::vector<Triangle> triangles_;
  std::vector<Node> nodes_;

  void build();
  static Dipole summarized(std::span<const Triangle> triangles);
};

}  // namespace cutis
