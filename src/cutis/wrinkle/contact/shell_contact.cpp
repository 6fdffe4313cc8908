#include "cutis/wrinkle/contact/shell_contact.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cutis/material/projection.h"

namespace cutis {
namespace {

/// Cosine of the steepest slope at which a shell surely does not touch itself.
constexpr double kSteepestGraph = 0.4;

/// Sorted, those of the same vertices added up in their order.
std::vector<VertexPairBlock> summed(std::vector<VertexPairBlock> blocks) {
  std::vector<std::size_t> order(blocks.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](std::size_t i) { return std::pair(blocks[i].column.value, blocks[i].row.value); };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  std::vector<VertexPairBlock> sums;
  for (const std::size_t i : order)
    if (!sums.empty() && sums.back().column == blocks[i].column && sums.back().row == blocks[i].row)
      sums.back().value += blocks[i].value;
    else
      sums.push_back(blocks[i]);
  return sums;
}

}  // namespace

ShellContact::ShellContact(const Mesh& rest, double distance, double stiffness)
    : rest_(rest), self_({distance, stiffness}) {
  self_.set_mesh(rest_);
}

void ShellContact::set_outside(Points normals, double reach, bool single) {
  outside_ = single ? normals : Points();
  self_.set_outside(std::move(normals), reach);
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
  if (lower_) lower_->begin(positions);
  pairs_ = faces_outside(positions) ? std::vector<ContactPair>() : self_.near_pairs(positions);
}

double ShellContact::energy(const Points& positions) const {
  return (pairs_.empty() ? 0 : self_.energy(positions, pairs_)) + (lower_ ? lower_->energy(positions) : 0);
}

template <class Add>
void ShellContact::for_each_stencil(const Points& positions, double projected_share, const Add& add) const {
  for (const ContactStencil& stencil : self_.stencils(positions, pairs_, projected_share)) add(stencil, 4);
  if (!lower_) return;
  for (const LayerStencil& stencil : lower_->stencils(positions)) add(stencil, stencil.count);
}

Points ShellContact::gradient(const Points& positions) const {
  Points gradient(positions.size(), Vec3::Zero());
  for_each_stencil(positions, kExact, [&](const auto& stencil, int count) {
    for (int i = 0; i < count; ++i)
      gradient[stencil.vertices[at(i)]] += stencil.gradient.template segment<3>(3 * i);
  });
  return gradient;
}

std::vector<VertexPairBlock> ShellContact::hessian(const Points& positions, double projected_share) const {
  std::vector<VertexPairBlock> blocks;
  for_each_stencil(positions, projected_share, [&](const auto& stencil, int count) {
    for (int j = 0; j < count; ++j)
      for (int i = 0; i < count; ++i)
        if (const VertexId row = stencil.vertices[at(i)], column = stencil.vertices[at(j)];
            row.index() >= column.index())
          blocks.push_back({row, column, stencil.hessian.template block<3, 3>(3 * i, 3 * j)});
  });
  return summed(std::move(blocks));
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

bool ShellContact::is_free_way(const Points& positions, const Points& way) {
  return max_step_size(positions, way) == 1;
}

std::vector<VertexId> ShellContact::meeting(const Points& positions, const Points& way) {
  double longest = 0;
  for (const Vec3& w : way) longest = std::max(longest, w.norm());
  const int parts = std::max(1, static_cast<int>(std::ceil(longest / self_.longest_sweep())));
  Points from = positions, part = way;
  for (Vec3& p : part) p /= parts;
  std::vector<VertexId> vertices;
  for (int i = 0; i < parts; ++i) {
    for (const ContactPair& pair : self_.sweep(from, part).meeting)
      vertices.insert(vertices.end(), pair.vertices.begin(), pair.vertices.end());
    for (VertexId v : ids<VertexId>(from.size())) from[v] += part[v];
  }
  return vertices;
}

}  // namespace cutis
