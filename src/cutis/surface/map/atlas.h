#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cutis/surface/map/chart_transition.h"
#include "cutis/surface/mesh/surface.h"

namespace cutis {

/// A surface laid out in the plane, chart by chart: two coordinates at every corner of every triangle, and on
/// each half-edge the transition that takes coordinates in the chart of its face to those in the chart of the
/// face across. Carried over, the two ends of an edge have the coordinates they have on the other side.
///
/// Queries allocate nothing and may run on many threads.
class Atlas {
 public:
  using SurfacePtr = std::shared_ptr<const Surface>;

  /// One chart number (from 0) a face, coordinates for each corner, a transition for each half-edge of a
  /// face; those on a border are never read. Transitions of twins must be inverse to each other.
  Atlas(SurfacePtr surface, IdVector<FaceId, int> chart, IdVector<CornerId, Vec2> coordinates,
        IdVector<HalfedgeId, ChartTransition> transitions);

  const SurfacePtr& surface() const { return surface_; }
  int chart_count() const { return chart_count_; }
  int chart(FaceId f) const { return chart_[f]; }
  /// All transitions are rigid: lengths measured in any chart are the same.
  bool is_rigid() const { return is_rigid_; }

  /// In the chart of the corner's face.
  const Vec2& coordinates(CornerId c) const { return coordinates_[c]; }
  /// In the chart of the point's face.
  Vec2 coordinates(const SurfacePoint& p) const;
  /// Twice the area of a face in its chart; negative when it is turned over.
  double twice_area(FaceId f) const;
  /// Faces without area in their chart or turned over against most of their chart.
  std::vector<FaceId> flipped_faces() const;

  /// From face(h) to face(twin(h)); both exist.
  const ChartTransition& transition(HalfedgeId h) const { return transitions_[h]; }
  Vec2 carry(HalfedgeId h, const Vec2& x) const { return transitions_[h](x); }
  /// The coordinates change on the way across h.
  bool is_seam(HalfedgeId h) const { return transitions_[h] != ChartTransition(); }

  /// Over one half-edge after the other: each but the first leaves the face the one before led into.
  ChartTransition along(std::span<const HalfedgeId> path) const;
  /// From the face of `from` to that of `to`, both corners of one vertex, counter-clockwise around it; once
  /// around when they are the same. Faces lie all the way.
  ChartTransition around(CornerId from, CornerId to) const;
  /// From one face to another over as few edges as possible (of equally short ways always the same one).
  /// Nothing when no way is found among the 1024 faces nearest to `from`.
  std::optional<ChartTransition> between(FaceId from, FaceId to) const;

  /// The half-edges that between() crosses, in order, into `path`, which keeps its room. False when it finds
  /// no way.
  bool path(FaceId from, FaceId to, std::vector<HalfedgeId>& path) const;

  /// Coordinates of three points in the chart of the first one's face: the corners of one triangle kept
  /// together where they lie in different charts. Nothing when between() finds no way.
  std::optional<std::array<Vec2, 3>> together(const std::array<SurfacePoint, 3>& points) const;

  /// The point with the coordinates `x` in the chart of start.face, found by walking straight from `start`,
  /// with the transitions, to where the coordinates lie. Nothing when the way leaves over a border or through
  /// a fold of the layout, or crosses more than 65536 edges.
  std::optional<SurfacePoint> locate(const SurfacePoint& start, const Vec2& x) const;
  /// The same from the middle of the face.
  std::optional<SurfacePoint> locate(FaceId face, const Vec2& x) const;

 private:
  SurfacePtr surface_;
  IdVector<FaceId, int> chart_;
  IdVector<CornerId, Vec2> coordinates_;
  IdVector<HalfedgeId, ChartTransition> transitions_;
  int chart_count_ = 0;
  bool is_rigid_ = true;
};

/// Every triangle is a chart of its own, laid out with its true lengths [m]: the first corner at the origin,
/// the second on the x axis. Transitions unfold neighbours over their edge. Every surface has this atlas;
/// slivers are mollified (see mollified_lengths, which also says what is thrown).
Atlas intrinsic_atlas(Atlas::SurfacePtr surface);

/// The mesh's own texture layout: one chart for each UV island, transitions across the seams. Islands differ
/// in scale, so these are similarities, mirrored between islands that are mirrored against each other. Where
/// an edge has no length in the UVs of one side its middle is carried over unscaled, and the log says so.
/// Throws InputError when there are no UVs or one is not finite.
Atlas uv_atlas(Atlas::SurfacePtr surface);

}  // namespace cutis
