#pragma once

#include <numbers>
#include <vector>

#include "cutis/surface/mesh/diagnose.h"
#include "cutis/surface/mesh/surface.h"

namespace cutis {

struct RemeshOptions {
  /// A length of edge for each vertex of the source [m], interpolated between; empty: the same everywhere.
  IdVector<VertexId, double> sizes;
  int rounds = 10;  ///< of split, collapse, flip and smooth
  /// Edges at which the source turns by more than this [rad] stay edges; pi: none.
  double crease_angle = std::numbers::pi;
  std::vector<EdgePlace> kept_edges;  ///< that stay edges, too
  /// Vertices where a border, a crease or a line of kept edges turns by more than this [rad] stay where they
  /// are.
  double corner_angle = 0.7;
  /// Triangles with a smaller angle [rad] are mended one by one at last, as far as they can be: they are left
  /// where edges of the wanted length do not fit, as around a thin finger.
  double smallest_angle = 0;
};

/// How good a mesh of triangles is. Edges are measured by the length that was asked for.
struct RemeshQuality {
  double shortest_edge = 0, mean_edge = 0, longest_edge = 0;
  double good_edges = 0;      ///< share between 0.5 and 1.6
  double smallest_angle = 0;  ///< [rad]
  double mean_angle = 0;      ///< mean of the smallest angle of each triangle [rad]; at best pi / 3
};

struct RemeshResult {
  Mesh mesh;                                ///< triangles, no UVs; Topology takes it
  IdVector<VertexId, SurfacePoint> source;  ///< where each vertex lies on the source: its position to the bit
  std::vector<EdgePlace> kept_edges;        ///< those on creases and on the source's kept edges
  RemeshQuality quality;
};

/// Triangles of about equal size, with edges about `edge` long [m], on the same surface (after Botsch and
/// Kobbelt 2004). Parts, handles and borders are kept: border vertices stay on the border. No triangle is
/// turned over. Slivers, faces without area and noise are what it is for. Where an edge of that length does
/// not fit (a finger thinner than it) edges stay shorter. The same bits at any number of threads.
///
/// Throws InputError when a length is not positive and finite, a position is not finite, a kept edge is none
/// of the source, or more than 20 million vertices would be needed.
RemeshResult remesh(const Surface& source, double edge, const RemeshOptions& options = {});

}  // namespace cutis
