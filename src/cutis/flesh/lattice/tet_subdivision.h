#pragma once

#include <array>
#include <vector>

#include "cutis/flesh/lattice/bcc_grid.h"

namespace cutis {

/// A tetrahedron of the lattice cut twice into eight. The parts are tetrahedra of a lattice with a quarter of
/// the cell, so the samples of neighbouring tetrahedra agree on the face between them.
class TetSubdivision {
 public:
  static constexpr int kParts = 4;     ///< along an edge
  static constexpr int kSamples = 35;  ///< corners of the parts
  static constexpr int kSubTets = 64;

  /// The one table that all share.
  static const TetSubdivision& table();

  /// Barycentric coordinates of the samples, times kParts.
  const std::array<std::array<int, 4>, kSamples>& weights() const { return weights_; }
  const std::vector<std::array<int, 4>>& sub_tets() const { return sub_tets_; }
  /// Edges of the parts, each once, lower sample first.
  const std::vector<std::array<int, 2>>& edges() const { return edges_; }
  int sample(const std::array<int, 4>& weights) const {
    return index_[std::size_t(weights[0])][std::size_t(weights[1])][std::size_t(weights[2])];
  }
  /// Samples on the face opposite to a node.
  const std::vector<int>& on_face(int node) const { return on_face_[std::size_t(node)]; }
  /// The sample that is a node of the tetrahedron.
  int corner(int node) const { return corner_[std::size_t(node)]; }

  /// A sample's place in units of an eighth of a cell.
  LatticePoint place(const BccTet& tet, int sample) const;

 private:
  TetSubdivision();
  void list_samples();
  void list_edges();

  std::array<std::array<int, 4>, kSamples> weights_;
  std::array<std::array<std::array<int, kParts + 1>, kParts + 1>, kParts + 1> index_;
  std::vector<std::array<int, 4>> sub_tets_;
  std::vector<std::array<int, 2>> edges_;
  std::array<std::vector<int>, 4> on_face_;
  std::array<int, 4> corner_;
};

}  // namespace cutis
