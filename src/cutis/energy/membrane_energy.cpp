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

/// dE/dx_k = V P g_k.
void set(const MembraneElement& element, const MembraneStress& response, EnergyGradient<3>& out) {
  const double V = element.volume * element.stiffness;
  out.energy = V * response.energy;
  Eigen::Map<Mat3>(out.gradient.data()).noalias() =
      V * response.stress * shape_gradients(element).transpose();
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
  if (elements_[i].volume == 0) return 0;
  return elements_[i].volume * elements_[i].stiffness * material_->energy(deformation(i, positions));
}

EnergyJet<3> MembraneEnergy::evaluate(std::size_t i, const Points& positions, HessianKind kind) const {
  EnergyJet<3> jet;
  const MembraneElement& element = elements_[i];
  if (element.volume == 0) return jet;
  const MembraneResponse response = material_->evaluate(deformation(i, positions), kind);
  set(element, response, jet);
  const Mat32 g = shape_gradients(element);
  const double V = element.volume * element.stiffness;
  // d²E/dx_k dx_l = V sum_cd g_kc g_ld H_cd, H_cd the 3x3 blocks of the material's Hessian
  for (int l = 0; l < 3; ++l) {
    const Eigen::Matrix<double, 6, 3> right =
        V * (g(l, 0) * response.hessian.leftCols<3>() + g(l, 1) * response.hessian.rightCols<3>());
    for (int k = 0; k < 3; ++k)
      jet.hessian.block<3, 3>(3 * k, 3 * l) = g(k, 0) * right.topRows<3>() + g(k, 1) * right.bottomRows<3>();
  }
  return jet;
}

TangentJet<3> MembraneEnergy::evaluate(std::size_t i, const Points& positions,
                                       const std::array<Mat32, 3>& directions, HessianKind kind) const {
  TangentJet<3> jet;
  const MembraneElement& element = elements_[i];
  if (element.volume == 0) return jet;
  const MembraneResponse response = material_->evaluate(deformation(i, positions), kind);
  set(element, response, jet);
  const Mat32 g = shape_gradients(element);
  // dF/dq_k = t g_kᵀ for each direction t of corner k
  Mat6 change;
  for (int k = 0; k < 3; ++k) {
    change.block<3, 2>(0, 2 * k) = g(k, 0) * directions[static_cast<std::size_t>(k)];
    change.block<3, 2>(3, 2 * k) = g(k, 1) * directions[static_cast<std::size_t>(k)];
  }
  const Mat6 scaled = (element.volume * element.stiffness) * response.hessian;
  const Mat6 right = scaled.lazyProduct(change);
  jet.hessian = change.transpose().lazyProduct(right);
  return jet;
}

double MembraneEnergy::energy(const Points& positions) const {
  std::vector<double> parts(elements_.size());
  parallel_for(parts.size(), [&](std::size_t i) { parts[i] = energy(i, positions); });
  double sum = 0;
  for (const double part : parts) sum += part;
  return sum;
}

void MembraneEnergy::evaluate(const Points& positions, HessianKind kind,
                              std::vector<EnergyJet<3>>& jets) const {
  jets.resize(elements_.size());
  parallel_for(jets.size(), [&](std::size_t i) { jets[i] = evaluate(i, positions, kind); });
}

}  // namespace cutis
