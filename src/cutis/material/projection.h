#pragma once

namespace cutis {

/// The share of its negative curvature that is taken out of a Hessian, analytically: from none to all, which
/// leaves it positive semi-definite.
inline constexpr double kExact = 0, kProjected = 1;

}  // namespace cutis
