#include "cutis/wrinkle/shell/bending_element.h"

#include "cutis/core/parallel.h"
#include "cutis/core/turning_frame.h"

namespace cutis {
namespace {

/// Six vertices that nearly lie on one conic leave a curvature that none of the angles sees, and a small
/// noise of the angles would be taken for a large one: they are trusted up to this share of their squares.
constexpr double kAngleNoise = 1e-4;

/// ½ uᵀ S u for S11, S22 and S12 one at a time.
Vec3 quadratics(const Vec2& u) { return {u.x() * u.x() / 2, u.y() * u.y() / 2, u.x() * u.y()}; }

/// The slope across the edge a b, along its normal to the right, of the linear functions that agree with the
/// three quadratics at a, b and p.
Vec3 slope_across(const Vec2& a, const Vec2& b, const Vec2& p) {
  const Vec2 t = (b - a).normalized(), n(t.y(), -t.x());
  const Vec3 along = (quadratics(b) - quadratics(a)) / (b - a).norm();
  return (quadratics(p) - quadratics(a) - (p - a).dot(t) * along) / (p - a).dot(n);
}

/// The vertex across an edge, laid into the plane of the triangle by turning about the edge.
Vec2 unfolded(const Vec3& a3, const Vec3& b3, const Vec3& p3, const Vec2& a, const Vec2& b) {
  const Vec3 t3 = (b3 - a3).normalized();
  const Vec2 t = (b - a).normalized(), n(t.y(), -t.x());
  const double along = (p3 - a3).dot(t3);
  return a + along * t + (p3 - a3 - along * t3).norm() * n;
}

std::array<Vec2, 3> flat_corners(const std::array<Vec3, 3>& x) {
  const Vec3 side = x[1] - x[0], other = x[2] - x[0];
  const double length = side.norm();
  return {Vec2(0, 0), Vec2(length, 0), Vec2(other.dot(side) / length, side.cross(other).norm() / length)};
}

/// Of S11, S22 and S12: D [(1 - ν) tr S² + ν (tr S)²] / 2, and for fibres along d D_f (dᵀ S d)² / 2.
Mat3 plate_compliance(const PlateProperties& plate, const std::array<Vec3, 3>& corners) {
  const double nu = plate.poisson;
  Mat3 stiffness;
  stiffness << 1, nu, 0, nu, 1, 0, 0, 0, 2 * (1 - nu);
  stiffness *= plate.stiffness;
  if (plate.fibre_stiffness > 0) {
    const Mat3 frame = turning_frame(corners[1] - corners[0], corners[2] - corners[0]);
    const Vec2 d = (frame.transpose() * plate.fibres).head<2>().normalized();
    const Vec3 along = 2 * quadratics(d);
    stiffness += plate.fibre_stiffness * along * along.transpose();
  }
  return stiffness.inverse();
}

/// The least energy of a curvature S whose angles M S are given is 1/2 θᵀ (M C⁻¹ Mᵀ)⁻¹ θ per area.
void set_stiffness(const Mesh& rest, const PlateProperties& plate, BendingElement& element) {
  const auto& v = element.vertices;
  const std::array<Vec3, 3> corners{rest.positions[v[0]], rest.positions[v[1]], rest.positions[v[2]]};
  const std::array<Vec2, 3> flat = flat_corners(corners);
  const double area = cross(flat[1] - flat[0], flat[2] - flat[0]) / 2;
  if (!(area > 0) || !(plate.stiffness > 0)) return;
  Eigen::Matrix<double, 3, 3> M = Mat3::Zero();
  std::vector<int> hinges;
  for (std::size_t k = 0; k < 3; ++k) {
    if (!element.has_hinge(k)) continue;
    const std::size_t a = (k + 1) % 3, b = (k + 2) % 3;
    const Vec2 across = unfolded(corners[a], corners[b], rest.positions[v[k + 3]], flat[a], flat[b]);
    M.row(static_cast<int>(hinges.size())) =
        (slope_across(flat[a], flat[b], across) - slope_across(flat[a], flat[b], flat[k])).transpose();
    hinges.push_back(static_cast<int>(k));
  }
  const int n = static_cast<int>(hinges.size());
  if (n == 0) return;
  Eigen::MatrixXd compliance = M.topRows(n) * plate_compliance(plate, corners) * M.topRows(n).transpose();
  compliance.diagonal() *= 1 + kAngleNoise;
  const Eigen::MatrixXd stiffness = area * compliance.inverse();
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) element.stiffness(hinges[at(i)], hinges[at(j)]) = stiffness(i, j);
}

}  // namespace

std::vector<BendingElement> bending_elements(const Mesh& rest, const Topology& topology,
                                             const std::vector<PlateProperties>& faces) {
  std::vector<BendingElement> elements(rest.face_count());
  parallel_for(elements.size(), [&](std::size_t f) {
    BendingElement& element = elements[f];
    const auto corners = rest.face(FaceId(f));
    for (std::size_t k = 0; k < 3; ++k) {
      element.vertices[k] = corners[k];
      const HalfedgeId h(rest.first_corner(FaceId(f)).index() + (k + 1) % 3), twin = topology.twin(h);
      element.vertices[k + 3] = topology.is_border(twin) ? VertexId() : topology.from(topology.prev(twin));
    }
    element.rest_angles = bending_angles(element, rest.positions);
    set_stiffness(rest, faces[f], element);
  });
  return elements;
}

HingeCorners hinge_corners(const BendingElement& element, std::size_t k, const Points& positions) {
  const auto hinge = BendingElement::hinge(k);
  HingeCorners corners;
  for (std::size_t i = 0; i < 4; ++i) corners[i] = positions[element.vertices[hinge[i]]];
  return corners;
}

Vec3 bending_angles(const BendingElement& element, const Points& positions) {
  Vec3 angles = element.rest_angles;
  for (std::size_t k = 0; k < 3; ++k)
    if (element.has_hinge(k)) angles[static_cast<int>(k)] = hinge_angle(hinge_corners(element, k, positions));
  return angles;
}

}  // namespace cutis
