#include "cutis/flesh/distance/signed_distance.h"

#include <algorithm>
#include <cmath>

#include "cutis/flesh/distance/distance_voxels.h"
#include "cutis/flesh/distance/outward_triangles.h"
#include "cutis/flesh/distance/winding_number.h"
#include "cutis/surface/geodesic/closest_point.h"

namespace cutis {

struct SignedDistance::State {
  std::vector<IndexTriangle> triangles;
  WindingNumber winding;
  ClosestPointTree closest;
  DistanceVoxels voxels;

  State(const Mesh& mesh, double voxel)
      : triangles(outward_triangles(mesh)),
        winding(mesh.positions.raw(), triangles),
        closest(mesh),
        voxels(mesh.positions.raw(), triangles, voxel) {
    voxels.set_signs([&](const Vec3& p) { return winding(p) > 0.5; }, is_closed(triangles));
  }
};

SignedDistance::SignedDistance(const Mesh& triangles, double voxel)
    : voxel_(voxel), state_(std::make_unique<State>(triangles, voxel)) {}
SignedDistance::~SignedDistance() = default;
SignedDistance::SignedDistance(SignedDistance&&) noexcept = default;
SignedDistance& SignedDistance::operator=(SignedDistance&&) noexcept = default;

double SignedDistance::band() const { return (DistanceVoxels::kBand - 1) * voxel_; }

double SignedDistance::operator()(const Vec3& p) const {
  double distance = 0;
  if (state_->voxels.sample(p, distance)) return distance;
  distance = unsigned_distance(p);
  return winding_number(p) > 0.5 ? -distance : distance;
}

double SignedDistance::clamped(const Vec3& p) const {
  double distance = 0;
  if (state_->voxels.sample(p, distance)) return std::clamp(distance, -band(), band());
  return winding_number(p) > 0.5 ? -band() : band();
}

Vec3 SignedDistance::gradient(const Vec3& p) const {
  Vec3 gradient;
  for (int k = 0; k < 3; ++k) {
    const Vec3 step = 0.5 * voxel_ * Vec3::Unit(k);
    gradient[k] = ((*this)(p + step) - (*this)(p - step)) / voxel_;
  }
  return gradient;
}

double SignedDistance::unsigned_distance(const Vec3& p) const {
  return std::sqrt(state_->closest(p).distance_squared);
}

double SignedDistance::winding_number(const Vec3& p) const { return state_->winding(p); }

}  // namespace cutis
