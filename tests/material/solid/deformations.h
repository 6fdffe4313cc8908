#pragma once

#include <vector>

#include "cutis/core/types.h"
#include "support/meshes.h"

namespace cutis::test {

inline Mat3 random_rotation(Random& random) {
  return Eigen::AngleAxisd(random(0, 6), random.in_cube().normalized()).toRotationMatrix();
}

inline Mat3 random_matrix(Random& random) {
  Mat3 m;
  m << random.in_cube(), random.in_cube(), random.in_cube();
  return m;
}

/// A deformation with these stretches, turned at rest and in space.
inline Mat3 turned(Random& random, const Vec3& stretches) {
  return random_rotation(random) * stretches.asDiagonal() * random_rotation(random);
}

/// Stretched, compressed, sheared; at, near and far from rest; with equal and nearly equal stretches.
inline std::vector<Mat3> upright_deformations() {
  Random random(11);
  std::vector<Mat3> all;
  for (int i = 0; i < 40; ++i)
    all.push_back(turned(random, Vec3(random(0.4, 1.7), random(0.4, 1.7), random(0.4, 1.7))));
  for (double s : {0.6, 0.85, 1.0, 1.25, 1.5}) {
    all.push_back(turned(random, Vec3(s, s, s)));
    all.push_back(turned(random, Vec3(s, s, 1.1)));
    for (double apart : {1e-3, 1e-5, 1e-7, 1e-9, 1e-12})
      all.push_back(turned(random, Vec3(s, s * (1 + apart), s * (1 - apart))));
  }
  for (double s : {1.05, 1.2, 1.45}) all.push_back(turned(random, Vec3(s, 1 / s, 1)));
  return all;
}

/// Inverted, flat and very flat, with s2 + s3 above 0.2.
inline std::vector<Mat3> inverted_deformations() {
  Random random(12);
  std::vector<Mat3> all;
  for (int i = 0; i < 20; ++i)
    all.push_back(turned(random, Vec3(random(0.8, 1.6), random(0.8, 1.6), random(-0.6, 0))));
  for (double s : {0.0, 1e-3, 1e-9, -1e-9, -1e-3}) {
    all.push_back(turned(random, Vec3(1.2, 0.7, s)));
    all.push_back(turned(random, Vec3(0.9, 0.9, s)));
  }
  return all;
}

/// No size at all, a line, a mirror image, the ridge where s2 = -s3, very long and very short.
inline std::vector<Mat3> extreme_deformations() {
  Random random(13);
  std::vector<Mat3> all{Mat3::Zero(), -Mat3::Identity(), 1e4 * Mat3::Identity(), 1e-13 * Mat3::Identity(),
                        1e-200 * Mat3::Identity()};
  for (const Vec3& s : {Vec3(1, 0, 0), Vec3(1, 1e-15, 1e-16), Vec3(1, 0.5, -0.5), Vec3(1, 1, -1),
                        Vec3(1e3, 1e-9, -1e-9), Vec3(1e-12, 1e-14, 0)}) {
    all.push_back(s.asDiagonal());
    all.push_back(turned(random, s));
  }
  return all;
}

}  // namespace cutis::test
