#include "cutis/body/procedural/organic/level_set_mesh.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <openvdb/openvdb.h>
#include <openvdb/tools/VolumeToMesh.h>

#include "cutis/core/parallel.h"

namespace cutis {
namespace {

constexpr int kBlock = 8;    // voxels along a side: one leaf of the tree
constexpr double kBand = 3;  // voxels on either side of the surface that are kept
// A slanted plane gets |nx| + |ny| + |nz| quads a squared voxel, 1.5 in the mean: edges of 0.82 voxels.
constexpr double kVoxelsPerEdge = 1.22;

/// The samples of one block, or one value where the surface is far.
struct Block {
  bool near = false;
  bool inside = false;
  std::array<float, kBlock * kBlock * kBlock> values;
};

class Sampler {
 public:
  Sampler(const std::function<double(const Vec3&)>& distance, const Vec3& low, const Vec3& high, double edge)
      : distance_(distance), voxel_(edge * kVoxelsPerEdge) {
    for (int k = 0; k < 3; ++k) {
      first_[k] = static_cast<int>(std::floor((low[k] / voxel_ - 2) / kBlock));
      count_[k] = static_cast<int>(std::ceil((high[k] / voxel_ + 2) / kBlock)) - first_[k] + 1;
    }
  }

  openvdb::FloatGrid::Ptr sample() {
    const float band = static_cast<float>(kBand * voxel_);
    auto grid = openvdb::FloatGrid::create(band);
    grid->setTransform(openvdb::math::Transform::createLinearTransform(voxel_));
    grid->setGridClass(openvdb::GRID_LEVEL_SET);
    // A slice of blocks at a time keeps the memory small; the tree is filled in one fixed order.
    std::vector<Block> slice(static_cast<std::size_t>(count_[1]) * count_[2]);
    for (int x = 0; x < count_[0]; ++x) {
      parallel_for(
          slice.size(), [&](std::size_t i) { fill(slice[i], origin(x, i), band); }, 4);
      for (std::size_t i = 0; i < slice.size(); ++i) store(slice[i], origin(x, i), *grid);
    }
    return grid;
  }

 private:
  openvdb::Coord origin(int x, std::size_t i) const {
    const int y = static_cast<int>(i) / count_[2], z = static_cast<int>(i) % count_[2];
    return openvdb::Coord((first_[0] + x) * kBlock, (first_[1] + y) * kBlock, (first_[2] + z) * kBlock);
  }
  double at(const openvdb::Coord& c, double shift = 0) const {
    return distance_(voxel_ * Vec3(c.x() + shift, c.y() + shift, c.z() + shift));
  }

  void fill(Block& block, const openvdb::Coord& origin, float band) const {
    // Half again the block's own radius: the distance is exact only near the surface.
    const double middle = at(origin, 0.5 * (kBlock - 1));
    block.near = std::abs(middle) < voxel_ * (0.75 * std::sqrt(3.0) * kBlock + 1);
    block.inside = middle < 0;
    if (!block.near) return;
    for (int i = 0; i < kBlock * kBlock * kBlock; ++i) {
      const openvdb::Coord offset(i / (kBlock * kBlock), i / kBlock % kBlock, i % kBlock);
      block.values[i] = std::clamp(static_cast<float>(at(origin + offset)), -band, band);
    }
  }

  static void store(const Block& block, const openvdb::Coord& origin, openvdb::FloatGrid& grid) {
    const float band = grid.background();
    if (!block.near) {
      if (block.inside) grid.tree().addTile(1, origin, -band, false);
      return;
    }
    auto* leaf = grid.tree().touchLeaf(origin);
    for (int i = 0; i < kBlock * kBlock * kBlock; ++i)
      if (std::abs(block.values[i]) < band)
        leaf->setValueOn(i, block.values[i]);
      else
        leaf->setValueOff(i, block.values[i]);
  }

  const std::function<double(const Vec3&)>& distance_;
  double voxel_;
  std::array<int, 3> first_{}, count_{};
};

}  // namespace

Mesh level_set_mesh(const std::function<double(const Vec3&)>& distance, const Vec3& low, const Vec3& high,
                    double edge) {
  static const bool initialized = (openvdb::initialize(), true);
  static_cast<void>(initialized);
  const openvdb::FloatGrid::Ptr grid = Sampler(distance, low, high, edge).sample();
  std::vector<openvdb::Vec3s> points;
  std::vector<openvdb::Vec4I> quads;
  openvdb::tools::volumeToMesh(*grid, points, quads);

  Mesh mesh;
  mesh.positions.reserve(points.size());
  for (const openvdb::Vec3s& p : points) mesh.positions.push_back(Vec3(p.x(), p.y(), p.z()));
  for (const openvdb::Vec4I& q : quads) {
    // OpenVDB winds its quads clockwise seen from outside.
    const std::array<VertexId, 4> face = {VertexId(std::size_t{q[3]}), VertexId(std::size_t{q[2]}),
                                          VertexId(std::size_t{q[1]}), VertexId(std::size_t{q[0]})};
    mesh.add_face(face);
  }
  return mesh;
}

}  // namespace cutis
