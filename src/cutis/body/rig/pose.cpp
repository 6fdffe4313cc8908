#include "cutis/body/rig/pose.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "cutis/body/rig/clip.h"
#include "cutis/core/error.h"

namespace cutis {
namespace {

Mat4 still_matrix(const Node& node) { return node.has_matrix ? node.matrix : node.local.matrix(); }

void apply(const Track& track, double time, Transform& local) {
  double v[4];
  sample(track, time, v);
  switch (track.path) {
    case TrackPath::Translation:
      local.translation = Vec3(v[0], v[1], v[2]);
      break;
    case TrackPath::Rotation:
      local.rotation = Quat(v[3], v[0], v[1], v[2]);
      break;
    case TrackPath::Scale:
      local.scale = Vec3(v[0], v[1], v[2]);
      break;
    case TrackPath::MorphWeights:
      break;
  }
}

std::vector<int> node_depths(const std::vector<Node>& nodes, std::span<const int> order) {
  std::vector<int> depths(nodes.size(), 0);
  for (int n : order)
    if (nodes[n].parent >= 0) depths[n] = depths[nodes[n].parent] + 1;
  return depths;
}

/// Position of the joint that is nearest to the root of the tree; the first of equals.
std::size_t topmost_joint(const Skin& skin, const std::vector<int>& depths) {
  std::size_t best = 0;
  for (std::size_t j = 1; j < skin.joints.size(); ++j)
    if (depths[skin.joints[j]] < depths[skin.joints[best]]) best = j;
  return best;
}

/// Joints that skins have placed, and where every other node stands below them.
class BindPlacer {
 public:
  BindPlacer(const Character& character, std::span<const int> order)
      : character_(character), order_(order), fixed_(character.nodes.size(), false) {
    pose_.globals.resize(character.nodes.size());
    pose_.placements.resize(character.skins.size(), Mat4::Identity());
    follow();
  }

  void place(std::size_t s, const std::vector<int>& depths) {
    const Skin& skin = character_.skins[s];
    if (skin.joints.empty()) return;
    std::size_t anchor = topmost_joint(skin, depths);
    for (std::size_t j = 0; j < skin.joints.size(); ++j) {
      const bool better =
          !fixed_[skin.joints[anchor]] || depths[skin.joints[j]] < depths[skin.joints[anchor]];
      if (fixed_[skin.joints[j]] && better) anchor = j;
    }
    const Mat4 placement = pose_.globals[skin.joints[anchor]] * skin.inverse_bind[anchor];
    pose_.placements[s] = placement;
    for (std::size_t j = 0; j < skin.joints.size(); ++j) {
      if (fixed_[skin.joints[j]] || !invertible(skin.inverse_bind[j])) continue;
      pose_.globals[skin.joints[j]] = placement * skin.inverse_bind[j].inverse();
      fixed_[skin.joints[j]] = true;
    }
    follow();
  }

  BindPose take() { return std::move(pose_); }

 private:
  void follow() {
    for (int n : order_) {
      if (fixed_[n]) continue;
      const Node& node = character_.nodes[n];
      const Mat4 local = still_matrix(node);
      pose_.globals[n] = node.parent >= 0 ? Mat4(pose_.globals[node.parent] * local) : local;
    }
  }

  const Character& character_;
  std::span<const int> order_;
  std::vector<bool> fixed_;
  BindPose pose_;
};

}  // namespace

std::vector<int> parents_first(const std::vector<Node>& nodes) {
  const int n = static_cast<int>(nodes.size());
  std::vector<std::vector<int>> children(nodes.size());
  std::vector<int> order;
  for (int i = 0; i < n; ++i) {
    const int parent = nodes[i].parent;
    if (parent < -1 || parent >= n)
      throw InputError(
          fmt::format("node {} \"{}\": its parent, node {}, does not exist", i, nodes[i].name, parent));
    if (parent < 0)
      order.push_back(i);
    else
      children[parent].push_back(i);
  }
  for (std::size_t i = 0; i < order.size(); ++i)
    order.insert(order.end(), children[order[i]].begin(), children[order[i]].end());
  if (order.size() == nodes.size()) return order;
  // What no root leads to hangs on a cycle.
  std::vector<bool> reached(nodes.size(), false);
  for (int i : order) reached[i] = true;
  const auto lost = std::find(reached.begin(), reached.end(), false) - reached.begin();
  throw InputError(fmt::format("node {} \"{}\": is its own ancestor; a node tree may not have cycles", lost,
                               nodes[lost].name));
}

std::vector<Mat4> global_matrices(const std::vector<Node>& nodes, std::span<const int> order,
                                  const Clip* clip, double time) {
  std::vector<Mat4> globals(nodes.size());
  for (std::size_t n = 0; n < nodes.size(); ++n) globals[n] = still_matrix(nodes[n]);
  if (clip) {
    std::vector<int> slot(nodes.size(), -1);
    std::vector<std::pair<int, Transform>> moved;
    for (const Track& track : clip->tracks) {
      if (track.path == TrackPath::MorphWeights) continue;
      if (slot[track.node] < 0) {
        slot[track.node] = static_cast<int>(moved.size());
        moved.emplace_back(track.node, nodes[track.node].local);
      }
      apply(track, time, moved[slot[track.node]].second);
    }
    for (const auto& [n, local] : moved) globals[n] = local.matrix();
  }
  for (int n : order)
    if (nodes[n].parent >= 0) globals[n] = (globals[nodes[n].parent] * globals[n]).eval();
  return globals;
}

bool invertible(const Mat4& m) {
  const Mat3 axes = m.topLeftCorner<3, 3>();
  const double volume = axes.colwise().norm().prod();
  return std::isfinite(volume) && std::abs(axes.determinant()) > 1e-12 * volume;
}

BindPose bind_pose(const Character& character, std::span<const int> order) {
  const std::vector<int> depths = node_depths(character.nodes, order);
  std::vector<std::size_t> skins(character.skins.size());
  std::iota(skins.begin(), skins.end(), 0);
  const auto depth_of = [&](std::size_t s) {
    const Skin& skin = character.skins[s];
    return skin.joints.empty() ? 0 : depths[skin.joints[topmost_joint(skin, depths)]];
  };
  std::stable_sort(skins.begin(), skins.end(),
                   [&](std::size_t a, std::size_t b) { return depth_of(a) < depth_of(b); });
  BindPlacer placer(character, order);
  for (std::size_t s : skins) placer.place(s, depths);
  return placer.take();
}

}  // namespace cutis
