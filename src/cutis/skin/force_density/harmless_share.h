#pragma once

#include <algorithm>

namespace cutis {

/// The share of a slide at which strain comes back to that of plain skinning, which is `strain(0)`; 1 where
/// the whole slide leaves no more. The parabola through three shares says where; a second one, through shares
/// up to that, is closer. It is 1 where the whole is just as good: a share changes smoothly in time.
template <class Strain>
double harmless_share(double plain, const Strain& strain) {
  double share = 1, end = strain(1.0);
  if (end <= plain) return 1;
  for (int i = 0; i < 2 && share > 0; ++i) {
    if (i > 0) end = strain(share);
    const double half = strain(share / 2);
    const double bend = 2 * (end + plain - 2 * half), slope = 4 * half - 3 * plain - end;
    share *= bend > 0 ? std::clamp(-slope / bend, 0.0, 1.0) : 0;
  }
  return share;
}

}  // namespace cutis
