#pragma once

#include <memory>
#include <vector>

#include "cutis/surface/map/extended_charts.h"
#include "cutis/surface/map/surface_map.h"
#include "cutis/surface/mesh/triangle_mesh.h"

namespace cutis {

/// Texture coordinates that move over a body which keeps its vertices: at each corner of a polygon those, in
/// the body's own UV layout, of the skin that lies there now. All corners of a polygon are in one chart,
/// extended past its border where the polygon lies across one (Thin Skin, appendix A.2): the polygon's own
/// chart as long as no corner is further than `reach` past its border, else the one that its corners leave
/// the least.
class MovingUvs {
 public:
  struct Frame {
    IdVector<CornerId, Vec2> uvs;  ///< of the polygons
    /// The chart that each polygon is looked up in, of charts().
    IdVector<FaceId, int> chart;
    double overhang = 0;  ///< how far the furthest corner lies past the border of its chart [m]
    /// Polygons whose corners are too far apart to be brought into one chart: each is in its own.
    std::vector<FaceId> torn;
  };

  /// The triangles are those of the polygons, the surface is theirs; both meshes must outlive this. Throws
  /// InputError as uv_atlas() does.
  MovingUvs(const Mesh& polygons, const TriangleMesh& triangles, std::shared_ptr<const Surface> surface,
            double reach = 0);

  const ExtendedCharts& charts() const { return charts_; }
  /// The chart that a polygon is painted in.
  int own_chart(FaceId polygon) const { return charts_.copy(first_triangle_[polygon].value).chart; }
  /// The skin that lies at each vertex of the body. Frames do not depend on each other.
  Frame operator()(const SurfaceMap& body_to_skin);

 private:
  struct Choice;
  const Mesh& polygons_;
  ExtendedCharts charts_;
  double reach_;                             ///< [m]
  double same_;                              ///< distances that differ by less are the same [m]
  IdVector<FaceId, FaceId> first_triangle_;  ///< of each polygon

  SurfacePoint middle(FaceId polygon, const SurfaceMap& map) const;
  int rings_needed(const SurfaceMap& map) const;
  Choice choose(FaceId polygon, const SurfaceMap& map) const;
};

}  // namespace cutis
