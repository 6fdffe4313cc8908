#include "cutis/skin/force_density/edge_densities.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "cutis/skin/force_density/delaunay_cotangents.h"

namespace cutis {
namespace {

// Cotangents are kept within these: a net with every edge pulling cannot fold in a convex outline, and one
// sliver must not outweigh the rest.
constexpr double least_cotangent = 1e-6, largest_cotangent = 1e6;
// The paper's "very small value used to prevent degenerate cases", as a share of the longest edge squared.
constexpr double fast_epsilon = 1e-3;
// Bounds what folds and slivers do to the ratio of areas.
constexpr double least_ratio = 1e-3;

}  // namespace

EdgeDensities::EdgeDensities(const Topology& topology, EdgeDensity kind, std::vector<double> factor,
                             const std::vector<char>& diagonals)
    : topology_(&topology), kind_(kind), factor_(std::move(factor)) {
  for (EdgeId e : ids<EdgeId>(topology.edge_count())) {
    const HalfedgeId h = topology.halfedge(e);
    if (!linear() && !diagonals.empty() && diagonals[e.index()]) continue;
    branches_.push_back({topology.from(h).value, topology.to(h).value, 0, 0});
  }
  if (kind == EdgeDensity::Cotangent) cotangents_ = std::make_unique<DelaunayCotangents>(topology);
}

EdgeDensities::~EdgeDensities() = default;
EdgeDensities::EdgeDensities(EdgeDensities&&) noexcept = default;
EdgeDensities& EdgeDensities::operator=(EdgeDensities&&) noexcept = default;

void EdgeDensities::update(const Points& positions) {
  switch (kind_) {
    case EdgeDensity::Cotangent:
      set_cotangents(positions);
      break;
    case EdgeDensity::MeanValue:
      set_mean_values(positions);
      break;
    case EdgeDensity::InverseLength:
    case EdgeDensity::Fast:
      set_lengths(positions);
      break;
  }
  if (!linear() && !factor_.empty()) multiply(factor_);
}

void EdgeDensities::multiply(const std::vector<double>& factor) {
  for (NetBranch& branch : branches_) {
    const double mean =
        0.5 * (factor[static_cast<std::size_t>(branch.a)] + factor[static_cast<std::size_t>(branch.b)]);
    branch.q *= mean;
    branch.q_back *= mean;
  }
}

void EdgeDensities::stiffen(const Points& positions, const IdVector<VertexId, Vec2>& layout) {
  const Topology& t = *topology_;
  area_.assign(t.vertex_count(), 0.0);
  layout_area_.assign(t.vertex_count(), 0.0);
  for (std::size_t c = 0; c < t.corner_count(); c += 3) {
    const std::array<VertexId, 3> face{t.from(HalfedgeId(c)), t.from(HalfedgeId(c + 1)),
                                       t.from(HalfedgeId(c + 2))};
    const Vec3 &p = positions[face[0]], &q = positions[face[1]], &r = positions[face[2]];
    const Vec2 u = layout[face[1]] - layout[face[0]], v = layout[face[2]] - layout[face[0]];
    const double area = (q - p).cross(r - p).norm(), layout_area = std::abs(u.x() * v.y() - u.y() * v.x());
    for (VertexId corner : face) {
      area_[corner.index()] += area;
      layout_area_[corner.index()] += layout_area;
    }
  }
  double sum = 0, layout_sum = 0;
  for (std::size_t i = 0; i < area_.size(); ++i) {
    sum += area_[i];
    layout_sum += layout_area_[i];
  }
  for (std::size_t i = 0; i < area_.size(); ++i)
    layout_area_[i] =
        std::clamp(layout_area_[i] * sum / (area_[i] * layout_sum), least_ratio, 1 / least_ratio);
  multiply(layout_area_);
  if (!factor_.empty()) multiply(factor_);
}

void EdgeDensities::set_cotangents(const Points& positions) {
  flips_ = cotangents_->update(positions);
  const DelaunayCotangents& c = *cotangents_;
  std::size_t e = 0;
  for (int h = 0; h < static_cast<int>(c.halfedge_count()); ++h) {
    const int g = c.twin(h);
    if (g > h) continue;
    const double sum = g < 0 ? c.cotangent(h) : c.cotangent(h) + c.cotangent(g);
    const double q = std::clamp(0.5 * sum, least_cotangent, largest_cotangent);
    branches_[e++] = {c.from(h), c.to(h), q, q};
  }
}

void EdgeDensities::set_lengths(const Points& positions) {
  const auto squared = [&](VertexId a, VertexId b) { return (positions[b] - positions[a]).squaredNorm(); };
  // The longest of all edges, the diagonals of polygons among them: without those the longest side of a quad
  // would be left with no pull at all.
  double longest = 0;
  for (EdgeId e : ids<EdgeId>(topology_->edge_count())) {
    const HalfedgeId h = topology_->halfedge(e);
    longest = std::max(longest, squared(topology_->from(h), topology_->to(h)));
  }
  for (NetBranch& branch : branches_) branch.q = squared(VertexId(branch.a), VertexId(branch.b));
  // The paper, section 7: q = 1 / |e|, or max |e|² - |e|² + epsilon.
  for (NetBranch& branch : branches_)
    branch.q_back = branch.q = kind_ == EdgeDensity::Fast
                                   ? longest - branch.q + fast_epsilon * longest
                                   : 1 / std::sqrt(std::max(branch.q, 1e-24 * longest));
}

void EdgeDensities::set_mean_values(const Points& positions) {
  for (NetBranch& branch : branches_) branch.q = branch.q_back = 0;
  const Topology& t = *topology_;
  // Floater 2003: w_ij = (tan(alpha / 2) + tan(beta / 2)) / |ij|, the angles at i on both sides of ij.
  // tan(x / 2) = (1 - cos x) / sin x.
  for (HalfedgeId h : ids<HalfedgeId>(t.corner_count())) {
    const Vec3& i = positions[t.from(h)];
    const Vec3 j = positions[t.to(h)] - i, k = positions[t.from(t.prev(h))] - i;
    const double lj = std::max(j.norm(), 1e-300), lk = std::max(k.norm(), 1e-300);
    const double tangent = (lj * lk - j.dot(k)) / std::max(j.cross(k).norm(), 1e-10 * lj * lk);
    const auto add = [&](HalfedgeId side, double value) {
      NetBranch& branch = branches_[t.edge(side).index()];
      (branch.a == t.from(h).value ? branch.q : branch.q_back) += value;
    };
    add(h, tangent / lj);
    add(t.prev(h), tangent / lk);
  }
}

}  // namespace cutis
