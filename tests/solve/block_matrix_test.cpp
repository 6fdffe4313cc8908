#include "cutis/solve/block_matrix.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include "cutis/core/parallel.h"
#include "support/meshes.h"
#include "support/same_bits.h"

namespace cutis::test {
namespace {

/// Elements of one to four corners, some of them not unknown, some unknown twice; the last block is in none.
ElementBlocks mixed_elements(int blocks, std::size_t count) {
  Random random(11);
  ElementBlocks elements(count);
  for (auto& corners : elements) {
    corners.resize(1 + std::size_t(random.below(4)));
    for (int& corner : corners) corner = random.below(blocks) - 1;
  }
  elements[0] = {2, 2, 1};
  return elements;
}

template <int N>
void fill(BlockMatrix<N>& matrix, BlockVector<N>& vector, const ElementBlocks& elements, unsigned seed) {
  parallel_for(
      elements.size(),
      [&](std::size_t e) {
        Random random(seed + 100 * unsigned(e));
        auto local = matrix.local(e);
        for (double& v : local.reshaped()) v = random(-1, 1);
        local = (local + local.transpose()).eval();
        for (double& v : vector.local(e)) v = random(-1, 1);
      },
      8);
  matrix.sum();
  vector.sum();
}

template <int N>
void check_against_dense_sum() {
  const int blocks = 40;
  const ElementBlocks elements = mixed_elements(blocks, 200);
  BlockMatrix<N> matrix(blocks, elements);
  BlockVector<N> vector(blocks, elements);
  const auto pattern = matrix.lower().nonZeros();
  for (unsigned seed = 1; seed < 3; ++seed) {
    fill(matrix, vector, elements, seed);
    Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(N * blocks, N * blocks);
    Eigen::VectorXd total = Eigen::VectorXd::Zero(N * blocks);
    for (std::size_t e = 0; e < elements.size(); ++e)
      for (std::size_t a = 0; a < elements[e].size(); ++a) {
        if (elements[e][a] < 0) continue;
        total.segment(N * elements[e][a], N) += vector.local(e).segment(N * Eigen::Index(a), N);
        for (std::size_t b = 0; b < elements[e].size(); ++b)
          if (elements[e][b] >= 0)
            dense.block(N * elements[e][a], N * elements[e][b], N, N) +=
                matrix.local(e).block(N * Eigen::Index(a), N * Eigen::Index(b), N, N);
      }
    const Eigen::MatrixXd sum = matrix.lower();
    EXPECT_LT((sum - Eigen::MatrixXd(dense.template triangularView<Eigen::Lower>())).norm(), 1e-12);
    EXPECT_LT((vector.values() - total).norm(), 1e-12);
    EXPECT_EQ(matrix.lower().nonZeros(), pattern);
  }
  // Rows in order, none above the diagonal, the block of no element there.
  for (int column = 0; column < N * blocks; ++column) {
    int last = column - 1;
    for (typename Eigen::SparseMatrix<double>::InnerIterator it(matrix.lower(), column); it; ++it) {
      EXPECT_GT(it.row(), last);
      last = int(it.row());
    }
    EXPECT_GE(last, column);
  }
  EXPECT_TRUE(matrix.lower().isCompressed());
}

TEST(BlockMatrix, IsTheSumOfItsElements) {
  check_against_dense_sum<1>();
  check_against_dense_sum<2>();
  check_against_dense_sum<3>();
}

const bool block_matrix_bits = same_bits("BlockMatrix", [] {
  const int blocks = 3000;
  const ElementBlocks elements = mixed_elements(blocks, 9000);
  BlockMatrix<2> matrix(blocks, elements);
  BlockVector<2> vector(blocks, elements);
  fill(matrix, vector, elements, 5);
  const Eigen::VectorXd values =
      Eigen::Map<const Eigen::VectorXd>(matrix.lower().valuePtr(), matrix.lower().nonZeros());
  return std::pair(values, Eigen::VectorXd(vector.values()));
});

TEST(BlockMatrix, ASubmatrixIsTheSumOfItsElementsAlone) {
  const ElementBlocks elements = {{0, 1, 2}, {1, 2, 3}, {2, 3, 4}, {1}, {2}, {3}};
  BlockMatrix<2> matrix(5, elements);
  BlockVector<2> vector(5, elements);
  fill(matrix, vector, elements, 3);
  // All that touches the blocks 1 and 2.
  BlockPattern<2> part = matrix.submatrix(elements, {1, 2}, {0, 1, 2, 3, 4});
  matrix.sum(part);
  const Eigen::MatrixXd whole(matrix.lower());
  EXPECT_EQ(Eigen::MatrixXd(part.lower()), whole.block(2, 2, 4, 4));
}

TEST(BlockMatrix, RefusesBlocksThatAreNotThere) {
  EXPECT_THROW(BlockMatrix<2>(3, {{0, 3}}), std::out_of_range);
  EXPECT_THROW(BlockVector<2>(3, {{0, -2}}), std::out_of_range);
  EXPECT_EQ(BlockMatrix<2>(0, {}).lower().nonZeros(), 0);
}

}  // namespace
}  // namespace cutis::test
