#include "cutis/flesh/flesh_problem.h"

#include <algorithm>
#include <utility>

#include <Eigen/LU>

#include "cutis/core/parallel.h"
#include "cutis/material/solid/green_strain.h"
#include "cutis/material/solid/solid_viscous.h"

namespace cutis {
namespace {

/// Of the energy of a group's shape, what is that of its mean deformation. Linear tetrahedra are too stiff,
/// their mean alone is too soft and leaves modes without energy; half of each is near the truth on coarse
/// lattices and goes to it with either on fine ones (Liu, Nguyen-Thoi and Lam 2008, alpha finite element
/// method).
constexpr double kSharedShape = 0.5;

/// Tetrahedra with a free node, group by group.
std::vector<TetId> moving_tets(const FleshTissue& tissue) {
  std::vector<TetId> out;
  for (TetId t : ids<TetId>(tissue.mesh.tet_count())) {
    bool free = false;
    for (NodeId node : tissue.mesh.tets[t]) free = free || !tissue.fixed[node];
    if (free) out.push_back(t);
  }
  if (!tissue.volume_group.empty())
    std::stable_sort(out.begin(), out.end(),
                     [&](TetId a, TetId b) { return tissue.volume_group[a] < tissue.volume_group[b]; });
  return out;
}

std::vector<NodeId> free_nodes(const IdVector<NodeId, char>& fixed) {
  std::vector<NodeId> out;
  for (NodeId node : ids<NodeId>(fixed.size()))
    if (!fixed[node]) out.push_back(node);
  return out;
}

IdVector<NodeId, int> blocks_of(const IdVector<NodeId, char>& fixed) {
  IdVector<NodeId, int> out(fixed.size(), -1);
  int next = 0;
  for (NodeId node : ids<NodeId>(fixed.size()))
    if (!fixed[node]) out[node] = next++;
  return out;
}

/// Blocks of an element's Hessian by the positions of its nodes, which F = sum over nodes of x gᵀ depends on.
/// `block(k, l)` gives those of all nodes but the first; its own are minus the sum of the others. `add(k, l,
/// block)` takes those of the lower triangle.
template <class Block, class Add>
void add_blocks(const Block& block, const Add& add) {
  Mat3 first_row[4] = {Mat3::Zero(), Mat3::Zero(), Mat3::Zero(), Mat3::Zero()};
  for (int l = 1; l < 4; ++l)
    for (int k = l; k < 4; ++k) {
      const Mat3 one = block(k, l);
      add(k, l, one);
      first_row[l] -= one;
      if (k > l) first_row[k] -= one.transpose();
    }
  for (int l = 1; l < 4; ++l) {
    first_row[0] -= first_row[l];
    add(l, 0, first_row[l].transpose());
  }
  add(0, 0, first_row[0]);
}

/// dJ/dF.
Mat3 cofactor(const Mat3& F) {
  Mat3 out;
  out << F.col(1).cross(F.col(2)), F.col(2).cross(F.col(0)), F.col(0).cross(F.col(1));
  return out;
}

}  // namespace

FleshProblem::FleshProblem(FleshTissue tissue)
    : tissue_(std::move(tissue)),
      material_(make_material(tissue_.law)),
      elements_(moving_tets(tissue_)),
      data_(elements_.size()),
      block_(blocks_of(tissue_.fixed)),
      groups_(make_groups()),
      free_(free_nodes(tissue_.fixed)),
      matrix_(static_cast<int>(free_.size()), group_blocks()),
      gradients_(static_cast<int>(free_.size()), group_blocks()),
      energies_(groups_.size() + free_.size()) {
  group_.assign(mesh().tet_count(), -1);
  for (std::size_t g = 0; g < groups_.size(); ++g)
    for (std::size_t e = groups_[g].begin; e < groups_[g].end; ++e)
      group_[elements_[e]] = static_cast<int>(g);
  for (std::size_t e = 0; e < elements_.size(); ++e)
    set_rest(e, tet_edges(mesh(), mesh().positions, elements_[e]));
  start(mesh().positions);
}

std::vector<FleshProblem::Group> FleshProblem::make_groups() {
  std::vector<Group> groups;
  const IdVector<TetId, int>& number = tissue_.volume_group;
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    data_[e].nodes = mesh().tets[elements_[e]];
    const auto fits = [&](const Group& group) {
      std::size_t count = group.nodes.size();
      for (NodeId node : data_[e].nodes) count += std::ranges::count(group.nodes, node) == 0;
      return count <= kMaxGroupNodes;
    };
    // Where the lattice splits, copies of one tetrahedron may share an edge: those that are too many are a
    // group of their own.
    if (e == 0 || number.empty() || number[elements_[e]] != number[elements_[e - 1]] || !fits(groups.back()))
      groups.push_back({{}, e, e});
    Group& group = groups.back();
    group.end = e + 1;
    for (NodeId node : data_[e].nodes)
      if (std::ranges::count(group.nodes, node) == 0) group.nodes.push_back(node);
  }
  // Fixed ones first, then as the unknowns are numbered: all that matters of a group's matrix is then below
  // its diagonal.
  for (Group& group : groups) {
    std::ranges::sort(group.nodes, {}, [&](NodeId node) { return block_[node]; });
    for (std::size_t e = group.begin; e < group.end; ++e)
      for (std::size_t k = 0; k < 4; ++k)
        data_[e].place[k] =
            static_cast<int>(std::ranges::find(group.nodes, data_[e].nodes[k]) - group.nodes.begin());
  }
  return groups;
}

