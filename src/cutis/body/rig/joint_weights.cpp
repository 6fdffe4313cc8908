#include "cutis/body/rig/joint_weights.h"

namespace cutis {

std::vector<double> joint_weights(const Skeleton& skeleton, std::size_t joint) {
  const Influences& w = skeleton.influences;
  std::vector<double> weights(w.offsets.size() - 1, 0);
  for (std::size_t v = 0; v < weights.size(); ++v)
    for (auto k = w.offsets[v]; k < w.offsets[v + 1]; ++k)
      if (static_cast<std::size_t>(w.joints[k]) == joint) weights[v] += w.weights[k];
  return weights;
}

void add_between(const Influences& from, const std::array<SourceVertexId, 3>& corners,
                 const Vec3& barycentric, Influences& to) {
  for (std::size_t i = 0; i < 3; ++i) {
    const double share = barycentric[static_cast<int>(i)];
    const std::size_t v = corners[i].index();
    for (auto k = from.offsets[v]; share != 0 && k < from.offsets[v + 1]; ++k) {
      to.joints.push_back(from.joints[k]);
      to.weights.push_back(share * from.weights[k]);
    }
  }
  to.offsets.push_back(static_cast<std::int32_t>(to.joints.size()));
}

}  // namespace cutis
