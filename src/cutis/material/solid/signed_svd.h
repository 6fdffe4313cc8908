#pragma once

#include "cutis/core/types.h"

namespace cutis {

/// F = U diag(stretches) Vᵀ with rotations U and V (det = 1) and stretches s1 >= s2 >= |s3|: the smallest one
/// is negative where F is inverted (Irving, Teran, Fedkiw 2004, "Invertible finite elements"). Every F has
/// one, also those without volume; directions that F leaves open are chosen.
struct SignedSvd {
  Mat3 U;
  Vec3 stretches;
  Mat3 V;
};

/// To rounding of the largest stretch, whatever the others are. The same bits for the same F.
SignedSvd signed_svd(const Mat3& F);

}  // namespace cutis
