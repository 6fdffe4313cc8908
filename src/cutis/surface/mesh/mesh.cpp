#include "cutis/surface/mesh/mesh.h"

namespace cutis {

double bounding_diagonal(std::span<const Vec3> points) {
  Eigen::AlignedBox3d box;
  for (const Vec3& p : points) box.extend(p);
  return box.isEmpty() ? 0.0 : box.diagonal().norm();
}

}  // namespace cutis
