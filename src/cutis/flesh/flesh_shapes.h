#pragma once

#include <optional>
#include <vector>

#include "cutis/body/simulation_stage.h"
#include "cutis/flesh/flesh_dynamics.h"
#include "cutis/flesh/lattice/bcc_lattice.h"
#include "cutis/flesh/rest_retargeting.h"
#include "cutis/solve/plastic_flow.h"
#include "cutis/solve/volume_transfer.h"

namespace cutis {

/// The shapes that elements of flesh have without stress, and what changes them: the animation, gravity's
/// compensation, plastic flow and volume that is handed on.
class FleshShapes {
 public:
  /// `core`: nodes that hang on the animation by springs where the options say so. All must outlive it.
  FleshShapes(const BccLattice& lattice, const std::vector<NodeId>& core, FleshDynamics& flesh,
              const FleshOptions& options);

  std::size_t size() const { return rest_edges_.size(); }
  /// What is done to elements and nodes where the animation, which is there now, folds them, and to those
  /// that grow as far as they may.
  std::vector<StepNote> notes(const NodePoints& animated) const;

  /// Takes over the shapes of the animation at once.
  void start(const NodePoints& animated);
  /// Changes them so that these weights of the nodes [N] take the flesh back to where it is.
  void compensate(const NodePoints& weights, const NodePoints& animated);
  /// Before a step of `dt` [s] at whose end the animation is there. The shapes are those after a share of the
  /// step, when the animation is at `then`.
  void follow(const NodePoints& animated, const NodePoints& then, double dt, double share);
  /// After a step.
  void flow(double dt);

  /// Of an element now, against its shape without stress.
  Mat3 deformation(std::size_t element) const;

  void save(State& state) const;
  void restore(const State& state);

 private:
  const BccLattice& lattice_;
  const std::vector<NodeId>& core_;
  FleshDynamics& flesh_;
  const FleshOptions& options_;
  RestRetargeting retargeting_;
  std::optional<PlasticFlow<3>> plastic_;
  std::optional<VolumeTransfer> volume_;
  std::vector<Mat3> rest_edges_;    ///< of each element, on the body at rest [m]
  std::vector<Mat3> compensation_;  ///< of gravity

  VolumeTransfer volume_transfer() const;
  void hand_volume_on(double dt);
  Mat3 edges(std::size_t element, double share = 1) const;
  void set_rest_shapes(const NodePoints& animated, double share = 1);
  void set_anchors(const NodePoints& animated);
};

}  // namespace cutis
