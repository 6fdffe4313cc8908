#include "cutis/flesh/distance/winding_number.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace cutis {
namespace {

constexpr int kTrianglesPerLeaf = 6;
// Barill et al. 2018: a cluster counts as a dipole from twice its radius on.
constexpr double kFarInRadii = 2;

/// Solid angle of a triangle seen from p (van Oosterom and Strackee 1983), positive seen from inside.
double solid_angle(const Vec3& p, const Vec3& at_a, const Vec3& at_b, const Vec3& at_c) {
  const Vec3 a = at_a - p, b = at_b - p, c = at_c - p;
  const double la = a.norm(), lb = b.norm(), lc = c.norm();
  return 2 * std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
}

}  // namespace

WindingNumber::WindingNumber(std::span<const Vec3> points, std::span<const IndexTriangle> triangles) {
  triangles_.reserve(triangles.size());
  for (const IndexTriangle& t : triangles)
    triangles_.push_back({points[at(t[0])], points[at(t[1])], points[at(t[2])], {}});
  build();
  for (Triangle& t : triangles_) t.dipole = summarized({&t, 1});
  for (Node& node : nodes_) node.dipole = summarized({triangles_.data() + node.first, at(node.count)});
}

void WindingNumber::build() {
  struct Range {
    int first, count, parent;  // parent: whose right child it is, or -1
  };
  std::vector<Range> open{{0, static_cast<int>(triangles_.size()), -1}};
  while (!open.empty()) {
    const Range range = open.back();
    open.pop_back();
    const int here = static_cast<int>(nodes_.size());
    if (range.parent >= 0) nodes_[at(range.parent)].right = here;
    nodes_.push_back({});
    nodes_.back().first = range.first;
    nodes_.back().count = range.count;
    if (range.count <= kTrianglesPerLeaf) continue;
    const auto begin = triangles_.begin() + range.first, end = begin + range.count;
    Eigen::AlignedBox3d box;
    for (auto t = begin; t != end; ++t) box.extend(Vec3(t->a + t->b + t->c));
    int axis = 0;
    box.sizes().maxCoeff(&axis);
    const int half = range.count / 2;
    std::nth_element(begin, begin + half, end, [axis](const Triangle& s, const Triangle& t) {
      return s.a[axis] + s.b[axis] + s.c[axis] < t.a[axis] + t.b[axis] + t.c[axis];
    });
    open.push_back({range.first + half, range.count - half, here});
    open.push_back({range.first, half, -1});
  }
}

WindingNumber::Dipole WindingNumber::summarized(std::span<const Triangle> triangles) {
  Dipole dipole;
  double area = 0;
  for (const Triangle& t : triangles) {
    const Vec3 vector = 0.5 * (t.b - t.a).cross(t.c - t.a);
    dipole.area_vector += vector;
    dipole.centre += vector.norm() * (t.a + t.b + t.c) / 3;
    area += vector.norm();
  }
  dipole.centre = area > 0 ? Vec3(dipole.centre / area) : triangles[0].a;
  double radius_squared = 0;
  for (const Triangle& t : triangles)
    for (const Vec3* corner : {&t.a, &t.b, &t.c})
      radius_squared = std::max(radius_squared, (*corner - dipole.centre).squaredNorm());
  dipole.near_squared = kFarInRadii * kFarInRadii * radius_squared;
  return dipole;
}

double WindingNumber::operator()(const Vec3& p) const {
  std::array<int, 64> open;  // a median split of 2^31 triangles is 31 levels deep
  std::size_t count = 0;
  open[count++] = 0;
  double angle = 0;
  // Whether it is far enough to count as a whole; if so, it is counted.
  const auto counted = [&](const Dipole& dipole) {
    const Vec3 way = dipole.centre - p;
    const double distance_squared = way.squaredNorm();
    if (distance_squared <= dipole.near_squared) return false;
    angle += dipole.area_vector.dot(way) / (distance_squared * std::sqrt(distance_squared));
    return true;
  };
  while (count > 0) {
    const int i = open[--count];
    const Node& node = nodes_[at(i)];
    if (counted(node.dipole)) continue;
    if (node.right > 0) {
      open[count++] = node.right;
      open[count++] = i + 1;
      continue;
    }
    for (int k = node.first; k < node.first + node.count; ++k) {
      const Triangle& t = triangles_[at(k)];
      if (!counted(t.dipole)) angle += solid_angle(p, t.a, t.b, t.c);
    }
  }
  return angle / (4 * pi);
}

}  // namespace cutis
