#pragma once

#include <array>

#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// A source mesh with the vertices that lie in one place joined, and the way back.
/// glTF and game meshes split vertices at UV and normal seams; physics needs them whole.
struct Weld {
  Mesh mesh;
  IdVector<SourceVertexId, VertexId> vertex_of;       ///< source vertex -> the welded vertex it became
  IdVector<VertexId, SourceVertexId> representative;  ///< welded vertex -> its first source vertex
  IdVector<FaceId, FaceId> source_face;               ///< welded face -> the source face it came from
  int dropped_faces = 0;                              ///< faces that fell below three distinct vertices

  Points gather(const SourcePoints& source) const;  ///< welded positions from source positions
  /// A source vertex for each corner of a triangle, of a mesh with the vertices of this one.
  std::array<SourceVertexId, 3> representatives(const Mesh& triangles, FaceId triangle) const;

  /// The vertex that the source vertices of v belong to: v itself, but of a vertex that repaired_weld() has
  /// split and its copies the one with the lowest number.
  VertexId first(VertexId v) const { return vertex_of[representative[v]]; }
  /// Vertices that repaired_weld() has split and their copies, rising. One source vertex stands for several:
  /// what moves one of them away from the body tears the surface.
  std::vector<VertexId> split_vertices() const;
};

/// Joins vertices closer than `tolerance` [m]. Welded vertices are numbered by their first source vertex.
/// Consecutive duplicate corners are removed; a face left with fewer than three corners is dropped and
/// counted.
Weld weld(const SourceMesh& source, double tolerance);

/// The tolerance that a mesh of this size is welded with unless the user says otherwise: 1e-6 of the size.
double default_weld_tolerance(const SourceMesh& source);

}  // namespace cutis
