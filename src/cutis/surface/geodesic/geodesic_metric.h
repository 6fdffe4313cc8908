#pragma once

#include <cmath>

#include "cutis/core/types.h"
#include "cutis/surface/mesh/mesh.h"
#include "cutis/surface/mesh/topology.h"

namespace cutis {

/// A triangle mesh seen from within: lengths and angles at one set of positions, laid out for unfolding one
/// triangle after another into the plane. Slivers are mollified (see mollified_lengths). Immutable between
/// updates, so any number of threads may read it. The topology must outlive it.
///
/// The frame of a half-edge: its start at the origin, its end at (length, 0), its face on the side of +y.
class GeodesicMetric {
 public:
  /// Throws InputError when a face is not a triangle or a position is not finite.
  GeodesicMetric(const Topology& topology, const Points& positions);
  GeodesicMetric(Topology&&, const Points&) = delete;
  /// With lengths of edges of any unit, which all distances then have.
  GeodesicMetric(const Topology& topology, IdVector<EdgeId, double> lengths);
  GeodesicMetric(Topology&&, IdVector<EdgeId, double>) = delete;
  /// Measures the mesh anew at other positions [m].
  void update(const Points& positions);

  const Topology& topology() const { return *topology_; }
  double length(HalfedgeId h) const { return length_[topology_->edge(h)]; }
  /// The third corner of the half-edge's face in its frame; y > 0. Only for half-edges with a face.
  const Vec2& apex(HalfedgeId h) const { return apex_[h]; }
  /// The angle in the half-edge's face at the vertex it leaves [rad].
  double corner_angle(HalfedgeId h) const { return std::atan2(apex_[h].y(), apex_[h].x()); }
  /// The sum of the angles around a vertex [rad]; zero when it has no face.
  double total_angle(VertexId v) const { return total_angle_[v]; }
  /// Whether a shortest path may bend here: more than a full turn, or more than half a turn on a border.
  bool bends_paths(VertexId v) const { return bends_paths_[v]; }
  /// Counter-clockwise angle at the start of h from topology().halfedge(start) to h [rad], unscaled.
  double polar_angle(HalfedgeId h) const;
  double area(FaceId f) const;  ///< [m²]

 private:
  const Topology* topology_;
  IdVector<EdgeId, double> length_;
  IdVector<HalfedgeId, Vec2> apex_;
  IdVector<VertexId, double> total_angle_;
  IdVector<VertexId, char> bends_paths_;

  void set_lengths(IdVector<EdgeId, double> lengths);
};

}  // namespace cutis
