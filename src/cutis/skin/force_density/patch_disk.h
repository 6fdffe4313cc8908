#pragma once

#include <string>
#include <vector>

#include "cutis/body/body.h"
#include "cutis/skin/force_density/force_density.h"
#include "cutis/surface/mesh/surface.h"
#include "cutis/surface/mesh/triangle_mesh.h"

namespace cutis {

/// A patch cut out of the triangles of a body: a disk, with or without holes. Vertices and faces have
/// numbers of their own.
struct PatchDisk {
  std::string name;
  Mesh mesh;  ///< triangles, at rest
  IdVector<VertexId, VertexId> body_vertex;
  IdVector<FaceId, FaceId> body_face;  ///< its corners come in the same order
  IdVector<FaceId, FaceId> polygon;    ///< of the body
  std::vector<VertexId> outline;       ///< once around, the patch on the left
  std::vector<std::vector<VertexId>> holes;
  std::vector<VertexId> corners;  ///< four or none, in the order of the outline

  /// One per edge of the topology of mesh: whether it was only put in to cut a polygon into triangles.
  std::vector<char> diagonals(const Topology& topology) const;
  /// Of its vertices, from all of the body's.
  Points gather(const Points& body_positions) const;
  /// The patch with a fan from the middle of each hole, whose vertices come last.
  Mesh filled() const;
};

/// Cuts a patch out. `triangles` is triangulated(body.mesh()) and `topology` belongs to it. Keeps the largest
/// of several pieces and the largest fan at a pinched vertex, with a word in the log; throws InputError for
/// the rest that ForceDensitySlide names.
PatchDisk cut_patch(const SlidePatch& patch, const Body& body, const TriangleMesh& triangles,
                    const Topology& topology);

}  // namespace cutis
