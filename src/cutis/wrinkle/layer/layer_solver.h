#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "cutis/solve/growing_cholesky.h"
#include "cutis/wrinkle/layer/layer_shell.h"
#include "cutis/wrinkle/shell/shell_problem.h"

namespace cutis {

/// One step of the way of layers with what carries them.
struct LoadStep {
  double duration = 0;  ///< [s]; 0: to equilibrium
  double load = 1;      ///< share of the strains that the carrier asks for; Shell::set_carried
  bool first = true;  ///< of its frame: the factor of the one before it is no help, as a resumed run has none
  bool last = true;   ///< of its frame: what is found is shown, others lead to it
};

/// Finds where layers are in equilibrium: one layer on what is below it, or several together, each of which
/// then also bears what the one above it asks of it.
class LayerSolver {
 public:
  /// Layers from the bottom up; they and the options must outlive it.
  LayerSolver(std::vector<LayerShell*> layers, const WrinkleOptions& options);

  /// Takes them from rest to where a carrier takes them, however far that is, without a look at what is on
  /// the way, and fits their meshes to it where these adapt.
  void place_on(const Carrier& carrier);
  /// Keeps the lowest one above another layer from where that is now.
  void set_lower(const LayerShell& lower);
  /// To where they are in equilibrium, or where inertia and damping let them come, when the lowest one lies
  /// on the carrier.
  StepReport advance(const Carrier& carrier, const LoadStep& step);
  /// Fits their meshes to their shapes.
  void adapt();

 private:
  std::vector<LayerShell*> layers_;
  const WrinkleOptions* options_;
  std::vector<int> mesh_numbers_;   ///< of the layers when it was last set up
  std::vector<std::size_t> first_;  ///< vertex of each layer among all, and their number
  std::unique_ptr<Shell> shell_;
  std::unique_ptr<ShellProblem> problem_;
  std::unique_ptr<ShellContact> contact_;     ///< null: they may pass through each other and themselves
  std::pair<int, int> lower_meshes_{-1, -1};  ///< of the lowest and of the layer below when that was set
  GrowingCholesky solver_;
  int first_level_ = 0;  ///< of NewtonOptions, for the next load step of the frame
  Points carried_;       ///< where what is below takes them without wrinkles
  double energy_scale_;  ///< of Newton's method [sqrt(J)]
  double softest_;       ///< the smallest Young's modulus of the layers [Pa]

  void set_up();
  void set_up_contact();
  void move_with(const Carrier& carrier);
  double shortest_wavelength() const;
  std::vector<ConstraintRow> constraint_rows() const;
  Points positions() const;
  std::vector<Vec3> targets(const std::vector<ConstraintRow>& rows) const;
  void set_penalties();
  void set_carried(double load);
  Points intersection_free_start(const Points& before) const;
  void start_unfolded(Points start);
  void start_predicted();
  void set_springs(const Points& before, double step);
  void store_solution(const Points& before, double step);
  void store_increment(const Points& start);
  void linearize_constraints();
  bool is_through_lower() const;
  StepReport checked(const StepReport& report) const;
  StepReport minimize_energy(const LoadStep& step);
};

}  // namespace cutis
