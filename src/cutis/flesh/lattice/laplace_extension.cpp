#include "cutis/flesh/lattice/laplace_extension.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <stdexcept>

#include <Eigen/Eigenvalues>

#include "cutis/core/parallel.h"
#include "cutis/surface/mesh/triangle_measures.h"

namespace cutis {
namespace {

using Triplet = Eigen::Triplet<double>;

// Directions in which the known points extend by less, as squares relative to the largest, have no gradient:
// a flat set of points says nothing across itself.
constexpr double kFlatDirection = 1e-12;

/// How much more strongly a surface point that has a cell for itself holds its nodes than one of many: they
/// can go wherever it does, and what moves apart within a cell (an armpit on a coarse mesh) is met.
constexpr double kAlone = 20;

Mat4 pseudo_inverse(const Mat4& symmetric) {
  const Eigen::SelfAdjointEigenSolver<Mat4> eigen(symmetric);
  const Vec4& values = eigen.eigenvalues();
  Vec4 inverse = Vec4::Zero();
  for (int k = 0; k < 4; ++k)
    if (values[k] > kFlatDirection * values[3]) inverse[k] = 1 / values[k];
  return eigen.eigenvectors() * inverse.asDiagonal() * eigen.eigenvectors().transpose();
}

/// Sorts the entries of element matrices into those between unknowns and those to prescribed nodes.
struct LaplaceEntries {
  const IdVector<NodeId, int>& unknown;
  const IdVector<NodeId, int>& prescribed;
  std::vector<Triplet> lower, coupling;

