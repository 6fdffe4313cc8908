#include "cutis/wrinkle/contact/shell_contact.h"

#include <algorithm>

namespace cutis {
namespace {

/// Cosine of the steepest slope at which a shell surely does not touch itself.
constexpr double kSteepestGraph = 0.4;

}  // namespace

ShellContact::ShellContact(const Mesh& rest, double distance, double stiffness)
    : rest_(rest), self_({distance, stiffness}) {
  self_.set_mesh(rest_);
}

bool ShellContact::faces_outside(const Points& positions) const {
  if (outside_.empty()) return false;
  for (FaceId f : ids<FaceId>(rest_.face_count())) {
    const auto v = rest_.face(f);
    const Vec3 normal = (positions[v[1]] - positions[v[0]]).cross(positions[v[2]] - positions[v[0]]);
    const Vec3 out = outside_[v[0]] + outside_[v[1]] + outside_[v[2]];
    if (!(normal.dot(out) > kSteepestGraph * normal.norm() * out.norm())) return false;
  }
  return true;
}

void ShellContact::begin(const Points& positions) {
  pairs_ = faces_outside(positions) ? std::vector<ContactPair>() : self_.near_pairs(positions);
}

double ShellContact::energy(const Points& positions) const {
  return (pairs_.empty() ? 0 : self_.energy(positions, pairs_)) + (lower_ ? lower_->energy(positions) : 0);
}

void ShellContact::evaluate(const Points& positions) {
  gradient_.assign(positions.size(), Vec3::Zero());
  curvature_.assign(positions.size(), Mat3::Zero());
  const auto add = [&](VertexId v, const auto& stencil, int k, double share) {
    gradient_[v] += stencil.gradient.template segment<3>(3 * k);
    curvature_[v] += share * stencil.hessian.template block<3, 3>(3 * k, 3 * k);
  };
  for (const ContactStencil& stencil : self_.stencils(positions, pairs_, 1))
    for (int k = 0; k < 4; ++k) add(stencil.vertices[at(k)], stencil, k, 4);
  if (lower_)
    for (const LayerStencil& stencil : lower_->stencils(positions))
      for (int k = 0; k < stencil.count; ++k) add(stencil.vertices[at(k)], stencil, k, stencil.count);
}

double ShellContact::max_step_size(const Points& positions, const Points& step) {
  Points end = positions;
  for (VertexId v : ids<VertexId>(end.size())) end[v] += step[v];
  if (faces_outside(positions) && faces_outside(end)) {
    pairs_.clear();
    return 1;
  }
  ContactSweep sweep = self_.sweep(positions, step);
  pairs_ = std::move(sweep.pairs);
  return sweep.max_factor;
}

}  // namespace cutis
