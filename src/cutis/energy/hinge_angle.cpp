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

/// Adds the part of the Hessian that comes from the triangle of the edge e and the corner `far`. With its
/// normal N = e x (x_far - x_0) the gradient by its corners is a_i g, g = N / |N|². Since N is perpendicular
/// to the edge e_k across corner k, ∂g/∂x_k = -(N M_kᵀ + M_k Nᵀ) / |N|⁴ with M_k = N x e_k.
void add_triangle(const HingeCorners& x, std::size_t far, double sign, Mat12& hessian) {
  const std::array<std::size_t, 3> corners{0, 1, far};
  const Vec3 edge = x[1] - x[0], d = x[far] - x[0];
  const double length = edge.norm();
  const Vec3 t = edge / length, w = (d - d.dot(t) * t) / length;
  const Vec3 N = edge.cross(d);
  const double square = N.squaredNorm();
  const Vec3 g = sign / square * N;
  // Lengths along the edge; w is the height of the triangle over it, as a share of its length.
  const std::array<double, 3> a{d.dot(t) - length, -d.dot(t), length};
  const std::array<std::array<Vec3, 3>, 3> da{{{-w, w - t, t}, {w + t, -w, -t}, {-t, t, Vec3::Zero()}}};
  const std::array<Vec3, 3> across{x[far] - x[1], -d, edge};
  for (std::size_t k = 0; k < 3; ++k) {
    const Mat3 half = g * N.cross(across[k]).transpose() / -square;
    const Mat3 dg = half + half.transpose();
    for (std::size_t i = 0; i < 3; ++i)
      hessian.block<3, 3>(static_cast<Eigen::Index>(3 * corners[i]),
                          static_cast<Eigen::Index>(3 * corners[k])) += a[i] * dg + g * da[i][k].transpose();
  }
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
  Mat12 hessian = Mat12::Zero();
  add_triangle(x, 2, 1, hessian);
  add_triangle(x, 3, -1, hessian);
  return hessian;
}

}  // namespace cutis
