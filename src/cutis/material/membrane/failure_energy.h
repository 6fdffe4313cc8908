#pragma once

namespace cutis {

/// Where the exponentials of a law end [J/m³]: each goes on from there as a spring. Human skin tears at
/// 3.6 MJ/m³, about three times its Young's modulus at rest (Ni Annaidh et al. 2012); this is three times
/// that. Plain skinning draws single triangles between fingers to several times their length, and with a full
/// exponential one of them would hold more energy than all the rest of the skin.
inline double tear_energy(double young) { return 10 * young; }

}  // namespace cutis
