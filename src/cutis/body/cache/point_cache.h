#pragma once

#include <string>
#include <vector>

#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// Vertex positions frame by frame, as a PC2 or MDD file has them: 32-bit floats, in the file's own units and
/// vertex order.
struct PointCache {
  std::string file;           ///< where it came from, for messages
  std::vector<double> times;  ///< of each frame [s], strictly increasing, at least one
  std::size_t vertex_count = 0;
  std::vector<float> coordinates;  ///< frame after frame, vertex after vertex, x y z; finite

  std::size_t frame_count() const { return times.size(); }
  Vec3 point(std::size_t frame, SourceVertexId v) const {
    const float* p = coordinates.data() + 3 * (frame * vertex_count + v.index());
    return Vec3(p[0], p[1], p[2]);
  }
  SourcePoints frame(std::size_t frame) const {
    SourcePoints points(vertex_count);
    for (SourceVertexId v : ids<SourceVertexId>(vertex_count)) points[v] = point(frame, v);
    return points;
  }
};

}  // namespace cutis
