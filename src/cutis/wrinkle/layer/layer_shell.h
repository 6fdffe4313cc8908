#pragma once

#include "cutis/body/simulation_stage.h"
#include "cutis/surface/remesh/adaptive_remesh.h"
#include "cutis/wrinkle/layer/carrier.h"
#include "cutis/wrinkle/shell/shell_problem.h"

namespace cutis {

/// One layer of skin as it moves: a mesh of its own, where that is now, and the means of it that are tied to
/// what carries it. LayerSolver finds where it is in equilibrium.
class LayerShell {
 public:
  /// `surface`, `layer` and `options` must outlive it. It begins at rest, on a carrier that is at rest.
  LayerShell(const LayerSurface& surface, const WrinkleLayer& layer, const WrinkleOptions& options,
             Carrier rest);

  const LayerSurface& surface() const { return *surface_; }
  const WrinkleLayer& layer() const { return *layer_; }
  const EmbeddedMesh& material() const { return material_; }  ///< its mesh, on the fine mesh at rest
  const Points& rest_positions() const { return rest_; }
  const Points& positions() const { return positions_; }
  const Points& velocities() const { return velocities_; }
  /// How each vertex went from where its carrier took it in the last step, or nothing [m].
  const Points& last_increment() const { return last_increment_; }
  void set_last_increment(Points increment) { last_increment_ = std::move(increment); }
  const Carrier& carrier() const { return carrier_; }
  /// Counts the meshes it has had.
  int mesh_number() const { return mesh_number_; }
  bool remeshed() const { return mesh_number_ > 1; }
  Mesh rest_mesh() const;
  /// What it is made of, on its mesh.
  ShellPart shell_part() const;

  /// Its constraints: the means of its vertices, where they are to be on its carrier, and the force with
  /// which they have to be held there [N].
  const std::vector<VertexStencil>& constraints() const { return constraints_; }
  std::vector<Vec3> targets() const;
  /// The means of its carrier that those of its own are to be: over the carrier as its own triangles see it,
  /// linear between their corners, so that where it does not wrinkle they agree on any mesh.
  const std::vector<VertexStencil>& carrier_means() const { return carrier_means_; }
  const std::vector<Vec3>& multipliers() const { return multipliers_; }
  /// Where its carrier takes it from rest, without wrinkles.
  Points carried_from_rest() const { return carried_from_rest(carrier_); }
  Points carried_from_rest(const Carrier& carrier) const;
  /// Takes it to where a carrier takes it, wrinkles and all.
  void move_with(const Carrier& carrier);
  void set_carrier(const Carrier& carrier) { carrier_ = carrier; }
  void set_state(Points positions, Points velocities, std::vector<Vec3> multipliers);
  /// Fits its mesh to its shape and, with inertia, to how fast its wrinkles grow. Its surface hardly moves.
  void adapt();

  /// What carries the layer above it at rest: its own surface, raised by the thickness of that layer.
  Carrier rest_carrier_of(const LayerSurface& upper) { return raised(upper, rest_); }
  /// The same where it is now, or where its vertices are at other positions. A mesh that has adapted carries
  /// it to where the first one does at rest.
  Carrier carrier_of(const LayerShell& upper) { return carrier_of(upper, positions_); }
  Carrier carrier_of(const LayerShell& upper, const Points& positions);
  /// How the means of that carrier change with its own vertices.
  std::vector<ConstraintRow> carrier_derivatives(const LayerShell& upper);
  /// Where points near to it at rest go with it; `places` are the nearest ones on its mesh.
  Points carry(const IdVector<VertexId, SurfacePoint>& places, const Points& rest) const;
  /// The place on its mesh of a point on the surface of the body at rest; valid until adapt() changes it.
  IdVector<VertexId, SurfacePoint> places_of(const Points& on_body) const;

  State save() const;
  void restore(const State& state);

 private:
  const LayerSurface* surface_;
  const WrinkleLayer* layer_;
  const WrinkleOptions* options_;
  Carrier rest_carrier_, carrier_;
  EmbeddedMesh material_;
  Points rest_, positions_, velocities_, last_increment_;
  std::vector<VertexStencil> constraints_, carrier_means_;
  std::vector<Vec3> rest_gaps_;  ///< of each constraint at rest: its mean over the layer less the carrier's
  std::vector<Vec3> multipliers_;
  int mesh_number_ = 0;
  bool told_of_max_vertices_ = false;
  struct UpperPlaces {
    const LayerSurface* upper = nullptr;
    int mesh_number = -1;
    IdVector<VertexId, SurfacePoint> places;  ///< of its fine mesh on this one
  } upper_places_;

  void set_up_mesh();
  bool remesh();
  Points transferred_positions(const AdaptiveRemeshResult& result) const;
  void hold_borders();
  const IdVector<VertexId, SurfacePoint>& places_of(const LayerSurface& upper);
  Carrier raised(const LayerSurface& upper, const Points& positions);
};

}  // namespace cutis
