#pragma once

#include <memory>
#include <vector>

#include "cutis/skin/force_density/force_density_options.h"
#include "cutis/skin/slide.h"

namespace cutis {

/// Skin that slides so as to keep its shape while the body deforms below it, by the force density method
/// (Yang, Southern, Zhang 2009, "Fast simulation of skin sliding"). No time and no mass: a frame depends on
/// the body's shape alone.
///
/// Within patches as in the paper: the patch at rest and the patch now are both laid out in the plane, with
/// the same border, and each skin vertex goes to the place of the body that lies where the vertex itself lay
/// at rest (up to the solver's tolerance, a ten-thousandth of an edge). Without patches the whole body is one
/// net on its own surface (BodyNet).
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
  IdVector<VertexId, double> slide_limits() const override;
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
