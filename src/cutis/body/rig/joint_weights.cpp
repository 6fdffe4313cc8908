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

}  // namespace cutis
