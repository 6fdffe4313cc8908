#pragma once

#include <string>
#include <vector>

#include "cutis/body/face_groups.h"
#include "cutis/body/vertex_attribute.h"
#include "cutis/core/types.h"
#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// Everything a character file says, in the file's own units and order: nodes, meshes, skins, blend shapes,
/// clips. Readers and procedural bodies make one; RigBody plays it.

struct Transform {
  Vec3 translation = Vec3::Zero();
  Quat rotation = Quat::Identity();
  Vec3 scale = Vec3::Ones();
  Mat4 matrix() const;  ///< translation · rotation · scale
};

/// The Transform whose matrix is nearest: exact unless the matrix shears. A mirror becomes a negative x
/// scale.
Transform decompose(const Mat4& matrix);

struct Node {
  std::string name;
  int parent = -1;  ///< index of a node, -1 for a root; parents may come after their children
  Transform local;  ///< also set when the file gave a matrix: what a clip that moves this node starts from
  bool has_matrix =
      false;  ///< the file gave a matrix (perhaps with shear): used where no clip moves the node
  Mat4 matrix = Mat4::Identity();
};

struct MorphTarget {
  std::string name;
  IdVector<SourceVertexId, Vec3> offsets;
};

struct Skin {
  std::vector<int> joints;         ///< nodes
  std::vector<Mat4> inverse_bind;  ///< one per joint
};

/// Joint weights of each vertex, any number of them; they sum to one.
struct Influences {
  std::vector<std::int32_t> offsets;  ///< vertices + 1 entries
  std::vector<std::int32_t> joints;   ///< indices into Skin::joints
  std::vector<double> weights;
  bool empty() const { return offsets.empty(); }
};

/// One mesh hung on one node.
struct MeshInstance {
  std::string name;  ///< of the mesh, else of its node
  int node = -1;
  int skin = -1;    ///< -1: moves with its node alone
  SourceMesh mesh;  ///< in the mesh's own space, unskinned, unmorphed
  Influences influences;
  std::vector<MorphTarget> morphs;
  std::vector<double> morph_weights;  ///< default weight of each target
  std::vector<VertexAttribute> attributes;
  FaceGroups materials;              ///< of its faces
  FaceGroups parts;                  ///< objects or groups that the file names within the mesh
  std::vector<std::string> repairs;  ///< of its joint weights, in words for whoever simulates this mesh
};

enum class TrackPath { Translation, Rotation, Scale, MorphWeights };
enum class Interpolation { Step, Linear, CubicSpline };

/// One animated property of one node, as glTF has it. A CubicSpline has three values a key: in-tangent,
/// value, out-tangent.
struct Track {
  int node = -1;
  TrackPath path = TrackPath::Translation;
  Interpolation interpolation = Interpolation::Linear;
  std::vector<double> times;   ///< [s], never decreasing, at least one
  std::vector<double> values;  ///< flat: components a key (3, 4 as x y z w, or the number of morph targets)
};

struct Clip {
  std::string name;
  std::vector<Track> tracks;
  Interval duration() const;  ///< from the first key of any track to the last; 0 .. 0 without tracks
};

struct Character {
  std::string name;
  std::vector<Node> nodes;
  std::vector<Skin> skins;
  std::vector<MeshInstance> meshes;
  std::vector<Clip> clips;
};

}  // namespace cutis
