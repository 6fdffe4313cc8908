#pragma once

#include <vector>

#include "cutis/surface/map/atlas.h"

namespace cutis {

/// Which face belongs to which chart and how the charts fit together, before there are any coordinates.
struct ChartLayout {
  /// The coordinates of a vertex, given in the chart of the face of one of its corners.
  struct Pin {
    CornerId corner;
    Vec2 coordinates;
  };

  IdVector<FaceId, int> chart;  ///< from 0
  /// One per half-edge of a face, rigid, inverse to that of its twin; the identity inside a chart. On a
  /// border they are never read.
  IdVector<HalfedgeId, ChartTransition> transitions;
  /// At least one in each component. Once around a vertex the transitions must give the identity; an
  /// irregular one, where they do not, must be pinned to the point that they leave in place. A component with
  /// a border needs pins along it, or it shrinks to a point.
  std::vector<Pin> pins;
};

/// Coordinates for a layout: each is the mean of its neighbours', carried into one chart and weighted by
/// cotangents, except at the pins (Thin Skin, appendix A.1). One sparse solve. The log says when triangles
/// come out turned over, which negative weights can do.
///
/// Throws InputError when sizes do not fit, a transition is not rigid or not inverse to its twin's, a vertex
/// is pinned twice or irregular and not pinned where it must be (naming it), or a component has no pin.
Atlas chart_atlas(Atlas::SurfacePtr surface, const ChartLayout& layout);

/// A torus in four charts, each the rectangle from (0, 0) to `chart_size`: two along u, two along v. The
/// mesh's UVs say where: they cover the unit square and jump by one across its sides. The first corner of
/// each component is pinned where its UVs put it. Throws InputError when there are no UVs or they jump by
/// anything else (naming the edge), or when a size is not positive.
ChartLayout torus_layout(const Surface& surface, const Vec2& chart_size = Vec2(1, 1));

}  // namespace cutis
