#pragma once

#include <vector>

#include "cutis/run/result.h"

namespace cutis {

/// A finished result as the body of another run: its skin moves as its frames say, to the bit at their times
/// and C1 between them, through the samples and with the velocities of the frames where they have them. Of
/// flesh it has the animation, too. At rest it is the mesh of the result; joints are those of the body that it
/// was made with. Each field at its vertices is a painted attribute, with the largest value that it takes over
/// the frames; so is what was painted on the body that it was made with, and each region: 1 at the corners of
/// its faces, else 0. All frames are held in memory.
class ResultBody final : public Body {
 public:
  /// `open` opens the body of a result that stores maps. Throws InputError when the folder holds no result or
  /// an unfinished one. `weld_tolerance` [m]: below zero the default.
  explicit ResultBody(const std::filesystem::path& folder, BodyOpener open = nullptr, double scale = 1,
                      double weld_tolerance = -1);

  Interval duration() const override { return {times_.front(), times_.back()}; }
  double frame_rate() const override { return fps_; }
  std::optional<Skeleton> skeleton() const override { return skeleton_; }
  std::vector<JointTransform> joint_transforms(double time) const override;
  std::optional<SourcePoints> animation(double time) const override;

 private:
  double fps_ = 0;
  std::vector<double> times_;             ///< of the frames and the samples between them [s]
  std::vector<SourcePoints> frames_;      ///< [m]
  std::vector<SourcePoints> velocities_;  ///< [m/s]; empty unless all frames have them
  std::vector<double> animation_times_;   ///< of the frames alone [s]
  std::vector<SourcePoints> animation_;   ///< [m]; empty unless all frames have it
  std::optional<Skeleton> skeleton_;
  std::vector<std::vector<JointTransform>> joints_,
      joint_velocities_;  ///< one per frame; empty without a skeleton

  void add(FrameSample sample, double scale);
  void add_animation(ResultFrame& frame, double scale);
  SourcePoints with_velocities(double time) const;
  SourcePoints compute_positions(double time) const override;
};

}  // namespace cutis
