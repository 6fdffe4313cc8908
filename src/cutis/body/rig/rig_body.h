#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cutis/body/body.h"
#include "cutis/body/rig/character.h"

namespace cutis {

/// Which part of a character is played, and how.
struct RigChoice {
  /// Names of meshes (or of the nodes that carry them), merged into one surface in this order. Empty: the
  /// mesh with the most vertices. "*": all, in the order of the file.
  std::vector<std::string> meshes;
  /// Name of a clip. Empty: the first, if there is one. "none": the file's own pose, still.
  std::string clip;
  /// The rest shape:
  ///   "bind" or empty   the shape as modelled, with the morph weights the file gives: skins as they were
  ///   bound,
  ///                     standing where the file's own pose puts their topmost joint; other meshes on their
  ///                     nodes
  ///   "first"           the start of the clip
  ///   "NAME@0.5s"       clip NAME at a time; "@0.5s" is the chosen clip
  std::string rest;
  double scale = 1;            ///< metres for one unit of the file
  double weld_tolerance = -1;  ///< [m]; below zero: the default
};

/// A character that is played: skinning, blend shapes and node motion as glTF 2.0 defines them, evaluated at
/// any time in double precision. Skinned meshes follow their joints and nothing else; other meshes follow
/// their nodes.
class RigBody final : public Body {
 public:
  /// Throws InputError when a name is unknown (with the names there are), the rest cannot be understood, or
  /// the scale is not above zero. Says through log() which meshes are left out, and how many vertices that
  /// lie in one place at rest move apart.
  explicit RigBody(const Character& character, const RigChoice& choice = {});

  Interval duration() const override { return duration_; }
  SourcePoints compute_positions(double time) const override;
  /// Joints are vertex groups: their weights, by the names of their nodes, where no attribute has the name.
  std::optional<VertexAttribute> attribute(const std::string& name) const override;
  std::vector<std::string> attribute_names() const override;
  /// The joints of the chosen meshes; nothing when none of them hangs on a skin.
  std::optional<Skeleton> skeleton() const override;
  SourcePoints smooth_positions(double time) const override;
  std::vector<JointTransform> joint_transforms(double time) const override;
  std::vector<IdVector<VertexId, double>> shape_lengths() const override;

  const std::vector<std::string>& mesh_names() const { return mesh_names_; }  ///< those that were chosen
  const std::string& clip_name() const { return clip_.name; }                 ///< "" when it holds still

 private:
  /// One joint of one chosen mesh. A mesh without a skin hangs on one joint: its node.
  struct Joint {
    int node;
    Mat4 inverse_bind;
  };
  /// One blend shape of one chosen mesh: the vertices that it moves.
  struct Morph {
    int node;           ///< whose track moves it
    std::size_t index;  ///< among the targets of that node's mesh
    double weight;      ///< where no track does
    std::vector<SourceVertexId> vertices;
    std::vector<Vec3> offsets;
  };

  std::vector<Node> nodes_;
  std::vector<int> order_;
  Clip clip_, smooth_clip_;
  Interval duration_;
  double scale_;
  std::vector<std::string> mesh_names_;
  std::vector<Joint> joints_;
  std::vector<Morph> morphs_;
  SourcePoints base_;  ///< mesh space, unmorphed
  Influences influences_;
  std::vector<Mat4> rest_globals_;  ///< of each node in the rest shape, file's units; empty without a skin

  void add(const Character& character, const MeshInstance& instance);
  SourceMesh rest_shape(const Character& character, const std::vector<const MeshInstance*>& chosen,
                        const RigChoice& choice) const;
  /// The clip and the time that a rest names; no clip for the bind pose.
  std::pair<const Clip*, double> rest_moment(const Character& character, const std::string& rest) const;
  std::vector<Mat4> rest_globals(const Character& character, const std::string& rest) const;
  std::vector<int> skin_nodes() const;  ///< of joints_
  SourcePoints bind_positions(const std::vector<const MeshInstance*>& chosen,
                              const std::vector<Mat4>& placements) const;
  SourcePoints morphed(const Clip& clip, double time) const;
  /// Of each joint: from mesh space to space [m].
  std::vector<Mat4> joint_matrices(const Clip& clip, double time) const;
  SourcePoints posed(const Clip& clip, double time) const;
  void warn_of_tears() const;
};

}  // namespace cutis
