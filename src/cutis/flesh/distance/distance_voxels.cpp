#include "cutis/flesh/distance/distance_voxels.h"

#include <openvdb/openvdb.h>
#include <openvdb/tools/MeshToVolume.h>
#include <openvdb/tree/LeafManager.h>

#include "cutis/core/parallel.h"

namespace cutis {

struct DistanceVoxels::Grid {
  openvdb::FloatGrid::Ptr distances;
};

namespace {

/// Called with the one kind of points and triangles that OpenVDB's library has compiled: any other takes a
/// minute of every build.
openvdb::FloatGrid::Ptr unsigned_distances(const std::vector<openvdb::Vec3s>& points,
                                           const std::vector<openvdb::Vec3I>& triangles, double voxel) {
  static const bool initialized = (openvdb::initialize(), true);
  static_cast<void>(initialized);
  openvdb::util::NullInterrupter never;
  const openvdb::tools::QuadAndTriangleDataAdapter<openvdb::Vec3s, openvdb::Vec3I> mesh(points, triangles);
  constexpr float kWidth = DistanceVoxels::kBand;
  return openvdb::tools::meshToVolume<openvdb::FloatGrid>(
      never, mesh, *openvdb::math::Transform::createLinearTransform(voxel), kWidth, kWidth,
      openvdb::tools::UNSIGNED_DISTANCE_FIELD, nullptr);
}

}  // namespace

DistanceVoxels::DistanceVoxels(std::span<const Vec3> points, std::span<const IndexTriangle> triangles,
                               double voxel)
    : voxel_(voxel), grid_(std::make_unique<Grid>()) {
  // From the body's middle, so that single precision is enough however far the body is.
  Eigen::AlignedBox3d box;
  for (const Vec3& p : points) box.extend(p);
  origin_ = box.center();
  std::vector<openvdb::Vec3s> places;
  for (const Vec3& p : points) {
    const Eigen::Vector3f x = ((p - origin_) / voxel).cast<float>();
    places.emplace_back(x.x(), x.y(), x.z());
  }
  std::vector<openvdb::Vec3I> corners;
  for (const IndexTriangle& t : triangles)
    corners.emplace_back(static_cast<unsigned>(t[0]), static_cast<unsigned>(t[1]),
                         static_cast<unsigned>(t[2]));
  grid_->distances = unsigned_distances(places, corners, voxel);
}

DistanceVoxels::~DistanceVoxels() = default;
DistanceVoxels::DistanceVoxels(DistanceVoxels&&) noexcept = default;
DistanceVoxels& DistanceVoxels::operator=(DistanceVoxels&&) noexcept = default;

void DistanceVoxels::set_signs(const std::function<bool(const Vec3&)>& inside, bool closed) {
  openvdb::tree::LeafManager<openvdb::FloatTree> leaves(grid_->distances->tree());
  const auto set_leaf = [&](std::size_t i) {
    openvdb::Coord last = openvdb::Coord::max();
    bool negative = false;
    for (auto it = leaves.leaf(i).beginValueOn(); it; ++it) {
      const openvdb::Coord c = it.getCoord();
      const bool beside = c.x() == last.x() && c.y() == last.y() && c.z() == last.z() + 1;
      if (!(closed && beside && *it > voxel_))
        negative = inside(origin_ + voxel_ * Vec3(c.x(), c.y(), c.z()));
      last = c;
      if (negative) it.setValue(-*it);
    }
  };
  parallel_for(leaves.leafCount(), set_leaf, 1);
}

bool DistanceVoxels::sample(const Vec3& p, double& distance) const {
  const auto accessor = grid_->distances->getConstUnsafeAccessor();
  const Vec3 x = (p - origin_) / voxel_, low = x.array().floor(), s = x - low;
  const openvdb::Coord corner(static_cast<int>(low.x()), static_cast<int>(low.y()),
                              static_cast<int>(low.z()));
  distance = 0;
  for (int k = 0; k < 8; ++k) {
    float value = 0;
    const int dx = k >> 2, dy = k >> 1 & 1, dz = k & 1;
    if (!accessor.probeValue(corner.offsetBy(dx, dy, dz), value)) return false;
    distance +=
        (dx ? s.x() : 1 - s.x()) * (dy ? s.y() : 1 - s.y()) * (dz ? s.z() : 1 - s.z()) * double{value};
  }
  return true;
}

}  // namespace cutis
