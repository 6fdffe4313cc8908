#pragma once

#include <memory>

#include "cutis/skin/lagrangian/lagrangian_options.h"
#include "cutis/skin/slide.h"

namespace cutis {

/// Quasi-static biomechanical skin (ViSkin): in every frame the skin is where its elastic energy and that of
/// its ligaments is least, each vertex on the surface of the body. docs/lagrangian.md.
class LagrangianSlide final : public Slide {
 public:
  /// The body must outlive the slide. Throws InputError when an option has the wrong size or a value out of
  /// range.
  LagrangianSlide(const Body& body, LagrangianOptions options);
  ~LagrangianSlide() override;

  /// A step that cannot be solved is cut in two, again and again; what is left is reported with its residual:
  /// the Newton decrement as a share of the energy at a strain of one.
  StepReport advance(double time) override;
  const SourcePoints& positions() const override;
  SkinState skin() const override;
  const SkinTissue* tissue() const override;
  State save() const override;
  void restore(const State& state) override;

  IdVector<VertexId, double> slide_limits() const override;

 private:
  class Solver;
  std::unique_ptr<Solver> solver_;
};

}  // namespace cutis
