#include "cutis/solve/volume_transfer.h"

#include <algorithm>
#include <utility>

namespace cutis {
namespace {

/// Of what is missing, so much goes to the neighbours in a second [1/s].
constexpr double kRate = 20;
/// How often a loss is shared out among all that have a node in common: about so many elements away it is
/// felt.
constexpr int kSpreads = 4;
/// What an element may grow to and shrink to.
constexpr double kMostGrowth = 2, kLeastGrowth = 0.7;

}  // namespace

VolumeTransfer::VolumeTransfer(std::vector<double> volumes, std::vector<std::size_t> nodes,
                               std::vector<char> grows)
    : volumes_(std::move(volumes)),
      corners_(volumes_.empty() ? 1 : nodes.size() / volumes_.size()),
      nodes_(std::move(nodes)),
      volume_around_(nodes_.empty() ? 0 : *std::ranges::max_element(nodes_) + 1, 0),
      grows_(std::move(grows)),
      growth_(volumes_.size(), 1) {
  for (std::size_t i = 0; i < nodes_.size(); ++i) volume_around_[nodes_[i]] += volumes_[i / corners_];
}

/// From elements to their nodes and back, an equal share to each, some times over.
void VolumeTransfer::spread(std::vector<double>& losses) const {
  for (int round = 0; round < kSpreads; ++round) {
    std::vector<double> at_nodes(volume_around_.size(), 0);
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      at_nodes[nodes_[i]] += losses[i / corners_] / static_cast<double>(corners_);
    std::ranges::fill(losses, 0);
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (volumes_[i / corners_] > 0)
        losses[i / corners_] += at_nodes[nodes_[i]] * volumes_[i / corners_] / volume_around_[nodes_[i]];
  }
}

bool VolumeTransfer::is_clamped(std::size_t e) const {
  return growth_[e] == kLeastGrowth || growth_[e] == kMostGrowth;
}

/// Where volume is missing, what is lost near an element says how much of it that one gets; where there is
/// too much, what each has got says how much it gives back.
void VolumeTransfer::advance(std::span<const double> ratios, double dt) {
  double missing = 0;
  for (std::size_t e = 0; e < volumes_.size(); ++e) missing += volumes_[e] * (1 - ratios[e]);
  std::vector<double> shares(volumes_.size());
  for (std::size_t e = 0; e < shares.size(); ++e)
    shares[e] = volumes_[e] * std::max(0.0, missing > 0 ? 1 - ratios[e] : growth_[e] - 1);
  if (missing > 0) spread(shares);
  double sum = 0;
  for (std::size_t e = 0; e < shares.size(); ++e)
    if (grows_[e]) sum += shares[e];
  if (!(sum > 0)) return;
  for (std::size_t e = 0; e < shares.size(); ++e)
    if (grows_[e] && volumes_[e] > 0)
      growth_[e] = std::clamp(growth_[e] + kRate * dt * missing * shares[e] / (sum * volumes_[e]),
                              kLeastGrowth, kMostGrowth);
}

}  // namespace cutis
