#pragma once

#include <string>
#include <vector>

#include "cutis/body/anatomy/body_kind.h"
#include "cutis/core/types.h"
#include "cutis/shot/shot.h"

namespace cutis {

/// What is known of a character when its first shot is written.
struct StarterFacts {
  struct ClipFact {
    std::string name;
    double duration = 0;  ///< [s]
  };
  std::string file;                 ///< as it is to stand in the shot: relative to where the shot will lie
  std::vector<std::string> meshes;  ///< all that the file has
  std::string mesh;                 ///< the one that gets skin; "" leaves the choice to the default
  std::vector<ClipFact> clips;
  bool has_uvs = false;
  double scale = 1;   ///< guess: metres a unit of the file
  double size = 1.7;  ///< of everything in the file, at that scale [m]
  /// Materials and parts of the mesh that look like clothes, hair, eyes or armour by their names, where
  /// others do not.
  std::vector<std::string> other_materials = {}, other_parts = {};
  std::string rig = {};  ///< what is understood of its joints, in words; "" where it has none
  BodyKind kind = BodyKind::Unknown;
  /// A place on the body that is worth a region of its own: an elbow, a shoulder, what expressions move most.
  std::string place = "middle";
  Vec3 center = Vec3::Zero();  ///< of it, on the body at rest [m]
  double radius = 0.1;         ///< of the region [m]
  SkinMethod method = SkinMethod::Lagrangian;
};

/// A shot file for the character: every line is active and sensible, or a comment, or an example that works
/// once its leading '#' (with no space behind it) is taken away. Only keys that the method uses are in it,
/// and figures and the look are those that show most of it.
std::string starter_shot(const StarterFacts& facts);

}  // namespace cutis
