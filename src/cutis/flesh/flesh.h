#pragma once

#include <memory>

#include "cutis/body/body.h"
#include "cutis/body/simulation_stage.h"
#include "cutis/flesh/flesh_options.h"

namespace cutis {

/// Soft tissue that moves by itself between the bones of a body and its surface (US 9,251,618): tetrahedral
/// finite elements with inertia, drawn towards the animated shape by their own shapes at rest, which follow
/// it.
class Flesh final : public SimulationStage {
 public:
  /// The body must outlive it. Throws InputError where the options do not fit the body.
  Flesh(const Body& body, FleshOptions options);
  ~Flesh() override;

  StepReport advance(double time) override;
  const SourcePoints& positions() const override;
  SourcePoints velocities() const override;
  std::vector<SurfaceSample> samples() const override;
  FleshStrain flesh_strain() const override;
  /// The lattice, with `lag` [m] and `core` (1, else 0) at its nodes, `flesh_stretch` and `phase` of its
  /// tetrahedra.
  std::vector<LayerMesh> layer_meshes() const override;
  State save() const override;
  void restore(const State& state) override;

 private:
  class Solver;
  std::unique_ptr<Solver> solver_;
};

}  // namespace cutis
