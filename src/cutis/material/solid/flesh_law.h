#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "cutis/core/types.h"

namespace cutis {

class SolidMaterial;

enum class FleshModel { StableNeoHookean, Corotated };

/// What the volume does in a stiff phase: the solid resists its change as one of the phase's Young's modulus
/// and this Poisson's ratio does.
struct VolumePhase {
  double poisson = 0;              ///< at least that before
  double start = 0.05, end = 0.1;  ///< |ln J|, J the volume now over that at rest
  bool operator==(const VolumePhase&) const = default;
};

/// A stiff phase of flesh (US 9,251,618). Each principal stretch stiffens on its own.
struct FleshPhase {
  double young = 0;               ///< of a bar, from the end on; at least that before [Pa]
  double start = 0.1, end = 0.3;  ///< |ln stretch|: largest of the phase before, from where on it is stiff
  std::optional<VolumePhase> volume;  ///< without it the stiffness of the volume stays as before
  double added_viscosity = 0;         ///< [Pa s]
  bool operator==(const FleshPhase&) const = default;
};

/// The constants of flesh, SI. A painted Young's modulus is not here: whoever sums over elements multiplies
/// energy, stress and Hessian by the element's value over `young`.
struct FleshLaw {
  FleshModel model = FleshModel::StableNeoHookean;
  double young = 0;                ///< at rest [Pa]
  double poisson = 0;              ///< at rest
  std::vector<FleshPhase> phases;  ///< one: biphasic; more: multi-phasic, each on top of those before
  double viscosity = 0;            ///< of the soft phase [Pa s]; not in the material: solid_viscous.h
  bool operator==(const FleshLaw&) const = default;
};

/// The elastic material of these constants. Throws InputError when one is not finite or out of range.
std::shared_ptr<const SolidMaterial> make_material(const FleshLaw& law);

/// How far flesh with these principal stretches is into its stiff phases, by the largest |ln stretch|: 0
/// before the first begins, 1 where the last is reached.
double stiffening(const FleshLaw& law, const Vec3& stretches);

/// The viscosity of flesh deformed by F [Pa s], for a step that starts there: each phase adds its own as it
/// stiffens, by the largest |ln stretch|. Never negative, constant during the step.
double viscosity(const FleshLaw& law, const Mat3& F);

}  // namespace cutis
