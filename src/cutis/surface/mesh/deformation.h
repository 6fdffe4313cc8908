#pragma once

#include <span>
#include <vector>

#include "cutis/surface/mesh/triangle_measures.h"

namespace cutis {

/// How triangles deform from rest to now; docs/fields.md defines the words. F is 3x2: it takes a vector in
/// the plane of the triangle at rest to a vector in space now.

/// A triangle at rest, in its own plane: the first axis along the first side, the second to its left.
struct RestTriangle {
  Mat32 axes = Mat32::Zero();   ///< unit vectors in space, as columns
  Mat2 inverse = Mat2::Zero();  ///< of the two sides from the first corner, in these axes [1/m]
  double area = 0;              ///< [m²]; zero when it is degenerate
  bool degenerate() const { return area == 0; }
};

/// A triangle whose height is below 1e-12 of its longest side is degenerate.
RestTriangle rest_triangle(const Vec3& a, const Vec3& b, const Vec3& c);
std::vector<RestTriangle> rest_triangles(std::span<const Vec3> points,
                                         std::span<const IndexTriangle> triangles);

/// F of a triangle with these corners now. The rest triangle must not be degenerate.
Mat32 deformation_gradient(const RestTriangle& rest, const Vec3& a, const Vec3& b, const Vec3& c);

/// F = max (max_now max_restᵀ) + min (min_now min_restᵀ), with max >= min >= 0: the singular values of F are
/// the stretches along two directions that are at right angles at rest and now.
struct PrincipalStretches {
  double max = 1, min = 1;
  Vec2 max_rest = Vec2::UnitX(), min_rest = Vec2::UnitY();  ///< unit, in the axes of the rest triangle
  Vec3 max_now = Vec3::UnitX(), min_now = Vec3::UnitY();    ///< unit, in space
};
PrincipalStretches principal_stretches(const Mat32& F);

Mat2 green_strain(const Mat32& F);         ///< E = (FᵀF - I) / 2
double green_strain_norm(const Mat32& F);  ///< Frobenius norm of E: zero for any motion without stretch
/// ln of the greater stretch, 0 where it is below 1: how much skin is pulled.
double tensile_strain(const Mat32& F);
/// -ln of the lesser stretch, 0 where it is above 1: how much skin is pressed together. Stretches below 1e-12
/// count as that.
double compressive_strain(const Mat32& F);
double area_ratio(const Mat32& F);  ///< J = sqrt(det FᵀF): area now over area at rest

}  // namespace cutis
