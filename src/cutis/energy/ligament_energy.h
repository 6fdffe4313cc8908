#pragma once

#include <vector>

#include "cutis/energy/energy_jet.h"
#include "cutis/material/scalar_jet.h"
#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// ViSkin, Eq. 10, per rest area and in SI units: w(l) = m1 l² + m2 exp(m3 (l² - limit²)) [J/m²]. None may be
/// negative: then w is convex in l² and grows with it, so that its Hessian is positive semi-definite as it
/// is.
struct LigamentLaw {
  double stiffness = 0;  ///< m1 [N/m³]
  double strength = 0;   ///< m2 [N/m]
  double sharpness = 0;  ///< m3 [1/m²]
  /// The limit for which `sharpness` is meant [m]: ligaments of another limit get m3 (reference / limit)²,
  /// that is, all give way by the same share of their own length. 0: one m3 for all, as printed, which
  /// hardly holds limits far below 1 / sqrt(m3).
  double reference = 0;
};

/// The law for constants as the paper prints them (0, 0.0025 and 7 in its section 5.1): l is in centimetres
/// there, for only then do ligaments of centimetres stiffen at their limit. So m1 and m3 are per cm² and
/// become 10⁴ times as large; m2 is read as J/m².
LigamentLaw ligament_law_from_centimetres(double m1, double m2, double m3);

/// The ligaments around one vertex of the skin.
struct Ligament {
  VertexId vertex;
  double area = 0;   ///< rest area of skin that they tie, times their density [m²]
  double limit = 0;  ///< length at which they are fully extended [m], above zero (fixed skin is no unknown)
};

/// Ligaments that tie skin to attachments which the body carries. Calls for single ligaments may run in
/// parallel.
class LigamentEnergy {
 public:
  /// Throws InputError when a constant, an area or a limit is out of range.
  LigamentEnergy(std::vector<Ligament> ligaments, const LigamentLaw& law);

  const std::vector<Ligament>& ligaments() const { return ligaments_; }

  /// Energy [J] of ligament `i` between the skin at `position` and its attachment; l is the straight distance
  /// between them. Finite wherever the two are: past an exponent of 10 (a force 22,000 times that at
  /// the limit) the exponential goes on as its quadratic extension in l², which meets it to second order.
  double energy(std::size_t i, const Vec3& position, const Vec3& attachment) const;
  /// The Hessian is positive semi-definite, and exact.
  EnergyJet<1> evaluate(std::size_t i, const Vec3& position, const Vec3& attachment) const;

  /// All at once, in parallel, `attachments` one per ligament; the sum is taken in their order.
  double energy(const Points& positions, const std::vector<Vec3>& attachments) const;
  void evaluate(const Points& positions, const std::vector<Vec3>& attachments,
                std::vector<EnergyJet<1>>& jets) const;

 private:
  /// w and its derivatives by l².
  ScalarJet density(std::size_t i, double squared_length) const;

  std::vector<Ligament> ligaments_;
  LigamentLaw law_;
};

}  // namespace cutis