std::vector<std::size_t> FleshProblem::group_ends() const {
  std::vector<std::size_t> out;
  for (const Group& group : groups_) out.push_back(group.end);
  return out;
}

/// What is alone has no mean but its own.
double FleshProblem::shared_shape(const Group& group) const {
  return group.end - group.begin > 1 ? kSharedShape : 0;
}

/// One for each group, then one for each free node: its inertia.
ElementBlocks FleshProblem::group_blocks() const {
  ElementBlocks out;
  out.reserve(groups_.size() + free_.size());
  for (const Group& group : groups_) {
    out.emplace_back();
    for (NodeId node : group.nodes) out.back().push_back(block_[node]);
  }
  for (NodeId node : free_) out.push_back({block_[node]});
  return out;
}

void FleshProblem::set_rest(std::size_t element, const Mat3& edges, double share) {
  Element& own = data_[element];
  own.gradients.rightCols<3>() = edges.inverse().transpose();
  own.gradients.col(0) = -own.gradients.rightCols<3>().rowwise().sum();
  own.volume = edges.determinant() / 6 * tissue_.stiffness[elements_[element]] * share;
}

void FleshProblem::set_inertia(NodePoints predicted, double step) {
  predicted_ = std::move(predicted);
  step_ = step;
}

void FleshProblem::set_anchors(NodePoints places, IdVector<NodeId, double> stiffness) {
  anchors_ = std::move(places);
  anchor_stiffness_ = std::move(stiffness);
}

void FleshProblem::set_viscosity(double step, double carry, const NodePoints& before) {
  viscous_step_ = step;
  if (!(step > 0)) return;
  parallel_for(data_.size(), [&](std::size_t e) {
    const Mat3 F = deformation(data_[e], trial_);
    data_[e].viscosity = viscosity(tissue_.law, F);
    const Mat3 strain = green_strain(F);
    data_[e].strain_before = strain + carry * (strain - green_strain(deformation(data_[e], before)));
  });
}

void FleshProblem::start(NodePoints positions) {
  trial_ = std::move(positions);
  assembled_ = evaluated_ = false;
}

Mat3 FleshProblem::deformation(const Element& element, const NodePoints& at) const {
  Mat3 F = Mat3::Zero();
  // From the first node: rounding of positions far from the origin cancels.
  for (int k = 1; k < 4; ++k)
    F += (at[element.nodes[std::size_t(k)]] - at[element.nodes[0]]) * element.gradients.col(k).transpose();
  return F;
}

