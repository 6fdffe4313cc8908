#pragma once

#include <array>
#include <limits>
#include <span>
#include <vector>

#include "cutis/surface/geodesic/geodesic_metric.h"
#include "cutis/surface/geodesic/geodesic_window.h"
#include "cutis/surface/map/surface_point.h"

namespace cutis {

/// Shortest paths over a triangle mesh, exact on its flat faces: no path runs along edges unless that is the
/// shortest way. One object is the scratch memory of one thread: it is made once, of the size of the mesh;
/// after that a query costs what it reaches and allocates nothing once its buffers have grown. The metric
/// must outlive it, and after an update of the metric the old answers are void.
///
/// Against a smooth surface that the mesh approximates, distances are second order in the edge length.
class Geodesics {
 public:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  /// A source whose barycentrics are below this at one corner lies on an edge, at two on a vertex.
  static constexpr double snap = 1e-12;

  explicit Geodesics(const GeodesicMetric& metric);

  // Distances from several sources at once to every vertex within `radius` [m]; nothing beyond is looked at.
  void from_points(std::span<const SurfacePoint> sources, double radius = infinity);
  void from_vertices(std::span<const VertexId> sources, double radius = infinity);
  /// To every vertex that is nearer to `source` than its bound, which is its distance to the nearest of other
  /// sources: nothing is looked at beyond the source's own cell among them. `bounds` must outlive the call.
  void within_cell(VertexId source, const IdVector<VertexId, double>& bounds);
  /// From all points of some edges, their inner points included: distance to a border or a seam.
  void from_edges(std::span<const EdgeId> sources, double radius = infinity);

  /// The vertices within the radius of the last query, nearest first.
  const std::vector<VertexId>& reached() const { return reached_; }
  /// Distance of a vertex to the nearest source [m]; infinity beyond the radius.
  double distance(VertexId v) const { return settled(v) ? vertices_[v].distance : infinity; }
  /// Which of the sources is the nearest (its place in the list); -1 beyond the radius.
  int source(VertexId v) const { return settled(v) ? vertices_[v].source : -1; }
  /// The direction in which the shortest path leaves its source [rad], counter-clockwise. From a point in a
  /// face or on an edge: against the face's first side, the faces around unfolded into its plane. From a
  /// vertex: against topology().halfedge(vertex), 0 .. total angle, unscaled. No meaning for edges.
  double direction(VertexId v) const { return vertices_[v].direction; }

  /// A way from one point to another.
  struct Path {
    double distance = infinity;  ///< infinity when the other end is not within the radius [m]
    double direction = 0;        ///< at the first point, measured as above [rad]
  };
  /// The shortest way between two points, if it is no longer than `radius`. Stops as soon as it is known.
  Path between(const SurfacePoint& a, const SurfacePoint& b, double radius = infinity);

  const GeodesicMetric& metric() const { return *metric_; }

 private:
  struct VertexState {
    unsigned query = 0;  ///< valid when it equals query_
    bool settled = false;
    int source = -1;
    double distance = infinity;
    double direction = 0;
    HalfedgeId arrival;        ///< the path came in between this half-edge and the next; invalid at a source
    double arrival_angle = 0;  ///< from `arrival`, counter-clockwise
  };
  /// The best ray so far to the corner that faces an edge.
  struct Split {
    unsigned query = 0;
    double distance = 0, x = 0;
  };
  struct Event {
    double distance;
    int index;  ///< a window, or ~vertex
  };
  struct Target {
    SurfacePoint point;  ///< invalid face: no target
    Path best;
  };

  const GeodesicMetric* metric_;
  unsigned query_ = 0;
  double radius_ = infinity;
  IdVector<VertexId, VertexState> vertices_;
  IdVector<HalfedgeId, Split> splits_;
  std::vector<GeodesicWindow> windows_;
  std::vector<int> free_windows_;
  std::vector<Event> queue_;
  std::vector<VertexId> reached_;
  Target target_;
  const IdVector<VertexId, double>* bounds_ = nullptr;  ///< none: of within_cell()

  bool settled(VertexId v) const { return vertices_[v].query == query_ && vertices_[v].settled; }
  double known_distance(VertexId v) const {
    if (vertices_[v].query == query_) return vertices_[v].distance;
    return bounds_ ? (*bounds_)[v] : infinity;
  }
  void begin(double radius);
  void run();
  void push(double distance, int index);
  void push(const GeodesicWindow& window);

  void add_point(const SurfacePoint& point, int source);
  void add_rays(HalfedgeId side, const std::array<Vec2, 3>& corners, const Vec2& origin, bool on_side,
                int source);
  void add_vertex(VertexId v, int source);

  void reach(VertexId v, const VertexState& candidate);
  void leave(VertexId v);
  void open_sectors(const VertexState& from, VertexId v, HalfedgeId corner, double polar, double arrival);
  void open_sector(const VertexState& from, HalfedgeId corner, double polar, double begin, double end);

  void cross_face(const GeodesicWindow& window);
  void reach_apex(const GeodesicWindow& window, double distance);
  void enter(const GeodesicWindow& parent, HalfedgeId edge, const Vec2& start, const Vec2& end, double x0,
             double x1);
  bool hopeless(const GeodesicWindow& window) const;

  void reach_target(double distance, double direction);
  void reach_target(const GeodesicWindow& window);
  void reach_target(VertexId v);
  Vec2 target_in_frame(HalfedgeId h) const;
};

/// Distance of every vertex to the nearest of the sources [m]; infinity beyond the radius.
IdVector<VertexId, double> geodesic_distance(const GeodesicMetric& metric,
                                             std::span<const SurfacePoint> sources,
                                             double radius = Geodesics::infinity);
/// Distance of every vertex to the nearest border, measured to the border's edges [m]; infinity beyond the
/// radius or where there is none.
IdVector<VertexId, double> distance_to_border(const GeodesicMetric& metric,
                                              double radius = Geodesics::infinity);

}  // namespace cutis
