#include "cutis/wrinkle/contact/contact_barrier.h"

#include <algorithm>
#include <cmath>

#include "cutis/core/parallel.h"
#include "cutis/energy/log_barrier.h"
#include "cutis/energy/positive_part.h"
#include "cutis/surface/mesh/triangle_measures.h"
#include "cutis/wrinkle/contact/edge_mollifier.h"
#include "cutis/wrinkle/contact/time_of_impact.h"

namespace cutis {
namespace {

/// Of the distance at rest or where it is carried: what comes as near as this is in contact. Half, because
/// skin is pressed together within its surface as well, by a third and more, before it touches itself.
constexpr double kRestShare = 0.5;
/// Of the mean edge: what is as near as this touches.
constexpr double kTouching = 1e-6;
/// Of the distance at rest: what a body brings nearer than this, it folds. Skin that is pressed together to
/// half of its length, far more than wrinkles take up before they touch, is not meant.
constexpr double kFoldedShare = 0.2;
/// Of a distance: far more than it is off by rounding, so that the energy of what is left out is zero to the
/// bit.
constexpr double kRounding = 1e-9;
/// Of the mean edge: the longest way of a vertex that is swept at once.
constexpr double kLongestSweep = 4;

double edge_length(const Points& positions, const std::array<VertexId, 2>& edge) {
  return (positions[edge[1]] - positions[edge[0]]).norm();
}

/// b(d² / onset²) as a function of d².
ScalarJet barrier_by_square(double squared, double onset) {
  const double scale = 1 / (onset * onset);
  const ScalarJet b = log_barrier(squared * scale, 1);
  return {b.value, b.first * scale, b.second * scale * scale};
}

ContactJet composed(const ScalarJet& outer, const ContactJet& inner) {
  return {outer.value, outer.first * inner.gradient,
          outer.second * inner.gradient * inner.gradient.transpose() + outer.first * inner.hessian};
}

ContactJet product(const ContactJet& a, const ContactJet& b) {
  const Mat12 cross = a.gradient * b.gradient.transpose();
  return {a.value * b.value, a.value * b.gradient + b.value * a.gradient,
          a.value * b.hessian + b.value * a.hessian + cross + cross.transpose()};
}

/// Of a Hessian within a span: the eigenvalues of a 5x5 matrix instead of a 12x12 one.
Mat12 partly_projected_within(const Eigen::Matrix<double, 12, 5>& span, const Mat12& hessian, double share) {
  if (!(share > 0)) return hessian;
  const Eigen::Matrix<double, 5, 5> within = span.transpose() * hessian * span;
  const Eigen::Matrix<double, 5, 5> change = partly_projected(within, share) - within;
  return hessian + span * change * span.transpose();
}

}  // namespace

void ContactBarrier::set_mesh(const Mesh& rest) {
  finder_ = ContactPairs(rest);
  rest_ = carried_ = rest.positions;
  areas_ = vertex_areas(rest);
  mean_edge_ = 0;
  for (const auto& edge : finder_.edges())
    mean_edge_ += edge_length(rest_, edge) / static_cast<double>(finder_.edges().size());
}

std::vector<ContactPair> ContactBarrier::near_pairs(const Points& positions) {
  return finder_.find(positions, options_.distance);
}

double ContactBarrier::longest_sweep() const { return kLongestSweep * mean_edge_; }

ContactSweep ContactBarrier::sweep(const Points& positions, const Points& step) {
  double longest = 0;
  for (const Vec3& s : step) longest = std::max(longest, s.norm());
  const double part = std::min(1.0, longest_sweep() / std::max(longest, 1e-300));
  Points swept = step;
  for (Vec3& s : swept) s *= part;
  const std::vector<ContactPair> found = finder_.find(positions, swept, options_.distance);
  std::vector<double> times(found.size());
  std::vector<char> beyond(found.size());
  parallel_for(found.size(), [&](std::size_t i) {
    const ContactPair& pair = found[i];
    const PairSweep way = sweep_pair(pair.kind, contact_points(pair, positions), contact_points(pair, swept));
    times[i] = way.time_of_impact < 1 && onset_of(pair) == 0 ? 1 : way.time_of_impact;
    beyond[i] = is_beyond_barrier(pair, way.nearest);
  });
  ContactSweep out;
  out.max_factor = part;
  for (double time : times) out.max_factor = std::min(out.max_factor, part * time);
  // Boxes of neighbours always meet, and nearly all that is found are neighbours: trials and stencils of this
  // step need not measure them again.
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!beyond[i]) out.pairs.push_back(found[i]);
    if (times[i] < 1) out.meeting.push_back(found[i]);
  }
  return out;
}

