#pragma once

#include <vector>

#include "cutis/surface/mesh/diagnose.h"
#include "cutis/surface/mesh/surface.h"

namespace cutis {

/// A stretch of a feature line, from one length along it to another [m].
struct LineSpan {
  int line = -1;
  double from = 0, to = 0;
  bool valid() const { return line >= 0; }
  double length() const { return to - from; }  ///< negative against the line's sense
  LineSpan reversed() const { return {line, to, from}; }
};

/// The borders, creases and kept edges of a triangle surface as curves measured by their length. They run
/// from corner to corner, or in a loop.
class FeatureLines {
 public:
  /// Edges at which the surface turns by more than `crease_angle` [rad] are creases. Corners are vertices
  /// where lines end or meet, or where one turns by more than `corner_angle` [rad]. Throws InputError when a
  /// kept edge is none of the surface.
  FeatureLines(const Surface& surface, double crease_angle, double corner_angle,
               const std::vector<EdgePlace>& kept_edges = {});

  std::size_t size() const { return lines_.size(); }
  double length() const;  ///< of all lines together [m]
  bool is_corner(VertexId v) const { return corner_[v]; }
  /// The stretch that a side of a face runs along; invalid when it is on no line.
  const LineSpan& span(CornerId c) const { return spans_[c]; }
  const IdVector<CornerId, LineSpan>& spans() const { return spans_; }
  /// The place at a length along a line; loops go on after their end.
  SurfacePoint at(int line, double s) const;

 private:
  struct Line {
    std::vector<HalfedgeId> sides;
    std::vector<double> starts;  ///< of each side, along the line [m]
    double length = 0;
    bool closed = false;
  };
  const Surface* surface_;
  IdVector<EdgeId, char> marked_;
  IdVector<VertexId, char> corner_;
  IdVector<CornerId, LineSpan> spans_;
  std::vector<Line> lines_;

  void mark_edges(double crease_angle);
  void mark_kept(const std::vector<EdgePlace>& kept_edges);
  void mark_corners(double corner_angle);
  HalfedgeId next_on_line(HalfedgeId h) const;
  void follow(HalfedgeId start, IdVector<EdgeId, char>& seen);
  double length_of(HalfedgeId h) const;
};

}  // namespace cutis
