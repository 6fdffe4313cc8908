#pragma once

#include <array>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "cutis/surface/map/atlas.h"

namespace cutis {

/// The charts of an atlas, each extended past its border by the faces around it, ring after ring (Thin Skin,
/// appendix A.2): what a triangle needs that lies across a border and is to be looked up in one chart, and
/// what a texture has to show beside a chart so that such a triangle finds it.
///
/// Transitions are similarities, one per edge of a seam, and those of neighbouring edges disagree where the
/// two sides of the seam are shaped differently; so carrying points over single edges leaves gaps and
/// overlaps. Here every vertex of a ring has one place: the mean of what the transitions around its
/// neighbours say, the angles around a vertex of the border stretched to the room that the chart leaves. So
/// an extended chart is continuous, linear on each face, and where transitions agree it is what they give.
///
/// A chart may come to lie beside itself (a tube cut along a line), so its rings hold copies of faces: a face
/// is itself in its own chart and has a copy wherever rings of a chart reach it. Charts also end where the
/// layout is folded over onto itself, as that of mirrored halves is.
class ExtendedCharts {
 public:
  struct Copy {
    FaceId face;
    int chart = 0;
    int ring = 0;  ///< 0: the face in its own chart
    std::array<int, 3> vertex = {-1, -1, -1};
    std::array<int, 3> across = {-1, -1, -1};  ///< the copy beyond the side that leaves each corner, or -1
  };

  /// The charts alone.
  explicit ExtendedCharts(Atlas atlas);
  const Atlas& atlas() const { return atlas_; }
  int chart_count() const { return static_cast<int>(orientation_.size()); }
  int rings() const { return rings_; }

  /// Adds a ring around every chart, only where the border of its rings is less than `reach` from its own
  /// [m]. What is there does not change. False when there was nothing to add.
  bool grow(double reach = std::numeric_limits<double>::infinity());
  void grow_to_rings(int rings);
  /// Until all that lies less than `reach` [m] past the border of a chart is in, or after 64 rings.
  void grow_to(double reach);
  /// The same with a reach for each chart.
  void grow_to(const std::vector<double>& reach);

  /// Copy f is face f in its own chart.
  const std::vector<Copy>& copies() const { return copies_; }
  const Copy& copy(int c) const { return copies_[at(c)]; }
  /// The face itself first.
  std::span<const int> copies_of(FaceId f) const { return copies_of_[f]; }
  /// Where a point of the copy's face lies in the copy's chart.
  Vec2 coordinates(int copy, const Vec3& barycentric) const;
  /// How far it lies past the border of the chart [m]: measured in the extended chart, at the mean scale of
  /// the chart. 0 within the chart.
  double overhang(int copy, const Vec3& barycentric) const;
  /// 1, or -1 in a chart that is mirrored.
  int orientation(int chart) const { return orientation_[at(chart)]; }
  /// Metres that a unit of uv stands for, in the mean; 0 in a chart without area, which is not extended.
  double scale(int chart) const { return scale_[at(chart)]; }
  /// The copy that a path of half-edges leads to, beginning in the face of `copy`; nothing where it leaves
  /// the rings.
  std::optional<int> along(int copy, std::span<const HalfedgeId> path) const;

 private:
  class Ring;
  struct ChartVertex {
    Vec2 place = Vec2::Zero();
    VertexId vertex;
    double distance = 0;   ///< from the border of its chart [m]
    HalfedgeId nearest;    ///< the edge of the border that it is measured from
    double travelled = 0;  ///< along edges from the border [m]
  };
  /// The way around a vertex of the border from the side that ends there to the one that starts there.
  struct Wedge {
    int copy = -1, side = -1;  ///< that starts there
    int faces = 0;             ///< that the chart has around the vertex
    double angle = 0;          ///< that they take up [rad]
  };

  Atlas atlas_;
  std::vector<Copy> copies_;
  std::vector<ChartVertex> vertices_;
  std::vector<int> orientation_;
  std::vector<double> scale_;
  IdVector<FaceId, std::vector<int>> copies_of_;
  IdVector<VertexId, int> star_;  ///< faces around each vertex
  int rings_ = 0;

  const Topology& topology() const { return atlas_.surface()->topology(); }
  HalfedgeId halfedge(int copy, int side) const {
    return HalfedgeId(topology().halfedge(copies_[at(copy)].face).index() + at(side));
  }
  int side_of(HalfedgeId h) const {
    return static_cast<int>(h.index() - topology().halfedge(topology().face(h)).index());
  }
  const Vec2& place(int copy, int corner) const {
    return vertices_[at(copies_[at(copy)].vertex[at(corner)])].place;
  }
  bool continues_over(HalfedgeId h) const;
  void join_faces();
  void name_vertices();
  Wedge wedge_at_end(int copy, int side) const;
  template <class F>
  std::pair<int, int> turn_back(int copy, int side, const F& count) const;
  int faces_at_start(int copy, int side) const;
  std::pair<int, int> side_before(int copy, int side) const;
  bool is_open(int copy, int side) const;
  bool is_within(int copy, int side, const std::vector<double>& reach) const;
  double distance(int chart, const Vec2& x, HalfedgeId border) const;
};

}  // namespace cutis
