#include "cutis/run/result_body.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "cutis/body/cache/frame_blend.h"
#include "cutis/core/error.h"
#include "cutis/core/parallel.h"
#include "cutis/io/frame_fields.h"

namespace cutis {
namespace {

/// The largest values so far, by the name of the field.
void add_fields(const Npz& fields, const SourceMesh& mesh, std::map<std::string, VertexAttribute>& painted) {
  for (const FrameField& field : frame_fields(fields, mesh)) {
    if (field.place != FrameField::Place::Vertex) continue;
    const std::vector<double> values = to_doubles(*field.array);
    const auto [at, first] =
        painted.try_emplace(field.name, VertexAttribute{field.name, field.components, values});
    if (first) continue;
    for (std::size_t i = 0; i < values.size(); ++i)
      at->second.values[i] = std::max(at->second.values[i], values[i]);
  }
}

/// One entry of the frames, with its velocities.
template <class Frames, class Index>
auto hermite(const HermiteBlend& blend, const Frames& frames, const Frames& velocities, Index i) {
  return (blend.position[0] * frames[blend.frame][i] + blend.position[1] * frames[blend.next][i] +
          blend.velocity[0] * velocities[blend.frame][i] + blend.velocity[1] * velocities[blend.next][i])
      .eval();
}

/// Between frames with the velocities of parabolas through three of them.
SourcePoints along_parabolas(const std::vector<double>& times, const std::vector<SourcePoints>& frames,
                             double time) {
  const FrameBlend blend = blend_at(times, time);
  if (blend.count == 1) return frames[blend.first];
  SourcePoints points(frames.front().size());
  parallel_for(points.size(), [&](std::size_t i) {
    const SourceVertexId v(i);
    points[v] = blended(blend, [&](std::size_t frame) { return frames[frame][v]; });
  });
  return points;
}

}  // namespace

ResultBody::ResultBody(const std::filesystem::path& folder, BodyOpener open, double scale,
                       double weld_tolerance) {
  const ResultReader result(folder, std::move(open));
  const Summary& summary = result.summary();
  if (!summary.complete || result.frame_count() == 0)
    throw InputError(
        fmt::format("{}: the result is not finished, so it cannot be a body; finish it with "
                    "`cutis simulate SHOT --resume`",
                    folder.string()));
  fps_ = summary.fps;
  SourceMesh mesh = result.mesh().mesh;
  std::map<std::string, VertexAttribute> painted;
  for (int i = 1; i <= result.frame_count(); ++i) {
    ResultFrame frame = result.frame(i);
    add_fields(frame.fields, mesh, painted);
    for (FrameSample& sample : frame.samples) add(std::move(sample), scale);
    add_animation(frame, scale);
    add({{frame.time, std::move(frame.positions), std::move(frame.velocities)},
         std::move(frame.joints),
         std::move(frame.joint_velocities)},
        scale);
  }
  if (velocities_.size() < frames_.size()) velocities_.clear();
  if (static_cast<int>(animation_.size()) < result.frame_count()) animation_.clear();
  skeleton_ = result.mesh().skeleton;
  if (skeleton_)
    for (SkeletonJoint& joint : skeleton_->joints) joint.position *= scale;
  for (Vec3& p : mesh.positions) p *= scale;
  set_rest(std::move(mesh), weld_tolerance);
  for (const VertexAttribute& attribute : result.mesh().attributes)
    painted.try_emplace(attribute.name, attribute);
  for (const auto& [name, inside] : result.mesh().regions)
    painted.try_emplace(name, VertexAttribute{name, 1, {inside.begin(), inside.end()}});
  std::vector<VertexAttribute> attributes;
  for (auto& [name, attribute] : painted) attributes.push_back(std::move(attribute));
  set_attributes(std::move(attributes));
  set_face_groups(result.mesh().materials, result.mesh().parts);
}

void ResultBody::add(FrameSample sample, double scale) {
  times_.push_back(sample.time);
  for (Vec3& p : sample.positions) p *= scale;
  for (Vec3& v : sample.velocities) v *= scale;
  for (JointTransform& m : sample.joints) m.col(3) *= scale;
  for (JointTransform& m : sample.joint_velocities) m.col(3) *= scale;
  frames_.push_back(std::move(sample.positions));
  if (!sample.velocities.empty()) velocities_.push_back(std::move(sample.velocities));
  joints_.push_back(std::move(sample.joints));
  joint_velocities_.push_back(std::move(sample.joint_velocities));
}

void ResultBody::add_animation(ResultFrame& frame, double scale) {
  if (frame.animation.empty()) return;
  for (Vec3& p : frame.animation) p *= scale;
  animation_times_.push_back(frame.time);
  animation_.push_back(std::move(frame.animation));
}

SourcePoints ResultBody::with_velocities(double time) const {
  const HermiteBlend blend = hermite_at(times_, time);
  if (blend.next == blend.frame) return frames_[blend.frame];
  SourcePoints points(source().vertex_count());
  parallel_for(points.size(), [&](std::size_t i) {
    points[SourceVertexId(i)] = hermite(blend, frames_, velocities_, SourceVertexId(i));
  });
  return points;
}

/// Entry by entry: a joint that turns by an angle between two frames is off a rotation by angle^4 / 384.
std::vector<JointTransform> ResultBody::joint_transforms(double time) const {
  const HermiteBlend blend = hermite_at(times_, time);
  if (blend.next == blend.frame) return joints_[blend.frame];
  std::vector<JointTransform> transforms(joints_[blend.frame].size());
  for (std::size_t j = 0; j < transforms.size(); ++j)
    transforms[j] = hermite(blend, joints_, joint_velocities_, j);
  return transforms;
}

std::optional<SourcePoints> ResultBody::animation(double time) const {
  if (animation_.empty()) return std::nullopt;
  return along_parabolas(animation_times_, animation_, time);
}

SourcePoints ResultBody::compute_positions(double time) const {
  return velocities_.empty() ? along_parabolas(times_, frames_, time) : with_velocities(time);
}

}  // namespace cutis
