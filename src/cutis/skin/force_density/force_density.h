#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cutis/skin/slide.h"

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

struct ForceDensityOptions {
  std::vector<SlidePatch> patches;
  IdVector<VertexId, double> slide_limit;  ///< [m], 0 sticks, infinity is free; empty: free everywhere
  IdVector<VertexId, double> edge_density_factor;  ///< above 0; of an edge the mean of its ends; empty: 1
  EdgeDensity density = EdgeDensity::Cotangent;
  OutlineShape outline = OutlineShape::Developed;
  EmbeddingSolver solver = EmbeddingSolver::Automatic;
  bool limit_surface =
      true;  ///< slide on the subdivision limit (nothing shrinks); else on the flat triangles
};

/// Skin that slides within patches so as to keep its shape while the body deforms below it (Yang, Southern,
/// Zhang 2009, "Fast simulation of skin sliding"): the patch at rest and the patch now are both laid out in
/// the plane by the force density method, with the same border, and each skin vertex goes to the place of the
/// body that lies where the vertex itself lay at rest. No time and no mass: a frame depends on the body's
/// shape alone (up to the solver's tolerance, a ten-thousandth of an edge).
class ForceDensitySlide final : public Slide {
 public:
  /// The body must outlive the slide. Throws InputError naming patch, place and remedy when a patch has no
  /// faces, no border, no vertex inside, a handle or an edge of no length, its corners do not lie on its
  /// border, or an option is out of range or of the wrong size. Loose pieces and pinched vertices are left
  /// out with a word in the log.
  ForceDensitySlide(const Body& body, ForceDensityOptions options);
  ~ForceDensitySlide() override;

  StepReport advance(double time) override;
  const SourcePoints& positions() const override;
  SkinState skin() const override;
  State save() const override;
  void restore(const State& state) override;

  /// Triangles of triangulated(body.mesh()) that stay turned over in the layout of this frame although they
  /// were relaxed: only possible with holes or an outline that is not convex. Also said in the log.
  const std::vector<FaceId>& folded() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace cutis
