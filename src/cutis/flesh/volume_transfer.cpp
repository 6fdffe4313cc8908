#include "cutis/flesh/volume_transfer.h"

#include <algorithm>
#include <utility>

#include <Eigen/LU>

#include "cutis/flesh/lattice/lattice_measures.h"

namespace cutis {
namespace {

/// How often a loss is shared out among all that have a node in common: about so many cells away it is felt.
constexpr int kSpreads = 4;
/// What an element may grow to and shrink to.
constexpr double kMostGrowth = 2, kLeastGrowth = 0.7;

}  // namespace

VolumeTransfer::VolumeTransfer(const BccLattice& lattice, std::vector<TetId> elements, double rate)
    : lattice_(lattice), elements_(std::move(elements)), rate_(rate), growth_(elements_.size(), 1) {
  for (TetId t : ids<TetId>(lattice.mesh.tet_count())) volumes_.push_back(body_volume(lattice, t));
  for (double volume : volumes_) total_ += volume;
}

double VolumeTransfer::volume_ratio(const NodePoints& nodes, TetId t) const {
  const TetMesh& mesh = lattice_.mesh;
  return tet_edges(mesh, nodes, t).determinant() / tet_edges(mesh, mesh.positions, t).determinant();
}

double VolumeTransfer::volume_ratio(const NodePoints& nodes) const {
  double sum = 0;
  for (TetId t : ids<TetId>(volumes_.size())) sum += volumes_[t] * volume_ratio(nodes, t);
  return sum / total_;
}

/// From tetrahedra to their nodes and back, a quarter to each, some times over.
IdVector<TetId, double> VolumeTransfer::spread(IdVector<TetId, double> losses) const {
  const TetMesh& mesh = lattice_.mesh;
  IdVector<NodeId, double> weights(mesh.node_count(), 0);
  for (TetId t : ids<TetId>(volumes_.size()))
    for (NodeId v : mesh.tets[t]) weights[v] += volumes_[t];
  for (int i = 0; i < kSpreads; ++i) {
    IdVector<NodeId, double> at_nodes(mesh.node_count(), 0);
    for (TetId t : ids<TetId>(volumes_.size()))
      for (NodeId v : mesh.tets[t]) at_nodes[v] += losses[t] / 4;
    for (TetId t : ids<TetId>(volumes_.size())) {
      losses[t] = 0;
      for (NodeId v : mesh.tets[t]) losses[t] += at_nodes[v] * volumes_[t] / weights[v];
    }
  }
  return losses;
}

/// Where volume is missing, what is lost near an element says how much of it that one gets; where there is
/// too much, what each has got says how much it gives back.
void VolumeTransfer::advance(const NodePoints& nodes, double dt) {
  const double missing = (1 - volume_ratio(nodes)) * total_;
  std::vector<double> shares(elements_.size(), 0);
  if (missing > 0) {
    IdVector<TetId, double> losses(volumes_.size(), 0);
    for (TetId t : ids<TetId>(volumes_.size()))
      losses[t] = volumes_[t] * std::max(0.0, 1 - volume_ratio(nodes, t));
    losses = spread(std::move(losses));
    for (std::size_t e = 0; e < elements_.size(); ++e) shares[e] = losses[elements_[e]];
  } else {
    for (std::size_t e = 0; e < elements_.size(); ++e)
      shares[e] = volumes_[elements_[e]] * std::max(0.0, growth_[e] - 1);
  }
  double sum = 0;
  for (double share : shares) sum += share;
  if (!(sum > 0)) return;
  for (std::size_t e = 0; e < elements_.size(); ++e)
    growth_[e] = std::clamp(growth_[e] + rate_ * dt * missing * shares[e] / (sum * volumes_[elements_[e]]),
                            kLeastGrowth, kMostGrowth);
}

}  // namespace cutis
