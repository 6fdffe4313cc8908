#pragma once

#include <span>
#include <string>
#include <vector>

#include "cutis/measure/figure_request.h"
#include "cutis/measure/measured_frames.h"
#include "cutis/surface/mesh/deformation.h"

namespace cutis {

/// A way to measure a frame; docs/figures.md defines each.
struct MeasureInfo {
  const char* name;
  const char* unit;  ///< "size" for lengths over the size of the body, "1" for plain ratios
  const char* doc;
  std::vector<std::string> with = {};  ///< parameters it reads, besides those that all measures have
};
/// All there are, by name.
std::vector<MeasureInfo> measures();
/// Null when there is none of that name.
const MeasureInfo* measure_info(const std::string& name);

/// What frames are measured against: the shape at rest.
class MeasureRest {
 public:
  /// The mesh must outlive it.
  explicit MeasureRest(const ResultMesh& mesh);

  const ResultMesh& mesh;
  double size;                ///< diagonal of the bounding box [m]
  std::vector<double> areas;  ///< of the triangles [m²]
  std::vector<RestTriangle> triangles;
  std::span<const Vec3> points() const { return mesh.mesh.positions.raw(); }
};

/// What a shot with these fields cannot measure in this way: one sentence each.
std::vector<std::string> measure_mistakes(const FigureRequest& request, const ResultMesh& mesh,
                                          std::span<const std::string> stored_fields);

/// Whether the figure is the skin's value over that of plain skinning.
bool against_body(const FigureRequest& request);

enum class MeasuredShape { Skin, Body };
/// One frame's value; `previous` is null at the first frame. The request must be without mistakes.
double measure(const FigureRequest& request, const MeasureRest& rest, const MeasuredFrame& frame,
               const MeasuredFrame* previous, MeasuredShape shape);

}  // namespace cutis
