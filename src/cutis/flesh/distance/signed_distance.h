#pragma once

#include <memory>

#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// Signed distance [m] to a triangle mesh at rest, negative inside. Near the surface it is interpolated
/// between voxels whose distances are OpenVDB's; farther away it is the exact distance to the closest point.
/// A point is inside where the generalized winding number exceeds one half, so the mesh may have holes, cross
/// itself, be non-manifold or inside out. May be asked from several threads.
class SignedDistance {
 public:
  /// `voxel` [m] is the spacing of the samples. The mesh must outlive it.
  /// Throws InputError when there is no face, a face is not a triangle or a position is not finite.
  SignedDistance(const Mesh& triangles, double voxel);
  explicit SignedDistance(Mesh&&, double) = delete;
  ~SignedDistance();
  SignedDistance(SignedDistance&&) noexcept;
  SignedDistance& operator=(SignedDistance&&) noexcept;

  double voxel() const { return voxel_; }
  /// How far on either side of the surface distances are interpolated [m].
  double band() const;
  double operator()(const Vec3& p) const;
  /// The same, but beyond the band ± band(): saves the search for the closest point.
  double clamped(const Vec3& p) const;
  /// Of the distance, without unit: of about unit length but near medial surfaces. By central differences
  /// over a voxel.
  Vec3 gradient(const Vec3& p) const;
  /// To the closest point of the surface, exact and without sign [m].
  double unsigned_distance(const Vec3& p) const;
  double winding_number(const Vec3& p) const;

 private:
  struct State;
  double voxel_;
  std::unique_ptr<State> state_;
};

}  // namespace cutis
