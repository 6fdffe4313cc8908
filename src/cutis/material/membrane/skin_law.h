#pragma once

#include <memory>

namespace cutis {

class MembraneMaterial;

enum class MaterialModel { StVenantKirchhoff, NeoHookean, StableNeoHookean, Fung };

/// The constants of a skin, SI; the words of [skin.material]. A painted Young's modulus is not here: the law
/// holds for one reference value, and whoever sums it over elements multiplies energy, stress and Hessian by
/// the element's value over the reference, which scales all its stiffnesses together.
struct SkinLaw {
  MaterialModel model = MaterialModel::Fung;
  double young = 0;           ///< at rest [Pa]
  double poisson = 0;         ///< at rest, in the plane; 0.5 for NeoHookean
  double fung_stiffness = 0;  ///< alpha [Pa]
  double fung_exponent = 0;   ///< beta
  int fibres = 0;          ///< families: none, one along the rest frame's x axis, two at ± fibre_angle to it
  double fibre_angle = 0;  ///< [rad]
  double fibre_linear = 0;     ///< k1 [Pa]
  double fibre_stiffness = 0;  ///< k2 [Pa]
  double fibre_exponent = 0;   ///< k3
  bool biphasic = false;
  double biphasic_young = 0;    ///< of the stiff phase [Pa]
  double biphasic_start = 0.1;  ///< largest |ln stretch| of the soft phase
  double biphasic_end = 0.3;    ///< from here on it is stiff
  double viscosity = 0;         ///< [Pa s]; not in the material: viscous.h
  bool operator==(const SkinLaw&) const = default;
};

/// The material of these constants. Throws InputError, in the words of [skin.material], when a constant is
/// not finite or out of range.
std::shared_ptr<const MembraneMaterial> make_material(const SkinLaw& law);

}  // namespace cutis
