#pragma once

#include <memory>

#include "cutis/skin/slide.h"
#include "cutis/skin/tracked/tracked_options.h"

namespace cutis {

/// Sliding skin that tracks its body (US 9,251,618, a patent: see the README): triangles with mass that a
/// stiff force holds on the body's surface and a soft one draws to their own places on it, so that they lag,
/// overshoot and settle within the silhouette; docs/tracked.md.
class TrackedSlide final : public Slide {
 public:
  /// The body must outlive the slide. Throws InputError where the options do not fit it.
  TrackedSlide(const Body& body, TrackedOptions options);
  ~TrackedSlide() override;

  /// StepReport::iterations are the substeps of the frame, StepReport::residual is the greatest distance of
  /// the skin from the surface of its body over the body's size.
  StepReport advance(double time) override;
  const SourcePoints& positions() const override;
  SourcePoints velocities() const override;
  SkinState skin() const override;
  const SkinTissue* tissue() const override;
  IdVector<VertexId, double> slide_limits() const override;
  bool holds_slide_limits() const override;
  double top_slide_speed() const override;
  State save() const override;
  void restore(const State& state) override;

  /// Nodes of the skin now, beside the body's own flat triangles [m].
  const Points& nodes() const;
  /// The point of the body that each is bound to.
  const IdVector<VertexId, SurfacePoint>& bindings() const;
  /// Substeps of the last frame that were taken back.
  int rejected() const;
  /// Triangles that lay on their backs before the last substep.
  std::size_t inverted() const;

 private:
  class Solver;
  std::unique_ptr<Solver> solver_;
};

}  // namespace cutis
