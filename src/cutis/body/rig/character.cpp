#include "cutis/body/rig/character.h"

namespace cutis {

Mat4 Transform::matrix() const {
  Mat4 m = Mat4::Identity();
  m.topLeftCorner<3, 3>() = rotation.toRotationMatrix() * scale.asDiagonal();
  m.topRightCorner<3, 1>() = translation;
  return m;
}

Transform decompose(const Mat4& matrix) {
  Transform result;
  result.translation = matrix.topRightCorner<3, 1>();
  Mat3 axes = matrix.topLeftCorner<3, 3>();
  result.scale = axes.colwise().norm().transpose();
  if (axes.determinant() < 0) result.scale.x() = -result.scale.x();
  if ((result.scale.array().abs() < 1e-300).any()) return result;
  axes = axes * result.scale.cwiseInverse().asDiagonal();
  result.rotation = Quat(axes).normalized();
  return result;
}

}  // namespace cutis
