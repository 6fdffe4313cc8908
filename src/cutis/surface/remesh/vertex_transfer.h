#pragma once

#include <span>
#include <vector>

#include "cutis/core/id.h"

namespace cutis {

/// The share that one vertex has in a mean.
struct VertexWeight {
  VertexId vertex;
  double weight = 1;
  bool operator==(const VertexWeight&) const = default;
};
using VertexStencil = std::vector<VertexWeight>;  ///< vertices rising, weights that sum to one

/// The mean of values at vertices. The stencil is not empty.
template <class T>
T weighted_mean(std::span<const VertexWeight> stencil, const IdVector<VertexId, T>& values) {
  T mean = stencil[0].weight * values[stencil[0].vertex];
  for (const VertexWeight& w : stencil.subspan(1)) mean += w.weight * values[w.vertex];
  return mean;
}

/// Half of each.
VertexStencil mean(std::span<const VertexWeight> a, std::span<const VertexWeight> b);

/// How values at the vertices of one mesh become values at those of another: a stencil of old vertices for
/// each new one. A vertex that is in both has itself with the weight 1, so its values keep their bits.
class VertexTransfer {
 public:
  std::size_t size() const { return ends_.size(); }  ///< vertices of the new mesh
  std::span<const VertexWeight> operator[](VertexId v) const {
    const std::size_t begin = v.value == 0 ? 0 : ends_[VertexId(v.value - 1)];
    return std::span(weights_).subspan(begin, ends_[v] - begin);
  }
  /// The old vertex that v is; invalid when v is new.
  VertexId old_vertex(VertexId v) const {
    return (*this)[v].size() == 1 ? (*this)[v].front().vertex : VertexId();
  }
  /// Values at the new vertices from those at the old ones.
  template <class T>
  IdVector<VertexId, T> operator()(const IdVector<VertexId, T>& old) const;

  void add(std::span<const VertexWeight> stencil) {
    weights_.insert(weights_.end(), stencil.begin(), stencil.end());
    ends_.push_back(weights_.size());
  }
  bool operator==(const VertexTransfer&) const = default;

 private:
  VertexStencil weights_;
  IdVector<VertexId, std::size_t> ends_;
};

template <class T>
IdVector<VertexId, T> VertexTransfer::operator()(const IdVector<VertexId, T>& old) const {
  IdVector<VertexId, T> values;
  values.reserve(size());
  for (VertexId v : ids<VertexId>(size())) values.push_back(weighted_mean((*this)[v], old));
  return values;
}

}  // namespace cutis
