#pragma once

#include <memory>
#include <utility>

#include "cutis/skin/slide.h"

namespace cutis {

/// Skin that does not slide: the surface of a stage below it, such as flesh.
class CarriedByStage final : public Slide {
 public:
  explicit CarriedByStage(std::unique_ptr<SimulationStage> stage) : stage_(std::move(stage)) {}

  StepReport advance(double time) override { return stage_->advance(time); }
  const SourcePoints& positions() const override { return stage_->positions(); }
  SourcePoints velocities() const override { return stage_->velocities(); }
  std::vector<SurfaceSample> samples() const override { return stage_->samples(); }
  FleshStrain flesh_strain() const override { return stage_->flesh_strain(); }
  std::vector<LayerMesh> layer_meshes() const override { return stage_->layer_meshes(); }
  State save() const override { return stage_->save(); }
  void restore(const State& state) override { stage_->restore(state); }

 private:
  std::unique_ptr<SimulationStage> stage_;
};

}  // namespace cutis
