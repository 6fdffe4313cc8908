#include "cutis/surface/remesh/vertex_transfer.h"

namespace cutis {

VertexStencil mean(std::span<const VertexWeight> a, std::span<const VertexWeight> b) {
  VertexStencil result;
  result.reserve(a.size() + b.size());
  for (auto i = a.begin(), j = b.begin(); i != a.end() || j != b.end();) {
    const bool from_a = i != a.end() && (j == b.end() || i->vertex <= j->vertex);
    const bool from_b = j != b.end() && (i == a.end() || j->vertex <= i->vertex);
    VertexWeight w{from_a ? i->vertex : j->vertex, 0};
    if (from_a) w.weight += 0.5 * (i++)->weight;
    if (from_b) w.weight += 0.5 * (j++)->weight;
    result.push_back(w);
  }
  return result;
}

}  // namespace cutis
