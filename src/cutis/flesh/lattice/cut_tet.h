#pragma once

#include <array>
#include <span>
#include <vector>

#include "cutis/flesh/lattice/bcc_grid.h"
#include "cutis/flesh/lattice/tet_subdivision.h"
#include "cutis/surface/mesh/triangle_measures.h"

namespace cutis {

/// The surface that cuts the lattice. Spans must outlive it.
struct CuttingSurface {
  std::span<const Vec3> points;              ///< in half cells
  std::span<const IndexTriangle> triangles;  ///< facing outwards
};

/// One sample of the body in a tetrahedron.
struct BodySample {
  double distance = 0;  ///< to the surface, negative inside; any unit, clamped or not
  double winding = 0;   ///< winding number: above one half inside
  bool inside() const { return winding > 0.5; }
};

/// The body within one tetrahedron of the lattice falls into parts that are not connected within it, such as
/// two fingers side by side: the virtual node algorithm (Molino et al. 2004, Sifakis et al. 2007) gives each
/// its own copy of the tetrahedron.
struct CutTet {
  int parts = 0;
  std::array<int, TetSubdivision::kSamples> part_of_sample;  ///< -1 outside
  std::vector<int> part_of_face;                             ///< one per face that touches the tetrahedron
  std::vector<double> fill;  ///< share of the tetrahedron's volume that each part takes, 0 to 1
};

/// A tetrahedron wholly inside.
CutTet full_tet();

/// Finds the parts: samples are connected along edges between them that stay in the body, triangles along
/// their common edges, samples and triangles where such an edge between samples meets the surface. So the
/// surface decides what is separate, however narrow the gap, and the samples decide what is filled. `faces`
/// are all that touch the tetrahedron, rising.
CutTet cut_tet(const BccTet& tet, const std::array<BodySample, TetSubdivision::kSamples>& samples,
               std::span<const FaceId> faces, const CuttingSurface& surface);

}  // namespace cutis
