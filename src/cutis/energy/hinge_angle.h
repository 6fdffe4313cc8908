#pragma once

#include <array>

#include "cutis/core/types.h"

namespace cutis {

using Mat12 = Eigen::Matrix<double, 12, 12>;

/// Two triangles that share the edge from corner 0 to 1; corners 2 and 3 lie across it, 2 to its left.
using HingeCorners = std::array<Vec3, 4>;

/// The angle by which the second triangle is turned against the first [rad]. Zero when flat, above zero where
/// corners 2 and 3 are lifted to the side of the normals.
double hinge_angle(const HingeCorners& corners);
/// Of the angle, by each corner [rad/m] (Tamstorf and Grinspun 2013, Discrete bending forces and their
/// Jacobians); zero where a triangle has no area.
std::array<Vec3, 4> hinge_gradient(const HingeCorners& corners);
/// Second derivatives of the angle [rad/m²], corner by corner. Triangles must have an area.
Mat12 hinge_hessian(const HingeCorners& corners);

}  // namespace cutis
