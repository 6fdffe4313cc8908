#pragma once

#include <memory>
#include <vector>

#include "cutis/skin/problem/skin_assembler.h"
#include "cutis/solve/nonlinear_elimination.h"

namespace cutis {

/// A sum of energies of vertices that lie on a smooth surface, as Newton's method and nonlinear elimination
/// see it. Two unknowns per vertex: normal coordinates of the surface around its place.
class SkinProblem : public DecomposableProblem {
 public:
  /// The references and terms must outlive the problem, which stays where it is; the surface is at rest now.
  /// `terms` are summed in their order; `stiffness` is that of the skin [N/m], for its scale alone.
  SkinProblem(const SlideSurface& surface, const SkinConstraints& constraints, const SkinUnknowns& unknowns,
              const std::vector<const Term*>& terms, double stiffness,
              SurfaceMotion motion = SurfaceMotion::Moves);
  SkinProblem(const SkinProblem&) = delete;
  SkinProblem& operator=(const SkinProblem&) = delete;

  /// Puts the vertices on the surface as it lies now, through the vertices `body` (it has been updated);
  /// returns the energy, infinite where the state is not allowed.
  double start(const Points& body, SkinPoints points);
  /// The vertices, without an energy: terms are about to change, and start_again() follows.
  void place(SkinPoints points);
  /// As above, on the same surface.
  double start(SkinPoints points);
  /// The same state again, once terms have changed.
  double start_again();

  const SkinConfiguration& state() const { return trial_; }
  const SkinPoints& points() const { return trial_.points; }
  const Points& positions() const { return trial_.positions; }
  /// Each unknown vertex goes straight on by the tangent part of a vector in space.
  SkinPoints retracted(const IdVector<VertexId, Vec3>& vectors) const;

  double energy() override { return energy_; }
  const Eigen::VectorXd& gradient() override;
  const Eigen::VectorXd& gradient_alone() override;
  /// Exact: near its minimum the energy is not always convex triangle by triangle, and projecting each costs
  /// many steps.
  const Eigen::SparseMatrix<double>& hessian() override;
  const Eigen::SparseMatrix<double>* modified_hessian(int level) override;
  /// No vertex moves further than its edges are long.
  double max_step_size(const Eigen::VectorXd& step) override;
  double trial(const Eigen::VectorXd& step, double factor) override;
  void keep_axes() override;
  Eigen::VectorXd to_kept_axes(const Eigen::VectorXd& gradient) const override;
  Eigen::VectorXd from_kept_axes(const Eigen::VectorXd& step) const override;

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
  SkinAssembler assembler_;
  SkinConfiguration base_, trial_;  ///< where the last gradient was taken, and where the last trial led
  SkinConfiguration saved_;
  double energy_ = 0;  ///< at trial_ [J]
  /// Of each stencil: at trial_, and at base_.
  std::vector<double> energies_, base_energies_;
  std::vector<double> edge_lengths_;  ///< mean around each unknown vertex [m]
  std::vector<Mat32> kept_axes_;      ///< of each unknown vertex; empty: none were kept
  bool assembled_ = false;            ///< whether gradient and local matrices are those of the present state

  void evaluate_energy();
  void sum_energies();
  void measure_edges();
  void assemble(double projected_share);
  void assemble(const Subdomain& part, double projected_share);
  /// From the axes of a block at base_ to those that were kept.
  Mat2 turn_of_axes(std::size_t block) const;
  double within_edge(std::size_t block, const Vec2& q, double factor) const;
};

}  // namespace cutis
