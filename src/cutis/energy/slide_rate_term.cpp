#include "cutis/energy/slide_rate_term.h"

#include <cmath>
#include <utility>

#include "cutis/energy/log_barrier.h"

namespace cutis {
namespace {

/// The barrier sees s = 1 - (d / reach)², and begins here: at half the reach.
constexpr double kOnset = 0.75;
/// Times the skin's stiffness and a vertex's area. A tenth of it bounds the fastest skin as well, but lets
/// twice as much come near the bound.
constexpr double kStrength = 10;

}  // namespace

SlideRateTerm::SlideRateTerm(IdVector<VertexId, double> areas, double stiffness)
    : areas_(std::move(areas)), stiffness_(stiffness) {}

void SlideRateTerm::set_step(Points carried, double dt, double drag, double reach) {
  carried_ = std::move(carried);
  spring_ = drag / dt;
  reach_ = reach;
}

std::vector<std::vector<VertexId>> SlideRateTerm::stencils() const { return single_vertices(areas_.size()); }

double SlideRateTerm::energy(std::size_t stencil, const TermState& state) const {
  const VertexId v(stencil);
  if (carried_.empty() || areas_[v] == 0) return 0;
  const double squared = (state.positions[v] - carried_[v]).squaredNorm();
  return areas_[v] * (0.5 * spring_ * squared +
                      kStrength * stiffness_ * log_barrier(1 - squared / (reach_ * reach_), kOnset).value);
}

/// With u = |d|²: w'(u) = spring / 2 - k b'(s) / reach², w''(u) = k b''(s) / reach⁴.
void SlideRateTerm::add_derivatives(std::size_t stencil, const TermState& state, StencilJet& jet) const {
  const VertexId v(stencil);
  if (carried_.empty() || areas_[v] == 0) return;
  const Vec3 d = state.positions[v] - carried_[v];
  const double per = 1 / (reach_ * reach_), k = kStrength * stiffness_;
  const ScalarJet barrier = log_barrier(1 - d.squaredNorm() * per, kOnset);
  const double first = areas_[v] * (0.5 * spring_ - k * barrier.first * per);
  const double second = areas_[v] * k * barrier.second * per * per;
  const Mat32& T = jet.directions[0];
  const Vec2 along = T.transpose() * d;
  jet.gradient += 2 * first * d;
  jet.hessian += 2 * first * T.transpose() * T + 4 * second * along * along.transpose();
}

}  // namespace cutis
