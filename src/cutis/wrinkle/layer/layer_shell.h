#pragma once

#include <memory>
#include <vector>

#include "cutis/body/simulation_stage.h"
#include "cutis/solve/sparse_cholesky.h"
#include "cutis/surface/remesh/adaptive_remesh.h"
#include "cutis/wrinkle/layer/carrier.h"
#include "cutis/wrinkle/shell/shell_problem.h"

namespace cutis {

/// One layer of skin as it moves: a shell on a mesh of its own, tied to what carries it.
class LayerShell {
 public:
  /// `surface` must outlive it. It begins at rest, on a carrier that is at rest.
  LayerShell(const LayerSurface& surface, const WrinkleLayer& layer, const WrinkleOptions& options,
             Carrier rest);

  const LayerSurface& surface() const { return *surface_; }
  const EmbeddedMesh& material() const { return material_; }  ///< its mesh, on the fine mesh at rest
  const Points& rest_positions() const { return shell_->rest().positions; }
  const Points& positions() const { return positions_; }
  const Points& velocities() const { return velocities_; }
  const Shell& shell() const { return *shell_; }

  /// Keeps it above another layer from where that is now.
  void set_lower(const LayerShell& lower);
  /// To where it is in equilibrium on the carrier, or, with a step in time above zero [s], to where inertia
  /// and damping let it come.
  StepReport advance(const Carrier& carrier, double step);
  /// Fits its mesh to its shape. Its surface hardly moves.
  void adapt();

  /// What carries the layer above it, whose fine mesh is `upper`: its own surface, raised by the thickness of
  /// that layer.
  Carrier carrier_of(const LayerSurface& upper);
  /// Where a point near to it at rest goes with it. `place` is on its mesh.
  Vec3 carry(const SurfacePoint& place, const Vec3& rest) const;
  /// The place on its mesh of a point on the surface of the body at rest; valid until adapt() changes it.
  IdVector<VertexId, SurfacePoint> places_of(const Points& on_body) const;
  /// Counts the meshes it has had.
  int mesh_number() const { return mesh_number_; }

  State save() const;
  void restore(const State& state);

 private:
  const LayerSurface* surface_;
  const WrinkleLayer* layer_;
  const WrinkleOptions* options_;
  Carrier rest_carrier_, carrier_;
  EmbeddedMesh material_;
  std::unique_ptr<Shell> shell_;
  std::unique_ptr<ShellProblem> problem_;
  std::unique_ptr<ShellContact> contact_;  ///< null: it may pass through itself
  SparseCholesky solver_;
  Points positions_, velocities_;
  std::vector<Vec3> rest_gaps_;  ///< of each constraint at rest: its mean over the layer less the carrier's
  std::vector<Vec3> multipliers_;
  int mesh_number_ = 0;
  std::pair<int, int> lower_meshes_{-1, -1};  ///< its own and that of the layer below when that was set
  struct UpperPlaces {
    const LayerSurface* upper = nullptr;
    int mesh_number = -1;
    IdVector<VertexId, SurfacePoint> places;
  } upper_places_;

  void build();
  void hold_borders();
  std::vector<ShellFace> face_properties() const;
  std::vector<VertexStencil> constraint_rows() const;
  void set_penalties(const Carrier& carrier);
  void move_with(const Carrier& carrier);
  void stop_at_contact(const Points& before);
  void set_springs(const Points& before, double step);
  StepReport minimize_energy();
};

}  // namespace cutis
