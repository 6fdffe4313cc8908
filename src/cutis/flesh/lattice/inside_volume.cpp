#include "cutis/flesh/lattice/inside_volume.h"

#include <algorithm>
#include <array>

namespace cutis {
namespace {

using Order = std::array<int, 4>;  ///< corners by rising values

/// The point of an edge where the function is zero.
Vec4 zero_between(const Vec4& values, int a, int b) {
  const double s = values[a] / (values[a] - values[b]);
  return (1 - s) * Vec4::Unit(a) + s * Vec4::Unit(b);
}

/// Volumes are determinants of barycentric coordinates.
struct PartSum {
  double volume = 0;
  Vec4 moment = Vec4::Zero();
  Mat4 second = Mat4::Zero();
  void add(const Vec4& a, const Vec4& b, const Vec4& c, const Vec4& d) {
    Mat4 corners;
    corners << a, b, c, d;
    const double own = std::abs(corners.determinant());
    volume += own;
    moment += own * (a + b + c + d) / 4;
    const Vec4 sum = a + b + c + d;
    second += own / 20 * (corners * corners.transpose() + sum * sum.transpose());
  }
  NegativePart part() const {
    return volume > 0 ? NegativePart{volume, moment / volume, second / volume} : NegativePart{};
  }
};

/// One corner has another sign than the other three: the tetrahedron there.
PartSum corner_part(const Vec4& v, const Order& o) {
  PartSum sum;
  sum.add(Vec4::Unit(o[0]), zero_between(v, o[0], o[1]), zero_between(v, o[0], o[2]),
          zero_between(v, o[0], o[3]));
  return sum;
}

/// Two negative corners: a wedge of three tetrahedra.
PartSum wedge_part(const Vec4& v, const Order& o) {
  const Vec4 a = Vec4::Unit(o[0]), b = Vec4::Unit(o[1]);
  const Vec4 ac = zero_between(v, o[0], o[2]), ad = zero_between(v, o[0], o[3]),
             bc = zero_between(v, o[1], o[2]), bd = zero_between(v, o[1], o[3]);
  PartSum sum;
  sum.add(a, b, bc, bd);
  sum.add(a, bc, bd, ac);
  sum.add(a, bd, ac, ad);
  return sum;
}

}  // namespace

NegativePart negative_part(const Vec4& values) {
  Order order{0, 1, 2, 3};
  std::ranges::sort(order, {}, [&](int k) { return values[k]; });
  const auto value = [&](std::size_t k) { return values[order[k]]; };
  if (value(0) >= 0) return {};
  if (value(3) < 0) return {1};
  if (value(1) >= 0) return corner_part(values, order).part();
  if (value(2) >= 0) return wedge_part(values, order).part();
  // All but the corner where it is positive.
  PartSum rest = corner_part(values, {order[3], order[2], order[1], order[0]});
  rest.volume = 1 - rest.volume;
  rest.moment = Vec4::Constant(0.25) - rest.moment;
  rest.second = NegativePart{}.second_moment - rest.second;
  return rest.part();
}

}  // namespace cutis
