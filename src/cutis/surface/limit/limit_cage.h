#pragma once

#include <vector>

#include "cutis/surface/limit/limit_surface.h"

namespace cutis {

/// A cage for a mesh whose limit surface does not shrink: control vertices moved out until the surface is as
/// high as the mesh's vertices. Along the surface it comes closer to them, too, but does not try to meet
/// them: where they lie unevenly that would fold it.
///
/// The limit surface at the vertices is A C, with a matrix A of a few weights a row that depends on the mesh
/// alone. They are found by asking the surface itself, which is linear in its control vertices: a set of
/// vertices so far apart that no two meet in a row is moved at once.
class LimitCage {
 public:
  /// `limit` is a surface of `mesh`; a copy is moved about.
  LimitCage(const Mesh& mesh, const LimitSurface& limit);

  /// C for which A C comes close to the points, most of all along their unit normals; in all directions alike
  /// where none are given: the points may then be any values at the vertices.
  Points control(const Points& points, const IdVector<VertexId, Vec3>& normals = {}) const;
  /// A C: where the surface passes the vertices.
  Points at_vertices(const Points& control) const;

 private:
  std::vector<std::size_t> begin_;  ///< rows + 1
  std::vector<VertexId> column_;
  std::vector<double> weight_;
};

}  // namespace cutis
