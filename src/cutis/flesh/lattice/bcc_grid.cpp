#include "cutis/flesh/lattice/bcc_grid.h"

#include <cmath>
#include <cstdlib>
#include <utility>

namespace cutis {
namespace {

constexpr int kKeyBits = 21;
constexpr int kKeyOffset = 1 << (kKeyBits - 1);

/// 1 for an even permutation of the axes 0, 1, 2 and -1 for an odd one.
int permutation_sign(int a, int b) { return (b - a + 3) % 3 == 1 ? 1 : -1; }

}  // namespace

std::uint64_t lattice_key(const LatticePoint& p) {
  std::uint64_t key = 0;
  for (int k = 0; k < 3; ++k) key = key << kKeyBits | static_cast<std::uint64_t>(p[k] + kKeyOffset);
  return key;
}

LatticePoint lattice_point(std::uint64_t key) {
  LatticePoint p;
  for (int k = 2; k >= 0; --k, key >>= kKeyBits)
    p[k] = static_cast<int>(key & ((1u << kKeyBits) - 1)) - kKeyOffset;
  return p;
}

BccTet::BccTet(const LatticePoint& twice_centroid) : name_(twice_centroid) {
  // The centroid lies half a step from the middle of the face, which has one even and two odd coordinates:
  // doubled, they are 0, 2 and 2 ± 1 modulo 4.
  along_ = beside_ = offset_axis_ = 0;
  for (int k = 0; k < 3; ++k) {
    const int rest = name_[k] & 3;
    (rest == 0 ? along_ : rest == 2 ? beside_ : offset_axis_) = k;
  }
  offset_ = (name_[offset_axis_] & 3) == 3 ? 1 : -1;
  middle_ = name_;
  middle_[offset_axis_] -= offset_;
  middle_ /= 2;
  nodes_.fill(middle_);
  nodes_[0][along_] -= 1;
  nodes_[1][along_] += 1;
  for (std::size_t k = 2; k < 4; ++k) nodes_[k][offset_axis_] += offset_;
  const int order = offset_ * permutation_sign(along_, beside_);
  nodes_[2][beside_] += order;
  nodes_[3][beside_] -= order;
}

BccTet BccTet::at(const Vec3& point) {
  LatticePoint face;
  for (int k = 0; k < 3; ++k) face[k] = 2 * static_cast<int>(std::floor(point[k] / 2)) + 1;
  const Vec3 u = point - face.cast<double>();
  int along = 0;
  u.cwiseAbs().maxCoeff(&along);
  const int b = (along + 1) % 3, c = (along + 2) % 3;
  face[along] += u[along] < 0 ? -1 : 1;
  const int offset_axis = std::abs(u[b]) > std::abs(u[c]) ? b : c;
  LatticePoint name = 2 * face;
  name[offset_axis] += u[offset_axis] < 0 ? -1 : 1;
  return BccTet(name);
}

std::array<BccTet, 4> BccTet::around(const LatticePoint& face) {
  int along = 0;
  while (face[along] & 1) ++along;
  const LatticePoint b = LatticePoint::Unit((along + 1) % 3), c = LatticePoint::Unit((along + 2) % 3);
  return {BccTet(2 * face - b), BccTet(2 * face + b), BccTet(2 * face - c), BccTet(2 * face + c)};
}

BccTet BccTet::neighbour(int node) const {
  // Around the edge that the face has whole, a quarter turn towards the node that it has of the other edge.
  const LatticePoint other_middle = middle_ + offset_ * LatticePoint::Unit(offset_axis_);
  if (node < 2) return BccTet(2 * other_middle + (nodes_[std::size_t(1 - node)] - middle_));
  return BccTet(2 * middle_ + (nodes_[std::size_t(5 - node)] - other_middle));
}

Vec4 BccTet::barycentric(const Vec3& point) const {
  const Vec3 x = point - middle_.cast<double>();
  const double share = offset_ * x[offset_axis_];  // of the corners
  const double side = nodes_[3][beside_] > nodes_[2][beside_] ? x[beside_] : -x[beside_];
  return 0.5 * Vec4(1 - share - x[along_], 1 - share + x[along_], share - side, share + side);
}

}  // namespace cutis
