#pragma once

#include <memory>

#include "cutis/body/body.h"
#include "cutis/energy/compression_barrier.h"
#include "cutis/skin/lagrangian/lagrangian_options.h"
#include "cutis/skin/lagrangian/lagrangian_problem.h"
#include "cutis/skin/problem/skin_elements.h"

namespace cutis {

/// Skin on a body, put together from its options: all that stays the same from frame to frame, and the
/// problem that each frame poses. It stays where it is, since its parts refer to each other.
struct SkinModel {
  /// Throws InputError where the options do not fit the body.
  SkinModel(const Body& body, LagrangianOptions skin);
  SkinModel(const SkinModel&) = delete;
  SkinModel& operator=(const SkinModel&) = delete;

  LagrangianOptions options;  ///< and the vertices that repairing the body has fixed
  std::shared_ptr<const Surface> rest;
  SlideSurface surface;
  SkinConstraints constraints;
  SkinElements elements;
  std::shared_ptr<const CompressionBarrier> material;
  MembraneEnergy membrane;
  LigamentEnergy ligaments;
  SkinUnknowns unknowns;
  double stiffness = 0;  ///< of the skin on average [N/m]
  /// Weights of springs for skin that nothing holds; empty when all is held.
  IdVector<VertexId, double> null_space;
  LagrangianProblem problem;
  /// Energy of the barriers over that of the material, where the problem's skin lies.
  double barrier_share() const;
  double scale = 0;  ///< the square root of the energy at a strain of one [sqrt(J)]
};

}  // namespace cutis
