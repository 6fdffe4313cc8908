#pragma once

#include <array>
#include <cstdint>

#include "cutis/core/types.h"

namespace cutis {

/// A point of the lattice in whole numbers; which unit, the name of each function says.
using LatticePoint = Eigen::Vector3i;

/// One number for each lattice point with coordinates of less than a million on either side of the origin, in
/// the order of x, then y, then z.
std::uint64_t lattice_key(const LatticePoint& p);
LatticePoint lattice_point(std::uint64_t key);

/// The body-centred cubic lattice in units of half a cell: its nodes are the corners of the cells (all
/// coordinates even) and their centres (all odd). A tetrahedron joins the centres of two cells that share a
/// face with one edge of that face; so two of its opposite edges have the length of a cell, and the other
/// four are shorter. All are congruent, with dihedral angles of 60 and 90 degrees.
///
/// A tetrahedron is named by twice its centroid, which is a whole number in every coordinate.
class BccTet {
 public:
  explicit BccTet(const LatticePoint& twice_centroid);
  /// The tetrahedron that holds a point, given in half cells.
  static BccTet at(const Vec3& point);
  /// The four around the edge between the centres of two cells that share a face: `face` is its centre.
  static std::array<BccTet, 4> around(const LatticePoint& face);

  const LatticePoint& name() const { return name_; }
  std::uint64_t key() const { return lattice_key(name_); }
  /// Positively oriented: first the two centres, then the two corners.
  const std::array<LatticePoint, 4>& nodes() const { return nodes_; }
  /// The tetrahedron on the other side of the face opposite to a node.
  BccTet neighbour(int node) const;
  /// Barycentric coordinates of a point, given in half cells.
  Vec4 barycentric(const Vec3& point) const;

 private:
  LatticePoint name_;
  LatticePoint middle_;       ///< of the edge between the centres
  int along_, beside_;        ///< axes of the edges between the centres and between the corners
  int offset_axis_, offset_;  ///< from the first edge's middle to the second's, by one half cell either way
  std::array<LatticePoint, 4> nodes_;
};

/// Where the lattice lies in space.
struct BccGrid {
  Vec3 origin = Vec3::Zero();  ///< [m]
  double cell = 1;             ///< [m]

  Vec3 half_cells(const Vec3& position) const { return (position - origin) / (0.5 * cell); }
  Vec3 position(const LatticePoint& half_cells) const {
    return origin + 0.5 * cell * half_cells.cast<double>();
  }
  double tet_volume() const { return cell * cell * cell / 12; }
};

}  // namespace cutis
