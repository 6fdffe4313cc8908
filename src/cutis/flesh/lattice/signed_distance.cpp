#include "cutis/flesh/lattice/signed_distance.h"

#include <cmath>

#include <openvdb/openvdb.h>
#include <openvdb/tools/Interpolation.h>
#include <openvdb/tools/MeshToVolume.h>
#include <openvdb/tree/LeafManager.h>

#include "cutis/core/parallel.h"
#include "cutis/flesh/lattice/outward_triangles.h"
#include "cutis/flesh/lattice/winding_number.h"
#include "cutis/surface/geodesic/closest_point.h"

namespace cutis {
namespace {

// Two voxels hold every box of eight samples that the surface passes through, and one beside it.
constexpr float kBandInVoxels = 3;

/// What OpenVDB reads triangles through, in units of a voxel.
struct VoxelTriangles {
  const Points& points;
  const std::vector<IndexTriangle>& triangles;
  double voxel;

  std::size_t polygonCount() const { return triangles.size(); }
  std::size_t pointCount() const { return points.size(); }
  std::size_t vertexCount(std::size_t) const { return 3; }
  void getIndexSpacePoint(std::size_t n, std::size_t v, openvdb::Vec3d& pos) const {
    const Vec3 p = points.raw()[at(triangles[n][v])] / voxel;
    pos = openvdb::Vec3d(p.x(), p.y(), p.z());
  }
};

openvdb::FloatGrid::Ptr unsigned_grid(const VoxelTriangles& triangles) {
  static const bool initialized = (openvdb::initialize(), true);
  static_cast<void>(initialized);
  const auto transform = openvdb::math::Transform::createLinearTransform(triangles.voxel);
  return openvdb::tools::meshToVolume<openvdb::FloatGrid>(triangles, *transform, kBandInVoxels, kBandInVoxels,
                                                          openvdb::tools::UNSIGNED_DISTANCE_FIELD);
}

/// Gives the voxels inside the body negative distances.
void set_signs(openvdb::FloatGrid& grid, double voxel, const WindingNumber& winding, bool closed) {
  openvdb::tree::LeafManager<openvdb::FloatTree> leaves(grid.tree());
  parallel_for(
      leaves.leafCount(),
      [&](std::size_t i) {
        auto& leaf = leaves.leaf(i);
        openvdb::Coord last;
        bool inside = false, known = false;
        for (auto it = leaf.beginValueOn(); it; ++it) {
          const openvdb::Coord c = it.getCoord();
          // A closed surface is crossed on the way from one voxel to the next or its sides are the same.
          const bool beside = known && c.x() == last.x() && c.y() == last.y() && c.z() == last.z() + 1;
          if (!(closed && beside && it.getValue() > voxel))
            inside = winding(voxel * Vec3(c.x(), c.y(), c.z())) > 0.5;
          known = true;
          last = c;
          if (inside) it.setValue(-it.getValue());
        }
      },
      1);
}

}  // namespace

struct SignedDistance::State {
  std::vector<IndexTriangle> triangles;
  WindingNumber winding;
  ClosestPointTree closest;
  openvdb::FloatGrid::Ptr grid;

  State(const Mesh& mesh, double voxel)
      : triangles(outward_triangles(mesh)),
        winding(mesh.positions.raw(), triangles),
        closest(mesh),
        grid(unsigned_grid({mesh.positions, triangles, voxel})) {
    set_signs(*grid, voxel, winding, is_closed(triangles));
  }

  /// Interpolated between the eight voxels around p, if all of them lie in the band.
  bool sample(const Vec3& p, double voxel, double& distance) const {
    const auto accessor = grid->getConstUnsafeAccessor();
    const Vec3 x = p / voxel, low = x.array().floor(), s = x - low;
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
};

SignedDistance::SignedDistance(const Mesh& triangles, double voxel)
    : voxel_(voxel), state_(std::make_unique<State>(triangles, voxel)) {}
SignedDistance::~SignedDistance() = default;
SignedDistance::SignedDistance(SignedDistance&&) noexcept = default;
SignedDistance& SignedDistance::operator=(SignedDistance&&) noexcept = default;

double SignedDistance::band() const { return (double{kBandInVoxels} - 1) * voxel_; }

double SignedDistance::operator()(const Vec3& p) const {
  double distance = 0;
  if (state_->sample(p, voxel_, distance)) return distance;
  distance = unsigned_distance(p);
  return winding_number(p) > 0.5 ? -distance : distance;
}

double SignedDistance::clamped(const Vec3& p) const {
  double distance = 0;
  if (state_->sample(p, voxel_, distance)) return std::clamp(distance, -band(), band());
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
