#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cutis/body/body.h"
#include "cutis/surface/field/line_field.h"
#include "cutis/surface/mesh/triangle_measures.h"

namespace cutis {

/// What is the same in all frames of a result.
struct ResultMesh {
  SourceMesh mesh;                            ///< at rest, in the source's own vertex order
  IdVector<SourceVertexId, VertexId> welded;  ///< source vertex -> the welded vertex it belongs to
  std::vector<IndexTriangle> triangles;       ///< source vertices, one for each welded vertex
  std::vector<std::int32_t> triangle_faces;   ///< the source face each triangle was cut from
  /// The shot's regions by name: whether each source vertex is a corner of one of the region's faces.
  std::map<std::string, std::vector<char>> regions = {};
  LineDirections directions = {};  ///< of the skin at rest, one per triangle; empty where the shot has none
  /// What they were drawn from, by triangle; empty where not from strokes.
  std::vector<LineSample> strokes = {};
  std::optional<Skeleton> skeleton = {};  ///< that of the body
  /// What is painted on the body's vertices, besides the weights of its joints.
  std::vector<VertexAttribute> attributes = {};
  FaceGroups materials = {}, parts = {};  ///< of the faces of `mesh`

  /// Of welded vertices, without the copies behind them that mending made.
  std::size_t welded_count() const;
};
ResultMesh result_mesh(const Body& body);

}  // namespace cutis
