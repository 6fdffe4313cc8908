#pragma once

#include "cutis/core/types.h"

namespace cutis::test {

/// The deformation with these stretches along the axes.
inline Mat32 diagonal(double a, double b) {
  Mat32 F = Mat32::Zero();
  F(0, 0) = a;
  F(1, 1) = b;
  return F;
}

}  // namespace cutis::test