bool ContactBarrier::is_beyond_barrier(const ContactPair& pair, double nearest) const {
  if (nearest > (1 + kRounding) * options_.distance) return true;
  const double onset = onset_of(pair);
  return onset == 0 || nearest > (1 + kRounding) * onset;
}

double ContactBarrier::onset_of(const ContactPair& pair) const {
  const double at_rest = std::sqrt(squared_distance(pair.kind, contact_points(pair, rest_)));
  const double carried = std::sqrt(squared_distance(pair.kind, contact_points(pair, carried_)));
  const double unloaded = std::min(at_rest, carried);
  if (unloaded <= kTouching * mean_edge_ || carried < kFoldedShare * at_rest) return 0;
  return std::min(options_.distance, kRestShare * unloaded);
}

/// A third of the triangles around a vertex, or around an edge: there are three times as many of these, so
/// that each kind of pair sums up to the area in contact.
double ContactBarrier::contact_area(const ContactPair& pair) const {
  if (pair.kind == ContactKind::PointTriangle) return areas_[pair.vertices[0]];
  double sum = 0;
  for (VertexId v : pair.vertices) sum += areas_[v];
  return sum / 12;
}

ContactBarrier::PairBarrier ContactBarrier::barrier_of(const ContactPair& pair,
                                                       const ContactPoints& points) const {
  const double d2 = squared_distance(pair.kind, points);
  if (d2 >= options_.distance * options_.distance) return {};
  const double onset = onset_of(pair);
  if (d2 >= onset * onset) return {};
  const ContactPoints at_rest = contact_points(pair, rest_);
  PairBarrier out{onset, options_.stiffness * contact_area(pair) * onset, 0};
  if (pair.kind == ContactKind::EdgeEdge)
    out.rest_lengths_squared =
        (at_rest[1] - at_rest[0]).squaredNorm() * (at_rest[3] - at_rest[2]).squaredNorm();
  return out;
}

double ContactBarrier::energy(const Points& positions, const std::vector<ContactPair>& pairs) const {
  std::vector<double> energies(pairs.size());
  parallel_for(pairs.size(), [&](std::size_t i) {
    const ContactPoints points = contact_points(pairs[i], positions);
    const PairBarrier barrier = barrier_of(pairs[i], points);
    if (barrier.onset == 0) return;
    energies[i] =
        barrier.strength * barrier_by_square(squared_distance(pairs[i].kind, points), barrier.onset).value;
    if (pairs[i].kind == ContactKind::EdgeEdge && std::isfinite(energies[i]))
      energies[i] *= edge_mollifier(points, barrier.rest_lengths_squared);
  });
  double sum = 0;
  for (double energy : energies) sum += energy;
  return sum;
}

std::vector<ContactStencil> ContactBarrier::stencils(const Points& positions,
                                                     const std::vector<ContactPair>& pairs,
                                                     double projected_share) const {
  std::vector<PairBarrier> barriers(pairs.size());
  parallel_for(pairs.size(), [&](std::size_t i) {
    barriers[i] = barrier_of(pairs[i], contact_points(pairs[i], positions));
  });
  std::vector<std::size_t> active;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (barriers[i].onset > 0) active.push_back(i);
  std::vector<ContactStencil> out(active.size());
  parallel_for(
      active.size(),
      [&](std::size_t k) {
        out[k] = stencil(pairs[active[k]], barriers[active[k]], positions, projected_share);
      },
      16);
  return out;
}

ContactStencil ContactBarrier::stencil(const ContactPair& pair, const PairBarrier& barrier,
                                       const Points& positions, double projected_share) {
  const ContactPoints points = contact_points(pair, positions);
  const ContactJet distance = squared_distance_jet(pair.kind, points);
  ContactJet jet = composed(barrier_by_square(distance.value, barrier.onset), distance);
  if (pair.kind == ContactKind::EdgeEdge && edge_mollifier(points, barrier.rest_lengths_squared) < 1) {
    jet = product(jet, edge_mollifier_jet(points, barrier.rest_lengths_squared));
    jet.hessian = partly_projected(jet.hessian, projected_share);
  } else {
    jet.hessian =
        partly_projected_within(squared_distance_span(pair.kind, points), jet.hessian, projected_share);
  }
  return {pair.vertices, barrier.strength * jet.value, barrier.strength * jet.gradient,
          barrier.strength * jet.hessian};
}

}  // namespace cutis
