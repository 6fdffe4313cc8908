#include "cutis/energy/membrane_energy.h"

#include <cassert>

#include "cutis/core/parallel.h"

namespace cutis {
namespace {

/// F = sum_k x_k g_kᵀ over the three corners: the rows g_k are the gradients of their shape functions.
Mat32 shape_gradients(const MembraneElement& element) {
  Mat32 g;
  g.bottomRows<2>() = element.rest_inverse;
  g.row(0) = -element.rest_inverse.colwise().sum();
  return g;
}

/// Of corners that move along the columns t of `directions`.
template <class Jet, int Columns>
Jet evaluate_along(const MembraneEnergy& membrane, std::size_t i, const Points& positions,
                   const std::array<Eigen::Matrix<double, 3, Columns>, 3>& directions,
                   double projected_share) {
  Jet jet;
  const MembraneElement& element = membrane.elements()[i];
  if (element.volume == 0) return jet;
  const MembraneResponse response =
      membrane.material().evaluate(membrane.deformation(i, positions), projected_share, element.compression);
  const double V = element.volume * element.stiffness;
  const Mat32 g = shape_gradients(element);
  jet.energy = V * response.energy;
  // dE/dx_k = V P g_k
  Eigen::Map<Mat3>(jet.gradient.data()).noalias() = V * response.stress * g.transpose();
  // dF/dq_k = t g_kᵀ
  Eigen::Matrix<double, 6, 3 * Columns> change;
  for (int k = 0; k < 3; ++k) {
    change.template block<3, Columns>(0, Columns * k) = g(k, 0) * directions[static_cast<std::size_t>(k)];
    change.template block<3, Columns>(3, Columns * k) = g(k, 1) * directions[static_cast<std::size_t>(k)];
  }
  const Mat6 scaled = V * response.hessian;
  const Eigen::Matrix<double, 6, 3 * Columns> right = scaled.lazyProduct(change);
  jet.hessian = change.transpose().lazyProduct(right);
  return jet;
}

}  // namespace

MembraneEnergy::MembraneEnergy(std::vector<MembraneElement> elements,
                               std::shared_ptr<const MembraneMaterial> material)
    : elements_(std::move(elements)), material_(std::move(material)) {
  assert(material_);
}

Mat32 MembraneEnergy::deformation(std::size_t i, const Points& positions) const {
  const MembraneElement& element = elements_[i];
  const Vec3& origin = positions[element.vertices[0]];
  Mat32 edges;
  edges.col(0) = positions[element.vertices[1]] - origin;
  edges.col(1) = positions[element.vertices[2]] - origin;
  return edges * element.rest_inverse;
}

double MembraneEnergy::energy(std::size_t i, const Points& positions) const {
  const MembraneElement& element = elements_[i];
  if (element.volume == 0) return 0;
  return element.volume * element.stiffness *
         material_->energy(deformation(i, positions), element.compression);
}

EnergyGradient<3> MembraneEnergy::gradient(std::size_t i, const Points& positions) const {
  EnergyGradient<3> out;
  const MembraneElement& element = elements_[i];
  if (element.volume == 0) return out;
  const MembraneStress response = material_->stress(deformation(i, positions), element.compression);
  const double V = element.volume * element.stiffness;
  out.energy = V * response.energy;
  Eigen::Map<Mat3>(out.gradient.data()).noalias() =
      V * response.stress * shape_gradients(element).transpose();
  return out;
}

EnergyJet<3> MembraneEnergy::evaluate(std::size_t i, const Points& positions, double projected_share) const {
  const Mat3 all = Mat3::Identity();
  return evaluate_along<EnergyJet<3>, 3>(*this, i, positions, {all, all, all}, projected_share);
}

TangentJet<3> MembraneEnergy::evaluate(std::size_t i, const Points& positions,
                                       const std::array<Mat32, 3>& directions, double projected_share) const {
  return evaluate_along<TangentJet<3>, 2>(*this, i, positions, directions, projected_share);
}

double MembraneEnergy::energy(const Points& positions) const {
  std::vector<double> parts(elements_.size());
  parallel_for(parts.size(), [&](std::size_t i) { parts[i] = energy(i, positions); });
  double sum = 0;
  for (const double part : parts) sum += part;
  return sum;
}

void MembraneEnergy::evaluate(const Points& positions, double projected_share,
                              std::vector<EnergyJet<3>>& jets) const {
  jets.resize(elements_.size());
  parallel_for(jets.size(), [&](std::size_t i) { jets[i] = evaluate(i, positions, projected_share); });
}

}  // namespace cutis
