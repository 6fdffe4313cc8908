#pragma once

#include <memory>
#include <vector>

#include "cutis/body/body.h"
#include "cutis/energy/load_term.h"
#include "cutis/energy/spring_term.h"
#include "cutis/skin/eulerian/advection.h"
#include "cutis/skin/eulerian/flow_term.h"
#include "cutis/skin/eulerian/keyed_skin.h"
#include "cutis/skin/eulerian/skin_inverse.h"
#include "cutis/skin/problem/inversion_barrier_term.h"
#include "cutis/skin/problem/ligament_term.h"
#include "cutis/skin/problem/skin_forces.h"
#include "cutis/skin/problem/skin_problem.h"
#include "cutis/skin/skin_tissue.h"

namespace cutis {

/// Skin that flows through the mesh of a body, put together from its options: all that stays the same from
/// step to step, and the problem that each step poses: which point of the skin, on the body at rest, is at
/// each vertex. It stays where it is, since its parts refer to each other.
struct EulerianModel {
  /// Throws InputError where the options do not fit the body.
  EulerianModel(const Body& body, EulerianOptions skin);
  EulerianModel(const EulerianModel&) = delete;
  EulerianModel& operator=(const EulerianModel&) = delete;

  EulerianOptions options;  ///< and the vertices that repairing the body and its borders have fixed
  std::shared_ptr<const Surface> rest;
  SlideSurface with_offsets;  ///< the smooth surface at rest
  /// Of the skin, at rest, without offsets: they would be those of the body's vertices, and skin that flows
  /// past would be strained by them.
  SlideSurface surface;
  SkinConstraints constraints;
  SkinElements elements;
  TissueField tissue;
  SkinForces forces;
  SkinTissue measured;  ///< for fields and figures
  VertexRings rings;
  LigamentEnergy ligaments;
  SkinUnknowns unknowns;
  /// Weights of springs for skin that nothing holds [N/m]; empty when all is held.
  IdVector<VertexId, double> null_space;
  SkinInverse inverse;
  std::shared_ptr<const MembraneMaterial> law;  ///< what the skin is solved with
  FlowTerm flow;
  InversionBarrierTerm inversion_barrier;
  LigamentTerm ties;
  SpringTerm inertia;
  LoadTerm load;  ///< of a static step
  KeyedSkin keyed;
  TriangleSpringTerm transport;  ///< holds the skin of keyed paths (G v = g with g not 0)
  SkinProblem problem;
  double mean_edge = 0;  ///< of the body at rest [m]
  double scale = 0;      ///< the square root of the energy at a strain of one [sqrt(J)]

  /// Elastic energy where the problem's skin is, and that of the barrier [J].
  double elastic_energy() const;
  double barrier_energy() const;

  /// Keyed paths put their skin where it is at a time; it is not tied there.
  void set_paths(double time);
  /// Takes over masses, coordinates and limits of the skin where it is.
  void set_skin(const SkinConfiguration& at);
  IdVector<VertexId, double> masses_at(const SkinConfiguration& at) const;
  IdVector<VertexId, double> masses;  ///< of the skin around each vertex [kg]
  std::vector<VertexRings::WedgeCoordinates>
      skin_coordinates;  ///< of the points around each vertex, on the skin at rest

 private:
  IdVector<VertexId, double> limits_;  ///< of the skin at each vertex, of bounded slope; empty: none [m]
  /// The limit of each ligament from which on it is that of the skin which is there, and the least then [m].
  std::vector<double> looked_up_from_;
  IdVector<VertexId, char> below_paths_;  ///< vertices of the body that see skin of keyed paths

  double limit_slope(VertexId v, const SurfacePoint& skin) const;
  void set_limits(const SkinConfiguration& at);
};

}  // namespace cutis
