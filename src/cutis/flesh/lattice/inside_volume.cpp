#include "cutis/flesh/lattice/inside_volume.h"

#include <algorithm>

namespace cutis {
namespace {

/// Where along the edge from a negative to a positive corner the function is zero, 0 to 1.
double zero_between(double negative, double positive) { return negative / (negative - positive); }

/// One negative corner: a tetrahedron similar in its three edges there.
double corner_share(const Vec4& v) {
  return zero_between(v[0], v[1]) * zero_between(v[0], v[2]) * zero_between(v[0], v[3]);
}

/// Two negative corners: a wedge of three tetrahedra, each the determinant of its barycentric coordinates.
double wedge_share(const Vec4& v) {
  const double ac = zero_between(v[0], v[2]), ad = zero_between(v[0], v[3]), bc = zero_between(v[1], v[2]),
               bd = zero_between(v[1], v[3]);
  return bc * bd + ac * (1 - bc) * bd + ac * ad * (1 - bd);
}

}  // namespace

double negative_share(Vec4 values) {
  std::sort(values.data(), values.data() + 4);
  if (values[0] >= 0) return 0;
  if (values[3] < 0) return 1;
  if (values[1] >= 0) return corner_share(values);
  if (values[2] >= 0) return wedge_share(values);
  return 1 - corner_share(-values.reverse());
}

}  // namespace cutis
