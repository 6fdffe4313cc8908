#include "cutis/flesh/lattice/tet_subdivision.h"

#include "cutis/core/id.h"

#include <algorithm>

namespace cutis {
namespace {

using Weights = std::array<int, 4>;
/// Nodes 0 and 1 are one long edge, 2 and 3 the other.
using WeightedTet = std::array<Weights, 4>;

Weights middle(const Weights& a, const Weights& b) {
  Weights m;
  for (std::size_t k = 0; k < 4; ++k) m[k] = (a[k] + b[k]) / 2;
  return m;
}

/// Four parts at the corners, four around the line between the middles of the long edges: that cut of the
/// octahedron between the corners makes all parts similar to the whole.
std::array<WeightedTet, 8> eighths(const WeightedTet& t) {
  const Weights m01 = middle(t[0], t[1]), m23 = middle(t[2], t[3]), m02 = middle(t[0], t[2]),
                m03 = middle(t[0], t[3]), m12 = middle(t[1], t[2]), m13 = middle(t[1], t[3]);
  return {{{t[0], m01, m02, m03},
           {m01, t[1], m12, m13},
           {m02, m12, t[2], m23},
           {m03, m13, m23, t[3]},
           {m01, m23, m02, m12},
           {m01, m23, m13, m12},
           {m01, m23, m13, m03},
           {m01, m23, m02, m03}}};
}

}  // namespace

const TetSubdivision& TetSubdivision::table() {
  static const TetSubdivision table;
  return table;
}

TetSubdivision::TetSubdivision() {
  list_samples();
  const WeightedTet whole = {{{4, 0, 0, 0}, {0, 4, 0, 0}, {0, 0, 4, 0}, {0, 0, 0, 4}}};
  for (const WeightedTet& half : eighths(whole))
    for (const WeightedTet& quarter : eighths(half))
      sub_tets_.push_back({sample(quarter[0]), sample(quarter[1]), sample(quarter[2]), sample(quarter[3])});
  list_edges();
}

void TetSubdivision::list_samples() {
  int count = 0;
  for (int a = 0; a <= kParts; ++a)
    for (int b = 0; a + b <= kParts; ++b)
      for (int c = 0; a + b + c <= kParts; ++c) {
        const Weights w = {a, b, c, kParts - a - b - c};
        weights_[at(count)] = w;
        index_[at(a)][at(b)][at(c)] = count;
        for (std::size_t k = 0; k < 4; ++k) {
          if (w[k] == 0) on_face_[k].push_back(count);
          if (w[k] == kParts) corner_[k] = count;
        }
        ++count;
      }
}

void TetSubdivision::list_edges() {
  for (const auto& t : sub_tets_)
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = i + 1; j < 4; ++j) edges_.push_back({std::min(t[i], t[j]), std::max(t[i], t[j])});
  std::sort(edges_.begin(), edges_.end());
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
}

LatticePoint TetSubdivision::place(const BccTet& tet, int sample) const {
  // In eighths of a cell a node is four times its place in halves: the mean by weights over four is whole.
  LatticePoint sum = LatticePoint::Zero();
  for (std::size_t k = 0; k < 4; ++k) sum += weights_[at(sample)][k] * tet.nodes()[k];
  return sum;
}

}  // namespace cutis
