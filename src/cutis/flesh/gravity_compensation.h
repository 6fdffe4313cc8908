#pragma once

#include <vector>

#include "cutis/flesh/flesh_dynamics.h"

namespace cutis {

/// How a shape without stress has to be changed so that gravity takes the flesh back to where it is modelled:
/// one matrix per element of the problem, to be multiplied from the left to its edges at rest. `flesh` lies
/// where it is modelled, with the shapes at rest `edges` and these shares of its stiffness; it is left there.
/// `weights` are the forces on its nodes [N].
std::vector<Mat3> gravity_compensation(FleshDynamics& flesh, const std::vector<Mat3>& edges,
                                       const std::vector<double>& shares, const NodePoints& weights);

}  // namespace cutis
