#pragma once

namespace cutis {

/// The stretch at which skin has failed: strips of the human back break at 1.54 (Ni Annaidh et al. 2012), and
/// no law is measured beyond. Exponentials and fibres end there (failed_extension). Plain skinning draws
/// single triangles between limbs to several times their length, and with a full exponential one of them
/// would hold more energy than all the rest of the skin.
constexpr double kFailureStretch = 1.55;

/// What is left of the stiffness [Pa]. That at failure is some seventy times the modulus at rest; with less
/// than ten times the modulus, single triangles take up the stretch of all around them.
inline double failed_stiffness(double young) { return 30 * young; }

}  // namespace cutis
