#pragma once

#include <string>
#include <variant>
#include <vector>

#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// Vertex positions frame by frame, in the file's own units and vertex order.
struct PointCache {
  std::string file;           ///< where it came from, for messages
  std::vector<double> times;  ///< of each frame [s], strictly increasing, at least one
  std::size_t vertex_count = 0;
  /// Frame after frame, vertex after vertex, x y z; finite. 32-bit floats where the file has no more (PC2,
  /// MDD, USD), as long clips are large; doubles from OBJ and PLY.
  std::variant<std::vector<float>, std::vector<double>> coordinates;

  std::size_t frame_count() const { return times.size(); }
  Vec3 point(std::size_t frame, SourceVertexId v) const {
    const std::size_t first = 3 * (frame * vertex_count + v.index());
    return std::visit(
        [first](const auto& list) { return Vec3(list[first], list[first + 1], list[first + 2]); },
        coordinates);
  }
  SourcePoints frame(std::size_t frame) const {
    SourcePoints points(vertex_count);
    for (SourceVertexId v : ids<SourceVertexId>(vertex_count)) points[v] = point(frame, v);
    return points;
  }
};

}  // namespace cutis
