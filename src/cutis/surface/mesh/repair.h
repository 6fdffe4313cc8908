#pragma once

#include <string>
#include <vector>

#include "cutis/surface/mesh/weld.h"

namespace cutis {

/// A manifold, consistently oriented mesh made of what a file brought, and the way back.
struct RepairResult {
  Mesh mesh;                                ///< Topology accepts it
  IdVector<VertexId, VertexId> old_vertex;  ///< new vertex -> the one it was
  IdVector<VertexId, VertexId> new_vertex;  ///< old vertex -> its first new one; invalid when it has none
  IdVector<FaceId, FaceId> old_face;        ///< new face -> the one it was (or was cut from)
  IdVector<CornerId, CornerId> old_corner;  ///< new corner -> the one it was
  std::vector<FaceId> zero_area_faces;      ///< new faces without area, kept
  std::vector<std::string> notes;           ///< everything that was done or left, a sentence each

  Points gather(const Points& old_positions) const;  ///< new positions from old ones, each frame
};

/// Makes a mesh manifold and oriented, moving no vertex. Every change is a sentence in `notes`; a sound mesh
/// comes back as it was, with identity maps. Given the weld that the mesh is of, notes name vertices and
/// faces by their numbers in its source.
/// - Faces that name a vertex twice are cut there; what is left with fewer than three vertices is dropped.
/// - Duplicate faces (in either sense) are dropped, the first is kept.
/// - Faces turned against most of their neighbours are turned over; a one-sided part is cut open.
/// - At an edge with more than two faces, two of one sheet (faces joined over ordinary edges) stay joined,
/// then
///   those of the sheets that continue each other most smoothly; the rest become borders. The vertices are
///   split, so that each sheet has its own.
/// - Vertices that join separate fans of faces are split, one for each fan.
/// - Vertices of no face are dropped.
/// - Faces without area are kept: they close the surface where it has T-junctions, and collapsing them would
///   take away vertices that the result must have. trace() and frames pass them; elements must leave them
///   out.
/// - Vertices in one place are left apart; weld() joins them.
/// New vertices have the order of the old ones; those split off follow at the end.
/// Throws InputError when a coordinate is no number.
RepairResult repair(const Mesh& mesh, const Weld* weld = nullptr);

}  // namespace cutis
