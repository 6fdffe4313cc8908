#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cutis/surface/mesh/mesh.h"

namespace cutis {

using EdgePlace = std::pair<VertexId, VertexId>;  ///< lower id first

/// A part: faces joined over edges.
struct PartReport {
  FaceId first_face;
  std::size_t vertices = 0, edges = 0, faces = 0;
  std::size_t borders = 0;
  int genus = -1;  ///< number of handles; -1 when the part is not manifold or one-sided
  int euler() const { return static_cast<int>(vertices) - static_cast<int>(edges) + static_cast<int>(faces); }
};

/// Connected edges with one face.
struct BorderReport {
  VertexId first_vertex;  ///< the lowest
  int part = 0;
  std::size_t edges = 0;
  double length = 0;  ///< [m]
};

/// What a mesh is and what is wrong with it. Edges, orientation, parts and borders are judged without the
/// duplicate and degenerate faces, which repair() drops.
struct MeshReport {
  std::size_t vertices = 0, edges = 0, faces = 0, triangles = 0, quads = 0;
  std::vector<PartReport> parts;
  std::vector<BorderReport> borders;

  std::vector<VertexId> not_finite;            ///< a coordinate is no number
  std::vector<VertexId> duplicate_vertices;    ///< within 1e-6 of the size of an earlier vertex
  std::vector<VertexId> isolated_vertices;     ///< of no face
  std::vector<VertexId> nonmanifold_vertices;  ///< join fans of faces that share no edge there
  std::vector<EdgePlace> nonmanifold_edges;    ///< more than two faces
  std::vector<EdgePlace> one_sided_edges;      ///< where the faces of a one-sided part cannot agree
  std::vector<FaceId> degenerate_faces;        ///< name a vertex twice, or fewer than three
  std::vector<FaceId> duplicate_faces;         ///< the vertices of an earlier face, in either sense
  std::vector<FaceId> zero_area_faces;         ///< flat to 1e-6 of the longest side
  std::vector<FaceId> slivers;                 ///< flat to 1e-2 of the longest side, but not to 1e-6
  std::vector<FaceId> flipped_faces;           ///< turned against most of their part

  bool closed() const { return borders.empty(); }
  /// Topology takes it as it is.
  bool manifold() const;
  /// What `cutis info` says, a line each: counts, parts, borders, then the defects with the first place of
  /// each.
  std::vector<std::string> lines() const;
};

MeshReport diagnose(const Mesh& mesh);

/// Faces that repair() drops or cuts before it looks at edges.
struct FaceDefects {
  std::vector<FaceId> degenerate, duplicate;
};
FaceDefects find_face_defects(const Mesh& mesh);

/// Vertices within 1e-6 of the size of an earlier one.
std::vector<VertexId> find_duplicate_vertices(const Mesh& mesh);

/// Height of a face over its longest side, in parts of that side: 0 for a face without area, 0.87 for an
/// equilateral triangle, 1 for a square.
double flatness(const Mesh& mesh, FaceId f);
inline constexpr double zero_area_flatness = 1e-6;
inline constexpr double sliver_flatness = 1e-2;

}  // namespace cutis
