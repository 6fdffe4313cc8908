#pragma once

#include <vector>

#include "cutis/skin/constraint/curve_constraint.h"
#include "cutis/skin/constraint/keyframed_transport.h"
#include "cutis/skin/skin_options.h"

namespace cutis {

class ClosestPointTree;

enum class SkinRole : char {
  Fixed,  ///< to its place on the body
  Free,
  OnCurve,    ///< slides along a curve only
  Prescribed  ///< moved by a path
};

/// Fixes these vertices (rising), whatever else is asked of them.
void fix_vertices(const std::vector<VertexId>& fixed, SkinOptions& options);

/// Who may move, and how. A path wins over all else, "fixed" and a slide limit of zero over curves.
class SkinConstraints {
 public:
  /// `at_rest` is copied. Throws InputError when a vertex is not there, a curve or path has too few points or
  /// is far off the body, a curve leads no vertex of its own, or times do not rise.
  SkinConstraints(const SlideSurface& at_rest, const SkinOptions& options);

  SkinRole role(VertexId v) const { return roles_[v]; }
  bool has_curves() const { return !curves_.empty(); }  ///< some vertex may have the role OnCurve
  /// Puts the prescribed vertices where their paths are at `time`.
  void place(double time, SkinPoints& points) const;
  const std::vector<KeyframedTransport>& transports() const { return transports_; }
  /// For methods whose mesh stays on the body while paths move the skin over it: from now on no vertex is
  /// prescribed. Those of paths are free, or, on an open border that leads skin, on their curve.
  void release_prescribed();
  /// The place beside p on the curve of a vertex with the role OnCurve.
  CurveConstraint::Place on_curve(VertexId v, const SurfacePoint& p) const;

 private:
  SlideSurface at_rest_;
  const Surface* rest_;  ///< that of at_rest_
  IdVector<VertexId, SkinRole> roles_;
  IdVector<VertexId, int> curve_of_;  ///< an index into curves_; -1: none
  std::vector<CurveConstraint> curves_;
  std::vector<KeyframedTransport> transports_;

  void set_roles(const SkinOptions& options);
  void add_curve(const SkinCurve& curve, const ClosestPointTree& body);
  void add_path(const SkinPath& path, const ClosestPointTree& body);
};

}  // namespace cutis
