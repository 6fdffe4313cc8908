#include "cutis/run/skeleton_arrays.h"

#include <sstream>

#include "cutis/core/one_line.h"

namespace cutis {
namespace {

constexpr const char* kJointNames = "joint_names";
constexpr const char* kJointParents = "joint_parents";
constexpr const char* kJointPositions = "joint_positions";
constexpr const char* kInfluenceOffsets = "influence_offsets";
constexpr const char* kInfluenceJoints = "influence_joints";
constexpr const char* kInfluenceWeights = "influence_weights";

}  // namespace

Npz skeleton_arrays(const Skeleton& skeleton) {
  std::string names;
  std::vector<std::int32_t> parents;
  std::vector<Vec3> places;
  for (const SkeletonJoint& joint : skeleton.joints) {
    names += one_line(joint.name) + "\n";
    parents.push_back(joint.parent);
    places.push_back(joint.position);
  }
  Npz arrays;
  arrays[kJointNames] = npy_array(Bytes(names.begin(), names.end()));
  arrays[kJointParents] = npy_array(parents);
  arrays[kJointPositions] = npy_vectors<3>(places);
  arrays[kInfluenceOffsets] = npy_array(skeleton.influences.offsets);
  arrays[kInfluenceJoints] = npy_array(skeleton.influences.joints);
  arrays[kInfluenceWeights] = npy_array(skeleton.influences.weights);
  return arrays;
}

std::optional<Skeleton> take_skeleton(CheckedArrays& in, std::size_t vertices) {
  if (!in.has(kJointNames)) return std::nullopt;
  const std::vector<Vec3> places = in.take_vectors<3>(kJointPositions);
  const std::vector<std::int32_t> parents = in.take_integers(kJointParents, {places.size()});
  const Bytes bytes = in.take_bytes(kJointNames);
  std::istringstream names(std::string(bytes.begin(), bytes.end()));
  Skeleton skeleton;
  for (std::string name; std::getline(names, name);) {
    const std::size_t j = skeleton.joints.size();
    in.require(j < places.size(), kJointNames, "one line for each joint");
    // Parents come first, so that a walk up the tree ends.
    in.require(parents[j] >= -1 && parents[j] < static_cast<int>(j), kJointParents,
               "joints before their own");
    skeleton.joints.push_back({name, parents[j], places[j]});
  }
  in.require(skeleton.joints.size() == places.size(), kJointNames, "one line for each joint");
  Influences& influences = skeleton.influences;
  influences.joints = in.indices(kInfluenceJoints, places.size());
  influences.offsets = in.offsets(kInfluenceOffsets, influences.joints.size());
  in.require(influences.offsets.size() == vertices + 1, kInfluenceOffsets,
             "one for each vertex and one more");
  influences.weights = in.take_numbers(kInfluenceWeights);
  in.require(influences.weights.size() == influences.joints.size(), kInfluenceWeights,
             "one for each of influence_joints");
  return skeleton;
}

}  // namespace cutis
