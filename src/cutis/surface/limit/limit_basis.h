#pragma once

#include <span>

#include "cutis/surface/limit/limit_surface.h"

namespace cutis {

/// A uniform bicubic B-spline over the unit square: `indices` names its 16 points, a row of s at a time.
/// Several sets of points at once, a jet each.
void bicubic(std::span<const Vec3* const> points, const int* indices, double s, double t,
             std::span<LimitJet> jets);
/// The position alone, with the same bits.
Vec3 bicubic_position(const Vec3* points, const int* indices, double s, double t);

/// Weights of a patch's control points: for the position and its derivatives by s, t, ss, st and tt.
struct PatchWeights {
  static constexpr int max_points = 20;
  double w[6][max_points];
};

// Gregory caps in OpenSubdiv's order of points: for each corner its position, the edge points towards the
// next and the previous corner, the face points beside those edges; a triangle adds the middles of its three
// sides. s and t run over the unit square, or over the triangle (0,0), (1,0), (0,1).
//
// A face point is a rational blend of two, so second derivatives depend on the direction per corner is
// approached from, within bounds. At the corner itself ss and tt are those of the sides and st is the mean.

void gregory_quad(double s, double t, PatchWeights& weights);      ///< 20 points
void gregory_triangle(double s, double t, PatchWeights& weights);  ///< 18 points

}  // namespace cutis
