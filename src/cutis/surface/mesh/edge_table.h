#pragma once

#include <span>
#include <vector>

#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// One face's side of an edge.
struct EdgeSide {
  VertexId low, high;  ///< the edge's vertices, lower id first
  CornerId corner;     ///< the side runs from this corner to the next
  FaceId face;
  bool forward;  ///< it runs from low to high
};

/// The edges of any polygon mesh, manifold or not: for each the sides that meet there, by corner. Edges are
/// ordered by their vertices. Sides from a vertex to itself are left out.
class EdgeTable {
 public:
  /// Faces f with skip[f] are left out; an empty skip takes all.
  explicit EdgeTable(const Mesh& mesh, const IdVector<FaceId, char>& skip = {});

  std::size_t size() const { return first_.size() - 1; }
  std::span<const EdgeSide> operator[](std::size_t edge) const {
    return {sides_.data() + first_[edge], first_[edge + 1] - first_[edge]};
  }

 private:
  std::vector<EdgeSide> sides_;
  std::vector<std::size_t> first_;
};

/// The corner after c in its face.
template <class V>
CornerId corner_after(const PolygonMesh<V>& mesh, FaceId f, CornerId c) {
  const CornerId first = mesh.first_corner(f);
  return CornerId(c.index() + 1 < first.index() + mesh.face_size(f) ? c.index() + 1 : first.index());
}

/// Half the sum of cross products around a polygon (Newell): its mean normal times its area [m²].
Vec3 area_vector(const Mesh& mesh, FaceId f);

}  // namespace cutis
