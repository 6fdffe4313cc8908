#pragma once

#include <vector>

#include "cutis/surface/mesh/mesh.h"
#include "cutis/surface/mesh/triangle_measures.h"

namespace cutis {

/// Rest shapes from motion (ViSkin, Eqs. 8-9): for each triangle the shape from which it is deformed least
/// over all poses, least by the sum of |FᵀF - I|².
class RestFromMotion {
 public:
  explicit RestFromMotion(std::vector<IndexTriangle> triangles);

  /// Another pose, all counting alike.
  void add(const Points& positions);
  /// For each triangle its two sides in the plane, the first along x, the second above it: columns (a, 0) and
  /// (b, c) [m]. Zero for a triangle that is degenerate in all poses, or before any pose; the log says how
  /// many. By Newton's method for each triangle, in parallel.
  std::vector<Mat2> sides() const;

 private:
  /// Sums over poses, of c = (C11, C12, C22) with C = EᵀE and of c cᵀ: all that Eq. 9 asks of the motion.
  struct Moments {
    Vec3 first = Vec3::Zero();
    Mat3 second = Mat3::Zero();
  };
  std::vector<IndexTriangle> triangles_;
  std::vector<Moments> moments_;
  int poses_ = 0;
};

}  // namespace cutis
