#pragma once

#include "cutis/core/types.h"

namespace cutis {

/// Calls f with the middles of the n² equal triangles that a triangle is cut into, n along each side.
template <class F>
void for_each_sample(const Vec3& a, const Vec3& b, const Vec3& c, int n, const F& f) {
  const auto sample = [&](double i, double j) { f(Vec3(a + i / n * (b - a) + j / n * (c - a))); };
  for (int i = 0; i < n; ++i)
    for (int j = 0; i + j < n; ++j) {
      sample(i + 1.0 / 3, j + 1.0 / 3);
      if (i + j + 1 < n) sample(i + 2.0 / 3, j + 2.0 / 3);
    }
}

}  // namespace cutis
