#pragma once

#include <optional>

#include "cutis/body/keyed_force.h"
#include "cutis/skin/skin_options.h"
#include "cutis/surface/map/surface_point.h"

namespace cutis {

enum class Integrator {
  Bdf2,           ///< of second order, hardly damps what is resolved, and kills what is not
  ImplicitEuler,  ///< the paper's (Eq. 7), converged: of first order, damps with the step
  Static          ///< no inertia: the settled skin of each frame
};

enum class Advection {
  Quadratic,      ///< of second order
  SemiLagrangian  ///< the paper's (Stam 1999): of first order, smears
};

/// What EulerianSlide needs besides its body: what skin is made of, and what is this method's own. An array
/// over vertices may be empty: then the value in its comment holds everywhere.
struct EulerianOptions : SkinOptions {
  /// The skin slides over the smooth surface through the body's vertices. If not, over its flat triangles.
  bool limit_surface = true;
  IdVector<VertexId, double> density = {};  ///< [kg/m³], above zero; empty: 1100
  /// Zeta: the share of the body's tangential motion that skin takes along, 0 to 1; empty: 1.
  IdVector<VertexId, double> stickiness = {};
  /// Up to which tangential speed of the body it does [m/s]; empty: any.
  IdVector<VertexId, double> stickiness_limit = {};
  double damping = 0;           ///< of sliding [1/s]
  double viscosity = 0;         ///< of the material [Pa s]
  Vec3 gravity = Vec3::Zero();  ///< [m/s²]
  std::vector<KeyedForce> forces = {};
  bool free_border = false;  ///< whether skin may slide along open borders; else they hold it

  Integrator integrator = Integrator::Bdf2;
  Advection advection = Advection::Quadratic;
  std::optional<double> time_step = {};  ///< the longest [s]; nothing: as the motion needs
  std::optional<int> substeps = {};      ///< per frame; nothing: as the motion needs
  double tolerance = 1e-6;  ///< on the Newton decrement, as a share of the energy at a strain of one
  int max_iterations = 100;
  /// Where the skin is at the start, one point of the skin per body vertex (initial strain); empty: where the
  /// body is at rest, settled.
  IdVector<VertexId, SurfacePoint> start = {};
  /// How fast the skin at each vertex of the body slides over it at the start [m/s]; empty: it does not.
  IdVector<VertexId, Vec3> start_velocity = {};
};

}  // namespace cutis
