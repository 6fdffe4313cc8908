#pragma once

#include <memory>

#include "cutis/body/body.h"
#include "cutis/body/simulation_stage.h"
#include "cutis/wrinkle/wrinkle_options.h"

namespace cutis {

/// Layers of skin that buckle over a body (Li 2014, Multi-layer skin simulation with adaptive constraints):
/// thin shells, each tied to the one below it by constraints that let only its own wavelength through.
class Wrinkles final : public SimulationStage {
 public:
  /// `body` is what it lies on, `shown` the same body with a finer mesh, on which the result is given
  /// (SubdividedBody); both must outlive it. `places`: where each welded vertex of `shown` lies on
  /// body.triangles(). Throws InputError where the options do not fit the body.
  Wrinkles(const Body& body, const Body& shown, IdVector<VertexId, SurfacePoint> places,
           WrinkleOptions options);
  ~Wrinkles() override;

  StepReport advance(double time) override;
  const SourcePoints& positions() const override;
  std::vector<LayerMesh> layer_meshes() const override;
  State save() const override;
  void restore(const State& state) override;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cutis
