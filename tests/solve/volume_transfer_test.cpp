#include "cutis/solve/volume_transfer.h"

#include <numeric>

#include <gtest/gtest.h>

namespace cutis {
namespace {

constexpr std::size_t kRods = 30;

/// A chain of rods that share their ends.
VolumeTransfer chain(std::vector<char> grows) {
  std::vector<std::size_t> nodes;
  for (std::size_t e = 0; e < kRods; ++e) nodes.insert(nodes.end(), {e, e + 1});
  return {std::vector<double>(kRods, 1), nodes, std::move(grows)};
}

/// Lets a chain, whose rods are squeezed to these ratios, take up what is lost.
std::vector<double> settled(VolumeTransfer& transfer, const std::vector<double>& squeezed) {
  std::vector<double> ratios;
  for (int i = 0; i < 200; ++i) {
    ratios = squeezed;
    for (std::size_t e = 0; e < kRods; ++e) ratios[e] *= transfer.growth(e);
    transfer.advance(ratios, 0.01);
  }
  return ratios;
}

TEST(VolumeTransfer, WhatIsLostGoesToTheNeighboursAndComesBack) {
  VolumeTransfer transfer = chain(std::vector<char>(kRods, 1));
  std::vector<double> squeezed(kRods, 1);
  for (std::size_t e = 14; e < 16; ++e) squeezed[e] = 0.8;
  const std::vector<double> ratios = settled(transfer, squeezed);
  EXPECT_NEAR(std::accumulate(ratios.begin(), ratios.end(), 0.0), kRods, 1e-3);
  EXPECT_GT(transfer.growth(12), 1.01);
  EXPECT_EQ(transfer.growth(0), 1);
  const std::vector<double> back = settled(transfer, std::vector<double>(kRods, 1));
  EXPECT_NEAR(std::accumulate(back.begin(), back.end(), 0.0), kRods, 1e-3);
}

TEST(VolumeTransfer, OnlyWhatMayGrowDoes) {
  std::vector<char> grows(kRods, 1);
  grows[14] = 0;
  VolumeTransfer transfer = chain(grows);
  std::vector<double> squeezed(kRods, 1);
  squeezed[14] = 0.8;
  settled(transfer, squeezed);
  EXPECT_EQ(transfer.growth(14), 1);
  EXPECT_GT(transfer.growth(13), 1.01);
}

}  // namespace
}  // namespace cutis
