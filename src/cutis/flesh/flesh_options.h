#pragma once

#include <optional>

#include "cutis/body/keyed_force.h"
#include "cutis/core/id.h"
#include "cutis/material/solid/flesh_law.h"
#include "cutis/surface/mesh/mesh.h"

namespace cutis {

enum class FleshIntegrator { BackwardEuler, GeneralizedAlpha };

/// What flesh is, and how it is moved. SI.
struct FleshOptions {
  std::size_t tetrahedra = 50'000;  ///< about so many
  /// How thick the soft tissue is below each vertex of the body [m]; empty: by how thick the body is.
  IdVector<VertexId, double> depth;
  FleshLaw law;
  IdVector<VertexId, double> stiffness;  ///< factor on the law's below each vertex; empty: 1
  double density = 1000;                 ///< [kg/m³]
  double retarget_time = 0.3;            ///< time constant of the shapes at rest [s]; 0: they stay
  IdVector<VertexId, double> gain;       ///< on the distance from the target; empty: 1
  Vec3 gravity = Vec3::Zero();           ///< [m/s²]
  bool gravity_compensation = true;
  /// Share of the body's acceleration as a whole that is felt: at these times [s], or always.
  std::vector<double> inertia_times = {0}, inertia = {1};
  std::vector<KeyedForce> forces;
  std::vector<double> resets;  ///< times at which it begins anew where the animation is [s]
  /// Springs to where the bones take the core, as the Young's modulus of a cube for each of its nodes, half
  /// of a cell [Pa]; 0: the core is where they take it.
  double core_stiffness = 0;
  /// The core alone, in place of what lies below `depth`: what is inside this closed triangle mesh, in the
  /// body's rest shape [m]...
  std::optional<Mesh> bones;
  /// ... or the surface where this is one half or more, from 0 to 1 at each vertex; empty: by depth.
  IdVector<VertexId, double> core_region;
  std::optional<double> plastic_yield;  ///< |ln stretch| beyond which its shape without stress flows
  double plastic_rate = 1;              ///< what share of what is beyond flows in a second, at first [1/s]
  bool contact = false;                 ///< whether parts of the body push each other away
  bool keep_volume = false;             ///< as a whole: what is lost in one place goes to its neighbours
  int substeps = 4;
  int samples = 1;  ///< per frame that the result knows, its end among them
  FleshIntegrator integrator = FleshIntegrator::GeneralizedAlpha;
};

}  // namespace cutis
