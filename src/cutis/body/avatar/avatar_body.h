#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cutis/body/avatar/avatar.h"
#include "cutis/body/avatar/up_axis.h"
#include "cutis/body/body.h"

namespace cutis {

struct AvatarOptions {
  /// Shape numbers; without them those of the motion, else the mean shape. Fewer than the model has leave the
  /// others at zero.
  std::optional<std::vector<double>> betas = {};
  std::optional<double> fps = {};  ///< frames a second of the motion; without it what its file says, else 24
  UpAxis up = UpAxis::Z;           ///< of the motion; the body is turned so that y is up
  std::string rest = "bind";       ///< "bind" (arms out), "first" (frame of the motion) or "@0.5s"
  double scale = 1;                ///< metres a unit of the model, finite and above zero
  double weld_tolerance = -1;      ///< [m]; below zero: the default
};

/// A body model of the SMPL family in motion: shape, joints from the shape, pose-dependent surface, linear
/// blend skinning (Loper et al. 2015, Eqs. 2-10; STAR: Osman et al. 2020, Eq. 5). Joints of the model get
/// the rotation of the motion's joint of the same name; where the model's hand is one joint, that of the
/// index finger's first. Others stay as modelled.
///
/// Frames are met exactly. Between two frames each joint turns about one axis at one speed along the shorter
/// way (slerp), and the body moves in a straight line; smooth_positions() and joints go along smooth curves.
class AvatarBody final : public Body {
 public:
  /// Without a motion it holds still in its bind pose. Throws InputError when model and motion do not fit, or
  /// an option cannot be used.
  AvatarBody(AvatarModel model, std::optional<AvatarMotion> motion, const AvatarOptions& options = {});

  Interval duration() const override { return clip_.duration(); }
  SourcePoints compute_positions(double time) const override;
  SourcePoints smooth_positions(double time) const override;
  std::optional<Skeleton> skeleton() const override;
  std::vector<JointTransform> joint_transforms(double time) const override;

  const std::vector<double>& betas() const { return betas_; }  ///< as used; as many as the model has

 private:
  /// Rotation of each joint against its parent, and where the body stands.
  struct Pose {
    std::vector<Quat> rotations;
    Vec3 translation = Vec3::Zero();
    bool turned = false;  ///< from z up to y up
  };

  AvatarModel model_;  ///< shaped; its shape directions are spent
  std::vector<double> betas_;
  std::vector<Vec3> joints_;  ///< of the shaped body, in the model's units
  double scale_ = 1;
  UpAxis up_ = UpAxis::Y;
  Clip clip_, smooth_clip_;  ///< nodes are joints of the model; without tracks when it is still
  Pose rest_pose_;

  void set_shape(const std::optional<AvatarMotion>& motion, const std::optional<std::vector<double>>& betas);
  void set_motion(const AvatarMotion& motion, const AvatarOptions& options);
  Pose pose_at(const Clip& clip, double time) const;  ///< that of the model without tracks
  Pose pose_named(const std::string& rest) const;
  std::vector<double> pose_features(const Pose& pose) const;
  /// Rigid motion of each joint from the bind pose, in the model's units, before the body is placed.
  std::vector<Mat4> joint_matrices(const Pose& pose) const;
  /// In the world [m].
  Vec3 placed(const Pose& pose, const Vec3& p) const;
  Mat4 placement(const Pose& pose) const;  ///< the same as a matrix
  SourcePoints posed(const Pose& pose) const;
};

}  // namespace cutis
