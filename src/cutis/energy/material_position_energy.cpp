#include "cutis/energy/material_position_energy.h"

#include <cmath>
#include <limits>

#include <Eigen/Geometry>

#include "cutis/energy/positive_part.h"

namespace cutis {
namespace {

/// A triangle whose corners miss a line by less than this share of its longest side has no area.
constexpr double kNoArea = 1e-12;

}  // namespace

Mat32 turned_into_plane(const Mat32& tensor, const Vec3& normal) {
  const Vec3 own = tensor.col(0).cross(tensor.col(1)).normalized();
  return Eigen::Quaterniond::FromTwoVectors(own, normal).toRotationMatrix() * tensor;
}

MaterialPositionEnergy::MaterialPositionEnergy(const MembraneMaterial& material,
                                               const MaterialTriangle& triangle,
                                               const std::array<Vec3, 3>& corners)
    : material_(material), triangle_(triangle), to_rest_(Mat2::Identity()) {
  const Vec3 d1 = corners[1] - corners[0], d2 = corners[2] - corners[0];
  const Vec3 cross = d1.cross(d2);
  const double twice = cross.norm(), longest = std::max(d1.squaredNorm(), d2.squaredNorm());
  if (!(twice > kNoArea * longest)) return;
  normal_ = cross / twice;
  area_ = 0.5 * twice;
  const double length = d1.norm();
  frame_.col(0) = d1 / length;
  frame_.col(1) = normal_.cross(frame_.col(0));
  const double r01 = frame_.col(0).dot(d2), r11 = twice / length;
  inverse_ << 1 / length, -r01 / (length * r11), 0, 1 / r11;
  if (!triangle.isotropic) to_rest_ = frame_.transpose() * turned_into_plane(triangle.to_rest, normal_);
  factor_ = 0.5 * triangle.thickness / to_rest_.determinant();
  total_ = triangle.sides * inverse_;
  F_ = total_ * to_rest_;
}

double MaterialPositionEnergy::energy() const {
  if (area_ == 0) return std::numeric_limits<double>::infinity();
  return factor_ * 2 * area_ * material_.energy(F_, triangle_.compression);
}

/// D_X moves by Q dR.
Eigen::Matrix<double, 9, 1> MaterialPositionEnergy::by_corners(const Mat2& by_R) const {
  const Mat32 in_space = frame_ * by_R;
  Eigen::Matrix<double, 9, 1> out;
  out << -in_space.col(0) - in_space.col(1), in_space.col(0), in_space.col(1);
  return out;
}

/// dE/dR = c det R (w R⁻ᵀ - (D_x R⁻¹)ᵀ P (R⁻¹ G)ᵀ), the names as below.
EnergyGradient<3> MaterialPositionEnergy::gradient() const {
  const MembraneStress response = material_.stress(F_, triangle_.compression);
  const double volume = factor_ * 2 * area_;
  const Mat2 by_R = volume * (response.energy * inverse_.transpose() -
                              total_.transpose() * response.stress * (inverse_ * to_rest_).transpose());
  EnergyGradient<3> out;
  out.energy = volume * response.energy;
  out.gradient = by_corners(by_R);
  return out;
}

/// With E(R) = c det R w(F), F = D_x R⁻¹ G and A = R⁻¹ G:
///   dF(a) = -D_x R⁻¹ a A, d²F(a, b) = D_x R⁻¹ (a R⁻¹ b + b R⁻¹ a) A,
///   d det(a) = det tr(R⁻¹ a), d² det(a, b) = det (tr(R⁻¹ a) tr(R⁻¹ b) - tr(R⁻¹ a R⁻¹ b)).
/// A change a of D_X across its plane leaves dR at zero and brings R'' = R⁻ᵀ aᵀ a.
TangentJet<3> MaterialPositionEnergy::evaluate(const std::array<Mat32, 3>& directions,
                                               double projected_share) const {
  TangentJet<3> jet;
  const MembraneResponse response = material_.evaluate(F_, kExact, triangle_.compression);
  const double determinant = 2 * area_, w = response.energy;
  const Mat2 A = inverse_ * to_rest_;
  const Mat2 K = A * response.stress.transpose() * total_;
  const Mat2& r = inverse_;
  // Entry i of R, column by column, is that in row i % 2 and column i / 2. With a = e_row e_colᵀ products
  // with it are columns and rows: dF = -(D_x R⁻¹)_row A_col, tr(R⁻¹ a) = R⁻¹(col, row).
  Eigen::Matrix<double, 6, 4> change;
  Eigen::Vector4d traces;
  for (int i = 0; i < 4; ++i) {
    const int row = i % 2, col = i / 2;
    change.col(i) << -A(col, 0) * total_.col(row), -A(col, 1) * total_.col(row);
    traces[i] = r(col, row);
  }
  const Eigen::Map<const Eigen::Matrix<double, 6, 1>> stress(response.stress.data());
  const Eigen::Vector4d along = change.transpose() * stress;  // P : dF
  jet.energy = factor_ * determinant * w;
  const Eigen::Vector4d by_R = factor_ * determinant * (w * traces + along);

  Eigen::Matrix4d hessian = change.transpose() * response.hessian * change;
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 4; ++i) {
      const int p = i % 2, q = i / 2, s = j % 2, t = j / 2;
      hessian(i, j) += w * (traces[i] * traces[j] - r(q, s) * r(t, p)) + traces[i] * along[j] +
                       traces[j] * along[i] + r(q, s) * K(t, p) + r(t, p) * K(q, s);
    }
  hessian *= factor_ * determinant;

  const Eigen::Map<const Mat2> gradient(by_R.data());
  jet.gradient = by_corners(gradient);
  const Mat2 across = gradient.transpose() * inverse_.transpose();

  Eigen::Matrix<double, 4, 6> inside = Eigen::Matrix<double, 4, 6>::Zero();
  Eigen::Matrix<double, 2, 6> outside = Eigen::Matrix<double, 2, 6>::Zero();
  for (int k = 0; k < 3; ++k) {
    const Mat2 own = frame_.transpose() * directions[static_cast<std::size_t>(k)];
    const Eigen::RowVector2d up = normal_.transpose() * directions[static_cast<std::size_t>(k)];
    const Vec2 shape = k == 0 ? Vec2(-1, -1) : k == 1 ? Vec2(1, 0) : Vec2(0, 1);
    for (int c = 0; c < 2; ++c) {
      inside.block<2, 2>(2 * c, 2 * k) = shape[c] * own;
      outside.block<1, 2>(c, 2 * k) = shape[c] * up;
    }
  }
  jet.hessian = inside.transpose() * hessian * inside +
                outside.transpose() * (0.5 * (across + across.transpose())) * outside;
  jet.hessian = partly_projected(jet.hessian, projected_share);
  return jet;
}

}  // namespace cutis