/// Inertia mass / (2 step²) |x - predicted|², springs, and the work of forces.
double FleshProblem::node_energy(NodeId node) const {
  double energy = 0;
  if (step_ > 0 && !has_mass_matrices())
    energy += 0.5 * tissue_.masses[node] / (step_ * step_) * (trial_[node] - predicted_[node]).squaredNorm();
  if (anchored()) energy += 0.5 * anchor_stiffness_[node] * (trial_[node] - anchors_[node]).squaredNorm();
  // From where the node would go: far from the origin the sum would lose its digits.
  if (!forces_.empty())
    energy -= forces_[node].dot(trial_[node] - (step_ > 0 ? predicted_[node] : mesh().positions[node]));
  return energy;
}

/// M (x - predicted) / step², at the nodes of an element.
Eigen::Matrix<double, 3, 4> FleshProblem::inertia_forces(const Element& element, TetId tet,
                                                         const NodePoints& at) const {
  Eigen::Matrix<double, 3, 4> from_predicted;
  for (int k = 0; k < 4; ++k) {
    const NodeId node = element.nodes[std::size_t(k)];
    from_predicted.col(k) = at[node] - predicted_[node];
  }
  return from_predicted * tissue_.mass_matrices[tet] / (step_ * step_);
}

NodePoints FleshProblem::mass_times(const NodePoints& points) const {
  NodePoints out(points.size(), Vec3::Zero());
  if (!has_mass_matrices())
    for (NodeId node : ids<NodeId>(points.size())) out[node] = tissue_.masses[node] * points[node];
  else
    for (TetId t : elements_)
      for (int k = 0; k < 4; ++k)
        for (int l = 0; l < 4; ++l)
          out[mesh().tets[t][at(k)]] += tissue_.mass_matrices[t](k, l) * points[mesh().tets[t][at(l)]];
  return out;
}

FleshProblem::GroupMean FleshProblem::mean_of(const Group& group, const NodePoints& at) const {
  GroupMean mean;
  for (std::size_t e = group.begin; e < group.end; ++e) {
    const Mat3 F = deformation(data_[e], at);
    mean.volume += data_[e].volume;
    mean.J += data_[e].volume * F.determinant();
    mean.F += data_[e].volume * F;
  }
  mean.J /= mean.volume;
  mean.F /= mean.volume;
  return mean;
}

double FleshProblem::group_energy(const Group& group) const {
  const GroupMean mean = mean_of(group, trial_);
  double sum = mean.volume * material_->volume(mean.J).value;
  if (shared_shape(group) > 0) sum += shared_shape(group) * mean.volume * material_->shape_energy(mean.F);
  for (std::size_t e = group.begin; e < group.end; ++e) {
    const Element& own = data_[e];
    const Mat3 F = deformation(own, trial_);
    sum += (1 - shared_shape(group)) * own.volume * material_->shape_energy(F);
    if (viscous_step_ > 0 && own.viscosity > 0)
      sum += own.volume * SolidViscous{own.viscosity, viscous_step_}.energy(F, own.strain_before);
    if (step_ > 0 && has_mass_matrices()) {
      const Eigen::Matrix<double, 3, 4> forces = inertia_forces(own, elements_[e], trial_);
      for (int k = 0; k < 4; ++k)
        sum += forces.col(k).dot(trial_[own.nodes[at(k)]] - predicted_[own.nodes[at(k)]]) / 2;
    }
  }
  return sum;
}

double FleshProblem::energy() {
  if (std::exchange(evaluated_, true)) return energy_;
  parallel_for(
      groups_.size(), [&](std::size_t g) { energies_[g] = group_energy(groups_[g]); }, 64);
  parallel_for(free_.size(), [&](std::size_t i) { energies_[groups_.size() + i] = node_energy(free_[i]); });
  energy_ = 0;
  for (double energy : energies_) energy_ += energy;
  for (const FleshContact& contact : contacts_) {
    const double missing = overlap(contact, trial_);
    energy_ += contact.stiffness / 2 * missing * missing;
  }
  return energy_;
}

const Eigen::VectorXd& FleshProblem::gradient() {
  if (!assembled_) {
    base_ = trial_;
    assemble();
    assembled_ = true;
  }
  return gradients_.values();
}

const Eigen::SparseMatrix<double>& FleshProblem::hessian() {
  gradient();
  return matrix_.lower();
}

