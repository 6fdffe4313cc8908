#pragma once

#include <functional>
#include <memory>
#include <span>

#include "cutis/surface/mesh/triangle_measures.h"

namespace cutis {

/// Distances [m] to a set of triangles at the voxels near them, by OpenVDB. May be asked from several
/// threads.
class DistanceVoxels {
 public:
  /// How many voxels on either side of the surface hold distances. Every box of eight samples that the
  /// surface passes through is among them, and one beside it.
  static constexpr int kBand = 3;

  DistanceVoxels(std::span<const Vec3> points, std::span<const IndexTriangle> triangles, double voxel);
  ~DistanceVoxels();
  DistanceVoxels(DistanceVoxels&&) noexcept;
  DistanceVoxels& operator=(DistanceVoxels&&) noexcept;

  /// Makes the distances of the voxels inside negative; to be called once. `closed` saves most of the calls
  /// of `inside`: between two voxels without surface between them a closed surface cannot change sides.
  void set_signs(const std::function<bool(const Vec3&)>& inside, bool closed);

  /// Interpolates between the eight voxels around p. False where not all of them lie in the band.
  bool sample(const Vec3& p, double& distance) const;

 private:
  struct Grid;
  double voxel_;
  Vec3 origin_ = Vec3::Zero();
  std::unique_ptr<Grid> grid_;
};

}  // namespace cutis
