#pragma once

#include <span>
#include <vector>

#include "cutis/flesh/lattice/embedding.h"
#include "cutis/solve/sparse_cholesky.h"

namespace cutis {

struct LaplaceOptions {
  /// How strongly surface points hold the nodes around them, against the Dirichlet energy of a cell: the
  /// larger, the nearer the embedded surface comes to its target, and the less smooth are the nodes where
  /// there are more surface points than nodes; a point that has a cell for itself holds them 20 times as
  /// strongly. What it misses is Embedding::local_offsets().
  double surface_weight = 100;
};

/// Extends a motion that is known on the surface and on some nodes (of bones) to all nodes of a lattice: the
/// smoothest field, of least Dirichlet energy over the body, that takes the nodes' values and, in the sense
/// of least squares, the surface's. It solves the Laplace equation with linear finite elements; tetrahedra
/// that are body only in part count for that part. The affine motion that fits best is taken out before and
/// put back after, so a linear field is extended exactly.
///
/// The matrix is factorised once; a frame costs one solve.
class LaplaceExtension {
 public:
  /// `mesh` is what the lattice and the embedding were made of: vertices count by the area around them.
  /// Components of the lattice without any known value follow the affine motion.
  LaplaceExtension(const BccLattice& lattice, std::span<const NodeId> prescribed, const Embedding& surface,
                   const Mesh& mesh, const LaplaceOptions& options = {});
  /// From nodes alone.
  LaplaceExtension(const BccLattice& lattice, std::span<const NodeId> prescribed);

  /// Positions of all nodes [m] from those of the prescribed nodes, in their order, and of the surface's
  /// vertices (none when made from nodes alone).
  NodePoints positions(std::span<const Vec3> prescribed, const Points& surface = {}) const;

 private:
  /// A point of the surface whose motion is known.
  struct SurfaceValue {
    std::array<NodeId, 4> nodes;
    Vec4 barycentric;
    Vec3 rest;
    double area;      ///< [m²]
    double strength;  ///< against the entries of the stiffness matrix [m]
  };
  /// Rows: of the constant and the three coordinates.
  using Affine = Eigen::Matrix<double, 4, 3>;

  double cell_;
  NodePoints rest_;
  std::vector<NodeId> prescribed_;
  std::vector<SurfaceValue> surface_;
  IdVector<NodeId, int> unknown_;  ///< number in the system; -1 where the value is known
  int unknowns_ = 0;
  Eigen::SparseMatrix<double> coupling_;  ///< of the unknowns to the prescribed nodes
  SparseCholesky factor_;
  Vec3 centre_ = Vec3::Zero();           ///< of the known points at rest
  double size_ = 1;                      ///< of the known points at rest [m]
  Mat4 inverse_moments_ = Mat4::Zero();  ///< of the known points, for the affine fit

  void build(const BccLattice& lattice);
  void number_unknowns(const TetMesh& mesh);
  void factorize(const BccLattice& lattice);
  void prepare_affine_fit();
  Vec4 affine_basis(const Vec3& rest) const;
  Affine affine_fit(std::span<const Vec3> prescribed, const Points& surface) const;
  Vec3 affine_position(const Affine& fit, const Vec3& rest) const;
};

}  // namespace cutis
