#pragma once

#include <limits>
#include <vector>

#include "cutis/surface/mesh/diagnose.h"
#include "cutis/surface/mesh/surface.h"
#include "cutis/surface/remesh/vertex_transfer.h"

namespace cutis {

/// A mesh of triangles whose vertices lie on a surface at rest.
struct EmbeddedMesh {
  Mesh mesh;                                ///< its positions are those of `places`
  IdVector<VertexId, SurfacePoint> places;  ///< on the surface
  IdVector<VertexId, char> fixed;           ///< vertices that nothing removes; empty: none
  std::vector<EdgePlace> kept_edges;        ///< edges that may be split but stay edges
};

struct AdaptiveRemeshOptions {
  /// An edge is split only when its halves at rest are this long [m].
  double smallest_edge = 0;
  /// How far collapses and flips may leave triangles at rest stretched from equilateral ones; where they
  /// already are farther, they get no worse. Triangles that fit a metric have up to about three times its
  /// aspect.
  double max_aspect = 12;
  /// How far a vertex that is removed, or a surface whose edge is flipped, may come to lie from the new one,
  /// at the current positions [m].
  double max_deviation = std::numeric_limits<double>::infinity();
  /// A vertex on a border or on kept edges is removed only where they turn by less than this [rad].
  double corner_angle = 0.4;
  int rounds = 12;             ///< of split and flip, and then of collapse and flip
  int max_vertices = 4000000;  ///< splits stop there
};

struct AdaptiveRemeshResult {
  EmbeddedMesh embedded;  ///< vertices that stay first, in their old order; those without a face are left out
  VertexTransfer transfer;  ///< from the vertices given to those of `embedded`
  int splits = 0, flips = 0, collapses = 0;
  bool settled = true;  ///< whether it came to an end before `rounds` and `max_vertices`
  bool changed() const { return splits + flips + collapses > 0; }
};

/// Splits, flips and collapses edges until their lengths fit a metric (after Narain, Samii and O'Brien 2012,
/// with a curved surface at rest in the place of the plane). `metric` has a symmetric tensor M for each
/// vertex [1/m²]: an edge with the vector e at rest is as long as sqrt(eᵀ M e), M the mean of its ends, and
/// is split when that is above 1. A vertex is removed where all edges that this makes stay below 0.8; edges
/// are flipped by the Delaunay criterion in the metric. New vertices lie on the surface, at the place nearest
/// to the middle of the edge, on the surface's border between two places of the border.
///
/// Vertices that stay keep their place. `current` has the positions of the vertices now (empty: those at
/// rest); new vertices are put where `transfer` puts them. No triangle is turned over at rest, against the
/// surface's normals, or folded or flattened now, and triangles that are get no worse. The same bits every
/// time.
///
/// Throws InputError when the mesh is not manifold or of triangles, an array has not one entry for each
/// vertex, or a kept edge is none of the mesh.
AdaptiveRemeshResult adaptive_remesh(const Surface& rest, const EmbeddedMesh& embedded,
                                     const IdVector<VertexId, Mat3>& metric, const Points& current = {},
                                     const AdaptiveRemeshOptions& options = {});

}  // namespace cutis