void FleshProblem::assemble() {
  parallel_for(
      groups_.size(), [&](std::size_t g) { assemble_group(g); }, 64);
  parallel_for(free_.size(), [&](std::size_t i) {
    const NodeId node = free_[i];
    Vec3 gradient = Vec3::Zero();
    double stiffness = 0;
    const auto draw = [&](double own, const Vec3& to) {
      stiffness += own;
      gradient += own * (base_[node] - to);
    };
    if (step_ > 0 && !has_mass_matrices()) draw(tissue_.masses[node] / (step_ * step_), predicted_[node]);
    if (anchored()) draw(anchor_stiffness_[node], anchors_[node]);
    if (!forces_.empty()) gradient -= forces_[node];
    gradients_.local(groups_.size() + i) = gradient;
    matrix_.local(groups_.size() + i) = stiffness * Mat3::Identity();
  });
  add_contacts();
  gradients_.sum();
  matrix_.sum();
}

/// What is missing of the way between its points [m].
double FleshProblem::overlap(const FleshContact& contact, const NodePoints& nodes) const {
  Vec3 apart = Vec3::Zero();
  for (std::size_t k = 0; k < 4; ++k)
    apart += contact.x.barycentric[static_cast<int>(k)] * nodes[mesh().tets[contact.x.tet][k]] -
             contact.y.barycentric[static_cast<int>(k)] * nodes[mesh().tets[contact.y.tet][k]];
  return std::max(0.0, contact.way - contact.normal.dot(apart));
}

/// With the directions g of the points' weights along the normal, the Hessian is k g gᵀ: what it has within
/// a tetrahedron is that of the tetrahedron's group, what it has between the two is no part of the pattern.
void FleshProblem::add_contacts() {
  couplings_.clear();
  for (const FleshContact& contact : contacts_) {
    const double missing = overlap(contact, base_);
    if (!(missing > 0)) continue;
    const Mat3 stiffness = contact.stiffness * contact.normal * contact.normal.transpose();
    const Vec3 force = contact.stiffness * missing * contact.normal;
    add_contact_point(contact.x, force, stiffness);
    add_contact_point(contact.y, -force, stiffness);
    for (int k = 0; k < 4; ++k)
      for (int l = 0; l < 4; ++l) {
        const int row = block_[mesh().tets[contact.x.tet][at(k)]],
                  column = block_[mesh().tets[contact.y.tet][at(l)]];
        if (row >= 0 && column >= 0)
          couplings_.push_back(
              {row, column, -contact.x.barycentric[k] * contact.y.barycentric[l] * stiffness});
      }
  }
}

/// All its nodes are in the group of its tetrahedron.
void FleshProblem::add_contact_point(const TetPoint& point, const Vec3& force, const Mat3& stiffness) {
  if (group_[point.tet] < 0) return;
  const std::size_t number = at(group_[point.tet]);
  const std::vector<NodeId>& nodes = groups_[number].nodes;
  auto gradient = gradients_.local(number);
  auto hessian = matrix_.local(number);
  std::array<Eigen::Index, 4> row;
  for (std::size_t k = 0; k < 4; ++k)
    row[k] = 3 * (std::ranges::find(nodes, mesh().tets[point.tet][k]) - nodes.begin());
  for (int k = 0; k < 4; ++k) {
    gradient.segment<3>(row[at(k)]) -= point.barycentric[k] * force;
    for (int l = 0; l < 4; ++l)
      if (row[at(k)] >= row[at(l)])
        hessian.block<3, 3>(row[at(k)], row[at(l)]) +=
            point.barycentric[k] * point.barycentric[l] * stiffness;
  }
}

