#include "cutis/energy/hinge_angle.h"

#include <cmath>

namespace cutis {
namespace {

struct HingeNormals {
  Vec3 first, second;  ///< twice the areas
  Vec3 edge;
};

HingeNormals hinge_normals(const HingeCorners& x) {
  const Vec3 edge = x[1] - x[0];
  return {edge.cross(x[2] - x[0]), (x[3] - x[0]).cross(edge), edge};
}

/// a x b as a matrix that acts on b.
Mat3 cross_matrix(const Vec3& a) {
  Mat3 m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

/// A factor in a gradient, and its derivative by each corner.
struct Coefficient {
  double value = 0;
  std::array<Vec3, 4> derivative = {Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
};

/// (x[far] - x[near]) along the edge.
Coefficient along_edge(const HingeCorners& x, std::size_t far, std::size_t near) {
  const Vec3 edge = x[1] - x[0];
  const double length = edge.norm();
  const Vec3 t = edge / length, d = x[far] - x[near];
  const Vec3 turned = (d - d.dot(t) * t) / length;
  Coefficient c;
  c.value = d.dot(t);
  c.derivative[far] += t;
  c.derivative[near] -= t;
  c.derivative[1] += turned;
  c.derivative[0] -= turned;
  return c;
}

Coefficient edge_length(const HingeCorners& x) {
  Coefficient c;
  c.value = (x[1] - x[0]).norm();
  c.derivative[1] = (x[1] - x[0]) / c.value;
  c.derivative[0] = -c.derivative[1];
  return c;
}

/// Adds the derivative of c n / |n|², which is the gradient of the angle by `corner`; dn: that of n.
void add_derivative(std::size_t corner, const Coefficient& c, double sign, const Vec3& n,
                    const std::array<Mat3, 4>& dn, Mat12& hessian) {
  const double square = n.squaredNorm();
  const Mat3 projected = (Mat3::Identity() - 2 / square * n * n.transpose()) / square;
  for (std::size_t k = 0; k < 4; ++k)
    hessian.block<3, 3>(static_cast<Eigen::Index>(3 * corner), static_cast<Eigen::Index>(3 * k)) +=
        sign * (c.value * projected * dn[k] + n / square * c.derivative[k].transpose());
}

}  // namespace

double hinge_angle(const HingeCorners& x) {
  const auto [n1, n2, edge] = hinge_normals(x);
  return std::atan2(n2.cross(n1).dot(edge) / edge.norm(), n1.dot(n2));
}

std::array<Vec3, 4> hinge_gradient(const HingeCorners& x) {
  const auto [n1, n2, edge] = hinge_normals(x);
  const double length = edge.norm(), square1 = n1.squaredNorm(), square2 = n2.squaredNorm();
  const Vec3 zero = Vec3::Zero();
  if (!(square1 > 0 && square2 > 0 && length > 0)) return {zero, zero, zero, zero};
  const Vec3 along = edge / length, g1 = n1 / square1, g2 = n2 / square2;
  return {(x[2] - x[1]).dot(along) * g1 + (x[3] - x[1]).dot(along) * g2,
          -(x[2] - x[0]).dot(along) * g1 - (x[3] - x[0]).dot(along) * g2, length * g1, length * g2};
}

Mat12 hinge_hessian(const HingeCorners& x) {
  const auto [n1, n2, edge] = hinge_normals(x);
  const Mat3 E = cross_matrix(edge), P = cross_matrix(x[2] - x[0]), Q = cross_matrix(x[3] - x[0]);
  const std::array<Mat3, 4> dn1{P - E, -P, E, Mat3::Zero()}, dn2{E - Q, Q, Mat3::Zero(), -E};
  Mat12 hessian = Mat12::Zero();
  add_derivative(0, along_edge(x, 2, 1), 1, n1, dn1, hessian);
  add_derivative(0, along_edge(x, 3, 1), 1, n2, dn2, hessian);
  add_derivative(1, along_edge(x, 2, 0), -1, n1, dn1, hessian);
  add_derivative(1, along_edge(x, 3, 0), -1, n2, dn2, hessian);
  add_derivative(2, edge_length(x), 1, n1, dn1, hessian);
  add_derivative(3, edge_length(x), 1, n2, dn2, hessian);
  return (hessian + hessian.transpose()) / 2;
}

}  // namespace cutis
