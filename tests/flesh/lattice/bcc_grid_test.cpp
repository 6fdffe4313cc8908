#include "cutis/flesh/lattice/bcc_grid.h"

#include <set>

#include <gtest/gtest.h>
#include <Eigen/LU>

#include "cutis/flesh/lattice/inside_volume.h"
#include "cutis/flesh/lattice/tet_subdivision.h"
#include "support/meshes.h"

namespace cutis {
namespace {

double volume(const std::array<Vec3, 4>& x) {
  Mat3 edges;
  for (int k = 0; k < 3; ++k) edges.col(k) = x[at(k + 1)] - x[0];
  return edges.determinant() / 6;
}

std::array<Vec3, 4> corners(const BccTet& tet) {
  std::array<Vec3, 4> x;
  for (std::size_t k = 0; k < 4; ++k) x[k] = tet.nodes()[k].cast<double>();
  return x;
}

TEST(BccGrid, TetsTileSpace) {
  test::Random random(1);
  for (int i = 0; i < 1000; ++i) {
    const Vec3 p = 20 * random.in_cube();
    const BccTet tet = BccTet::at(p);
    const Vec4 weights = tet.barycentric(p);
    EXPECT_GE(weights.minCoeff(), -1e-12);
    const auto x = corners(tet);
    EXPECT_NEAR((weights[0] * x[0] + weights[1] * x[1] + weights[2] * x[2] + weights[3] * x[3] - p).norm(), 0,
                1e-12);
    EXPECT_NEAR(volume(x), 8.0 / 12, 1e-12) << "a cell of eight cubed half cells has twelve";
    EXPECT_EQ(BccTet(lattice_point(tet.key())).nodes(), tet.nodes());
  }
}

TEST(BccGrid, NeighboursShareThreeNodesAndAgree) {
  test::Random random(2);
  for (int i = 0; i < 200; ++i) {
    const BccTet tet = BccTet::at(10 * random.in_cube());
    for (int k = 0; k < 4; ++k) {
      const BccTet other = tet.neighbour(k);
      int shared = 0, back = -1;
      for (int l = 0; l < 4; ++l) {
        const auto& nodes = tet.nodes();
        const bool common = std::find(nodes.begin(), nodes.end(), other.nodes()[at(l)]) != nodes.end();
        shared += common;
        if (!common) back = l;
      }
      ASSERT_EQ(shared, 3);
      EXPECT_EQ(std::count(other.nodes().begin(), other.nodes().end(), tet.nodes()[at(k)]), 0);
      EXPECT_EQ(other.neighbour(back).key(), tet.key());
    }
  }
}

TEST(TetSubdivision, PartsAreSimilarToTheWhole) {
  const TetSubdivision& table = TetSubdivision::table();
  const BccTet tet = BccTet::at({0.3, 0.2, 0.1});
  ASSERT_EQ(table.sub_tets().size(), std::size_t{TetSubdivision::kSubTets});
  for (const auto& part : table.sub_tets()) {
    std::array<Vec3, 4> x;
    for (std::size_t k = 0; k < 4; ++k) x[k] = table.place(tet, part[k]).cast<double>() / 4;
    EXPECT_NEAR(std::abs(volume(x)), 8.0 / 12 / 64, 1e-12);
    std::multiset<double> squares;
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = i + 1; j < 4; ++j) squares.insert(16 * (x[i] - x[j]).squaredNorm());
    EXPECT_EQ(squares, (std::multiset<double>{3, 3, 3, 3, 4, 4}));
  }
}

TEST(InsideVolume, IsTheShareBelowAPlane) {
  test::Random random(3);
  for (int i = 0; i < 20; ++i) {
    const Vec4 values(random(-1, 1), random(-1, 1), random(-1, 1), random(-1, 1));
    int below = 0;
    Vec4 mean = Vec4::Zero();
    constexpr int kPoints = 20000;
    for (int k = 0; k < kPoints; ++k) {
      Vec4 weights;
      for (int c = 0; c < 4; ++c) weights[c] = -std::log(1 - random());
      if (!(weights.dot(values) < 0)) continue;
      ++below;
      mean += weights / weights.sum();
    }
    const NegativePart part = negative_part(values);
    EXPECT_NEAR(part.share, double(below) / kPoints, 0.015) << values.transpose();
    if (below > kPoints / 20) {
      EXPECT_LT((part.centroid - mean / below).norm(), 0.02) << values.transpose();
    }
  }
  EXPECT_EQ(negative_part(Vec4(-1, -1, -1, -1)).share, 1);
  EXPECT_EQ(negative_part(Vec4(0, 1, 1, 1)).share, 0);
}

}  // namespace
}  // namespace cutis
