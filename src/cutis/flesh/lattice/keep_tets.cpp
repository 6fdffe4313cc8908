#include "cutis/flesh/lattice/keep_tets.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace cutis {
namespace {

void sort_unique(std::vector<TetId>& tets) {
  std::ranges::sort(tets);
  tets.erase(std::unique(tets.begin(), tets.end()), tets.end());
}

class TetSelection {
 public:
  TetSelection(IdVector<TetId, char> keep, BccLattice& lattice)
      : keep_(std::move(keep)), lattice_(lattice), around_(lattice.mesh.node_count()) {
    for (TetId t : ids<TetId>(keep_.size()))
      if (keep_[t])
        for (NodeId v : lattice.mesh.tets[t]) around_[v].push_back(t);
    for (TetId t : ids<TetId>(keep_.size()))
      if (!keep_[t] && neighbours(t).empty()) keep_[t] = 1;
  }

  IdVector<NodeId, NodeId> apply() {
    number_tets();
    carry_faces();
    IdVector<TetId, std::array<NodeId, 4>> tets;
    IdVector<TetId, double> fill;
    for (TetId t : ids<TetId>(keep_.size()))
      if (keep_[t]) {
        tets.push_back(lattice_.mesh.tets[t]);
        fill.push_back(lattice_.fill[t]);
      }
    lattice_.mesh.tets = std::move(tets);
    lattice_.fill = std::move(fill);
    return drop_free_nodes();
  }

 private:
  IdVector<TetId, char> keep_;
  BccLattice& lattice_;
  IdVector<NodeId, std::vector<TetId>> around_;  ///< tetrahedra that stay
  IdVector<TetId, TetId> number_;

  std::vector<TetId> neighbours(TetId t) const {
    std::vector<TetId> out;
    for (NodeId v : lattice_.mesh.tets[t]) out.insert(out.end(), around_[v].begin(), around_[v].end());
    sort_unique(out);
    return out;
  }

  void number_tets() {
    number_.assign(keep_.size(), TetId());
    int next = 0;
    for (TetId t : ids<TetId>(keep_.size()))
      if (keep_[t]) number_[t] = TetId(next++);
  }

  void carry_faces() {
    std::vector<std::size_t> starts(1, 0);
    std::vector<TetId> tets;
    for (FaceId f : ids<FaceId>(lattice_.face_starts.size() - 1)) {
      std::vector<TetId> own;
      for (TetId t : lattice_.tets_of(f)) {
        if (keep_[t])
          own.push_back(number_[t]);
        else
          for (TetId other : neighbours(t)) own.push_back(number_[other]);
      }
      sort_unique(own);
      tets.insert(tets.end(), own.begin(), own.end());
      starts.push_back(tets.size());
    }
    lattice_.face_starts = std::move(starts);
    lattice_.face_tets = std::move(tets);
  }

  IdVector<NodeId, NodeId> drop_free_nodes() {
    TetMesh& mesh = lattice_.mesh;
    IdVector<NodeId, char> used(mesh.node_count(), 0);
    for (const std::array<NodeId, 4>& tet : mesh.tets)
      for (NodeId v : tet) used[v] = 1;
    IdVector<NodeId, NodeId> number(mesh.node_count());
    NodePoints positions;
    IdVector<NodeId, double> depth;
    for (NodeId v : ids<NodeId>(used.size()))
      if (used[v]) {
        number[v] = positions.push_back(mesh.positions[v]);
        depth.push_back(lattice_.depth[v]);
      }
    for (std::array<NodeId, 4>& tet : mesh.tets)
      for (NodeId& v : tet) v = number[v];
    mesh.positions = std::move(positions);
    lattice_.depth = std::move(depth);
    return number;
  }
};

}  // namespace

IdVector<NodeId, NodeId> keep_tets(IdVector<TetId, char> keep, BccLattice& lattice) {
  return TetSelection(std::move(keep), lattice).apply();
}

}  // namespace cutis
