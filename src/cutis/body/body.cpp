#include "cutis/body/body.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include "cutis/body/rig/joint_weights.h"
#include "cutis/body/time_derivative.h"
#include "cutis/surface/mesh/repair_weld.h"

namespace cutis {

void Body::set_rest(SourceMesh rest, double weld_tolerance) {
  Weld joined = cutis::weld(rest, weld_tolerance < 0 ? default_weld_tolerance(rest) : weld_tolerance);
  set_rest(std::move(rest), repaired_weld(std::move(joined)));
}

void Body::set_rest(SourceMesh rest, Weld weld) {
  source_ = std::move(rest);
  weld_ = std::move(weld);
}

const Body::RestSurface& Body::rest_surface() const {
  std::call_once(surface_built_, [this] {
    rest_surface_.triangles = triangulated(mesh());
    rest_surface_.surface = std::make_shared<const Surface>(rest_surface_.triangles.mesh);
  });
  return rest_surface_;
}

SourcePoints Body::source_positions(double time) const {
  {
    const std::lock_guard lock(pose_mutex_);
    if (last_pose_ && last_pose_->time == time) return last_pose_->positions;
  }
  SourcePoints positions = compute_positions(time);
  const std::lock_guard lock(pose_mutex_);
  last_pose_ = {time, positions};
  return positions;
}

SourcePoints Body::source_velocities(double time) const {
  SourcePoints velocities(source_.vertex_count(), Vec3::Zero());
  for (const auto& [moment, weight] : derivative_samples(duration(), time)) {
    const SourcePoints positions = compute_positions(moment);
    for (SourceVertexId v : ids<SourceVertexId>(velocities.size())) velocities[v] += weight * positions[v];
  }
  return velocities;
}

std::vector<JointTransform> Body::joint_velocities(double time) const {
  std::vector<JointTransform> velocities(joint_transforms(time).size(), JointTransform::Zero());
  for (const auto& [moment, weight] : derivative_samples(duration(), time)) {
    const std::vector<JointTransform> transforms = joint_transforms(moment);
    for (std::size_t j = 0; j < velocities.size(); ++j) velocities[j] += weight * transforms[j];
  }
  return velocities;
}

std::optional<VertexAttribute> Body::attribute(const std::string& name) const {
  for (const VertexAttribute& attribute : attributes_)
    if (same_attribute(attribute.name, name)) return attribute;
  if (const std::optional<Skeleton> rig = skeleton())
    for (std::size_t j = 0; j < rig->joints.size(); ++j)
      if (same_attribute(rig->joints[j].name, name))
        return VertexAttribute{rig->joints[j].name, 1, joint_weights(*rig, j)};
  return std::nullopt;
}

std::vector<std::string> Body::attribute_names() const {
  std::vector<std::string> names;
  for (const VertexAttribute& attribute : attributes_) names.push_back(attribute.name);
  for (const SkeletonJoint& joint : joints())
    if (!joint.name.empty() && std::ranges::find(names, joint.name) == names.end())
      names.push_back(joint.name);
  return names;
}

bool same_attribute(const std::string& a, const std::string& b) {
  const auto bare = [](const std::string& name) {
    return std::string_view(name).substr(name.starts_with('_') && name.size() > 1 ? 1 : 0);
  };
  return std::ranges::equal(
      bare(a), bare(b), [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

std::vector<SkeletonJoint> Body::joints() const {
  const std::optional<Skeleton> rig = skeleton();
  return rig ? rig->joints : std::vector<SkeletonJoint>();
}

}  // namespace cutis
