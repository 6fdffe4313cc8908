#include "cutis/flesh/flesh_target.h"

#include <algorithm>
#include <utility>

namespace cutis {
namespace {

constexpr double kDifference = 5e-4;  ///< to either side [s]

/// Of what `positions` gives at a time, within an interval in which it moves.
template <class F>
auto rate_of_change(const F& positions, double time, const Interval& motion) {
  const double from = std::max(motion.begin, time - kDifference);
  const double to = std::min(motion.end, time + kDifference);
  auto out = positions(std::max(from, to));
  const auto before = positions(from);
  for (std::size_t i = 0; i < out.size(); ++i)
    out.raw()[i] = to > from ? Vec3((out.raw()[i] - before.raw()[i]) / (to - from)) : Vec3(Vec3::Zero());
  return out;
}

}  // namespace

FleshTarget::FleshTarget(const Body& body, const BccLattice& lattice, const Embedding& embedding,
                         std::vector<NodeId> core)
    : body_(body),
      bones_(body, lattice, embedding, std::move(core)),
      extension_(lattice, bones_.nodes(), embedding, body.triangles().mesh) {}

Points FleshTarget::surface(double time) const { return body_.weld().gather(body_.smooth_positions(time)); }

NodePoints FleshTarget::nodes(double time) const { return nodes(time, surface(time)); }

NodePoints FleshTarget::nodes(double time, const Points& surface) const {
  return extension_.positions(bones_.positions(time), surface);
}

NodePoints FleshTarget::velocities(double time) const {
  return rate_of_change([this](double t) { return nodes(t); }, time, body_.duration());
}

SourcePoints FleshTarget::source_velocities(double time) const {
  return rate_of_change([this](double t) { return body_.smooth_positions(t); }, time, body_.duration());
}

}  // namespace cutis
