#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "cutis/core/parallel.h"
#include "cutis/energy/membrane_energy.h"
#include "cutis/solve/block_matrix.h"
#include "cutis/solve/newton.h"

namespace cutis::test {

/// A membrane in the plane z = 0 whose vertices move in x and y, some of them held.
class PlanarMembrane final : public NewtonProblem {
 public:
  PlanarMembrane(MembraneEnergy membrane, Points positions, const std::vector<bool>& held)
      : positions(std::move(positions)), membrane_(std::move(membrane)) {
    unknown_.assign(held.size(), -1);
    for (std::size_t v = 0; v < held.size(); ++v)
      if (!held[v]) {
        unknown_[v] = static_cast<int>(free_.size());
        free_.push_back(VertexId(v));
      }
    ElementBlocks elements;
    for (const MembraneElement& element : membrane_.elements()) {
      elements.emplace_back();
      for (const VertexId v : element.vertices) elements.back().push_back(unknown_[v.index()]);
    }
    matrix_ = std::make_unique<BlockMatrix<2>>(static_cast<int>(free_.size()), elements);
    vector_ = std::make_unique<BlockVector<2>>(static_cast<int>(free_.size()), elements);
  }

  Points positions;
  bool exact = true;             ///< whether its Hessian is exact where it can be
  std::vector<double> energies;  ///< at each gradient()

  const MembraneEnergy& membrane() const { return membrane_; }

  /// Infinite where a triangle is turned over or has no area.
  double energy() override {
    for (const MembraneElement& element : membrane_.elements()) {
      const Vec3& a = positions[element.vertices[0]];
      const Vec3 normal = (positions[element.vertices[1]] - a).cross(positions[element.vertices[2]] - a);
      if (!(normal.z() > 0)) return std::numeric_limits<double>::infinity();
    }
    return membrane_.energy(positions);
  }
  const Eigen::VectorXd& gradient() override {
    start_ = positions;
    energies.push_back(energy());
    parallel_for(membrane_.elements().size(), [&](std::size_t e) {
      const EnergyJet<3> jet = membrane_.evaluate(e, positions, kExact);
      auto force = vector_->local(e);
      for (int a = 0; a < 3; ++a) force.segment<2>(2 * a) = jet.gradient.segment<2>(3 * a);
    });
    vector_->sum();
    return vector_->values();
  }
  const Eigen::SparseMatrix<double>& hessian() override { return summed(exact ? kExact : kProjected); }
  const Eigen::SparseMatrix<double>* modified_hessian(int level) override {
    if (level > 0) return nullptr;
    return exact ? &summed(kProjected) : nullptr;
  }
  double max_step_size(const Eigen::VectorXd&) override { return 1; }
  double trial(const Eigen::VectorXd& step, double factor) override {
    for (std::size_t i = 0; i < free_.size(); ++i)
      positions[free_[i]].head<2>() =
          start_[free_[i]].head<2>() + factor * step.segment<2>(2 * Eigen::Index(i));
    return energy();
  }

 private:
  const Eigen::SparseMatrix<double>& summed(double projected_share) {
    parallel_for(membrane_.elements().size(), [&](std::size_t e) {
      const EnergyJet<3> jet = membrane_.evaluate(e, start_, projected_share);
      auto local = matrix_->local(e);
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) local.block<2, 2>(2 * a, 2 * b) = jet.hessian.block<2, 2>(3 * a, 3 * b);
    });
    matrix_->sum();
    return matrix_->lower();
  }

  MembraneEnergy membrane_;
  std::vector<int> unknown_;
  std::vector<VertexId> free_;
  std::unique_ptr<BlockMatrix<2>> matrix_;
  std::unique_ptr<BlockVector<2>> vector_;
  Points start_;
};

}  // namespace cutis::test
