#include "cutis/flesh/flesh_shapes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <Eigen/LU>

#include "cutis/body/saved_vectors.h"
#include "cutis/core/parallel.h"
#include "cutis/flesh/distortion_flow.h"
#include "cutis/flesh/gravity_compensation.h"
#include "cutis/flesh/lattice/lattice_measures.h"

namespace cutis {
FleshShapes::FleshShapes(const BccLattice& lattice, const std::vector<NodeId>& core, FleshDynamics& flesh,
                         const FleshOptions& options)
    : lattice_(lattice),
      core_(core),
      flesh_(flesh),
      options_(options),
      retargeting_(flesh.problem().mesh(), flesh.problem().elements(), flesh.problem().group_ends(),
                   options.retarget_time > 0 ? 1 / options.retarget_time : 0) {
  const std::vector<TetId>& elements = flesh.problem().elements();
  for (TetId t : elements) rest_edges_.push_back(tet_edges(lattice.mesh, lattice.mesh.positions, t));
  compensation_.assign(elements.size(), Mat3::Identity());
  if (options.plastic_yield) plastic_.emplace(elements.size(), *options.plastic_yield, options.plastic_rate);
  if (options.keep_volume) volume_.emplace(volume_transfer());
}

/// Of the share of each tetrahedron that is body.
VolumeTransfer FleshShapes::volume_transfer() const {
  std::vector<double> volumes;
  std::vector<std::size_t> nodes;
  for (TetId t : ids<TetId>(lattice_.mesh.tet_count())) {
    volumes.push_back(body_volume(lattice_, t));
    for (NodeId v : lattice_.mesh.tets[t]) nodes.push_back(v.index());
  }
  std::vector<char> grows(volumes.size(), 0);
  for (TetId t : flesh_.problem().elements()) grows[t.index()] = 1;
  return {std::move(volumes), std::move(nodes), std::move(grows)};
}

void FleshShapes::start(const NodePoints& animated) {
  if (options_.retarget_time > 0) retargeting_.start(animated);
  set_rest_shapes(animated);
}

void FleshShapes::compensate(const NodePoints& weights, const NodePoints& animated) {
  std::vector<Mat3> edges;
  std::vector<double> shares;
  for (std::size_t e = 0; e < size(); ++e) {
    edges.push_back(retargeting_.stretch(e) * rest_edges_[e]);
    shares.push_back(retargeting_.stiffness_share(e));
  }
  compensation_ = gravity_compensation(flesh_, edges, shares, weights);
  set_rest_shapes(animated);
}

void FleshShapes::follow(const NodePoints& animated, const NodePoints& then, double dt, double share) {
  retargeting_.advance(animated, dt);
  set_rest_shapes(then, share);
}

void FleshShapes::flow(double dt) {
  if (plastic_) parallel_for(size(), [&](std::size_t e) { flow_in_shape(*plastic_, e, deformation(e), dt); });
  if (volume_) hand_volume_on(dt);
}

void FleshShapes::hand_volume_on(double dt) {
  const TetMesh& mesh = lattice_.mesh;
  std::vector<double> ratios(mesh.tet_count());
  parallel_for(ratios.size(), [&](std::size_t i) {
    ratios[i] = tet_edges(mesh, flesh_.motion().positions, TetId(i)).determinant() /
                tet_edges(mesh, mesh.positions, TetId(i)).determinant();
  });
  volume_->advance(ratios, dt);
}

/// Without stress, after a share of the last step [m].
Mat3 FleshShapes::edges(std::size_t e, double share) const {
  Mat3 edges = compensation_[e] * retargeting_.stretch(e, share) * rest_edges_[e];
  if (plastic_) edges = (*plastic_)[e] * edges;
  if (volume_) edges *= std::cbrt(volume_->growth(flesh_.problem().elements()[e].index()));
  return edges;
}

Mat3 FleshShapes::deformation(std::size_t e) const {
  const TetId t = flesh_.problem().elements()[e];
  return tet_edges(lattice_.mesh, flesh_.motion().positions, t) * edges(e).inverse();
}

void FleshShapes::set_rest_shapes(const NodePoints& animated, double share) {
  set_anchors(animated);
  parallel_for(size(), [&](std::size_t e) {
    flesh_.problem().set_rest(e, edges(e, share), retargeting_.stiffness_share(e));
  });
}

/// Springs to the animation. Nodes of elements that lose their stiffness where the animation folds them go
/// with it instead: with their whole mass and hardly anything to hold it they would hang far out.
void FleshShapes::set_anchors(const NodePoints& animated) {
  const FleshTissue& tissue = flesh_.problem().tissue();
  IdVector<NodeId, double> stiffness(animated.size(), 0);
  bool any = options_.core_stiffness > 0;
  // A cell has two nodes.
  if (any)
    for (NodeId v : core_) stiffness[v] = options_.core_stiffness * lattice_.cell / std::cbrt(2.0);
  for (std::size_t e = 0; e < size(); ++e) {
    const double lost = 1 - retargeting_.stiffness_share(e);
    if (!(lost > 0)) continue;
    any = true;
    const TetId t = flesh_.problem().elements()[e];
    const double width = std::cbrt(std::abs(rest_edges_[e].determinant()));
    for (NodeId v : tissue.mesh.tets[t])
      stiffness[v] += lost * tissue.stiffness[t] * tissue.law.young * width;
  }
  if (any)
    flesh_.problem().set_anchors(animated, std::move(stiffness));
  else
    flesh_.problem().set_anchors({}, {});
}

std::vector<StepNote> FleshShapes::notes(const NodePoints& animated) const {
  StepNote inverted{
      "tetrahedra inverted or nearly so by the animation, which keep their last valid rest shape",
      retargeting_.kept()};
  StepNote softened{"tetrahedra softened in folds of the animation", 0, 0, "of their stiffness"};
  StepNote held{"nodes of these on springs to the animation", 0, 0, "m from it"};
  StepNote clamped{"tetrahedra that grow or shrink as far as they may to keep the volume"};
  IdVector<NodeId, char> on_spring(animated.size(), 0);
  for (std::size_t e = 0; e < size(); ++e) {
    const TetId t = flesh_.problem().elements()[e];
    clamped.count += volume_ && volume_->is_clamped(t.index());
    const double lost = 1 - retargeting_.stiffness_share(e);
    if (!(lost > 0)) continue;
    ++softened.count;
    softened.largest = std::max(softened.largest, lost);
    for (NodeId v : flesh_.problem().tissue().mesh.tets[t]) {
      if (flesh_.problem().tissue().fixed[v] || std::exchange(on_spring[v], 1)) continue;
      ++held.count;
      held.largest = std::max(held.largest, (flesh_.motion().positions[v] - animated[v]).norm());
    }
  }
  std::vector<StepNote> notes{std::move(inverted), std::move(softened), std::move(held), std::move(clamped)};
  std::erase_if(notes, [](const StepNote& note) { return note.count == 0; });
  return notes;
}

void FleshShapes::save(State& state) const {
  state.numbers["shapes"] = retargeting_.save();
  state.numbers["compensation"] = numbers_of(compensation_);
  if (plastic_) state.numbers["plastic"] = plastic_->save();
  if (volume_) state.numbers["growth"] = volume_->save();
}

void FleshShapes::restore(const State& state) {
  retargeting_.restore(state.numbers.at("shapes"));
  compensation_ = matrices_of(state.numbers.at("compensation"));
  if (plastic_) plastic_->restore(state.numbers.at("plastic"));
  if (volume_) volume_->restore(state.numbers.at("growth"));
}

}  // namespace cutis
