#include "cutis/material/solid/signed_svd.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/SVD>

#include "cutis/material/solid/symmetric_eigen.h"
#include "material/solid/deformations.h"
#include "support/allocations.h"

namespace cutis {
namespace {

constexpr double kRounding = 2e-14;

void expect_rotation(const Mat3& R, const Mat3& F) {
  EXPECT_LT((R.transpose() * R - Mat3::Identity()).norm(), kRounding) << F;
  EXPECT_NEAR(R.determinant(), 1, kRounding) << F;
}

/// All of the promise, against Eigen's decomposition.
void expect_decomposed(const Mat3& F) {
  const SignedSvd svd = signed_svd(F);
  const Vec3& s = svd.stretches;
  const double size = F.norm();
  expect_rotation(svd.U, F);
  expect_rotation(svd.V, F);
  EXPECT_LE((svd.U * s.asDiagonal() * svd.V.transpose() - F).norm(), kRounding * size) << F;
  EXPECT_GE(s[0], s[1] - kRounding * size) << F;
  EXPECT_GE(s[1], std::abs(s[2]) - kRounding * size) << F;
  const Vec3 reference = Eigen::JacobiSVD<Mat3>(F).singularValues();
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(std::abs(s[k]), reference[k], kRounding * size) << F;
  const double volume = F.determinant();
  if (std::abs(volume) > 1e-14 * size * size * size) {
    EXPECT_EQ(s[2] < 0, volume < 0) << F;
  }
}

TEST(SignedSvd, DecomposesAnyMatrixToRounding) {
  for (const auto& set : {test::upright_deformations(), test::inverted_deformations()})
    for (const Mat3& F : set) expect_decomposed(F);
  for (const Mat3& F : test::extreme_deformations())
    if (F.norm() > 1e-100) expect_decomposed(F);
  test::Random random(1);
  for (int i = 0; i < 20000; ++i) expect_decomposed(test::random_matrix(random));
}

TEST(SignedSvd, KeepsItsDigitsWhateverTheStretchesAre) {
  // Any three of these: equal, nearly equal, far smaller than each other, none; with either sign.
  const double sizes[] = {1, 1 + 1e-15, 1 + 1e-9, 1.5, 1e-3, 1e-8, 1.0000001e-8, 1e-13, 1e-16, 0};
  test::Random random(2);
  for (double a : sizes)
    for (double b : sizes)
      for (double c : sizes)
        for (double sign : {1.0, -1.0}) {
          Vec3 s(a, b, c);
          std::sort(s.data(), s.data() + 3, std::greater<>());
          s[2] *= sign;
          if (s[0] == 0) continue;
          const Mat3 F = test::turned(random, s);
          expect_decomposed(F);
          const Vec3 found = signed_svd(F).stretches;
          EXPECT_NEAR(found[0], s[0], kRounding * s[0]);
          EXPECT_NEAR(found[1], s[1], kRounding * s[0]);
          EXPECT_NEAR(found[2], s[2], kRounding * s[0]) << s.transpose();
        }
}

TEST(SignedSvd, DoesNotMindTheScale) {
  test::Random random(3);
  for (double scale : {1e-305, 1e-160, 1e-31, 1e-29, 1e29, 1e31, 1e160, 1e300}) {
    const Vec3 s(1.5, 1.1, -0.4);
    const SignedSvd svd = signed_svd(scale * test::turned(random, s));
    EXPECT_LT((svd.stretches / scale - s).norm(), 1e-14) << scale;
  }
  EXPECT_EQ(signed_svd(Mat3::Zero()).stretches, Vec3::Zero());
  EXPECT_EQ(signed_svd(Mat3::Zero()).U, Mat3::Identity());
}

TEST(SignedSvd, EndsWithoutNumbers) {
  Mat3 F = Mat3::Identity();
  F(1, 2) = NAN;
  EXPECT_FALSE(signed_svd(F).stretches.allFinite());
}

TEST(SignedSvd, AsksForNoMemoryAndGivesTheSameBits) {
  test::Random random(4);
  const Mat3 F = test::random_matrix(random);
  const std::size_t before = test::allocations();
  const SignedSvd one = signed_svd(F), two = signed_svd(F);
  EXPECT_EQ(test::allocations(), before);
  EXPECT_EQ(one.U, two.U);
  EXPECT_EQ(one.stretches, two.stretches);
  EXPECT_EQ(one.V, two.V);
}

TEST(SymmetricEigen, DecomposesAndClamps) {
  test::Random random(5);
  for (int i = 0; i < 2000; ++i) {
    const double scale = std::pow(10, random(-90, 90));
    Vec3 values = scale * random.in_cube();
    if (i % 3 == 0) values[1] = values[0];
    if (i % 5 == 0) values[2] = values[0] * (1 + 1e-12);
    const Mat3 R = test::random_rotation(random);
    Mat3 A = R * values.asDiagonal() * R.transpose();
    A = (0.5 * (A + A.transpose())).eval();
    const SymmetricEigen e = symmetric_eigen(A);
    expect_rotation(e.vectors, A);
    EXPECT_LT((e.vectors * e.values.asDiagonal() * e.vectors.transpose() - A).norm(), kRounding * scale);
    const Mat3 positive = R * values.cwiseMax(0).asDiagonal() * R.transpose();
    EXPECT_LT((positive_part(A) - positive).norm(), kRounding * scale) << A;
  }
  EXPECT_EQ(positive_part(Mat3::Identity()), Mat3::Identity());
  EXPECT_EQ(positive_part(-Mat3::Identity()), Mat3::Zero());
}

}  // namespace
}  // namespace cutis
