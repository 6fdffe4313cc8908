#include "cutis/flesh/bone_motion.h"

#include <algorithm>
#include <utility>

#include "cutis/body/rig/joint_weights.h"
#include "cutis/core/parallel.h"

namespace cutis {
namespace {

/// Weights of three joints, from the first on, at the welded vertices: as the coordinates of points.
Points three_weights(const Body& body, const Skeleton& skeleton, std::size_t first_joint) {
  Points out(body.mesh().vertex_count(), Vec3::Zero());
  const std::size_t count = std::min<std::size_t>(3, skeleton.joints.size() - first_joint);
  for (std::size_t k = 0; k < count; ++k) {
    const std::vector<double> weights = joint_weights(skeleton, first_joint + k);
    for (VertexId v : ids<VertexId>(out.size()))
      out[v][static_cast<Eigen::Index>(k)] = weights[body.weld().representative[v].index()];
  }
  return out;
}

}  // namespace

BoneMotion::BoneMotion(const Body& body, const BccLattice& lattice, const Embedding& embedding,
                       std::vector<NodeId> core)
    : body_(body) {
  const std::optional<Skeleton> skeleton = body.skeleton();
  if (!skeleton || skeleton->joints.empty() || skeleton->influences.empty()) return;
  nodes_ = std::move(core);
  const LaplaceExtension extension(lattice, {}, embedding, body.triangles().mesh);
  std::vector<std::vector<std::pair<double, int>>> found(nodes_.size());  // weight, joint
  for (std::size_t first = 0; first < skeleton->joints.size(); first += 3) {
    const Points weights = three_weights(body, *skeleton, first);
    if (std::all_of(weights.begin(), weights.end(), [](const Vec3& w) { return w.isZero(0); })) continue;
    const NodePoints extended = extension.positions({}, weights);
    // Past the last joint there is nothing but rounding.
    const int count = static_cast<int>(std::min<std::size_t>(3, skeleton->joints.size() - first));
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      for (int k = 0; k < count; ++k)
        if (const double weight = extended[nodes_[i]][k]; weight > 0)
          found[i].push_back({weight, static_cast<int>(first) + k});
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    rest_.push_back(lattice.mesh.positions[nodes_[i]]);
    const std::size_t count = std::min(kJoints, found[i].size());
    std::partial_sort(found[i].begin(), found[i].begin() + static_cast<std::ptrdiff_t>(count), found[i].end(),
                      [](const auto& a, const auto& b) {
                        return a.first != b.first ? a.first > b.first : a.second < b.second;
                      });
    double sum = 0;
    for (std::size_t k = 0; k < count; ++k) sum += found[i][k].first;
    Weights& own = weights_.emplace_back();
    for (std::size_t k = 0; k < count; ++k) {
      own.joints[k] = found[i][k].second;
      own.weights[k] = found[i][k].first / sum;
    }
  }
}

std::vector<Vec3> BoneMotion::positions(double time) const {
  const std::vector<JointTransform> joints = body_.joint_transforms(time);
  std::vector<Vec3> out(nodes_.size(), Vec3::Zero());
  parallel_for(out.size(), [&](std::size_t i) {
    const Weights& own = weights_[i];
    for (std::size_t k = 0; k < kJoints; ++k)
      if (own.weights[k] > 0) out[i] += own.weights[k] * (joints[at(own.joints[k])] * rest_[i].homogeneous());
  });
  return out;
}

}  // namespace cutis
