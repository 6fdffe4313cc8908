#include "cutis/wrinkle/contact/box_tree.h"

#include <algorithm>
#include <numeric>

namespace cutis {
namespace {

constexpr int kMortonBits = 21;  // per axis: three of them fill 63 bits

/// The bits of three coordinates, 0 to 1, in turns.
std::uint64_t morton_code(const Eigen::Array3d& place) {
  constexpr double kSteps = (1 << kMortonBits) - 1;
  const Eigen::Array<std::uint64_t, 3, 1> steps = (place * kSteps).cast<std::uint64_t>();
  std::uint64_t code = 0;
  for (int bit = kMortonBits - 1; bit >= 0; --bit)
    for (int axis = 0; axis < 3; ++axis) code = code << 1 | (steps[axis] >> bit & 1);
  return code;
}

}  // namespace

BoxTree::BoxTree(std::span<const Vec3> centres) : numbers_(centres.size()), boxes_(centres.size()) {
  if (centres.empty()) return;
  ContactBox all;
  for (const Vec3& centre : centres) all.extend(centre);
  // One size for all axes, so that a flat sheet is not cut across its thickness first.
  const double size = std::max((all.high - all.low).maxCoeff(), std::numeric_limits<double>::min());
  std::vector<std::uint64_t> codes(centres.size());
  for (std::size_t i = 0; i < centres.size(); ++i)
    codes[i] = morton_code((centres[i].array() - all.low) / size);
  std::iota(numbers_.begin(), numbers_.end(), 0);
  std::sort(numbers_.begin(), numbers_.end(), [&](std::int32_t a, std::int32_t b) {
    const std::uint64_t x = codes[static_cast<std::size_t>(a)], y = codes[static_cast<std::size_t>(b)];
    return x != y ? x < y : a < b;
  });
  leaf_count_ = std::bit_ceil((centres.size() + kLeafSize - 1) / kLeafSize);
  nodes_.resize(2 * leaf_count_);
}

void BoxTree::join_nodes() {
  for (std::size_t i = leaf_count_; i-- > 1;) {
    nodes_[i] = nodes_[2 * i];
    nodes_[i].extend(nodes_[2 * i + 1]);
  }
}

}  // namespace cutis
