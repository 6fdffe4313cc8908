#pragma once

#include <string>
#include <vector>

#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// A part of the body whose skin may slide: a disk, with or without holes.
struct SlidePatch {
  std::string name;              ///< for messages
  std::vector<FaceId> polygons;  ///< of body.mesh()
  std::vector<FaceId>
      excluded;  ///< cut out of them; what that leaves open is a hole whose rim stays in place
  std::vector<VertexId> corners;  ///< welded vertices on the border, in order around it: four, or none to
                                  ///< have them found; only a square outline has corners
};

/// The pull of an edge per length in the embedding, from its shape on the body.
enum class EdgeDensity {
  Cotangent,      ///< of the angles that face it, on intrinsic Delaunay edges so that none is negative: flat
                  ///< skin is laid out as it is, and a layout depends on the surface, hardly on its edges
  MeanValue,      ///< mean value coordinates: as exact on flat skin, but unsymmetric
  InverseLength,  ///< 1 / length: a unit force in each edge (the 2009 paper)
  Fast            ///< longest² - length² (the paper's approximation without roots)
};

/// What the border of a patch is laid out to.
enum class OutlineShape {
  Developed,  ///< the border itself, unrolled into the plane
  Square      ///< the unit square by shares of length, as in the paper
};

enum class EmbeddingSolver {
  Automatic,          ///< the faster one
  Direct,             ///< a factorisation each frame
  ConjugateGradients  ///< from the last frame's layout, preconditioned by the factor of the patch at rest
};

/// What ForceDensitySlide needs besides its body.
struct ForceDensityOptions {
  std::vector<SlidePatch>
      patches;  ///< none: the whole body is one net (BodyNet); the next three are of patches
  EdgeDensity density = EdgeDensity::Cotangent;
  OutlineShape outline = OutlineShape::Developed;
  EmbeddingSolver solver = EmbeddingSolver::Automatic;
  IdVector<VertexId, double> slide_limit;  ///< [m], 0 is pinned, infinity is free; empty: free everywhere
  IdVector<VertexId, double> edge_density_factor;  ///< above 0; of an edge the mean of its ends; empty: 1
  bool limit_surface =
      true;  ///< slide on the subdivision limit (nothing shrinks); else on the flat triangles
};

}  // namespace cutis
