#pragma once

#include <memory>

#include "cutis/skin/eulerian/eulerian_options.h"
#include "cutis/skin/slide.h"

namespace cutis {

/// Thin Skin Elastodynamics (Li, Sueda, Neog and Pai 2013): the mesh stays on the body and an elastic skin
/// with inertia flows through it. What is computed is, for each vertex of the body, the point of the skin
/// that is there now; docs/eulerian.md.
class EulerianSlide final : public Slide {
 public:
  /// The body must outlive the slide. Throws InputError where the options do not fit it.
  EulerianSlide(const Body& body, EulerianOptions options);
  ~EulerianSlide() override;

  StepReport advance(double time) override;
  const SourcePoints& positions() const override;
  SkinState skin() const override;
  const SkinTissue* tissue() const override;
  IdVector<VertexId, double> slide_limits() const override;
  State save() const override;
  void restore(const State& state) override;

  /// For each vertex of the body, the point of the skin that is there.
  const IdVector<VertexId, SurfacePoint>& skin_points() const;
  /// How fast the skin at each vertex of the body slides over it [m/s].
  IdVector<VertexId, Vec3> slide_velocities() const;
  struct Energy {
    double elastic = 0, kinetic = 0;  ///< [J]; kinetic: of sliding over the body
  };
  Energy energy() const;

 private:
  class Solver;
  std::unique_ptr<Solver> solver_;
};

}  // namespace cutis
