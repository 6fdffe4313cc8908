#include "cutis/body/avatar/avatar_body.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cutis/body/rig/choose.h"
#include "cutis/body/rig/clip.h"
#include "cutis/body/rig/smooth_clip.h"
#include "cutis/core/error.h"
#include "cutis/core/log.h"
#include "cutis/core/parallel.h"
#include "cutis/surface/mesh/largest_coordinate.h"

namespace cutis {
namespace {

/// The rotation about `turn` by its length. Of the two quaternions the one with w >= 0, so that what is
/// computed from it depends on the rotation alone.
Quat rotation_of(const Vec3& turn) {
  const double angle = turn.norm();
  // sin(a/2)/a, also where a is zero
  const double s = angle > 1e-8 ? std::sin(angle / 2) / angle : 0.5;
  Quat q(std::cos(angle / 2), s * turn.x(), s * turn.y(), s * turn.z());
  if (q.w() < 0) q.coeffs() *= -1;
  return q.normalized();
}

/// A track for where the body stands, and one for each joint that moves.
Clip to_clip(const AvatarMotion& motion, const std::vector<int>& matched, double fps) {
  Track still;
  for (std::size_t frame = 0; frame < motion.frame_count(); ++frame)
    still.times.push_back(static_cast<double>(frame) / fps);
  Clip clip{motion.file, {still}};
  for (const Vec3& p : motion.translations)
    clip.tracks[0].values.insert(clip.tracks[0].values.end(), p.begin(), p.end());
  for (std::size_t j = 0; j < matched.size(); ++j) {
    if (matched[j] < 0) continue;
    Track& track = clip.tracks.emplace_back(still);
    track.node = static_cast<int>(j);
    track.path = TrackPath::Rotation;
    for (std::size_t frame = 0; frame < motion.frame_count(); ++frame) {
      const Quat q =
          rotation_of(motion.rotations[frame * motion.joint_count() + static_cast<std::size_t>(matched[j])]);
      track.values.insert(track.values.end(), {q.x(), q.y(), q.z(), q.w()});
    }
  }
  return clip;
}

/// Which joint of the motion moves each joint of the model; -1 for none.
std::vector<int> matched_joints(const AvatarModel& model, const AvatarMotion& motion) {
  const auto find = [&](const std::string& name) {
    const auto at = std::find(motion.joint_names.begin(), motion.joint_names.end(), name);
    return at == motion.joint_names.end() ? -1 : static_cast<int>(at - motion.joint_names.begin());
  };
  std::vector<int> matched;
  for (const std::string& name : model.joint_names) {
    int j = find(name);
    if (j < 0 && name == "left_hand") j = find("left_index1");
    if (j < 0 && name == "right_hand") j = find("right_index1");
    matched.push_back(j);
  }
  if (matched[0] < 0)
    throw InputError(fmt::format("{}: moves {} joints, which are none of the {} that {} has", motion.file,
                                 motion.joint_count(), model.joint_count(), model.file));
  return matched;
}

}  // namespace

AvatarBody::AvatarBody(AvatarModel model, std::optional<AvatarMotion> motion, const AvatarOptions& options)
    : model_(std::move(model)), scale_(options.scale) {
  if (!(scale_ > 0) || !std::isfinite(scale_))
    throw InputError(fmt::format("{}: scale {} is not above zero", model_.file, scale_));
  set_shape(motion, options.betas);
  if (motion) set_motion(*motion, options);
  rest_pose_ = pose_named(options.rest);
  SourceMesh rest = model_.mesh;
  rest.positions = posed(rest_pose_);
  for (const Vec3& p : rest.positions)
    if (!is_place(p))
      throw InputError(fmt::format("{}: the rest shape is too large to compute with; give smaller body.betas",
                                   model_.file));
  set_rest(std::move(rest), options.weld_tolerance);
}

/// SMPL, Eqs. 8 and 10: the shaped surface T + S beta, and its joints J (T + S beta).
void AvatarBody::set_shape(const std::optional<AvatarMotion>& motion,
                           const std::optional<std::vector<double>>& betas) {
  const std::string file = betas || !motion ? model_.file : motion->file;
  if (betas)
    betas_ = *betas;
  else if (motion)
    betas_ = motion->betas;
  if (betas_.size() > model_.shape_count)
    log().info("{}: {} betas are given, the first {} are used: {} has no more", file, betas_.size(),
               model_.shape_count, model_.file);
  betas_.resize(model_.shape_count, 0);
  for (double beta : betas_)
    if (!(std::abs(beta) <= 1000))
      throw InputError(fmt::format("{}: a beta of {} is no body shape; betas are a few units", file, beta));
  const double* directions = model_.shape_directions.data();
  for (Vec3& p : model_.mesh.positions)
    for (int c = 0; c < 3; ++c)
      for (double beta : betas_) p[c] += *directions++ * beta;
  model_.shape_directions = {};
  joints_ = joint_places(model_);
}

void AvatarBody::set_motion(const AvatarMotion& motion, const AvatarOptions& options) {
  up_ = options.up;
  clip_ =
      to_clip(motion, matched_joints(model_, motion), options.fps.value_or(motion.fps > 0 ? motion.fps : 24));
  smooth_clip_ = smoothed(clip_);
  if (!motion.gender.empty())
    log().info("{}: was captured on a {} body; betas fit the model of that gender", motion.file,
               motion.gender);
}

AvatarBody::Pose AvatarBody::pose_at(const Clip& clip, double time) const {
  Pose pose{std::vector<Quat>(model_.joint_count(), Quat::Identity()), Vec3::Zero(),
            !clip.tracks.empty() && up_ == UpAxis::Z};
  for (const Track& track : clip.tracks) {
    if (track.path == TrackPath::Translation) {
      sample(track, time, {pose.translation.data(), 3});
      continue;
    }
    Vec4& q = pose.rotations[static_cast<std::size_t>(track.node)].coeffs();
    sample(track, time, {q.data(), 4});
    if (q.w() < 0) q *= -1;
  }
  return pose;
}

AvatarBody::Pose AvatarBody::pose_named(const std::string& rest) const {
  if (rest.empty() || rest == "bind") return pose_at(Clip(), 0);
  if (rest == "first") return pose_at(clip_, 0);
  const NamedPose named = parse_named_pose(model_.file, rest);
  if (!named.clip.empty())
    throw InputError(fmt::format("{}: rest \"{}\": an avatar has one motion, without a name; write \"@{}s\"",
                                 model_.file, rest, named.time));
  if (named.time < 0 || named.time > duration().end)
    throw InputError(
        fmt::format("{}: rest \"{}\": the motion runs from 0 s to {} s", model_.file, rest, duration().end));
  return pose_at(clip_, named.time);
}

std::vector<double> AvatarBody::pose_features(const Pose& pose) const {
  std::vector<double> features;
  for (std::size_t j = 1; j < pose.rotations.size(); ++j) {
    const Quat& q = pose.rotations[j];
    if (model_.features == PoseFeatures::Quaternions) {
      features.insert(features.end(), {q.x(), q.y(), q.z(), q.w() - 1});
      continue;
    }
    const Mat3 R = q.toRotationMatrix();
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) features.push_back(R(r, c) - (r == c));
  }
  // STAR's last feature is the second shape number: how heavy the body is.
  if (model_.features == PoseFeatures::Quaternions) features.push_back(betas_.size() > 1 ? betas_[1] : 0);
  return features;
}

