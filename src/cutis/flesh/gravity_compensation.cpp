#include "cutis/flesh/gravity_compensation.h"

#include <algorithm>
#include <limits>

#include <Eigen/LU>

#include "cutis/material/solid/signed_svd.h"

namespace cutis {
namespace {

/// Rounds of letting the flesh sag and moving its shape at rest back by as much...
constexpr int kMaxRounds = 6;
/// ... until what is left of the first sag is this share.
constexpr double kSagLeft = 0.03;
/// ... or a round leaves this share of the one before.
constexpr double kNoGain = 0.8;
/// Elements whose shape would be flatter than this share of what they are keep theirs.
constexpr double kFlattestShape = 0.2;

double furthest(const NodePoints& a, const NodePoints& b) {
  double most = 0;
  for (NodeId v : ids<NodeId>(a.size())) most = std::max(most, (a[v] - b[v]).norm());
  return most;
}

}  // namespace

/// The shapes at rest are those of nodes that lie higher by as much as gravity lets them sink; turned into
/// the frame of the edges.
std::vector<Mat3> gravity_compensation(FleshDynamics& flesh, const std::vector<Mat3>& edges,
                                       const std::vector<double>& shares, const NodePoints& weights) {
  FleshProblem& problem = flesh.problem();
  const FleshMotion modelled = flesh.motion();
  NodePoints lifted = modelled.positions;
  std::vector<Mat3> out(edges.size(), Mat3::Identity());
  double first_sag = 0, last_sag = std::numeric_limits<double>::infinity();
  for (int round = 0; round < kMaxRounds; ++round) {
    flesh.set_motion(modelled);
    flesh.settle(weights);
    const NodePoints& sunk = flesh.motion().positions;
    const double sag = furthest(sunk, modelled.positions);
    if (round == 0) first_sag = sag;
    if (sag <= kSagLeft * first_sag || sag > kNoGain * last_sag) break;
    last_sag = sag;
    for (NodeId v : ids<NodeId>(lifted.size())) lifted[v] += modelled.positions[v] - sunk[v];
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const TetId t = problem.elements()[e];
      const SignedSvd turn =
          signed_svd(tet_edges(problem.mesh(), modelled.positions, t) * edges[e].inverse());
      const Mat3 rotation = turn.U * turn.V.transpose();
      const Mat3 change = rotation.transpose() * tet_edges(problem.mesh(), lifted, t) * edges[e].inverse();
      if (signed_svd(change).stretches[2] >= kFlattestShape) out[e] = change;
      problem.set_rest(e, out[e] * edges[e], shares[e]);
    }
  }
  flesh.set_motion(modelled);
  return out;
}

}  // namespace cutis
