#pragma once

#include <numbers>

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace cutis {

// Lengths in metres, masses in kilograms, times in seconds, everywhere inside.
using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Vec4 = Eigen::Vector4d;
using Mat2 = Eigen::Matrix2d;
using Mat3 = Eigen::Matrix3d;
using Mat4 = Eigen::Matrix4d;
using Mat32 = Eigen::Matrix<double, 3, 2>;
using Quat = Eigen::Quaterniond;

using std::numbers::pi;
constexpr double kDegree = pi / 180;  ///< [rad]

/// Twice the area of the triangle that two sides span, positive when b is to the left of a.
inline double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

/// A closed stretch of time [s].
struct Interval {
  double begin = 0;
  double end = 0;
  double length() const { return end - begin; }
};

}  // namespace cutis
