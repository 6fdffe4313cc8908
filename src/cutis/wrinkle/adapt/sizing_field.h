#pragma once

#include <limits>

#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// What the edges of a layer's mesh may span, and how long they may be.
struct SizingOptions {
  double refine_angle = 0.5;   ///< turn of the current normal along an edge [rad]
  double refine_strain = 0.2;  ///< change of the Green strain along an edge, by its Frobenius norm
  double refine_velocity =
      std::numeric_limits<double>::infinity();  ///< change of velocity along an edge [m/s]
  double edge = 0.1;            ///< length across wrinkles that are about to form [wavelengths]
  double buckling_share = 0.5;  ///< of the critical strain, from where on they are
  double max_aspect = 2;        ///< of the longest to the shortest size at one place
  double smallest = 0;          ///< [m]
  double largest = 1;           ///< [m]
  /// The same in wavelengths, where they are given.
  double largest_in_waves = std::numeric_limits<double>::infinity();
  /// By how much the size grows along an edge of the metric's unit length, at most; 1 and below: no limit.
  double growth = 1.4;
};

/// A layer as it is now: what is not given plays no part.
struct SizingState {
  const Points& current;  ///< [m]
  /// Where the vertices would be if the layer followed what is below it: its compression says where the layer
  /// will buckle, and goes on saying so when buckling has released the layer's own. Null: `current`.
  const Points* carried = nullptr;
  const Points* velocities = nullptr;                      ///< [m/s]
  const IdVector<VertexId, double>* wavelength = nullptr;  ///< of the layer's wrinkles [m]
  const IdVector<VertexId, double>* critical_strain =
      nullptr;  ///< compressive strain at which the layer buckles; with `wavelength`
};

/// The metric that adaptive_remesh() takes: for each vertex a symmetric tensor M [1/m²] in the tangent plane
/// at rest, so that an edge with the rest vector e is short enough when eᵀ M e <= 1 (after Narain, Samii and
/// O'Brien 2012). It asks for as much as the strictest of: the curvature of the current shape beyond that at
/// rest, over rest lengths, the gradients of strain and of velocity, and, where a principal strain is
/// compressive beyond a share of the critical one, edges that resolve the wrinkles to come across them. Sizes
/// are limited, and graded so that they grow gradually away from where they are small.
///
/// `rest` is a mesh of triangles with its positions at rest. Throws InputError when an array has not one
/// entry for each vertex, or a size, angle or share is not positive.
IdVector<VertexId, Mat3> sizing_field(const Mesh& rest, const SizingState& state,
                                      const SizingOptions& options = {});

}  // namespace cutis
