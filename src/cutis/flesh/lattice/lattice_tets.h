#pragma once

#include <span>
#include <vector>

#include "cutis/flesh/distance/signed_distance.h"
#include "cutis/flesh/lattice/cut_tet.h"

namespace cutis {

/// Tetrahedra of the lattice that the body passes through, each once, and its parts in each.
struct LatticeTets {
  std::vector<std::uint64_t> keys;       ///< BccTet::key(), rising
  std::vector<std::size_t> face_starts;  ///< tetrahedra + 1
  std::vector<FaceId> faces;             ///< that touch each tetrahedron, rising
  std::vector<CutTet> cuts;

  std::size_t size() const { return keys.size(); }
  BccTet tet(std::size_t t) const { return BccTet(lattice_point(keys[t])); }
  std::span<const FaceId> faces_of(std::size_t t) const {
    return {faces.data() + face_starts[t], face_starts[t + 1] - face_starts[t]};
  }
  /// Its number, or size() when the body does not reach it.
  std::size_t find(const BccTet& tet) const;
};

/// `points` are the vertices in half cells of the grid, `triangles` face outwards.
LatticeTets lattice_tets(const BccGrid& grid, const SignedDistance& distance, const CuttingSurface& surface);

}  // namespace cutis
