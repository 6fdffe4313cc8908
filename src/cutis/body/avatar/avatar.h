#pragma once

#include <string>
#include <vector>

#include "cutis/body/rig/character.h"
#include "cutis/core/types.h"
#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// How the pose bends the surface beyond skinning: by the rotation matrices of the joints (SMPL, SMPL-H,
/// SMPL-X, MANO), or by their quaternions and the second shape number (STAR).
enum class PoseFeatures { RotationMatrices, Quaternions };

/// A body model of the SMPL family, as its file has it: metres, y up, looking along +z, arms out.
struct AvatarModel {
  struct RegressorEntry {
    int joint;
    int vertex;
    double weight;
  };

  std::string file;  ///< where it came from, for messages
  SourceMesh mesh;   ///< the mean shape
  std::vector<std::string> joint_names;
  std::vector<int> parents;               ///< of each joint; joint 0 is the root, -1
  std::vector<RegressorEntry> regressor;  ///< joint places from vertices of the shaped body
  Influences influences;                  ///< of each vertex; joints are those above
  std::size_t shape_count = 0;            ///< numbers that shape the body
  std::vector<double> shape_directions;   ///< of each coordinate of each vertex: shape_count numbers
  PoseFeatures features = PoseFeatures::RotationMatrices;
  std::vector<double> pose_directions;  ///< of each coordinate of each vertex: pose_count() numbers

  std::size_t joint_count() const { return parents.size(); }
  /// 9 numbers for each joint but the root, or 4 and one more.
  std::size_t pose_count() const {
    const std::size_t turning = joint_count() - 1;
    return features == PoseFeatures::RotationMatrices ? 9 * turning : 4 * turning + 1;
  }
};

/// A motion for such models, as AMASS has it.
struct AvatarMotion {
  std::string file;           ///< where it came from, for messages
  double fps = 0;             ///< frames a second; 0 where the file does not say
  std::string gender;         ///< as the file says it; may be empty
  std::vector<double> betas;  ///< shape of the body that moved; may be empty
  std::vector<std::string> joint_names;
  std::vector<Vec3> translations;  ///< one per frame [m]; at least one frame
  std::vector<Vec3> rotations;     ///< frame after frame, joint after joint: axis times angle [rad]

  std::size_t frame_count() const { return translations.size(); }
  std::size_t joint_count() const { return joint_names.size(); }
};

/// Joint names by their number, in the order of the published models: 22 (bodies alone), 24 (SMPL, STAR), 52
/// (SMPL-H), 55 (SMPL-X); joint_0, joint_1, ... for any other number.
std::vector<std::string> avatar_joint_names(std::size_t count);

/// Where the joints of the model's mesh lie, in the model's units.
std::vector<Vec3> joint_places(const AvatarModel& model);

/// The mean shape as a rig that holds still, for what looks at a character without playing it.
Character to_character(AvatarModel model, const std::string& name);

}  // namespace cutis
