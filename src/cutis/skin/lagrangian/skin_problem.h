#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "cutis/energy/ligament_energy.h"
#include "cutis/energy/membrane_energy.h"
#include "cutis/skin/constraint/skin_constraints.h"
#include "cutis/skin/lagrangian/inversion_barrier.h"
#include "cutis/skin/slide_surface.h"
#include "cutis/solve/block_matrix.h"
#include "cutis/solve/newton.h"

namespace cutis {

/// Which vertices of the skin are unknown and who meets whom: the same for a whole run.
struct SkinUnknowns {
  std::vector<VertexId> vertices;                ///< two unknowns each
  IdVector<VertexId, int> block;                 ///< of a vertex; -1 when it is not unknown
  std::vector<std::size_t> elements;             ///< of the membrane: those with an unknown corner
  std::vector<std::array<VertexId, 3>> corners;  ///< of these
  std::vector<int> ligament;                     ///< of each unknown vertex; -1 when it has none
  /// Where each unknown vertex is a corner: 3 * (index into `elements`) + corner, from around[i] on.
  std::vector<std::size_t> around_begin, around;

  SkinUnknowns(const std::vector<MembraneElement>& all, const SkinConstraints& constraints,
               const std::vector<Ligament>& ligaments, std::size_t vertex_count);
  /// The unknowns of each of `elements`; then, for terms of a single vertex, each unknown alone.
  ElementBlocks element_blocks() const;
};

/// The energy of skin on a body that holds still, as Newton's method sees it. Two unknowns a vertex: normal
/// coordinates of the surface around its place.
class SkinProblem final : public NewtonProblem {
 public:
  /// The references must outlive the problem; the surface is at rest now. `stiffness` is that of the skin
  /// [N/m], for its scale alone.
  SkinProblem(const SlideSurface& surface, const SkinConstraints& constraints, const SkinUnknowns& unknowns,
              const LigamentEnergy& ligaments, double stiffness);

  /// Puts skin with this elasticity on the body as it lies now, whose vertices are `body` (the surface has
  /// been updated); returns the energy, infinite where the map would be folded.
  double start(const Points& body, const MembraneEnergy& membrane, SkinPoints points);
  /// As above, from the same body and elasticity.
  double start(SkinPoints points);

  /// For skin that nothing holds: springs without length to where it was, one weight a vertex [N/m], from the
  /// next start() on. Empty: none.
  void set_gauge(Points places, IdVector<VertexId, double> weights);

  const SkinPoints& points() const { return trial_.points; }
  const Points& positions() const { return trial_.positions; }
  /// Each unknown vertex goes straight on by the tangent part of a vector in space.
  SkinPoints moved(const IdVector<VertexId, Vec3>& vectors) const;

  double energy() override { return trial_.energy; }
  const Eigen::VectorXd& gradient() override;
  /// Exact: near its minimum the energy is not always convex triangle by triangle, and projecting each costs
  /// many steps.
  const Eigen::SparseMatrix<double>& hessian() override;
  const Eigen::SparseMatrix<double>* definite_hessian(int attempt) override;
  double longest_step(const Eigen::VectorXd& step) override;
  double try_step(const Eigen::VectorXd& step, double factor) override;
  /// Takes the whole step but around the triangles and ligaments that it leads astray, and solves for the
  /// skin there alone: jammed places are small, and a factorisation of the whole body is dear.
  double relieve(const Eigen::VectorXd& step, double factor, double energy) override;
  /// Solves for the skin around the vertices that are furthest from their rest, where these are few.
  double polish(double worth) override;

 private:
  /// Some unknown vertices, by index, and all elements that they are corners of.
  struct Patch {
    std::vector<std::size_t> vertices, elements;
  };
  struct Place {
    SkinPoints points;
    /// Of vertices with the role Along; empty when there are none.
    IdVector<VertexId, CurveConstraint::Place> rails;
    IdVector<VertexId, SurfaceJet> jets;
    Points positions;
    InversionBarrier::Places at_rest;  ///< the same skin on the body at rest
    double energy = 0;
  };

  const SlideSurface& surface_;
  const SkinConstraints& constraints_;
  const SkinUnknowns& unknowns_;
  const LigamentEnergy& ligaments_;
  double stiffness_;
  SlideSurface at_rest_;
  InversionBarrier inversion_barrier_;
  const MembraneEnergy* membrane_ = nullptr;
  Points body_, gauge_places_;
  IdVector<VertexId, double> gauge_weights_;
  Place base_, trial_;  ///< where the last gradient was taken, and where the last step led
  BlockMatrix<2> matrix_;
  BlockVector<3> forces_;  ///< the gradient in space
  Eigen::VectorXd gradient_;
  /// Of elements, then of unknown vertices: where the last step led, and at base_.
  std::vector<double> energies_, base_energies_;
  std::vector<double> lengths_;            ///< of the edges around each unknown vertex, on average
  std::vector<std::optional<Vec2>> ways_;  ///< only_way() of each unknown
  bool fresh_ = false;   ///< whether gradient and local matrices are those of the present state
  bool summed_ = false;  ///< whether the matrix is their sum

  void settle(std::span<const VertexId> block);
  void walk(std::size_t i, const Vec2& q);
  double element_energy(std::size_t i) const;
  double vertex_energy(std::size_t i) const;
  void measure();
  void sum_energies();
  void linearize(double projected);
  void evaluate_element(std::size_t i, double projected);
  void evaluate_ties(std::size_t i);
  void evaluate_gradient(std::size_t i, const Vec3& force);
  void evaluate_vertex(std::size_t i, const Vec3& force, double projected);
  void add_inversion_barrier(std::size_t i, double projected);
  void restrict(std::size_t i);
  std::optional<Vec2> only_way(std::size_t i) const;
  double mean_edge(std::size_t i) const;
  double within_edge(std::size_t i, const Vec2& q, double factor) const;

  // Which patches: skin_relief.cpp.
  double excess(std::size_t term, const Eigen::VectorXd& step);
  std::vector<char> astray(const Eigen::VectorXd& step);
  double work(std::size_t i);
  std::vector<char> hottest(const std::vector<double>& works) const;
  std::vector<char> widened(std::vector<char> inside) const;
  std::vector<Patch> patches(const std::vector<char>& inside) const;
  Patch surroundings(const std::vector<Patch>& list) const;

  // How they are solved: skin_patch.cpp.
  void solve(const std::vector<Patch>& list);
  void solve(const Patch& patch);
  void linearize(const Patch& patch, double projected);
  void refresh(const Patch& patch);
  double take_patch_step(const Patch& patch, const Eigen::VectorXd& step, double factor);
  void accept(const Patch& patch);
};

}  // namespace cutis
