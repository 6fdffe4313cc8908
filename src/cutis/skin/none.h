#pragma once

#include "cutis/skin/slide.h"

namespace cutis {

/// No sliding: the skin is the body itself.
class NoSlide final : public Slide {
 public:
  /// The body must outlive the slide.
  explicit NoSlide(const Body& body);
  StepReport advance(double time) override;
  const SourcePoints& positions() const override { return positions_; }
  /// Every vertex where it is.
  SkinState skin() const override;
  State save() const override { return {}; }
  /// There is nothing to remember: positions() is right again after the next advance().
  void restore(const State&) override {}

 private:
  const Body& body_;
  SourcePoints positions_;
};

}  // namespace cutis