std::vector<Mat4> AvatarBody::joint_matrices(const Pose& pose) const {
  std::vector<Mat4> matrices(joints_.size());
  // Parents stand before their children: the reader sees to it.
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const int parent = model_.parents[j];
    Mat4 local = Mat4::Identity();
    local.topLeftCorner<3, 3>() = pose.rotations[j].toRotationMatrix();
    local.topRightCorner<3, 1>() = parent < 0 ? joints_[j] : Vec3(joints_[j] - joints_[parent]);
    matrices[j] = parent < 0 ? local : Mat4(matrices[parent] * local);
  }
  for (std::size_t j = 0; j < joints_.size(); ++j)
    matrices[j].topRightCorner<3, 1>() -= matrices[j].topLeftCorner<3, 3>() * joints_[j];
  return matrices;
}

Vec3 AvatarBody::placed(const Pose& pose, const Vec3& p) const {
  const Vec3 there = p + pose.translation;
  return scale_ * (pose.turned ? Vec3(there.x(), there.z(), -there.y()) : there);
}

Mat4 AvatarBody::placement(const Pose& pose) const {
  Mat4 m = Mat4::Identity();
  m.topRightCorner<3, 1>() = placed(pose, Vec3::Zero());
  Pose standing = pose;
  standing.translation.setZero();
  for (int c = 0; c < 3; ++c) m.col(c).head<3>() = placed(standing, Vec3::Unit(c));
  return m;
}

SourcePoints AvatarBody::posed(const Pose& pose) const {
  const std::vector<Mat4> matrices = joint_matrices(pose);
  const std::vector<double> features = pose_features(pose);
  const Influences& w = model_.influences;
  SourcePoints points = model_.mesh.positions;
  parallel_for(
      points.size(),
      [&](std::size_t v) {
        Vec3& p = points.raw()[v];
        const double* directions = model_.pose_directions.data() + 3 * v * features.size();
        for (int c = 0; c < 3; ++c)
          for (double feature : features) p[c] += *directions++ * feature;
        // x = sum_k w_k G_k p (SMPL, Eq. 7)
        Vec4 sum = Vec4::Zero();
        for (auto k = w.offsets[v]; k < w.offsets[v + 1]; ++k)
          sum += w.weights[k] * (matrices[w.joints[k]] * p.homogeneous());
        p = placed(pose, sum.head<3>());
      },
      256);
  return points;
}

SourcePoints AvatarBody::compute_positions(double time) const { return posed(pose_at(clip_, time)); }

SourcePoints AvatarBody::smooth_positions(double time) const { return posed(pose_at(smooth_clip_, time)); }

std::vector<JointTransform> AvatarBody::joint_transforms(double time) const {
  const Pose pose = pose_at(smooth_clip_, time);
  const std::vector<Mat4> rest = joint_matrices(rest_pose_), now = joint_matrices(pose);
  const Mat4 to_model = placement(rest_pose_).inverse(), to_world = placement(pose);
  std::vector<JointTransform> transforms;
  for (std::size_t j = 0; j < now.size(); ++j)
    transforms.push_back((to_world * now[j] * rest[j].inverse() * to_model).topRows<3>());
  return transforms;
}

std::optional<Skeleton> AvatarBody::skeleton() const {
  const std::vector<Mat4> matrices = joint_matrices(rest_pose_);
  Skeleton skeleton{{}, model_.influences};
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const Vec3 place = (matrices[j] * joints_[j].homogeneous()).head<3>();
    skeleton.joints.push_back({model_.joint_names[j], model_.parents[j], placed(rest_pose_, place)});
  }
  return skeleton;
}

}  // namespace cutis
