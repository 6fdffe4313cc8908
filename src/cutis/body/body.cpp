#include "cutis/body/body.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include "cutis/surface/mesh/repair_weld.h"

namespace cutis {
namespace {

/// Between the places that a velocity is taken from: far below a frame, far above rounding [s].
constexpr double kVelocityStep = 1e-4;

/// The derivative at `x` of the polynomial that is 1 at `node` and 0 at the other whole numbers from -2 to 2.
double lagrange_derivative(int node, double x) {
  double sum = 0;
  for (int left_out = -2; left_out <= 2; ++left_out) {
    if (left_out == node) continue;
    double product = 1.0 / (node - left_out);
    for (int other = -2; other <= 2; ++other)
      if (other != node && other != left_out) product *= (x - other) / (node - other);
    sum += product;
  }
  return sum;
}

struct Sample {
  double time;
  double weight;
};

/// Moments whose weighted sum is the derivative of a motion at `time`: five around it, moved to where all of
/// them are within the motion, and the polynomial through them (Lagrange). None where it holds still.
std::vector<Sample> derivative_samples(const Interval& moves, double time) {
  if (time < moves.begin || time > moves.end || !(moves.length() > 0)) return {};
  const double h = std::min(kVelocityStep, moves.length() / 4);
  const double middle = std::clamp(time, moves.begin + 2 * h, moves.end - 2 * h), at = (time - middle) / h;
  std::vector<Sample> samples;
  for (int i = -2; i <= 2; ++i) samples.push_back({middle + i * h, lagrange_derivative(i, at) / h});
  return samples;
}

/// How much of each vertex moves with a joint.
VertexAttribute joint_weights(const Skeleton& skeleton, std::size_t joint) {
  const Influences& w = skeleton.influences;
  VertexAttribute weights{skeleton.joints[joint].name, 1, std::vector<double>(w.offsets.size() - 1, 0)};
  for (std::size_t v = 0; v < weights.values.size(); ++v)
    for (auto k = w.offsets[v]; k < w.offsets[v + 1]; ++k)
      if (static_cast<std::size_t>(w.joints[k]) == joint) weights.values[v] += w.weights[k];
  return weights;
}

}  // namespace

void Body::set_rest(SourceMesh rest, double weld_tolerance) {
  source_ = std::move(rest);
  weld_ = repaired_weld(
      cutis::weld(source_, weld_tolerance < 0 ? default_weld_tolerance(source_) : weld_tolerance));
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
      if (same_attribute(rig->joints[j].name, name)) return joint_weights(*rig, j);
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