  void add(const std::array<NodeId, 4>& nodes, const Mat4& matrix) {
    for (int i = 0; i < 4; ++i) {
      const int row = unknown[nodes[at(i)]];
      if (row < 0) continue;
      for (int j = 0; j < 4; ++j) {
        const int column = unknown[nodes[at(j)]], known = prescribed[nodes[at(j)]];
        if (column >= 0 && row >= column) lower.emplace_back(row, column, matrix(i, j));
        if (known >= 0) coupling.emplace_back(row, known, matrix(i, j));
      }
    }
  }
};

}  // namespace

LaplaceExtension::LaplaceExtension(const BccLattice& lattice, std::span<const NodeId> prescribed,
                                   const Embedding& surface, const Mesh& mesh, const LaplaceOptions& options)
    : cell_(lattice.cell), rest_(lattice.mesh.positions), prescribed_(prescribed.begin(), prescribed.end()) {
  const IdVector<VertexId, double> areas = vertex_areas(mesh);
  for (VertexId v : ids<VertexId>(surface.size())) {
    const double share = std::min(1.0, areas[v] / (cell_ * cell_));
    surface_.push_back({surface.nodes(v), surface[v].barycentric, mesh.positions[v], areas[v],
                        options.surface_weight * (1 + kAlone * share) * areas[v] / cell_});
  }
  build(lattice);
}

LaplaceExtension::LaplaceExtension(const BccLattice& lattice, std::span<const NodeId> prescribed)
    : cell_(lattice.cell), rest_(lattice.mesh.positions), prescribed_(prescribed.begin(), prescribed.end()) {
  build(lattice);
}

void LaplaceExtension::build(const BccLattice& lattice) {
  number_unknowns(lattice.mesh);
  factorize(lattice);
  prepare_affine_fit();
}

void LaplaceExtension::number_unknowns(const TetMesh& mesh) {
  IdVector<NodeId, int> component;
  std::vector<char> known(at(connected_components(mesh, component)), 0);
  for (NodeId n : prescribed_) known[at(component[n])] = 1;
  for (const SurfaceValue& s : surface_)
    if (s.strength > 0) known[at(component[s.nodes[0]])] = 1;
  unknown_.assign(mesh.node_count(), 0);
  for (NodeId n : prescribed_) unknown_[n] = -1;
  for (NodeId n : ids<NodeId>(mesh.node_count()))
    unknown_[n] = unknown_[n] < 0 || !known[at(component[n])] ? -1 : unknowns_++;
}

void LaplaceExtension::factorize(const BccLattice& lattice) {
  IdVector<NodeId, int> prescribed(rest_.size(), -1);
  for (std::size_t i = 0; i < prescribed_.size(); ++i) prescribed[prescribed_[i]] = static_cast<int>(i);
  LaplaceEntries entries{unknown_, prescribed, {}, {}};
  for (TetId t : ids<TetId>(lattice.mesh.tet_count())) {
    // Stiffness of linear elements: the integral of ∇λi · ∇λj over the body in the tetrahedron.
    const auto gradients = barycentric_gradients(lattice.mesh, t);
    const double volume = lattice.fill[t] * tet_volume(lattice.mesh, t);
    entries.add(lattice.mesh.tets[t], volume * gradients.transpose() * gradients);
  }
  for (const SurfaceValue& s : surface_)
    entries.add(s.nodes, s.strength * s.barycentric * s.barycentric.transpose());
  Eigen::SparseMatrix<double> lower(unknowns_, unknowns_);
  lower.setFromTriplets(entries.lower.begin(), entries.lower.end());
  coupling_.resize(unknowns_, static_cast<Eigen::Index>(prescribed_.size()));
  coupling_.setFromTriplets(entries.coupling.begin(), entries.coupling.end());
  if (unknowns_ == 0) return;
  factor_.analyze(lower);
  if (!factor_.factorize(lower)) throw std::logic_error("the Laplace matrix is not positive definite");
}

Vec4 LaplaceExtension::affine_basis(const Vec3& rest) const {
  const Vec3 x = (rest - centre_) / size_;
  return {1, x[0], x[1], x[2]};
}

void LaplaceExtension::prepare_affine_fit() {
  Eigen::AlignedBox3d box;
  for (NodeId n : prescribed_) box.extend(rest_[n]);
  for (const SurfaceValue& s : surface_) box.extend(s.rest);
  if (box.isEmpty()) return;
  centre_ = box.center();
  if (box.diagonal().norm() > 0) size_ = box.diagonal().norm();
  Mat4 moments = Mat4::Zero();
  const auto add = [&](const Vec3& rest, double weight) {
    moments += weight * affine_basis(rest) * affine_basis(rest).transpose();
  };
  for (NodeId n : prescribed_) add(rest_[n], cell_ * cell_);
  for (const SurfaceValue& s : surface_) add(s.rest, s.area);
  inverse_moments_ = pseudo_inverse(moments);
}

LaplaceExtension::Affine LaplaceExtension::affine_fit(std::span<const Vec3> prescribed,
                                                      const Points& surface) const {
  Affine sum = Affine::Zero();
  for (std::size_t i = 0; i < prescribed_.size(); ++i) {
    const Vec3& rest = rest_[prescribed_[i]];
    sum += cell_ * cell_ * affine_basis(rest) * (prescribed[i] - rest).transpose();
  }
  for (std::size_t i = 0; i < surface_.size(); ++i) {
    const SurfaceValue& s = surface_[i];
    sum += s.area * affine_basis(s.rest) * (surface[VertexId(i)] - s.rest).transpose();
  }
  return inverse_moments_ * sum;
}

Vec3 LaplaceExtension::affine_position(const Affine& fit, const Vec3& rest) const {
  return rest + fit.transpose() * affine_basis(rest);
}

NodePoints LaplaceExtension::positions(std::span<const Vec3> prescribed, const Points& surface) const {
  assert(prescribed.size() == prescribed_.size() && surface.size() == surface_.size());
  const Affine fit = affine_fit(prescribed, surface);
  Eigen::MatrixXd known(prescribed_.size(), 3), right = Eigen::MatrixXd::Zero(unknowns_, 3);
  for (std::size_t i = 0; i < prescribed_.size(); ++i)
    known.row(static_cast<Eigen::Index>(i)) =
        (prescribed[i] - affine_position(fit, rest_[prescribed_[i]])).transpose();
  for (std::size_t i = 0; i < surface_.size(); ++i) {
    const SurfaceValue& s = surface_[i];
    const Vec3 value = s.strength * (surface[VertexId(i)] - affine_position(fit, s.rest));
    for (int k = 0; k < 4; ++k)
      if (const int row = unknown_[s.nodes[at(k)]]; row >= 0)
        right.row(row) += s.barycentric[k] * value.transpose();
  }
  if (!prescribed_.empty()) right -= coupling_ * known;
  const Eigen::MatrixXd solved = unknowns_ > 0 ? factor_.solve(right) : right;

  NodePoints result(rest_.size());
  parallel_for(result.size(), [&](std::size_t i) {
    const NodeId n(i);
    result[n] = affine_position(fit, rest_[n]);
    if (unknown_[n] >= 0) result[n] += solved.row(unknown_[n]).transpose();
  });
  for (std::size_t i = 0; i < prescribed_.size(); ++i) result[prescribed_[i]] = prescribed[i];
  return result;
}

}  // namespace cutis