/// With the mean volume ratio J of the group and p = U'(J), the Hessian of V U(J) is V U''(J) ∇J ∇Jᵀ, which
/// is positive, and p times that of each element's own J, which is projected together with the rest of it.
/// The mean deformation is linear in the nodes, as that of an element is.
void FleshProblem::assemble_group(std::size_t number) {
  const Group& group = groups_[number];
  auto gradient = gradients_.local(number);
  auto hessian = matrix_.local(number);
  gradient.setZero();
  const GroupMean mean = mean_of(group, base_);
  const double shared = shared_shape(group);
  const ScalarJet of_volume = material_->volume(mean.J);
  Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 3 * static_cast<int>(kMaxGroupNodes), 1> growth =
      Eigen::VectorXd::Zero(gradient.size());  // V ∇J
  hessian.setZero();
  NodeGradients gradients = NodeGradients::Zero();  // V dF/dx of the mean
  for (std::size_t e = group.begin; e < group.end; ++e) {
    const Element& own = data_[e];
    const Mat3 F = deformation(own, base_);
    const SolidModes elastic = material_->evaluate_shape(F, of_volume.first / (1 - shared), kProjected);
    Mat3 stress = (1 - shared) * elastic.stress;
    const bool is_viscous = viscous_step_ > 0 && own.viscosity > 0;
    ViscousModes viscous;
    if (is_viscous) {
      viscous = SolidViscous{own.viscosity, viscous_step_}.evaluate(F, own.strain_before);
      stress += viscous.stress;
    }
    Eigen::Matrix<double, 3, 4> forces = own.volume * stress * own.gradients;
    Mat4 inertia = Mat4::Zero();
    if (step_ > 0 && has_mass_matrices()) {
      forces += inertia_forces(own, elements_[e], base_);
      inertia = tissue_.mass_matrices[elements_[e]] / (step_ * step_);
    }
    const Eigen::Matrix<double, 3, 4> grown = own.volume * cofactor(F) * own.gradients;
    for (int k = 0; k < 4; ++k) {
      gradient.segment<3>(3 * own.place[at(k)]) += forces.col(k);
      growth.segment<3>(3 * own.place[at(k)]) += grown.col(k);
      gradients.col(own.place[at(k)]) += own.volume * own.gradients.col(k);
    }
    const Eigen::Matrix<double, 3, 4> principal = elastic.V.transpose() * own.gradients;
    const auto block = [&](int k, int l) {
      Mat3 sum = (1 - shared) * elastic.block(principal.col(k), principal.col(l));
      if (is_viscous) sum += viscous.block(own.gradients.col(k), own.gradients.col(l));
      return Mat3(own.volume * sum);
    };
    const auto add = [&](int k, int l, const Mat3& one) {
      const int row = 3 * own.place[at(k)], column = 3 * own.place[at(l)];
      const Mat3 sum = one + inertia(k, l) * Mat3::Identity();
      if (row >= column)
        hessian.block<3, 3>(row, column) += sum;
      else
        hessian.block<3, 3>(column, row) += sum.transpose();
    };
    add_blocks(block, add);
  }
  if (shared > 0) add_mean_shape(number, mean, gradients / mean.volume);
  const double stiffness = of_volume.second / mean.volume;
  for (Eigen::Index c = 0; c < growth.size(); ++c) {
    const Eigen::Index rows = growth.size() - c;
    hessian.col(c).tail(rows) += stiffness * growth[c] * growth.tail(rows);
  }
}

/// What the mean deformation of a group has of the energy of its shape.
void FleshProblem::add_mean_shape(std::size_t number, const GroupMean& mean, const NodeGradients& gradients) {
  const double volume = kSharedShape * mean.volume;
  const SolidModes elastic = material_->evaluate_shape(mean.F, 0, kProjected);
  auto gradient = gradients_.local(number);
  auto hessian = matrix_.local(number);
  const NodeGradients principal = elastic.V.transpose() * gradients;
  for (int k = 0; k < static_cast<int>(groups_[number].nodes.size()); ++k) {
    gradient.segment<3>(3 * k) += volume * elastic.stress * gradients.col(k);
    for (int l = 0; l <= k; ++l)
      hessian.block<3, 3>(3 * k, 3 * l) += volume * elastic.block(principal.col(k), principal.col(l));
  }
}

double FleshProblem::trial(const Eigen::VectorXd& step, double factor) {
  assembled_ = evaluated_ = false;
  parallel_for(free_.size(), [&](std::size_t i) {
    trial_[free_[i]] = base_[free_[i]] + factor * step.segment<3>(3 * static_cast<Eigen::Index>(i));
  });
  return energy();
}

}  // namespace cutis
