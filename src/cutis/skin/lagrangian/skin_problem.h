#pragma once

#include <memory>
#include <vector>

#include "cutis/skin/lagrangian/skin_assembler.h"
#include "cutis/skin/lagrangian/skin_terms.h"
#include "cutis/solve/nonlinear_elimination.h"

namespace cutis {

/// The energy of skin on a body that holds still, as Newton's method and nonlinear elimination see it. Two
/// unknowns per vertex: normal coordinates of the surface around its place.
class SkinProblem final : public DecomposableProblem {
 public:
  /// The references must outlive the problem, which stays where it is; the surface is at rest now.
  /// `areas` are those of vertices that drag and the highest speed act on, at rest [m²]; `stiffness` is that
  /// of the skin [N/m], for its scale alone.
  SkinProblem(const SlideSurface& surface, const SkinConstraints& constraints, const SkinUnknowns& unknowns,
              const LigamentEnergy& ligaments, IdVector<VertexId, double> areas, double stiffness);
  SkinProblem(const SkinProblem&) = delete;
  SkinProblem& operator=(const SkinProblem&) = delete;

  /// Puts skin with this elasticity on the body as it lies now, whose vertices are `body` (the surface has
  /// been updated); returns the energy, infinite where the map would be folded.
  double start(const Points& body, const MembraneEnergy& membrane, SkinPoints points);
  /// As above, at the beginning of a step of `dt` [s] that has brought the body to where it lies now: skin
  /// that it has carried to `carried` is dragged [Pa s/m] from now on and gets no further than `reach` [m]
  /// from there. Without a time step: nothing.
  double start_step(const Points& body, const MembraneEnergy& membrane, SkinPoints carried, double dt,
                    double drag, double reach);
  /// As above, from the same body and elasticity.
  double start(SkinPoints points);

  /// For skin that nothing holds: springs without length to where it was, one weight per vertex [N/m], from
  /// the next start() on. Empty: none.
  void regularise_null_space(Points places, IdVector<VertexId, double> weights);

  const SkinPoints& points() const { return trial_.points; }
  const Points& positions() const { return trial_.positions; }
  /// Of one triangle: `i` counts the unknowns' elements [J].
  double inversion_barrier_energy(std::size_t i) const { return terms_.inversion_barrier.energy(i, trial_); }
  /// Each unknown vertex goes straight on by the tangent part of a vector in space.
  SkinPoints retracted(const IdVector<VertexId, Vec3>& vectors) const;

  double energy() override { return energy_; }
  const Eigen::VectorXd& gradient() override;
  /// Exact: near its minimum the energy is not always convex triangle by triangle, and projecting each costs
  /// many steps.
  const Eigen::SparseMatrix<double>& hessian() override;
  const Eigen::SparseMatrix<double>* modified_hessian(int level) override;
  /// No vertex moves further than its edges are long.
  double max_step_size(const Eigen::VectorXd& step) override;
  double trial(const Eigen::VectorXd& step, double factor) override;

  const StencilGraph& graph() const override { return assembler_.graph(); }
  Eigen::Index block_size() const override { return 2; }
  double local_decrement(std::size_t block) const override { return assembler_.local_decrement(block); }
  double model_excess(std::size_t stencil, const Eigen::VectorXd& step) const override;
  void save_state() override { saved_ = trial_; }
  double restore_state() override;
  void begin_subdomains() override;
  std::unique_ptr<NewtonProblem> subdomain(const Subdomain& part) override;
  double end_subdomains() override;
  void reassemble(const Subdomain& part) override;

 private:
  class SubdomainProblem;

  const SlideSurface& surface_;
  const SkinUnknowns& unknowns_;
  SkinKinematics kinematics_;
  SkinTangentCone cone_;
  SkinTerms terms_;
  SkinAssembler assembler_;
  SkinConfiguration base_, trial_;  ///< where the last gradient was taken, and where the last trial led
  SkinConfiguration saved_;
  double energy_ = 0;  ///< at trial_ [J]
  /// Of each stencil: at trial_, and at base_.
  std::vector<double> energies_, base_energies_;
  std::vector<double> edge_lengths_;  ///< mean around each unknown vertex [m]
  bool assembled_ = false;            ///< whether gradient and local matrices are those of the present state

  void evaluate_energy();
  void sum_energies();
  void assemble(double projected_share);
  void assemble(const Subdomain& part, double projected_share);
  double within_edge(std::size_t block, const Vec2& q, double factor) const;
};

}  // namespace cutis
