#pragma once

#include <array>

#include "cutis/core/types.h"

namespace cutis {

using Vec12 = Eigen::Matrix<double, 12, 1>;
using Mat12 = Eigen::Matrix<double, 12, 12>;

enum class ContactKind {
  PointTriangle,  ///< the point, then the corners
  EdgeEdge        ///< the ends of one edge, then those of the other
};

/// The four points of a pair [m], in the order of its kind.
using ContactPoints = std::array<Vec3, 4>;

/// A function of the four points with its derivatives: x0 y0 z0 x1 y1 ...
struct ContactJet {
  double value = 0;
  Vec12 gradient = Vec12::Zero();
  Mat12 hessian = Mat12::Zero();
};

/// How far along each of two edges, 0 to 1, the points lie that are closest to each other. Of parallel edges,
/// where many are, at least one is an end of its edge. Edges without length are fine.
Vec2 closest_on_edges(const ContactPoints& points);

/// The square of the shortest distance between a point and a triangle or between two edges [m²].
double squared_distance(ContactKind kind, const ContactPoints& points);

/// With its derivatives, of which the first is continuous but for parallel edges (edge_mollifier) and the
/// second jumps where another corner, edge or face becomes the closest.
ContactJet squared_distance_jet(ContactKind kind, const ContactPoints& points);

/// Directions, orthonormal or zero, that span gradient and Hessian of the squared distance, and so those of
/// any function of it. The distance must not be zero.
Eigen::Matrix<double, 12, 5> squared_distance_span(ContactKind kind, const ContactPoints& points);

}  // namespace cutis
