#pragma once

#include <span>
#include <vector>

#include "cutis/flesh/lattice/tet_mesh.h"
#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// Share of a tetrahedron that counts as filled at the least: a tetrahedron that the body only grazes keeps a
/// mass and a stiffness that a solver can divide by. All of them together weigh a few thousandths of a body
/// at the most, where a flat side grazes a whole layer of the lattice.
constexpr double kMinFill = 0.01;

/// Tetrahedra of a body-centred cubic lattice that hold a body at rest: all that its inside or its surface
/// passes through. Parts of the body that are near in space but not connected there (two fingers, arm and
/// torso, lips) have tetrahedra and nodes of their own, in the same places.
struct BccLattice {
  double cell = 0;  ///< [m]
  TetMesh mesh;
  /// Share of each tetrahedron that is body, kMinFill to 1: masses and stiffnesses are scaled by it.
  IdVector<TetId, double> fill;
  /// Distance below the surface [m], negative outside the part of the body that the node belongs to.
  IdVector<NodeId, double> depth;
  std::vector<std::size_t> face_starts;  ///< faces + 1: where each face of the surface begins in face_tets
  std::vector<TetId> face_tets;

  /// The tetrahedra that a face of the surface passes through, on its own side.
  std::span<const TetId> tets_of(FaceId f) const {
    return {face_tets.data() + face_starts[f.index()], face_starts[f.index() + 1] - face_starts[f.index()]};
  }
  bool operator==(const BccLattice&) const = default;
};

/// Builds the lattice with cells of one width [m]; lattice_cell.h chooses it. The mesh may have holes,
/// slivers, duplicate faces, cross itself or be non-manifold; where two parts overlap they are joined. A
/// lattice has about 12 tetrahedra per cell. It lies in the body's own frame (body_frame.h), so that a copy
/// of the body that is turned, mirrored, moved, scaled or permuted has the same one up to rounding, and it is
/// mirrored wherever the body is. The same bits at any number of threads. Throws InputError when there is no
/// face, a face is not a triangle, a position is not finite, or the cell is not positive or less than a
/// 2000th of the body's size.
BccLattice bcc_lattice(const Mesh& triangles, double cell);

}  // namespace cutis
