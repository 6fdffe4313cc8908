#include "cutis/flesh/flesh_target.h"

#include <utility>

#include "cutis/body/time_derivative.h"

namespace cutis {

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
